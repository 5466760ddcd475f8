import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../instance.js';
import { labelsOf } from '../labels.js';
import type { Plan, PlanEntry } from '../plan.js';
import { formatTime } from '../time-scale.js';
import { createNeedsLabeller, type LabelledNeeds } from './plan-needs.js';

/** One entry for writing. Values that cannot be labels (negative, a fraction) remain numbers. */
export interface LabelledEntry {
  job: string | number;
  step: number;
  /** The name of the operation, if it has one. */
  operation?: string | undefined;
  machine: string | number;
  start: string | number;
  end: string | number;
  /** The mode from 1, if the entry names one. */
  mode?: number | undefined;
  /** The operators and tools of its mode, if the shop is known. */
  needs?: LabelledNeeds | undefined;
  setup_needs?: LabelledNeeds | undefined;
}

/** The numbers of the first job and the first step in a file. */
interface FirstNumbers {
  readonly job: 0 | 1;
  readonly step: 0 | 1;
}

/**
 * Creates the function that converts entries of a plan for a file: `Machine0` is the first machine, jobs and steps
 * begin at the given numbers, unless they have names.
 *
 * @param shop the instance of the plan; its names and dates replace numbers
 * @returns a function of an entry of the plan and its index; it throws InputError if a number of the entry is not
 *   finite
 */
export function createLabeller(
  first: FirstNumbers,
  shop?: Instance | undefined,
): (entry: PlanEntry, i: number) => LabelledEntry {
  const labels = shop?.names ? labelsOf(shop) : undefined;
  const scale = shop?.timeScale ?? null;
  const timeOf = (time: number) =>
    scale !== null && isIndex(time) ? formatTime(scale, time) : time;
  const needsOf = shop?.resources ? createNeedsLabeller(shop) : undefined;
  return (entry, i) => {
    const { job, step, machine, start, end, mode } = entry;
    if (!Number.isFinite(job + step + machine + start + end + (mode ?? 0))) {
      throw new InputError(
        'bad_plan',
        `entry ${i + 1} of the plan holds a number that is not finite`,
        'give finite numbers',
      );
    }
    return {
      job: labels && isIndex(job) ? labels.job(job) : label('Job', job + first.job),
      step: step + first.step,
      operation: labels?.operation(job, step),
      machine: labels && isIndex(machine) ? labels.machine(machine) : label('Machine', machine),
      start: timeOf(start),
      end: timeOf(end),
      mode: mode === undefined ? undefined : mode + 1,
      ...needsOf?.(entry),
    };
  };
}

/**
 * The numbers of the first job and step in a file that does not state them itself (CSV).
 *
 * @throws InputError if the plan has a job or step −1 that would be ambiguous in the file
 */
export function firstNumbers({ entries }: Plan): FirstNumbers {
  return { job: countFrom('job', entries), step: countFrom('step', entries) };
}

/**
 * Counts from 1. A plan with a −1 would then contain a 0, from which readers conclude that counting begins at 0;
 * therefore it counts from 0 if the plan has a 0 to show it.
 */
function countFrom(what: 'job' | 'step', entries: readonly PlanEntry[]): 0 | 1 {
  if (!entries.some((entry) => entry[what] === -1)) return 1;
  if (entries.some((entry) => entry[what] === 0)) return 0;
  throw new InputError(
    'bad_plan',
    `the plan has a ${what} -1 and no ${what} 0, which a file cannot represent`,
    `count ${what}s from 0 in plans in memory`,
  );
}

function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function label(word: string, value: number): string | number {
  return isIndex(value) ? word + value : value;
}
