import {
  checkCalendar,
  checkInt32,
  checkInteger,
  checkTimes,
  checkWeights,
  refuseUnless,
} from './instance-checks.js';
import { checkNames, type InstanceNames } from './instance-names.js';
import { checkTimeScale, type TimeScale } from './shop-clock.js';
import { checkShopParts } from './shop-part-checks.js';
import type { ShopParts } from './shop-parts.js';

/**
 * Largest time the package handles: every semi-active schedule of an instance ends by then, and a start plus all the
 * work still fits an Int32Array.
 */
export const MAX_TIME = 2 ** 30 - 1;

/**
 * A job-shop instance: n jobs, m machines and N operations numbered 0…N−1 in job order. Immutable; make variants with
 * {@link replaceInstance}. All times are integers in the instance's own unit.
 *
 * `machine` and `duration` are those of one mode for each operation. Where operations have alternatives, `modes` lists
 * them, and {@link assignModes} makes the instance with other ones chosen.
 *
 * Jobs may differ in length and visit a machine more than once or never. An operation of zero duration occupies no
 * machine: it only keeps its place in the order of its job.
 */
export interface Instance extends ShopParts {
  readonly name: string;
  /** n, the number of jobs. */
  readonly jobs: number;
  /** m, the number of machines. */
  readonly machines: number;
  /** N, the number of operations. */
  readonly operations: number;
  /** n+1 entries: job j owns the operations `jobOffset[j] … jobOffset[j + 1] − 1`. */
  readonly jobOffset: Int32Array;
  /** N entries: the machine of each operation in its chosen mode, from 0. */
  readonly machine: Int32Array;
  /** N entries: the duration of each operation in its chosen mode, not negative. */
  readonly duration: Int32Array;
  /** N entries: the job of each operation. */
  readonly jobOf: Int32Array;
  /** m+1 entries: machine k owns the slots `machineOffset[k] … machineOffset[k + 1] − 1`. */
  readonly machineOffset: Int32Array;
  /** N entries: the operations of each machine, ascending, in the slots of `machineOffset`. */
  readonly machineOperations: Int32Array;
  /** N entries: earliest start of each operation; null if all are 0. */
  readonly release: Int32Array | null;
  /** n entries: due date of each job, −1 for none; null if no job has one. May be missed. */
  readonly due: Int32Array | null;
  /**
   * n entries: the cost of each unit of time by which a job misses its due date, 0 or more; null if all are 1. Jobs
   * without a due date may have one, too.
   */
  readonly weight: Int32Array | null;
  /** n entries: deadline of each job, −1 for none; null if no job has one. Must be met. */
  readonly deadline: Int32Array | null;
  /** N entries: the start an operation has already taken, −1 if it is free; null if all are free. */
  readonly frozen: Int32Array | null;
  /** Downtimes of the machines; null if every machine is always up. */
  readonly calendar: Calendar | null;
  /** The shop's own names of its jobs, machines and operations; null if it has none. */
  readonly names: InstanceNames | null;
  /** The clock time of integer times; null if the instance has no clock. */
  readonly timeScale: TimeScale | null;
}

/**
 * Downtimes `[from, to)` by machine: machine k owns the entries `offset[k] … offset[k + 1] − 1`, in increasing order
 * and not overlapping. No operation starts inside a downtime. A resumable downtime interrupts a running operation,
 * which continues after it; a non-resumable one may not meet a running operation at all (Lee 1996,
 * doi:10.1007/BF00127358).
 */
export interface Calendar {
  readonly offset: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** 1 where the downtime is resumable, 0 where it is not. */
  readonly resumable: Uint8Array;
  /** 1 where the end of the downtime is an estimate; absent if all ends are known. */
  readonly estimated?: Uint8Array | undefined;
  /** The time up to which shifts are known, after which machines count as up. Absent if shifts are unknown. */
  readonly until?: number | undefined;
}

/** The parts that {@link createInstance} needs; omitted ones are derived or absent. */
export interface InstanceSpec {
  name: string;
  machines: number;
  jobOffset: Int32Array;
  machine: Int32Array;
  duration: Int32Array;
  release?: Int32Array | null;
  due?: Int32Array | null;
  weight?: Int32Array | null;
  deadline?: Int32Array | null;
  frozen?: Int32Array | null;
  calendar?: Calendar | null;
  names?: InstanceNames | null;
  timeScale?: TimeScale | null;
  modes?: ShopParts['modes'];
  setups?: ShopParts['setups'];
  transport?: ShopParts['transport'];
  precedence?: ShopParts['precedence'];
  resources?: ShopParts['resources'];
}

/**
 * Creates an instance from flat arrays and checks it. The arrays are kept, not copied: do not
 * change them afterwards.
 *
 * @throws InputError if the arrays are of another type or do not fit each other, a machine is out of
 *   range, a time is negative, downtimes overlap, schedules could exceed {@link MAX_TIME}, a weight
 *   is negative or all of them add up to more than 2^23, or names are not those of {@link InstanceNames}
 */
export function createInstance(spec: InstanceSpec): Instance {
  return assemble(spec, deriveShape(spec), checkShape(spec));
}

/** The arrays that follow from jobs and machines alone. */
type DerivedShape = Pick<Instance, 'jobOf' | 'machineOffset' | 'machineOperations'>;

function deriveShape({ machines, jobOffset, machine }: InstanceSpec): DerivedShape {
  const jobs = jobOffset.length - 1;
  const operations = machine.length;
  const jobOf = new Int32Array(operations);
  for (let job = 0; job < jobs; job++) jobOf.fill(job, jobOffset[job], jobOffset[job + 1]);

  const machineOffset = new Int32Array(machines + 1);
  for (let op = 0; op < operations; op++) machineOffset[machine[op] + 1]++;
  for (let k = 0; k < machines; k++) machineOffset[k + 1] += machineOffset[k];
  const next = machineOffset.slice();
  const machineOperations = new Int32Array(operations);
  for (let op = 0; op < operations; op++) machineOperations[next[machine[op]]++] = op;
  return { jobOf, machineOffset, machineOperations };
}

function assemble(spec: InstanceSpec, shape: DerivedShape, names: InstanceNames | null): Instance {
  const { name, machines, jobOffset, machine, duration } = spec;
  const { jobOf, machineOffset, machineOperations } = shape;
  return Object.freeze({
    name,
    jobs: jobOffset.length - 1,
    machines,
    operations: machine.length,
    jobOffset,
    machine,
    duration,
    jobOf,
    machineOffset,
    machineOperations,
    release: nullIfAll(0, spec.release),
    due: nullIfAll(-1, spec.due),
    weight: nullIfAll(1, spec.weight),
    deadline: nullIfAll(-1, spec.deadline),
    frozen: nullIfAll(-1, spec.frozen),
    calendar: spec.calendar?.from.length ? spec.calendar : null,
    names,
    timeScale: spec.timeScale ?? null,
    modes: spec.modes ?? null,
    setups: spec.setups ?? null,
    transport: spec.transport ?? null,
    precedence: spec.precedence ?? null,
    resources: spec.resources ?? null,
  });
}

/** Null if all numbers have the default, so that equal instances are equal in every respect. */
function nullIfAll(nothing: number, numbers: Int32Array | null | undefined): Int32Array | null {
  return numbers?.some((number) => number !== nothing) ? numbers : null;
}

/** An operation as a literal: [machine, duration]. */
export type OperationLiteral = readonly [machine: number, duration: number];

/**
 * Creates an instance from nested arrays: for each job its operations as [machine, duration].
 * `machines` defaults to the highest machine used plus one.
 *
 * @throws InputError as {@link createInstance} does
 */
export function instanceFromJobs(
  name: string,
  jobs: readonly (readonly OperationLiteral[])[],
  machines = highestMachine(jobs) + 1,
): Instance {
  const jobOffset = new Int32Array(jobs.length + 1);
  jobs.forEach((job, j) => {
    jobOffset[j + 1] = jobOffset[j] + job.length;
  });
  const machine = new Int32Array(jobOffset[jobs.length]);
  const duration = new Int32Array(machine.length);
  jobs.flat().forEach(([k, d], op) => {
    checkInteger(k, 'machine');
    checkInteger(d, 'duration');
    machine[op] = k;
    duration[op] = d;
  });
  return createInstance({ name, machines, jobOffset, machine, duration });
}

function highestMachine(jobs: readonly (readonly OperationLiteral[])[]): number {
  let highest = 0;
  for (const job of jobs) for (const [k] of job) if (k > highest) highest = k;
  return highest;
}

/** A variant of an instance with some members replaced; derived members are recomputed. */
export function replaceInstance(instance: Instance, changes: Partial<InstanceSpec>): Instance {
  const spec: InstanceSpec = { ...instance, ...changes };
  const names = checkShape(spec);
  const keepsShape =
    spec.machines === instance.machines &&
    spec.jobOffset === instance.jobOffset &&
    spec.machine === instance.machine;
  return assemble(spec, keepsShape ? instance : deriveShape(spec), names);
}

/**
 * The instance with another chosen mode for each operation; the instance itself if they are the same. O(N); everything
 * else is shared.
 *
 * @param chosen N entries, kept: numbers of modes as in `instance.modes`
 * @throws InputError `bad_instance` if the instance has no modes, or a mode is not one of its operation
 */
export function assignModes(instance: Instance, chosen: Int32Array): Instance {
  const { modes, operations } = instance;
  if (modes === null) {
    refuseUnless(false, `${instance.name} has no modes`, 'give the instance as it is');
    return instance;
  }
  checkInt32(chosen, 'chosen');
  refuseUnless(chosen.length === operations, `${chosen.length} modes`, `give ${operations}`);
  const machine = new Int32Array(operations);
  const duration = new Int32Array(operations);
  let isSame = true;
  for (let op = 0; op < operations; op++) {
    const mode = chosen[op];
    if (!(modes.offset[op] <= mode && mode < modes.offset[op + 1])) {
      const hint = `give a mode from ${modes.offset[op]} to ${modes.offset[op + 1] - 1}`;
      refuseUnless(false, `mode ${mode} is not one of operation ${op}`, hint, mode);
    }
    machine[op] = modes.machine[mode];
    duration[op] = modes.duration[mode];
    if (mode !== modes.chosen[op]) isSame = false;
  }
  if (isSame) return instance;
  const spec = { ...instance, machine, duration, modes: { ...modes, chosen } };
  return assemble(spec, deriveShape(spec), instance.names);
}

/** Whether an operation may still be moved: it has no frozen start. */
export function isFree({ frozen }: Instance, op: number): boolean {
  return frozen === null || frozen[op] < 0;
}

/** Checks an instance, and returns its names in stored form. */
function checkShape(spec: InstanceSpec): InstanceNames | null {
  const { machines, jobOffset, machine, duration } = spec;
  checkInt32(jobOffset, 'jobOffset');
  checkInt32(machine, 'machine');
  checkInt32(duration, 'duration');
  const jobs = jobOffset.length - 1;
  const operations = machine.length;
  refuseUnless(jobs >= 1, 'an instance needs at least one job', 'give one', jobs);
  refuseUnless(
    Number.isInteger(machines) && machines >= 1,
    `the number of machines is ${machines}`,
    'give a whole number of at least 1',
    machines,
  );
  refuseUnless(
    jobOffset[0] === 0 && jobOffset[jobs] === operations && duration.length === operations,
    'jobOffset, machine and duration do not fit each other',
    'jobOffset runs from 0 to the length of the two others',
  );
  for (let job = 0; job < jobs; job++) {
    refuseUnless(
      jobOffset[job] <= jobOffset[job + 1],
      `jobOffset decreases at job ${job + 1}`,
      'list the jobs in order',
    );
  }
  let work = 0;
  for (let op = 0; op < operations; op++) {
    const k = machine[op];
    const d = duration[op];
    if (k < 0 || k >= machines) {
      refuseUnless(false, `machine ${k} in operation ${op}`, `use 0 to ${machines - 1}`, k);
    }
    if (d < 0) refuseUnless(false, `duration ${d} in operation ${op}`, 'use 0 or more', d);
    work += d;
  }
  const released = checkTimes(spec.release, operations, 'release', 0);
  checkTimes(spec.due, jobs, 'due', -1);
  checkWeights(spec.weight, jobs);
  checkTimes(spec.deadline, jobs, 'deadline', -1);
  const frozen = checkTimes(spec.frozen, operations, 'frozen', -1);
  const down = spec.calendar ? checkCalendar(spec.calendar, machines) : 0;
  if (spec.timeScale) checkTimeScale(spec.timeScale);
  // Equals `horizonOf` of the instance.
  work += checkShopParts(spec);
  work += Math.max(released, frozen, down);
  refuseUnless(
    work <= MAX_TIME,
    `all work, releases and downtimes add up to ${work}`,
    `use a coarser time unit: at most ${MAX_TIME} fits`,
    work,
  );
  return checkNames(spec.names, { jobs, machines, operations, jobOffset });
}
