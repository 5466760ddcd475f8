import { InputError } from '../core/errors.js';
import { createRandom } from '../core/random.js';
import { createInstance, type Instance, MAX_TIME } from './instance.js';
import { TAILLARD_MODULUS, taillardUniform } from './taillard-random.js';

/** Largest instance that the generators make: ten times what the package is tuned for. */
const MAX_OPERATIONS = 10_000_000;

/** What determines an instance of Taillard's generator. */
export interface TaillardSpec {
  jobs: number;
  machines: number;
  /** Seed of the durations, 1 … 2^31 − 2. */
  timeSeed: number;
  /** Seed of the machine orders, 1 … 2^31 − 2. */
  machineSeed: number;
  /** Default: made from the numbers above. */
  name?: string | undefined;
}

/** What determines a random instance. */
export interface RandomSpec {
  jobs: number;
  machines: number;
  seed: number | string;
  /** Fewest operations of a job, at least 1; default: `machines`, or `maxLength` if less. */
  minLength?: number | undefined;
  /** Most operations of a job; default: `machines`, or `minLength` if more. */
  maxLength?: number | undefined;
  /** Default: 1, or `maxDuration` if less. */
  minDuration?: number | undefined;
  /** Default: 99, or `minDuration` if more. */
  maxDuration?: number | undefined;
  /**
   * Whether a job may visit a machine more than once: the machine of every operation is then drawn
   * independently, so that even two in a row may be the same. Otherwise (the default) a job visits
   * each machine at most once, and `maxLength` cannot exceed `machines`.
   */
  recirculation?: boolean | undefined;
  /** The share of operations, 0 … 1, whose duration is 0 whatever `minDuration` says; default 0. */
  zeroDurations?: number | undefined;
  /** Default: made from the size and the seed. */
  name?: string | undefined;
}

/**
 * The instance that Taillard's generator makes from two seeds, number for number: durations
 * uniform in 1 … 99 for all operations, then for each job a random permutation of the machines.
 * Source: É. Taillard, Benchmarks for basic scheduling problems, EJOR 64 (1993) 278–285,
 * doi:10.1016/0377-2217(93)90182-M. With the seeds of `benchmarks/taillard-seeds.csv` it gives
 * ta01 … ta80.
 *
 * @throws InputError if a parameter is out of range
 */
export function generateTaillard(spec: TaillardSpec): Instance {
  const { jobs, machines, timeSeed, machineSeed } = spec;
  checkSize(jobs, machines, machines);
  insistOnInteger('timeSeed', timeSeed, 1, TAILLARD_MODULUS - 1);
  insistOnInteger('machineSeed', machineSeed, 1, TAILLARD_MODULUS - 1);

  const operations = jobs * machines;
  const duration = new Int32Array(operations);
  const nextTime = taillardUniform(timeSeed);
  for (let op = 0; op < operations; op++) duration[op] = nextTime(1, 99);

  const machine = new Int32Array(operations);
  const nextMachine = taillardUniform(machineSeed);
  for (let first = 0; first < operations; first += machines) {
    for (let k = 0; k < machines; k++) machine[first + k] = k;
    for (let k = 0; k < machines; k++)
      swap(machine, first + k, first + nextMachine(k, machines - 1));
  }

  return createInstance({
    name: spec.name ?? `taillard_${jobs}x${machines}_${timeSeed}_${machineSeed}`,
    machines,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines),
    machine,
    duration,
  });
}

/**
 * A random instance: job lengths, durations and machines are uniform in their ranges. Equal
 * parameters give equal instances on every platform.
 *
 * @throws InputError if a parameter is out of range or the instance would be too large
 */
export function generateRandom(spec: RandomSpec): Instance {
  const { jobs, machines, seed } = spec;
  const { minLength, maxLength, minDuration, maxDuration, recirculation, zeroDurations } =
    fillRandomSpec(spec);
  const random = createRandom(seed);

  const jobOffset = new Int32Array(jobs + 1);
  for (let job = 0; job < jobs; job++) {
    jobOffset[job + 1] = jobOffset[job] + random.integer(minLength, maxLength);
  }

  const operations = jobOffset[jobs];
  const duration = new Int32Array(operations);
  for (let op = 0; op < operations; op++) {
    const zero = zeroDurations > 0 && random.next() < zeroDurations;
    duration[op] = zero ? 0 : random.integer(minDuration, maxDuration);
  }

  const machine = new Int32Array(operations);
  const order = Int32Array.from({ length: machines }, (_, k) => k);
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job], k = 0; op < jobOffset[job + 1]; op++, k++) {
      if (recirculation) {
        machine[op] = random.integer(0, machines - 1);
      } else {
        swap(order, k, random.integer(k, machines - 1));
        machine[op] = order[k];
      }
    }
  }

  const name = spec.name ?? `random_${jobs}x${machines}_${seed}`;
  return createInstance({ name, machines, jobOffset, machine, duration });
}

/** Checks the parameters of a random instance and fills in the defaults. */
function fillRandomSpec(spec: RandomSpec) {
  const { jobs, machines, recirculation = false, zeroDurations = 0 } = spec;
  checkSize(jobs, machines, 1);
  const {
    minLength = Math.min(machines, spec.maxLength ?? machines),
    maxLength = Math.max(machines, minLength),
    minDuration = Math.min(1, spec.maxDuration ?? 1),
    maxDuration = Math.max(99, minDuration),
  } = spec;
  const longest = recirculation ? MAX_OPERATIONS : machines;
  insistOnInteger('minLength', minLength, 1, longest);
  insistOnInteger('maxLength', maxLength, minLength, longest);
  checkSize(jobs, machines, maxLength);
  insistOnInteger('minDuration', minDuration, 0, MAX_TIME);
  insistOnInteger('maxDuration', maxDuration, minDuration, MAX_TIME);
  if (!(zeroDurations >= 0 && zeroDurations <= 1)) {
    throw badParameter('zeroDurations', zeroDurations, 'give a share from 0 to 1');
  }
  return { minLength, maxLength, minDuration, maxDuration, recirculation, zeroDurations };
}

function checkSize(jobs: number, machines: number, maxLength: number): void {
  insistOnInteger('jobs', jobs, 1, MAX_OPERATIONS);
  insistOnInteger('machines', machines, 1, MAX_OPERATIONS);
  if (jobs * maxLength > MAX_OPERATIONS) {
    throw new InputError(
      'too_large',
      `${jobs} jobs of up to ${maxLength} operations are too many`,
      `at most ${MAX_OPERATIONS} operations can be generated`,
      {},
      jobs * maxLength,
    );
  }
}

function insistOnInteger(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw badParameter(what, value, `give a whole number from ${least} to ${most}`);
  }
}

function badParameter(what: string, value: unknown, cure: string): InputError {
  return new InputError('bad_parameter', `${what} is ${value}`, cure, {}, value);
}

function swap(items: Int32Array, i: number, k: number): void {
  const item = items[i];
  items[i] = items[k];
  items[k] = item;
}
