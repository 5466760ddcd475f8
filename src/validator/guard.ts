import { InputError } from '../core/errors.js';
import type { Instance } from '../jssp/instance.js';
import type { Findings } from './findings.js';

/** A proven lower bound on the makespan and where it is from, such as `literature, 2026-08`. */
export interface KnownBound {
  readonly value: number;
  readonly source: string;
}

/**
 * The lower bound that everyone can check: no schedule is shorter than the work of one job or of
 * one machine.
 */
export function simpleBound(instance: Instance): KnownBound {
  const { jobs, machines, jobOffset, machine, duration } = instance;
  const load = new Float64Array(machines);
  let best: KnownBound = { value: 0, source: 'time begins at 0' };
  for (let job = 0; job < jobs; job++) {
    let length = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      length += duration[op];
      load[machine[op]] += duration[op];
    }
    if (length > best.value) best = { value: length, source: `length of job ${job + 1}` };
  }
  load.forEach((value, k) => {
    if (value > best.value) best = { value, source: `load of machine ${k}` };
  });
  return best;
}

/** The larger of {@link simpleBound} and a bound the caller knows. */
export function strongestBound(instance: Instance, known: KnownBound | undefined): KnownBound {
  const simple = simpleBound(instance);
  if (known === undefined) return simple;
  if (!Number.isFinite(known.value)) {
    throw new InputError(
      'bad_bound',
      `the lower bound from ${known.source} is ${known.value}`,
      'give a finite number',
      {},
      known.value,
    );
  }
  return known.value > simple.value ? known : simple;
}

/**
 * The physics guard: a makespan below a proven lower bound is a contradiction, whether it is
 * computed or only claimed. Either the schedule or the bound is wrong, so nothing is valid.
 *
 * @param makespan as computed, null for an incomplete schedule
 * @param claimed as claimed, if anything is
 */
export function guardBound(
  bound: KnownBound,
  makespan: number | null,
  claimed: number | undefined,
  findings: Findings,
): void {
  const guard = (value: number, isClaim: boolean): void => {
    if (!(value < bound.value)) return;
    findings.add('below_lower_bound', () => ({
      message: `the ${isClaim ? 'claimed ' : ''}makespan of ${value} is below ${bound.value}, a proven lower bound (${bound.source})`,
      scope: {},
      makespan: value,
      claimed: isClaim,
      bound: bound.value,
      source: bound.source,
    }));
  };
  if (makespan !== null) guard(makespan, false);
  if (claimed !== undefined && claimed !== makespan) guard(claimed, true);
}
