import { lowerBoundOfWork, type ProvenBound, simpleBoundOfWork } from '../jssp/bounds.js';
import type { Instance } from '../jssp/instance.js';
import type { ViolationTally } from './tally.js';

/** With more operations than this, bounds that take longer to compute than the validation are omitted. */
const MAX_OPERATIONS = 100_000;

/**
 * The bound to compare makespans with: the caller's or, if it is larger, the work of a job or a machine. If the caller
 * gives none, the best computable bound is used, but only if other faults have been found: without faults, no makespan
 * is below it. Computed bounds ignore downtimes, which are checked for each operation.
 */
export function strongestBound(
  instance: Instance,
  known: ProvenBound | undefined,
  isFaulty: boolean,
): ProvenBound {
  if (known === undefined && isFaulty && instance.operations <= MAX_OPERATIONS) {
    return lowerBoundOfWork(instance);
  }
  const simple = simpleBoundOfWork(instance);
  return known !== undefined && known.value > simple.value ? known : simple;
}

/**
 * The physics guard: a makespan below a proven lower bound is a contradiction, whether it is computed or only claimed.
 * Either the schedule or the bound is wrong, so the plan is invalid.
 *
 * @param makespan as computed, null for an incomplete schedule
 * @param claimed as claimed, if there is a claim
 */
export function guardBound(
  bound: ProvenBound,
  makespan: number | null,
  claimed: number | undefined,
  tally: ViolationTally,
): void {
  const guard = (value: number, isClaim: boolean): void => {
    if (!(value < bound.value)) return;
    tally.add('below_lower_bound', () => ({
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
