import { completionTime } from '../jssp/calendar.js';
import { assignModes, type Instance, MAX_TIME } from '../jssp/instance.js';
import { modeOfEntry, operationAt, type Plan, type PlanEntry } from '../jssp/plan.js';
import type { Schedule } from '../jssp/schedule.js';
import { describeOperation, wordsOf } from '../jssp/words.js';
import { MISSING, UNUSABLE } from './inspection.js';
import { checkEntryMode, modeOfSchedule, reportMachine } from './mode-claims.js';
import type { ViolationTally } from './tally.js';
import { operationScope } from './violation.js';

/** Start times and modes of a candidate after its claims have been checked. */
export interface Claims {
  /** The instance in the modes of the candidate. */
  readonly instance: Instance;
  /** N entries: the claimed start, MISSING without an entry, UNUSABLE if it is no time. */
  readonly starts: Int32Array;
  /** The operation with the latest claimed end, −1 if no end is usable. */
  readonly latest: number;
  /** The time of that end. */
  readonly latestEnd: number;
}

/**
 * Reads the entries of a plan one by one, and reports false claims. If an operation has several entries, the first one
 * counts; the others are reported and skipped.
 */
export function claimsOfPlan(instance: Instance, plan: Plan, tally: ViolationTally): Claims {
  const starts = new Int32Array(instance.operations).fill(MISSING);
  const entryOf = new Int32Array(instance.operations).fill(-1);
  const claimed = claimedModes(instance);
  let latest = -1;
  let latestEnd = -1;
  plan.entries.forEach((entry, index) => {
    const op = findOperation(instance, entry, index, tally);
    if (op < 0) return;
    if (entryOf[op] >= 0) {
      tally.add('duplicate_operation', () => ({
        message: `${describeOperation(instance, op)} is in the plan again, at ${wordsOf(instance).time(entry.start)}`,
        scope: operationScope(claimed.instance, op),
        entry: index,
        first: entryOf[op],
        start: entry.start,
      }));
      return;
    }
    entryOf[op] = index;
    checkEntryMode(instance, op, entry, index, tally);
    const mode = modeOfEntry(instance, op, entry);
    if (mode < 0) reportMachine(instance, op, entry.machine, index, tally);
    else claimed.choose(op, mode);
    starts[op] = checkTime(claimed.instance, op, 'start', entry.start, tally)
      ? entry.start
      : UNUSABLE;
    if (checkEnd(claimed.instance, op, starts[op], entry.end, tally) && entry.end > latestEnd) {
      latest = op;
      latestEnd = entry.end;
    }
  });
  return { instance: claimed.finish(), starts, latest, latestEnd };
}

/** Reads the start times and the modes of a schedule; its ends and makespan are ignored. */
export function claimsOfSchedule(
  instance: Instance,
  { instance: planned, start }: Schedule,
  tally: ViolationTally,
): Claims {
  const claimed = claimedModes(instance);
  if (instance.modes !== null && planned !== instance) {
    for (let op = 0; op < instance.operations; op++) {
      const mode = modeOfSchedule(instance, planned, op);
      if (mode >= 0) claimed.choose(op, mode);
      else reportMachine(instance, op, planned.machine[op], -1, tally);
    }
  }
  const starts = start.slice();
  for (let op = 0; op < starts.length; op++) {
    if (starts[op] === MISSING || (starts[op] >= 0 && starts[op] <= MAX_TIME)) continue;
    checkTime(claimed.instance, op, 'start', starts[op], tally);
    starts[op] = UNUSABLE;
  }
  return { instance: claimed.finish(), starts, latest: -1, latestEnd: -1 };
}

/** The modes that a candidate claims, while they are read. */
interface ClaimedModes {
  /** The instance with the machines and durations read so far. */
  readonly instance: Instance;
  choose(op: number, mode: number): void;
  /** The instance in all of them. */
  finish(): Instance;
}

/** Starts with the modes that are chosen in the instance. */
function claimedModes(instance: Instance): ClaimedModes {
  const { modes } = instance;
  if (modes === null) return { instance, choose: () => {}, finish: () => instance };
  const chosen = modes.chosen.slice();
  const machine = instance.machine.slice();
  const duration = instance.duration.slice();
  return {
    instance: { ...instance, machine, duration },
    choose: (op, mode) => {
      chosen[op] = mode;
      machine[op] = modes.machine[mode];
      duration[op] = modes.duration[mode];
    },
    finish: () => assignModes(instance, chosen),
  };
}

/** The operation of an entry, or −1 after reporting that it does not exist. */
function findOperation(
  instance: Instance,
  { job, step }: PlanEntry,
  entry: number,
  tally: ViolationTally,
): number {
  const op = operationAt(instance, job, step);
  if (op >= 0) return op;
  if (!Number.isInteger(job) || job < 0 || job >= instance.jobs) {
    tally.add('unknown_job', () => ({
      message: `entry ${entry + 1} is for job ${job + 1}, but the jobs are 1 to ${instance.jobs}`,
      scope: {},
      entry,
      value: job,
    }));
  } else {
    const length = instance.jobOffset[job + 1] - instance.jobOffset[job];
    tally.add('unknown_step', () => ({
      message: `entry ${entry + 1} is for step ${step + 1} of ${wordsOf(instance).job(job)}, which has ${length}`,
      scope: { job },
      entry,
      value: step,
    }));
  }
  return -1;
}

/** Whether a claimed number is a time; if not, reports why. */
function checkTime(
  instance: Instance,
  op: number,
  field: 'start' | 'end',
  value: number,
  tally: ViolationTally,
): boolean {
  if (Number.isInteger(value) && value >= 0 && value <= MAX_TIME) return true;
  const [code, what] =
    !Number.isFinite(value) || Math.abs(value) > MAX_TIME
      ? (['absurd_time', `which is no time up to ${MAX_TIME}`] as const)
      : !Number.isInteger(value)
        ? (['fractional_time', 'but times are whole numbers'] as const)
        : (['negative_time', 'but time begins at 0'] as const);
  tally.add(code, () => ({
    message: `${describeOperation(instance, op)} is said to ${field} at ${value}, ${what}`,
    scope: operationScope(instance, op),
    field,
    value,
  }));
  return false;
}

/**
 * Checks whether a claimed end is a time; reports it if not, or if it contradicts the start. A true end beyond MAX_TIME
 * is not reported here: the start is at fault.
 */
function checkEnd(
  instance: Instance,
  op: number,
  start: number,
  claimedEnd: number,
  tally: ViolationTally,
): boolean {
  const end = start < 0 ? -1 : completionTime(instance, op, start);
  if (end > MAX_TIME) return false;
  if (!checkTime(instance, op, 'end', claimedEnd, tally)) return false;
  if (end < 0 || end === claimedEnd) return true;
  const duration = instance.duration[op];
  const words = wordsOf(instance);
  const { time } = words;
  tally.add('wrong_duration', () => ({
    message: `${describeOperation(instance, op)} starts at ${time(start)} and is said to end at ${time(claimedEnd)}, but its duration of ${words.duration(duration)} ends at ${time(end)}`,
    scope: operationScope(instance, op),
    start,
    duration,
    claimedEnd,
    end,
  }));
  return true;
}
