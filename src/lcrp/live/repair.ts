import { AlasError } from '../../core/errors.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import { completionTime, meetsDowntime } from '../../jssp/calendar.js';
import { describeOperation } from '../../jssp/instance.js';
import { type Objective, sumOfTardiness } from '../../jssp/objectives.js';
import { mayRedispatch } from '../phases/redispatch.js';
import type { RepairPolicy } from '../policy/policy.js';
import type { Edits } from '../repair-result.js';
import { type RightShift, shiftRight } from './shift.js';
import { DURATION, END, FROZEN, type LiveShop, RELEASE, rollBack, START } from './shop.js';
import { type LiveStatus, updateLive } from './status.js';

/** Phases 0 and 1 in place, not yet committed. */
export interface LiveRepair {
  readonly status: LiveStatus;
  readonly shift: RightShift;
  readonly edits: Edits;
}

/**
 * Repairs a live shop in place if right shifts are all that the protocol would do: the policy wants
 * no reordering, or there is nothing that it could win back.
 *
 * @param events complete
 * @returns null, and the shop as it was, if more is to be done
 * @throws InputError as `applyEvents` does, and leaves the shop as it was
 */
export function repairLive(
  shop: LiveShop,
  events: readonly DisruptionEvent[],
  now: number,
  policy: RepairPolicy,
  tooLate: 'refuse' | 'skip',
): LiveRepair | null {
  try {
    const repaired = shiftOnly(shop, events, now, policy, tooLate);
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
  tooLate: 'refuse' | 'skip',
): LiveRepair | null {
  // What is no time, or past, is for others to refuse.
  if (!Number.isInteger(now) || now < Math.max(shop.version.now, shop.since)) return null;
  const status = updateLive(shop, events, now, tooLate);
  if (status === null) return null;
  const { objective, budget } = policy;
  if (mayRedispatch({ instance: shop.origin, affected: status.affected }, policy)) return null;
  const promised = promisedValue(shop, status.concerned, objective);
  const shift = shiftRight(shop, status.concerned);
  if (shift === null) return null;
  if (budget.rounds > 0 && reachedValue(shop, objective) > promised) return null;
  requireFit(shop, status.concerned, now);
  requireFit(shop, shift.touched, now);
  const operation = Int32Array.from(shift.moved).sort();
  const start = operation.map((op) => shop.fields[START][op]);
  return { status, shift, edits: { operation, start } };
}

/** Whether events and policy leave it to the state of the shop what has to be done. */
export function mayRepairLive(
  { fallback }: RepairPolicy,
  events: readonly DisruptionEvent[],
): boolean {
  const changesOperations = ({ kind }: DisruptionEvent) =>
    kind === 'arrival' || kind === 'cancellation';
  return fallback === null && !events.some(changesOperations);
}

/** The objective of the planned starts with the facts of now; ask before anything is shifted. */
function promisedValue(shop: LiveShop, concerned: readonly number[], objective: Objective): number {
  const { facts, fields, origin } = shop;
  const endOf = (op: number) => completionTime(facts, op, fields[START][op]);
  const completion = lastEnds(shop, endOf);
  // By plan, what takes longer now may end after what follows it.
  for (const op of concerned) {
    const job = origin.jobOf[op];
    completion[job] = Math.max(completion[job], endOf(op));
  }
  return objectiveOf(shop, completion, objective);
}

function reachedValue(shop: LiveShop, objective: Objective): number {
  return objectiveOf(
    shop,
    lastEnds(shop, (op) => shop.fields[END][op]),
    objective,
  );
}

/** The end of the last operation of each job, 0 where there is none. */
function lastEnds({ origin }: LiveShop, endOf: (op: number) => number): Float64Array {
  const { jobs, jobOffset } = origin;
  const ends = new Float64Array(jobs);
  for (let job = 0; job < jobs; job++) {
    if (jobOffset[job + 1] > jobOffset[job]) ends[job] = endOf(jobOffset[job + 1] - 1);
  }
  return ends;
}

function objectiveOf({ origin }: LiveShop, completion: Float64Array, objective: Objective): number {
  if (objective !== 'makespan') return sumOfTardiness(origin, (job) => completion[job]);
  return completion.reduce((latest, time) => Math.max(latest, time), 0);
}

/**
 * Checks operations against every rule and against their neighbours in job and queue, deadlines
 * aside. If the state before could be executed and nothing else has changed, this one can be: any
 * rule is about one operation, or about two that follow each other in a job or queue.
 *
 * It is no judge but a guard, so that a mistake shows at once: a schedule that is asked for has
 * been judged by the validator as a whole.
 *
 * @throws AlasError `bad_repair`, which is a bug
 */
function requireFit(shop: LiveShop, operations: Iterable<number>, now: number): void {
  const { origin, predecessor, successor } = shop;
  const { jobOf } = origin;
  const occupies = (op: number) => shop.fields[DURATION][op] > 0;
  for (const op of operations) {
    const follows = op > 0 && jobOf[op - 1] === jobOf[op];
    const leads = op + 1 < origin.operations && jobOf[op + 1] === jobOf[op];
    const fits =
      keepsRules(shop, op, now) &&
      (!follows || isBefore(shop, op - 1, op)) &&
      (!leads || isBefore(shop, op, op + 1)) &&
      (!occupies(op) || predecessor[op] < 0 || isBefore(shop, predecessor[op], op)) &&
      (!occupies(op) || successor[op] < 0 || isBefore(shop, op, successor[op]));
    if (!fits) throw misfitError(shop, op);
  }
}

function keepsRules({ facts, fields }: LiveShop, op: number, now: number): boolean {
  const start = fields[START][op];
  if (fields[END][op] !== completionTime(facts, op, start)) return false;
  if (fields[FROZEN][op] >= 0) return fields[FROZEN][op] === start;
  return start >= now && start >= fields[RELEASE][op] && meetsDowntime(facts, op, start) < 0;
}

function isBefore({ fields }: LiveShop, op: number, next: number): boolean {
  return fields[END][op] <= fields[START][next];
}

function misfitError({ origin, fields }: LiveShop, op: number): AlasError {
  const start = fields[START][op];
  return new AlasError(
    'bad_repair',
    `the right shift starts ${describeOperation(origin, op)} of ${origin.name} at ${start}, where it does not fit`,
    start,
  );
}
