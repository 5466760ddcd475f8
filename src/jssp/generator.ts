import { InputError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { createInstance, type Instance, MAX_TIME, replaceInstance } from './instance.js';

/** The largest instance that the generators make: ten times the size for which the package is tuned. */
const MAX_OPERATIONS = 10_000_000;

/** The numbers that determine an instance of Taillard's generator. */
export interface TaillardSpec {
  jobs: number;
  machines: number;
  /** Seed of the durations, 1 … 2^31 − 2. */
  timeSeed: number;
  /** Seed of the machine orders, 1 … 2^31 − 2. */
  machineSeed: number;
  /** Default: derived from the numbers above. */
  name?: string | undefined;
}

/** The numbers that determine a random instance. */
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
  /** The share of operations, 0 … 1, whose duration is 0 regardless of `minDuration`; default 0. */
  zeroDurations?: number | undefined;
  /** Default: derived from the size and the seed. */
  name?: string | undefined;
}

/**
 * The instance that Taillard's generator makes from two seeds, number for number: durations uniform in 1 … 99 for all
 * operations, then for each job a random permutation of the machines. Source: É. Taillard, Benchmarks for basic
 * scheduling problems, EJOR 64 (1993) 278–285, doi:10.1016/0377-2217(93)90182-M. The seeds of
 * `benchmarks/taillard-seeds.csv` give ta01 … ta80.
 *
 * @throws InputError if a parameter is out of range
 */
export function generateTaillard(spec: TaillardSpec): Instance {
  const { jobs, machines, timeSeed, machineSeed } = spec;
  checkSize(jobs, machines, machines);
  checkWholeNumber('timeSeed', timeSeed, 1, TAILLARD_MODULUS - 1);
  checkWholeNumber('machineSeed', machineSeed, 1, TAILLARD_MODULUS - 1);

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
  checkWholeNumber('minLength', minLength, 1, longest);
  checkWholeNumber('maxLength', maxLength, minLength, longest);
  checkSize(jobs, machines, maxLength);
  checkWholeNumber('minDuration', minDuration, 0, MAX_TIME);
  checkWholeNumber('maxDuration', maxDuration, minDuration, MAX_TIME);
  if (!(zeroDurations >= 0 && zeroDurations <= 1)) {
    throw badParameter('zeroDurations', zeroDurations, 'give a share from 0 to 1');
  }
  return { minLength, maxLength, minDuration, maxDuration, recirculation, zeroDurations };
}

function checkSize(jobs: number, machines: number, maxLength: number): void {
  checkWholeNumber('jobs', jobs, 1, MAX_OPERATIONS);
  checkWholeNumber('machines', machines, 1, MAX_OPERATIONS);
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

/** Requires a parameter to be a whole number in a range. */
export function checkWholeNumber(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw badParameter(name, value, `give a whole number from ${least} to ${most}`);
  }
}

/** The error for a parameter of a generator; the command line names its option instead. */
export function badParameter(name: string, value: unknown, hint: string): InputError {
  return new InputError('bad_parameter', `this is ${value}`, hint, { path: name }, value);
}

function swap(items: Int32Array, i: number, k: number): void {
  const item = items[i];
  items[i] = items[k];
  items[k] = item;
}

/** Significant digits of a product that are free of rounding errors. */
const SOUND_DIGITS = 15;

/**
 * The instance with the due dates and weights that the literature on total weighted tardiness gives
 * to benchmarks: a job is due at its release (that of its first operation) plus the whole part of
 * `tightness` times the durations of its operations; the first 20 % of the jobs weigh 4, the next
 * 60 % weigh 2 and the rest 1. Tightness is 1.3, 1.5 or 1.6 there. Source: M. Singer and M. Pinedo,
 * A computational study of branch and bound techniques for minimizing the total weighted tardiness
 * in job shops, IIE Transactions 30 (1998) 109–118, doi:10.1080/07408179808966461. Rounding
 * down matters: the optimum of la17 at 1.6 is 65, but 63 with due dates rounded to the nearest.
 *
 * @throws InputError if the tightness is not 0 or more, or makes a job due after {@link MAX_TIME}
 */
export function withDueDates(instance: Instance, tightness: number): Instance {
  const due = new Int32Array(instance.jobs);
  const weight = new Int32Array(instance.jobs);
  for (let job = 0; job < instance.jobs; job++) {
    const date = dueDate(instance, job, tightness);
    if (!(tightness >= 0 && date <= MAX_TIME)) throw badTightness(tightness);
    due[job] = date;
    weight[job] = weightOf(job, instance.jobs);
  }
  return replaceInstance(instance, { due, weight });
}

function dueDate({ jobOffset, duration, release }: Instance, job: number, tightness: number) {
  const first = jobOffset[job];
  const stop = jobOffset[job + 1];
  let length = 0;
  for (let op = first; op < stop; op++) length += duration[op];
  // In floating point 1.15 × 100 is slightly less than 115 and must not become 114.
  const allowance = Math.floor(Number((tightness * length).toPrecision(SOUND_DIGITS)));
  return allowance + (first < stop ? (release?.[first] ?? 0) : 0);
}

function weightOf(job: number, jobs: number): number {
  if (5 * job < jobs) return 4;
  return 5 * job < 4 * jobs ? 2 : 1;
}

function badTightness(tightness: number): InputError {
  const hint = `give 0 or more, and so little that no job is due after ${MAX_TIME}`;
  return badParameter('dueTightness', tightness, hint);
}

/** The generator's modulus; seeds are strictly between 0 and it. */
const TAILLARD_MODULUS = 2 ** 31 - 1;

/** The multiplier, and quotient and remainder of the modulus divided by it. */
const MULTIPLIER = 16807;
const QUOTIENT = 127773;
const REMAINDER = 2836;

/**
 * The random numbers of Taillard's benchmarks: a linear congruential generator whose products are kept within 31 bits
 * as proposed by Schrage (doi:10.1145/355826.355828), as É. Taillard used it in EJOR 64 (1993) 278–285,
 * doi:10.1016/0377-2217(93)90182-M. It serves to reproduce his instances; use `core/random` for anything else.
 *
 * @param seed 1 … 2^31 − 2
 * @returns a function that gives the next integer, uniform in [low, high]
 */
function taillardUniform(seed: number): (low: number, high: number) => number {
  let state = seed;
  return (low, high) => {
    const k = Math.floor(state / QUOTIENT);
    state = MULTIPLIER * (state % QUOTIENT) - k * REMAINDER;
    if (state < 0) state += TAILLARD_MODULUS;
    return low + Math.floor((state / TAILLARD_MODULUS) * (high - low + 1));
  };
}
