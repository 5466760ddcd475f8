import { endOfWork } from './calendar.js';
import { assignModes, type Instance, MAX_TIME } from './instance.js';
import { createSchedule, type Schedule } from './schedule.js';
import { modeDuration, modeMachine, modesOf } from './shop-parts.js';

/** One line of a plan: an external claim about one operation. Everything counts from 0. */
export interface PlanEntry {
  readonly job: number;
  /** Position in the job, from 0. */
  readonly step: number;
  readonly machine: number;
  readonly start: number;
  readonly end: number;
  /** The mode among those of the operation, from 0; without it, the mode follows from the machine and the times. */
  readonly mode?: number | undefined;
}

/**
 * A plan that has not been validated. Its numbers may be anything: entries for jobs that do not exist, fractions, wrong
 * machines.
 */
export interface Plan {
  readonly entries: readonly PlanEntry[];
  /** The makespan that the plan claims; null or undefined if it claims none. */
  readonly makespan?: number | null | undefined;
}

/** The result of a planner: claims (a plan) or start times (a schedule). */
export type Candidate = Plan | Schedule;

/** Distinguishes a schedule from a plan. */
export function isSchedule(candidate: Candidate): candidate is Schedule {
  return 'start' in candidate && candidate.start instanceof Int32Array;
}

/** The candidate as a plan. */
export function asPlan(candidate: Candidate): Plan {
  return isSchedule(candidate) ? planFromSchedule(candidate) : candidate;
}

/** The candidate as a schedule of an instance; of a plan the start times are used, as {@link scheduleFromPlan} does. */
export function asSchedule(instance: Instance, candidate: Candidate): Schedule {
  return isSchedule(candidate) ? candidate : scheduleFromPlan(instance, candidate);
}

/** Converts a schedule to a plan; unscheduled operations are omitted. */
export function planFromSchedule({ instance, start, end, makespan }: Schedule): Plan {
  const { jobs, jobOffset, machine } = instance;
  const entries: PlanEntry[] = [];
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (start[op] < 0) continue;
      const step = op - jobOffset[job];
      const entry = { job, step, machine: machine[op], start: start[op], end: end[op] };
      const mode = modeToName(instance, op);
      entries.push(mode < 0 ? entry : { ...entry, mode });
    }
  }
  return { entries, makespan };
}

/** The chosen mode among those of the operation if there are several on its machine, otherwise −1. */
function modeToName(instance: Instance, op: number): number {
  const { modes, machine } = instance;
  if (modes === null) return -1;
  const [first, stop] = modesOf(instance, op);
  let count = 0;
  for (let mode = first; mode < stop; mode++) if (modes.machine[mode] === machine[op]) count++;
  return count > 1 ? modes.chosen[op] - first : -1;
}

/**
 * Uses only the start times and the modes of a plan; machines and durations come from the instance. Entries without a
 * valid operation or time are skipped. If an operation has several entries, the first one counts. Operations without an
 * entry stay unscheduled. An operation whose machine cannot do it stays in its chosen mode.
 */
export function scheduleFromPlan(instance: Instance, plan: Plan): Schedule {
  const start = new Int32Array(instance.operations).fill(-1);
  const chosen = instance.modes?.chosen.slice();
  for (const entry of plan.entries) {
    const op = operationAt(instance, entry.job, entry.step);
    if (op < 0 || start[op] >= 0 || !isTime(entry.start)) continue;
    start[op] = entry.start;
    const mode = chosen === undefined ? -1 : modeOfEntry(instance, op, entry);
    if (chosen !== undefined && mode >= 0) chosen[op] = mode;
  }
  return createSchedule(chosen === undefined ? instance : assignModes(instance, chosen), start);
}

/**
 * The mode in which an entry does its operation: the one that it names if that is on its machine, otherwise the one on
 * its machine that ends at its end, otherwise the first one there. −1 if its machine cannot do the operation.
 */
export function modeOfEntry(instance: Instance, op: number, entry: PlanEntry): number {
  const { machine, start, end } = entry;
  const [first, stop] = modesOf(instance, op);
  const named = first + (entry.mode ?? -1);
  const hasName = Number.isInteger(named) && named >= first && named < stop;
  if (hasName && modeMachine(instance, named) === machine) return named;
  let found = -1;
  for (let mode = first; mode < stop; mode++) {
    if (modeMachine(instance, mode) !== machine) continue;
    const duration = modeDuration(instance, mode);
    if (isTime(start) && endOfWork(instance.calendar, machine, duration, start) === end)
      return mode;
    if (found < 0) found = mode;
  }
  return found;
}

/** Whether a number is a time at which an operation may start. */
function isTime(time: number): boolean {
  return Number.isInteger(time) && time >= 0 && time <= MAX_TIME;
}

/** The operation at a position (from 0) of a job (from 0), or −1 if there is none. */
export function operationAt(instance: Instance, job: number, step: number): number {
  if (!Number.isInteger(job) || job < 0 || job >= instance.jobs) return -1;
  const first = instance.jobOffset[job];
  const length = instance.jobOffset[job + 1] - first;
  return Number.isInteger(step) && step >= 0 && step < length ? first + step : -1;
}
