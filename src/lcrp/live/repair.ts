import type { ApplyOptions, DisruptionEvent } from '../../disruption/index.js';
import { kindOf } from '../../disruption/kind-of.js';
import { completionTime } from '../../jssp/calendar.js';
import { type Objective, objectiveOfEnds, otherObjective } from '../../jssp/objectives.js';
import { mayMatchUp } from '../phases/fewer-edits.js';
import { mayRedispatch } from '../phases/redispatch.js';
import { breaksTies, pinnedNumbers, type RepairPolicy } from '../policy/policy.js';
import type { Edits } from '../repair-result.js';
import { requireFit } from './guard.js';
import { shiftRight } from './shift.js';
import { END, type LiveShop, rollBack, START } from './shop.js';
import { type LiveStatus, updateLive } from './status.js';

/** Phases 0 and 1 in place, not yet committed. */
export interface LiveRepair {
  readonly status: LiveStatus;
  readonly edits: Edits;
}

/**
 * Repairs a live shop in place if right shifts are all that the protocol would do: either the policy allows no
 * reordering, or reordering has nothing to win back.
 *
 * @param events complete events, as from `completeEvents`
 * @returns null if more than right shifts are needed; the shop is then unchanged
 * @throws InputError as `applyEvents` does; the shop is then unchanged
 */
export function repairLive(
  shop: LiveShop,
  events: readonly DisruptionEvent[],
  now: number,
  policy: RepairPolicy,
  options: ApplyOptions,
): LiveRepair | null {
  try {
    const repaired = shiftOnly(shop, events, now, policy, options);
    if (repaired === null) rollBack(shop);
    return repaired;
  } catch (error) {
    rollBack(shop);
    throw error;
  }
}

function shiftOnly(
  shop: LiveShop,
  events: readonly DisruptionEvent[],
  now: number,
  policy: RepairPolicy,
  options: ApplyOptions,
): LiveRepair | null {
  // The general repair refuses times that are invalid or in the past.
  if (!Number.isInteger(now) || now < Math.max(shop.version.now, shop.since)) return null;
  const status = updateLive(shop, events, now, options);
  if (status === null) return null;
  const { objective, budget } = policy;
  if (mayRedispatch({ instance: shop.origin, affected: status.affected }, policy)) return null;
  const aims = breaksTies(policy) ? [objective, otherObjective(objective)] : [objective];
  const promised = aims.map((one) => liveAimOf(shop, status.concerned, one));
  const shift = shiftRight(shop, status.concerned, mayMoveIn(shop, policy));
  if (shift === null) return null;
  const { moved } = shift;
  if (moved.length > status.affected.length && mayMatchUp(shop.origin, policy)) return null;
  const isLost = aims.some((one, i) => reachedValue(shop, one) > promised[i]);
  if (budget.passes > 0 && isLost) return null;
  requireFit(shop, status.concerned, now);
  requireFit(shop, shift.touched, now);
  const operation = moved.slice().sort();
  const start = operation.map((op) => shop.fields[START][op]);
  return { status, edits: { operation, start } };
}

/** A test whether the pins and the frozen horizon of a policy allow an operation to leave its planned start. */
function mayMoveIn({ origin }: LiveShop, { limits }: RepairPolicy) {
  const pinned = pinnedNumbers(origin, limits);
  const notBefore = limits.notBefore ?? 0;
  return (op: number, planned: number) => planned >= notBefore && !pinned.has(op);
}

/** Whether events and policy permit a repair in place, depending on the state of the shop. */
export function mayRepairLive(
  { fallback, limits }: RepairPolicy,
  events: readonly DisruptionEvent[],
): boolean {
  const isInPlace = events.every((event) => kindOf(event).inPlace);
  return fallback === null && limits.mostEdited === null && isInPlace;
}

/** The result of `aimOf` for a shop in which everything is planned; must be called before anything is shifted. */
function liveAimOf(shop: LiveShop, concerned: readonly number[], objective: Objective): number {
  const { fields, origin } = shop;
  const { facts } = shop.draft;
  const endOf = (op: number) => completionTime(facts, op, fields[START][op]);
  const completion = lastEnds(shop, endOf);
  // With its new duration, an operation that keeps its planned start may end after its successor.
  for (const op of concerned) {
    const job = origin.jobOf[op];
    completion[job] = Math.max(completion[job], endOf(op));
  }
  return objectiveOfEnds(origin, completion, objective);
}

function reachedValue(shop: LiveShop, objective: Objective): number {
  const completion = lastEnds(shop, (op) => shop.fields[END][op]);
  return objectiveOfEnds(shop.origin, completion, objective);
}

/** The end of the last operation of each job, 0 for none. */
function lastEnds({ origin }: LiveShop, endOf: (op: number) => number): Float64Array {
  const { jobs, jobOffset } = origin;
  const ends = new Float64Array(jobs);
  for (let job = 0; job < jobs; job++) {
    if (jobOffset[job + 1] > jobOffset[job]) ends[job] = endOf(jobOffset[job + 1] - 1);
  }
  return ends;
}
