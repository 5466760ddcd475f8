import { InputError } from '../core/errors.js';
import { type Downtime, downtimesOf } from '../jssp/calendar.js';
import { type Instance, replaceInstance } from '../jssp/instance.js';
import type { Schedule } from '../jssp/schedule.js';
import { replaceDowntimes } from './downtimes.js';
import type { Arrival } from './event.js';
import { startedOperations } from './progress.js';

/**
 * An instance in execution while events work on it. Operations and jobs are those of the instance,
 * in their numbers, and behind them those of the jobs that arrive.
 */
export interface Draft {
  readonly now: number;
  readonly schedule: Schedule;
  readonly jobs: number;
  readonly machines: number;
  readonly jobOffset: Int32Array;
  readonly machine: Int32Array;
  readonly duration: Int32Array;
  readonly release: Int32Array;
  readonly due: Int32Array;
  readonly weight: Int32Array;
  readonly deadline: Int32Array;
  /** The start of each operation that has started, −1 for the others. */
  readonly started: Int32Array;
  /** One entry a job: the number of operations that it keeps, counted from its first one. */
  readonly kept: Int32Array;
  /** The downtimes of the machines whose downtimes have changed. */
  readonly downtimes: Map<number, readonly Downtime[]>;
}

/**
 * Opens a draft at `now`, with the jobs that arrive behind the others.
 *
 * @throws InputError as {@link startedOperations} does; `unknown_machine` if an arriving job wants
 *   a machine that there is not
 */
export function openDraft(schedule: Schedule, arrivals: readonly Arrival[], now: number): Draft {
  const { instance } = schedule;
  const started = startedOperations(schedule, now);
  const arriving = arrivals.map(({ job }) => job);
  const extra = arriving.flatMap(({ operations }) => operations);
  for (const { machine } of extra) requireMachine(machine, instance.machines);
  const jobs = instance.jobs + arriving.length;
  const jobOffset = extend(instance.jobOffset, arriving, () => 0);
  for (let job = instance.jobs; job < jobs; job++) {
    jobOffset[job + 1] = jobOffset[job] + arriving[job - instance.jobs].operations.length;
  }
  const release = extend(instance.release ?? new Int32Array(instance.operations), extra, () => now);
  arriving.forEach((job, i) => {
    release[jobOffset[instance.jobs + i]] = job.release;
  });
  const none = new Int32Array(instance.jobs).fill(-1);
  const ones = new Int32Array(instance.jobs).fill(1);
  return {
    now,
    schedule,
    jobs,
    machines: instance.machines,
    jobOffset,
    machine: extend(instance.machine, extra, ({ machine }) => machine),
    duration: extend(instance.duration, extra, ({ duration }) => duration),
    release,
    due: extend(instance.due ?? none, arriving, ({ due = -1 }) => due),
    weight: extend(instance.weight ?? ones, arriving, ({ weight = 1 }) => weight),
    deadline: extend(instance.deadline ?? none, arriving, () => -1),
    started: extend(started, extra, () => -1),
    kept: Int32Array.from({ length: jobs }, (_, job) => jobOffset[job + 1] - jobOffset[job]),
    downtimes: new Map(),
  };
}

/** The instance made of a draft, and the numbers of operations before and after. */
export interface FinishedDraft {
  readonly instance: Instance;
  /** For each operation of the instance before: its number now, −1 if it has fallen away. */
  readonly newOf: Int32Array;
  /** For each operation now: its number before, −1 if it is new. */
  readonly oldOf: Int32Array;
}

/**
 * Makes the instance of a draft: what has started is frozen, everything else is not released
 * before `now`.
 *
 * @throws InputError `bad_instance` if times would exceed what the package handles
 */
export function finishDraft(draft: Draft): FinishedDraft {
  const { now, schedule, machines, started, release, downtimes } = draft;
  const { instance } = schedule;
  const common = {
    due: draft.due,
    weight: draft.weight,
    deadline: draft.deadline,
    calendar: replaceDowntimes(instance.calendar, machines, downtimes),
  };
  const releaseOf = (op: number) => (started[op] >= 0 ? release[op] : Math.max(now, release[op]));
  if (keepsOperations(draft)) {
    // No job has come or gone: arrays that follow from jobs and machines need not be derived anew.
    const { duration, started: frozen } = draft;
    const same = duration.map((_, op) => op);
    const changes = { ...common, duration, frozen, release: same.map(releaseOf) };
    return { instance: replaceInstance(instance, changes), newOf: same, oldOf: same };
  }
  const { offset, from, newOf } = renumber(draft);
  return {
    newOf,
    oldOf: from.map((op) => (op < instance.operations ? op : -1)),
    instance: replaceInstance(instance, {
      ...common,
      jobOffset: offset,
      machine: from.map((op) => draft.machine[op]),
      duration: from.map((op) => draft.duration[op]),
      release: from.map(releaseOf),
      frozen: from.map((op) => started[op]),
    }),
  };
}

function keepsOperations({ schedule: { instance }, jobs, jobOffset, kept }: Draft): boolean {
  return (
    jobs === instance.jobs &&
    kept.every((length, job) => length === jobOffset[job + 1] - jobOffset[job])
  );
}

/** The numbers of operations when those that have fallen away are left out. */
function renumber({ schedule, jobs, jobOffset, kept }: Draft) {
  const before = schedule.instance.operations;
  const offset = new Int32Array(jobs + 1);
  for (let job = 0; job < jobs; job++) offset[job + 1] = offset[job] + kept[job];
  const from = new Int32Array(offset[jobs]);
  const newOf = new Int32Array(before).fill(-1);
  for (let job = 0; job < jobs; job++) {
    for (let step = 0; step < kept[job]; step++) {
      const op = jobOffset[job] + step;
      from[offset[job] + step] = op;
      if (op < before) newOf[op] = offset[job] + step;
    }
  }
  return { offset, from, newOf };
}

/** The downtimes of a machine as the draft has them. */
export function draftDowntimes({ downtimes, schedule }: Draft, machine: number) {
  return downtimes.get(machine) ?? downtimesOf(schedule.instance.calendar, machine);
}

/** The first operation of a job that has not started; −1 if there is none left. */
export function firstUnstarted({ jobOffset, kept, started }: Draft, job: number): number {
  const stop = jobOffset[job] + kept[job];
  for (let op = jobOffset[job]; op < stop; op++) if (started[op] < 0) return op;
  return -1;
}

/** Whether an operation is done at `now`. */
export function isFinished({ now, schedule, started }: Draft, op: number): boolean {
  return started[op] >= 0 && schedule.end[op] <= now;
}

/** @throws InputError `unknown_machine` */
export function requireMachine(machine: number, machines: number): void {
  if (machine < machines) return;
  throw new InputError(
    'unknown_machine',
    `there is no machine ${machine}`,
    `use 0 to ${machines - 1}`,
    {},
    machine,
  );
}

function extend<T>(times: Int32Array, extra: readonly T[], value: (item: T) => number): Int32Array {
  const longer = new Int32Array(times.length + extra.length);
  longer.set(times);
  extra.forEach((item, i) => {
    longer[times.length + i] = value(item);
  });
  return longer;
}
