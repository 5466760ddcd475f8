import { InputError } from '../../core/errors.js';
import type { Instance } from '../instance.js';
import { labelsOf } from '../labels.js';
import type { Plan, PlanEntry } from '../plan.js';
import { formatTime } from '../time-scale.js';

/** One entry as it is written. What cannot be a label (negative, a fraction) stays a number. */
export interface LabelledEntry {
  job: string | number;
  step: number;
  /** The name of the operation, if it has one. */
  operation?: string | undefined;
  machine: string | number;
  start: string | number;
  end: string | number;
}

/** The numbers that a file gives the first job and the first step. */
interface FirstNumbers {
  readonly job: 0 | 1;
  readonly step: 0 | 1;
}

/**
 * Makes what writes the entries of a plan as files have them: `Machine0` is the first one, jobs
 * and steps begin as given, unless they have names.
 *
 * @param shop the instance that the plan is for; its names and dates go before numbers
 * @returns a function of an entry of the plan and its index; it throws InputError if a number of
 *   the entry is not finite
 */
export function createLabeller(
  first: FirstNumbers,
  shop?: Instance | undefined,
): (entry: PlanEntry, i: number) => LabelledEntry {
  const labels = shop?.names ? labelsOf(shop) : undefined;
  const scale = shop?.timeScale ?? null;
  const timeOf = (time: number) =>
    scale !== null && isIndex(time) ? formatTime(scale, time) : time;
  return ({ job, step, machine, start, end }, i) => {
    if (!Number.isFinite(job + step + machine + start + end)) {
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
    };
  };
}

/**
 * The first job and step, where counting begins, in a file that does not say so itself (CSV).
 *
 * @throws InputError if the plan has a job or step −1 that no file can tell apart from another one
 */
export function firstNumbers({ entries }: Plan): FirstNumbers {
  return { job: countFrom('job', entries), step: countFrom('step', entries) };
}

/**
 * At 1. A plan with a −1 would then have a 0, which tells
 * readers that counting begins at 0; so it does, if the plan has a 0 to tell it.
 */
function countFrom(what: 'job' | 'step', entries: readonly PlanEntry[]): 0 | 1 {
  if (!entries.some((entry) => entry[what] === -1)) return 1;
  if (entries.some((entry) => entry[what] === 0)) return 0;
  throw new InputError(
    'bad_plan',
    `the plan has a ${what} -1 and no ${what} 0, which a file cannot tell`,
    `count ${what}s from 0 in plans in memory`,
  );
}

function isIndex(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function label(word: string, value: number): string | number {
  return isIndex(value) ? word + value : value;
}
