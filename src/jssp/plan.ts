import { type Instance, MAX_TIME } from './instance.js';
import { createSchedule, type Schedule } from './schedule.js';

/** One line of a plan: an external claim about one operation. Everything counts from 0. */
export interface PlanEntry {
  readonly job: number;
  /** Position in the job, from 0. */
  readonly step: number;
  readonly machine: number;
  readonly start: number;
  readonly end: number;
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
      entries.push({ job, step, machine: machine[op], start: start[op], end: end[op] });
    }
  }
  return { entries, makespan };
}

/**
 * Uses only the start times of a plan; machines and durations come from the instance. Entries without a valid operation
 * or time are skipped. If an operation has several entries, the first one counts. Operations without an entry stay
 * unscheduled.
 */
export function scheduleFromPlan(instance: Instance, plan: Plan): Schedule {
  const start = new Int32Array(instance.operations).fill(-1);
  for (const { job, step, start: time } of plan.entries) {
    const op = operationAt(instance, job, step);
    if (op >= 0 && start[op] < 0 && Number.isInteger(time) && time >= 0 && time <= MAX_TIME) {
      start[op] = time;
    }
  }
  return createSchedule(instance, start);
}

/** The operation at a position (from 0) of a job (from 0), or −1 if there is none. */
export function operationAt(instance: Instance, job: number, step: number): number {
  if (!Number.isInteger(job) || job < 0 || job >= instance.jobs) return -1;
  const first = instance.jobOffset[job];
  const length = instance.jobOffset[job + 1] - first;
  return Number.isInteger(step) && step >= 0 && step < length ? first + step : -1;
}
