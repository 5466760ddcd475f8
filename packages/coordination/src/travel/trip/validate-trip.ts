import type { Judged, Validator, Verdict } from '@alas-jssp/workflow';
import { instantOf } from '../events/travel-events.js';
import { judgeTravel } from '../judge/judge-travel.js';
import { bookingKey } from '../model/travel-plan.js';
import { formatMoney } from '../model/travel-problem.js';
import type { TravelFacts } from '../model/travel-schema.js';
import type { DeskBooking } from '../service/travel-desk.js';
import { bookingOf } from './dependencies.js';
import { applyOfferChanges, worldWithHeld } from './offer-changes.js';
import { planOfProposal } from './propose.js';
import type {
  HeldBooking,
  OfferChange,
  TripProposal,
  TripResult,
  TripTransaction,
} from './trip-values.js';

/** The task of the global validation agent: proposals to judge. */
export interface CheckTask {
  readonly changes: readonly OfferChange[];
  readonly held: readonly HeldBooking[];
  readonly budget: number;
  readonly lost: number;
  readonly now: string | null;
  readonly proposals: readonly TripProposal[];
}

/** Judges proposals, each with what it keeps and what is lost by it. */
export function checkProposals(
  facts: TravelFacts,
  { changes, held, budget, lost, now, proposals }: CheckTask,
): Extract<TripResult, { kind: 'verdicts' }> {
  const current = applyOfferChanges(facts, changes);
  const valid: number[] = [];
  const violations: string[] = [];
  for (const [i, proposal] of proposals.entries()) {
    const keep = held.filter(({ id }) => !proposal.release.includes(id));
    const world = worldWithHeld(current, keep, budget - lost - proposal.lost);
    const past = now === null ? undefined : { bookings: keep.map(bookingOf), now: instantOf(now) };
    const verdict = judgeTravel(world, planOfProposal(world, proposal), past);
    if (verdict.valid) valid.push(i);
    else {
      const which = proposals.length === 1 ? '' : `proposal ${i + 1}: `;
      violations.push(...verdict.violations.map(({ message }) => `${which}${message}`));
    }
  }
  return { kind: 'verdicts', valid, violations };
}

/** The input of a booking agent. */
export interface BookTask {
  readonly trip: string;
  readonly transaction: TripTransaction;
  /** The transactions that it builds on, as they are held. */
  readonly after: readonly Pick<HeldBooking, 'id' | 'reference'>[];
  /** Money that is left, in hundredths. */
  readonly remaining: number;
}

/** Checks before a booking: what it builds on holds, and the money is there (SagaLLM 4.4.1, step 1). */
export const checkBookingInput: Validator = ({ value }: Judged): Verdict => {
  const { transaction, after, remaining } = value as unknown as BookTask;
  const errors: string[] = [];
  for (const id of transaction.after) {
    const one = after.find((other) => other.id === id);
    if (one === undefined || one.reference === '') {
      errors.push(`dependency: ${transaction.id} builds on ${id}, which is not booked`);
    }
  }
  if (transaction.price > remaining) {
    const [price, left] = [formatMoney(transaction.price), formatMoney(remaining)];
    errors.push(`budget: ${transaction.id} costs ${price}, ${left} are left`);
  }
  return errors.length === 0 ? { outcome: 'pass' } : { outcome: 'reject', errors };
};

/** Checks the answer to a booking: it has a reference and the agreed price (step 3). */
export function checkBookingOutput({
  reference,
  price,
  agreed,
}: Extract<TripResult, { kind: 'booked' }>): string | undefined {
  if (reference === '') return 'the service gave no reference';
  if (price === agreed) return undefined;
  return `it was booked at ${formatMoney(price)}, not at ${formatMoney(agreed)}`;
}

/** The task of the global validation agent: bookings to compare with the books of the service. */
export interface VerifyTask {
  readonly trip: string;
  readonly changes: readonly OfferChange[];
  readonly held: readonly HeldBooking[];
  readonly budget: number;
  readonly lost: number;
  readonly now: string | null;
  /** Whether all bookings are made, so that they must be a whole trip. */
  readonly complete: boolean;
}

/** Compares the books of the service with those of the trip, and judges the trip if it is complete. */
export function compareBooks(
  facts: TravelFacts,
  task: VerifyTask,
  books: readonly DeskBooking[],
): Extract<TripResult, { kind: 'verified' }> {
  const { trip, held, budget, lost, now, complete } = task;
  const own = books.filter((one) => one.trip === trip);
  const byKey = new Map(own.map((one) => [one.key, one]));
  const stateOf = ({ key }: HeldBooking) => byKey.get(key)?.state ?? 'missing';
  const isSame = (one: HeldBooking) => {
    const entry = byKey.get(one.key);
    return (
      entry !== undefined &&
      bookingKey(bookingOf(entry)) === bookingKey(bookingOf(one)) &&
      entry.price === one.price
    );
  };
  const voided = held.filter((one) => stateOf(one) === 'void').map(({ id }) => id);
  const missing = held
    .filter((one) => !voided.includes(one.id) && (stateOf(one) !== 'booked' || !isSame(one)))
    .map(({ id }) => id);
  const keys = new Set(held.map(({ key }) => key));
  const surplus = own
    .filter(({ state, key }) => state === 'booked' && !keys.has(key))
    .map(({ key }) => key);
  const none = { kind: 'verified', missing, surplus, voided, violations: [], struck: [] } as const;
  if (!complete || missing.length > 0 || surplus.length > 0 || voided.length > 0) return none;
  const world = worldWithHeld(applyOfferChanges(facts, task.changes), held, budget - lost);
  const bookings = held.map(bookingOf);
  const past = now === null ? undefined : { bookings, now: instantOf(now) };
  const { violations } = judgeTravel(world, { bookings, claimed: null }, past);
  const struck = new Set(violations.flatMap((one) => one.bookings.map((at) => held[at]?.id ?? '')));
  return {
    ...none,
    violations: violations.map(({ message }) => message),
    struck: [...struck].filter((id) => id !== ''),
  };
}
