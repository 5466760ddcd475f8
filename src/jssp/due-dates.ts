import { InputError } from '../core/errors.js';
import { type Instance, MAX_TIME, replaceInstance } from './instance.js';

/** Significant digits of a product that rounding errors leave alone. */
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
  // In floating point 1.15 × 100 is a little less than 115, which must not make it 114.
  const allowance = Math.floor(Number((tightness * length).toPrecision(SOUND_DIGITS)));
  return allowance + (first < stop ? (release?.[first] ?? 0) : 0);
}

function weightOf(job: number, jobs: number): number {
  if (5 * job < jobs) return 4;
  return 5 * job < 4 * jobs ? 2 : 1;
}

function badTightness(tightness: number): InputError {
  return new InputError(
    'bad_parameter',
    `dueTightness is ${tightness}`,
    `give 0 or more, and so little that no job is due after ${MAX_TIME}`,
    {},
    tightness,
  );
}
