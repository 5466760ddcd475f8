import { completionTime, type Downtime, downtimesOf } from '../jssp/calendar.js';
import { type Instance, replaceInstance } from '../jssp/instance.js';
import { pickNames } from '../jssp/instance-names.js';
import type { Schedule } from '../jssp/schedule.js';
import { isClassic } from '../jssp/shop-parts.js';
import type { Arrival } from './arriving.js';
import { overloaded, type RunningOperation } from './capacities.js';
import { replaceDowntimes } from './downtimes.js';
import { namesWith, requireFitting } from './draft-checks.js';
import {
  arrivingModes,
  listModes,
  type ModeList,
  partsAfter,
  staysClassic,
} from './draft-parts.js';
import { isLost } from './progress.js';

/**
 * An instance in execution while events are applied. Operations and jobs are those of the instance, with their numbers,
 * followed by those of arriving jobs.
 */
export interface Draft {
  /** Everything started before this time is known. */
  readonly now: number;
  /** The schedule in execution. */
  readonly schedule: Omit<Schedule, 'makespan'>;
  /** Durations, releases, frozen starts and downtimes at this moment, as an instance for the functions of calendars. */
  readonly facts: Instance;
  /** The number of jobs so far; those after them have yet to arrive. */
  readonly jobs: number;
  readonly jobOffset: Int32Array;
  readonly duration: Int32Array;
  readonly release: Int32Array;
  /** The start of each started operation, −1 for the others; in each job these are the first ones. */
  readonly started: Int32Array;
  readonly due: Int32Array;
  readonly weight: Int32Array;
  readonly deadline: Int32Array;
  /** One entry per job: the number of operations that it keeps, counted from its first one. */
  readonly kept: Int32Array;
  /** The operations that were running and must start again. */
  readonly lost: Set<number>;
  /** The modes of operations whose modes have changed, and of new operations in a shop with more than one machine each. */
  readonly modeLists: Map<number, ModeList>;
  /** The setup families of all operations; null if the shop has no setups. */
  readonly family: Int32Array | null;
}

/** A mutable draft. Entries of `duration`, `release` and `started` are changed by `write` only. */
export interface OpenDraft extends Draft {
  now: number;
  facts: Instance;
  jobs: number;
  readonly write: (values: Int32Array, at: number, value: number) => void;
}

/**
 * Opens a draft, with the arriving jobs after the others.
 *
 * @param started N entries, as in {@link Draft}; they are not copied
 * @throws InputError `unknown_machine` if an arriving job uses an unknown machine; `bad_event` if its name is not
 *   unique, in a shop with names
 */
export function openDraft(
  schedule: Omit<Schedule, 'makespan'>,
  started: Int32Array,
  arrivals: readonly Arrival[],
  now: number,
): OpenDraft {
  const { instance } = schedule;
  const arriving = arrivals.map(({ job }) => job);
  const extra = arriving.flatMap(({ operations }) => operations);
  requireFitting(instance, extra);
  const jobOffset = extend(instance.jobOffset, arriving, () => 0);
  for (let job = instance.jobs; job < jobOffset.length - 1; job++) {
    jobOffset[job + 1] = jobOffset[job] + arriving[job - instance.jobs].operations.length;
  }
  const release = extend(instance.release ?? new Int32Array(instance.operations), extra, () => now);
  arriving.forEach((job, i) => {
    release[jobOffset[instance.jobs + i]] = job.release;
  });
  const none = new Int32Array(instance.jobs).fill(-1);
  const ones = new Int32Array(instance.jobs).fill(1);
  const machine = extend(instance.machine, extra, (one) => one.machine);
  const duration = extend(instance.duration, extra, (one) => one.duration);
  const names = namesWith(instance, arrivals);
  const frozen = extra.length === 0 ? started : extend(started, extra, () => -1);
  const modeLists = new Map<number, ModeList>();
  if (!staysClassic(instance, extra)) {
    extra.forEach((one, i) => {
      modeLists.set(instance.operations + i, arrivingModes(one));
    });
  }
  return {
    now,
    schedule,
    facts: { ...instance, machine, duration, release, frozen, names },
    jobs: instance.jobs,
    jobOffset,
    duration,
    release,
    started: frozen,
    due: extend(instance.due ?? none, arriving, ({ due = -1 }) => due),
    weight: extend(instance.weight ?? ones, arriving, ({ weight = 1 }) => weight),
    deadline: extend(instance.deadline ?? none, arriving, () => -1),
    kept: Int32Array.from(
      { length: jobOffset.length - 1 },
      (_, job) => jobOffset[job + 1] - jobOffset[job],
    ),
    lost: new Set(),
    modeLists,
    family: instance.setups && extend(instance.setups.family, extra, ({ family = 0 }) => family),
    write: (values, at, value) => {
      values[at] = value;
    },
  };
}

/** The instance made from a draft, and the numbers of operations before and after. */
export interface FinishedDraft {
  readonly instance: Instance;
  /** For each operation of the instance before: its number now, −1 if it was cancelled. */
  readonly newOf: Int32Array;
  /** For each operation now: its number before, −1 if it is new. */
  readonly oldOf: Int32Array;
}

/**
 * Makes the instance of a draft: started operations are frozen, all others are not released before `now`.
 *
 * @throws InputError `bad_instance` if times would exceed the limit of the package
 */
export function finishDraft(draft: Draft): FinishedDraft {
  const { now, schedule, started, release, facts } = draft;
  const { instance } = schedule;
  const { due, weight, deadline } = draft;
  const { calendar, resources } = facts;
  const common = { due, weight, deadline, calendar, resources };
  const releaseOf = (op: number) => (started[op] >= 0 ? release[op] : Math.max(now, release[op]));
  if (keepsOperations(draft)) {
    // No job was added or cancelled, so arrays that follow from jobs and machines are reused.
    const { duration, modeLists, family } = draft;
    const parted = { instance, modeLists, family, machine: facts.machine };
    const same = duration.map((_, op) => op);
    const changes = { ...common, duration, frozen: started, release: same.map(releaseOf) };
    const parts =
      modeLists.size > 0
        ? partsAfter({ ...parted, resources, duration }, same, instance.jobOffset)
        : {};
    return {
      instance: replaceInstance(instance, { ...changes, ...parts }),
      newOf: same,
      oldOf: same,
    };
  }
  const { offset, from, newOf } = renumber(draft);
  const { modeLists, family } = draft;
  const parted = { instance, modeLists, family, machine: facts.machine };
  const isSimple = isClassic(instance) && modeLists.size === 0;
  return {
    newOf,
    oldOf: from.map((op) => (op < instance.operations ? op : -1)),
    instance: replaceInstance(instance, {
      ...common,
      jobOffset: offset,
      ...(isSimple
        ? {
            machine: from.map((op) => facts.machine[op]),
            duration: from.map((op) => draft.duration[op]),
          }
        : partsAfter({ ...parted, resources, duration: draft.duration }, from, offset)),
      release: from.map(releaseOf),
      frozen: from.map((op) => started[op]),
      names: pickNames(facts.names, from, offset),
    }),
  };
}

function keepsOperations({ schedule: { instance }, jobs, jobOffset, kept }: Draft): boolean {
  return (
    jobs === instance.jobs &&
    kept.every((length, job) => length === jobOffset[job + 1] - jobOffset[job])
  );
}

/** The numbers of operations after cancelled ones are removed. */
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

/** Sets the downtimes of a machine. */
export function changeDowntimes(
  draft: OpenDraft,
  machine: number,
  change: (known: Downtime[]) => readonly Downtime[],
): void {
  const { calendar, machines } = draft.facts;
  const downtimes = change(downtimesOf(calendar, machine));
  draft.facts = {
    ...draft.facts,
    calendar: replaceDowntimes(calendar, machines, machine, downtimes),
  };
}

/** The operations that occupy a machine and are not done at `now`, by the schedule in execution. */
export function pendingOn({ now, schedule: { instance, end } }: Draft, machine: number): number[] {
  const { machineOffset, machineOperations } = instance;
  const pending: number[] = [];
  for (let slot = machineOffset[machine]; slot < machineOffset[machine + 1]; slot++) {
    const op = machineOperations[slot];
    if (end[op] > now) pending.push(op);
  }
  return pending;
}

/** Frees those operations that run at `now` and cannot finish. */
export function loseWork(draft: OpenDraft, operations: readonly number[]): void {
  const { now, facts, started } = draft;
  for (const op of operations) {
    const start = started[op];
    if (start < 0 || isFinished(draft, op) || !isLost(facts, op, start, now)) continue;
    lose(draft, op);
  }
}

/** Frees operations that run at `now` and for which resources are not enough any more. O(N) in a shop with resources. */
export function loseOverload(draft: OpenDraft): void {
  const { facts, started, now } = draft;
  if (facts.resources === null) return;
  const running: RunningOperation[] = [];
  for (let op = 0; op < started.length; op++) {
    const start = started[op];
    if (start < 0) continue;
    const end = completionOf(draft, op);
    if (end > now) running.push({ op, start, end, list: modesIn(draft, op) });
  }
  for (const op of overloaded(facts, running, now)) lose(draft, op);
}

function lose({ now, started, release, write, lost }: OpenDraft, op: number): void {
  write(started, op, -1);
  write(release, op, Math.max(release[op], now));
  lost.add(op);
}

/** The modes of an operation at this moment. */
export function modesIn({ modeLists, schedule, duration, facts }: Draft, op: number): ModeList {
  const known = modeLists.get(op);
  if (known === undefined && op >= schedule.instance.operations) {
    return {
      modes: [{ machine: facts.machine[op], duration: duration[op], needs: [] }],
      chosen: 0,
    };
  }
  const list = known ?? listModes(schedule.instance, op);
  const { modes, chosen } = list;
  if (modes[chosen].duration === duration[op]) return list;
  const current = { ...modes[chosen], duration: duration[op] };
  return { chosen, modes: modes.map((mode, i) => (i === chosen ? current : mode)) };
}

/** The first operation of a job that has not started; −1 if there is none left. */
export function firstUnstarted({ jobOffset, kept, started }: Draft, job: number): number {
  const stop = jobOffset[job] + kept[job];
  for (let op = jobOffset[job]; op < stop; op++) if (started[op] < 0) return op;
  return -1;
}

/** The end of a started operation, as known now. */
export function completionOf({ facts, started }: Draft, op: number): number {
  return completionTime(facts, op, started[op]);
}

/** Whether an operation is done at `now`. */
export function isFinished(draft: Draft, op: number): boolean {
  return draft.started[op] >= 0 && completionOf(draft, op) <= draft.now;
}

function extend<T>(times: Int32Array, extra: readonly T[], value: (item: T) => number): Int32Array {
  const longer = new Int32Array(times.length + extra.length);
  longer.set(times);
  extra.forEach((item, i) => {
    longer[times.length + i] = value(item);
  });
  return longer;
}
