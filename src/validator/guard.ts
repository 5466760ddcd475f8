import { lowerBoundOfWork, type ProvenBound, simpleBoundOfWork } from '../jssp/bounds.js';
import type { Instance } from '../jssp/instance.js';
import { isClassic, modeCount, modeDuration, modesOf } from '../jssp/shop-parts.js';
import type { ViolationTally } from './tally.js';

/** With more operations than this, bounds that take longer to compute than the validation are omitted. */
const MAX_OPERATIONS = 100_000;
/** The bounds of other shops take about this many times as long for each mode. */
const MODE_COST = 50;

/**
 * The bound to compare makespans with: the caller's or, if it is larger, the work of a job or a machine. If the caller
 * gives none, the best computable bound is used, but only if other faults have been found: without faults, no makespan
 * is below it. Computed bounds ignore downtimes, which are checked for each operation, and hold in all modes.
 */
export function strongestBound(
  instance: Instance,
  known: ProvenBound | undefined,
  isFaulty: boolean,
): ProvenBound {
  const size = isClassic(instance) ? instance.operations : modeCount(instance) * MODE_COST;
  if (known === undefined && isFaulty && size <= MAX_OPERATIONS) return lowerBoundOfWork(instance);
  const simple = isClassic(instance) ? simpleBoundOfWork(instance) : longestJob(instance);
  return known !== undefined && known.value > simple.value ? known : simple;
}

/** The longest job, with the shortest mode of each operation. Valid in every shop. O(modes and precedences). */
function longestJob(instance: Instance): ProvenBound {
  const { operations, precedence, release, frozen, jobOffset, jobOf, duration } = instance;
  const end = new Int32Array(operations);
  let longest = 0;
  for (let op = 0; op < operations; op++) {
    let start = release === null ? 0 : release[op];
    if (precedence === null) {
      if (op > jobOffset[jobOf[op]]) start = Math.max(start, end[op - 1]);
    } else {
      const { offset, pred, minLag } = precedence;
      for (let edge = offset[op]; edge < offset[op + 1]; edge++) {
        start = Math.max(start, end[pred[edge]] + minLag[edge]);
      }
    }
    const isFrozen = frozen !== null && frozen[op] >= 0;
    if (isFrozen) start = frozen[op];
    end[op] = start + (isFrozen ? duration[op] : shortestDuration(instance, op));
    longest = Math.max(longest, end[op]);
  }
  return { value: longest, source: 'job length' };
}

function shortestDuration(instance: Instance, op: number): number {
  const [first, stop] = modesOf(instance, op);
  let shortest = modeDuration(instance, first);
  for (let mode = first + 1; mode < stop; mode++) {
    shortest = Math.min(shortest, modeDuration(instance, mode));
  }
  return shortest;
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
