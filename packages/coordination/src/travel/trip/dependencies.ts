import { inTravelOrder, priceOfBooking } from '../model/travel-cost.js';
import { bookingKey, readBooking, type TravelBooking, writeBooking } from '../model/travel-plan.js';
import type { TravelProblem } from '../model/travel-problem.js';
import type { TripTransaction } from './trip-values.js';

/** Bookings in the order in which they are made: along the journey, a pass before the first train that uses it. */
export function inBookingOrder(
  problem: TravelProblem,
  bookings: readonly TravelBooking[],
): TravelBooking[] {
  const ordered = inTravelOrder(problem, bookings);
  const passes = ordered.filter(({ kind }) => kind === 'pass');
  const rest = ordered.filter(({ kind }) => kind !== 'pass');
  return rest
    .flatMap((booking): TravelBooking[] => {
      if (booking.kind !== 'train') return [booking];
      const at = passes.findIndex(({ offer }) => offer === booking.pass);
      return at < 0 ? [booking] : [...passes.splice(at, 1), booking];
    })
    .concat(passes);
}

/**
 * The bookings that each booking builds on, by place in the order of bookings: a hotel on the journey that leads to it, a journey on
 * the hotel before it, or on the journey before it if no night lies between, a train on its pass.
 */
export function dependenciesOf(ordered: readonly TravelBooking[]): number[][] {
  let last: number | null = null;
  return ordered.map((booking, i) => {
    if (booking.kind === 'pass') return [];
    const on: number[] = last === null ? [] : [last];
    if (booking.kind === 'train' && booking.pass !== null) {
      const pass = ordered.findIndex(
        ({ kind, offer }) => kind === 'pass' && offer === booking.pass,
      );
      if (pass >= 0 && pass < i) on.push(pass);
    }
    last = i;
    return on;
  });
}

/**
 * The transactions of a plan: those that exist keep their names and prices.
 *
 * @param count transactions that the trip has had so far: new ones are numbered from there
 */
export function transactionsOf(
  problem: TravelProblem,
  bookings: readonly TravelBooking[],
  existing: readonly TripTransaction[],
  count: number,
): TripTransaction[] {
  const ordered = inBookingOrder(problem, bookings);
  const known = new Map(existing.map((one) => [bookingKey(bookingOf(one)), one] as const));
  let number = count;
  const ids = ordered.map((booking) => known.get(bookingKey(booking))?.id ?? `T${++number}`);
  const on = dependenciesOf(ordered);
  return ordered.map((booking, i) => {
    const one = known.get(bookingKey(booking));
    return {
      id: ids[i],
      booking: one?.booking ?? writeBooking(booking),
      price: one?.price ?? priceOfBooking(problem, booking) ?? 0,
      after: on[i].map((k) => ids[k]),
    };
  });
}

/**
 * Distances of transactions from those that a failure struck, along dependencies in both directions: what a booking
 * builds on, and what builds on it. Those next to a booking that could not be made have distance 1.
 */
export function distancesFrom(
  transactions: readonly Pick<TripTransaction, 'id' | 'after'>[],
  struck: readonly string[],
  near: readonly string[] = [],
): Map<string, number> {
  const distances = new Map<string, number>([
    ...near.map((id) => [id, 1] as const),
    ...struck.map((id) => [id, 0] as const),
  ]);
  const queue = [...new Set([...struck, ...near])];
  for (const id of queue) {
    const next = (distances.get(id) ?? 0) + 1;
    const own = transactions.find((one) => one.id === id)?.after ?? [];
    const others = transactions.filter(({ after }) => after.includes(id)).map((one) => one.id);
    for (const other of [...own, ...others]) {
      if ((distances.get(other) ?? Number.POSITIVE_INFINITY) <= next) continue;
      distances.set(other, next);
      queue.push(other);
    }
  }
  return distances;
}

/** Transactions in reverse order of their dependencies: what builds on others comes first. */
export function inReverse(
  transactions: readonly Pick<TripTransaction, 'id' | 'after'>[],
  ids: readonly string[],
): string[] {
  const left = new Set(ids);
  const order: string[] = [];
  while (left.size > 0) {
    const free = transactions
      .filter(({ id }) => left.has(id))
      .filter(({ id }) => !transactions.some((one) => left.has(one.id) && one.after.includes(id)));
    // Without a cycle there is always one; unknown ids have no dependencies.
    const next = free.at(-1)?.id ?? [...left][0];
    order.push(next);
    left.delete(next);
  }
  return order;
}

/** The booking of a transaction. */
export function bookingOf({ booking }: Pick<TripTransaction, 'booking'>): TravelBooking {
  return readBooking(booking as Parameters<typeof readBooking>[0]);
}
