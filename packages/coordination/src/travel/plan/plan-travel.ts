import { AlasError } from 'alas-jssp';
import { NIGHT_ENDS } from '../judge/judge-journey.js';
import { beginsAt } from '../judge/judge-travel.js';
import { parseDay } from '../model/moment.js';
import { dayOf, priceOfBooking, timesBroken, weightOf } from '../model/travel-cost.js';
import {
  bookingKey,
  type TransportBooking,
  type TravelBooking,
  type TravelPlan,
} from '../model/travel-plan.js';
import type { Transport, TravelProblem } from '../model/travel-problem.js';
import { createLabelHeap } from './label-heap.js';
import { type StayOption, stayOptions, type TripLimits } from './stay-options.js';
import { tripBounds } from './trip-bounds.js';

/** Settings of the search for a trip. */
export interface TravelPlanOptions {
  /** Bookings that the plan must have. Default: none. */
  readonly keep?: readonly TravelBooking[];
  /** The minute in UTC before which nothing new can begin. Default: none. */
  readonly now?: number;
  /** How many plans to find, each with another journey home. Default 1. */
  readonly count?: number;
  /** Labels to look at before the search ends without a proof. Default {@link MOST_LABELS}. */
  readonly labels?: number;
  readonly signal?: AbortSignal;
}

/** A plan, and what is known of its cost; all in hundredths. */
export interface FoundTrip {
  readonly plan: TravelPlan;
  readonly money: number;
  readonly cost: number;
}

/** The end of a search. */
export interface TravelPlanResult {
  /** `optimal`: the first plan is proven to be the cheapest. `none`: there is no plan, by proof. */
  readonly status: 'optimal' | 'none' | 'stopped';
  /** The best plan first. Empty without a plan. */
  readonly found: readonly FoundTrip[];
  /** No plan costs less, in hundredths; null if there is no plan. */
  readonly lowerBound: number | null;
  /** Labels that the search looked at. */
  readonly labels: number;
}

/** Labels to look at by default. */
export const MOST_LABELS = 2_000_000;

/** A part of a journey, from home to the arrival in a city. */
interface TripLabel {
  readonly parent: TripLabel | null;
  /** Stays that were made or have begun, as bits. */
  readonly visited: number;
  /** The number of the stay where the journey is; −1 at home. */
  readonly stay: number;
  readonly transport: Transport | null;
  readonly bookings: readonly TravelBooking[];
  readonly money: number;
  readonly cost: number;
  /** Days of use by pass that is booked. */
  readonly passes: ReadonlyMap<string, readonly number[]>;
}

/**
 * Finds the cheapest trip, in money and penalties within the budget: a search by least cost plus bound over journeys
 * from home (A*), which drops a journey that another one with the same last transport and the same passes equals or
 * beats in money and in cost. Each leg is one offer, each stay in one hotel, as the judge demands, so that the first
 * plan found is the cheapest of all that the judge accepts.
 *
 * @throws the reason of the signal
 */
export function planTravel(
  problem: TravelProblem,
  options: TravelPlanOptions = {},
): TravelPlanResult {
  const { count = 1, labels: most = MOST_LABELS, signal } = options;
  const search = openTripSearch(problem, options);
  const { heap } = search;
  const found: FoundTrip[] = [];
  let labels = 0;
  let bound = Number.POSITIVE_INFINITY;
  while (found.length < count) {
    const key = heap.leastKey();
    if (found.length === 0) bound = key;
    const label = heap.pop();
    if (label === undefined) break;
    if (search.isBeaten(label)) continue;
    if (++labels > most) {
      const status = found.length > 0 ? 'optimal' : 'stopped';
      return { status, found, lowerBound: bound, labels };
    }
    if (labels % 1024 === 0) signal?.throwIfAborted();
    if (label.stay < 0 && label.transport !== null) {
      if (search.hasKept(label)) found.push(tripOf(problem, label));
      continue;
    }
    for (const next of search.extend(label)) search.push(next);
  }
  if (found.length === 0) return { status: 'none', found, lowerBound: null, labels };
  return { status: 'optimal', found, lowerBound: found[0].cost, labels };
}

function tripOf(problem: TravelProblem, label: TripLabel): FoundTrip {
  const bookings: TravelBooking[] = [];
  for (let at: TripLabel | null = label; at !== null; at = at.parent) {
    bookings.unshift(...at.bookings);
  }
  const { money, cost } = label;
  return { plan: { problem: problem.name, bookings, claimed: money }, money, cost };
}

function openTripSearch(problem: TravelProblem, options: TravelPlanOptions) {
  const { keep: kept = [], now = Number.NEGATIVE_INFINITY } = options;
  if (problem.stays.length > 30) throw new AlasError('too_many_stays', 'at most 30 stays');
  const limits: TripLimits = { kept, now };
  const bounds = tripBounds(problem, kept.length > 0);
  const heap = createLabelHeap<TripLabel>();
  const best = new Map<string, TripLabel[]>();
  const keptKeys = kept.map(bookingKey);
  const restOf = ({ visited, stay, transport }: TripLabel) => {
    if (stay < 0 && transport !== null) return 0;
    let rest = bounds.home + (stay < 0 ? 0 : bounds.stay[stay]);
    for (const i of problem.stays.keys()) {
      if ((visited & (1 << i)) === 0) rest += bounds.stay[i] + bounds.into[i];
    }
    return rest;
  };
  const frontOf = ({ visited, transport, passes }: TripLabel) => {
    const used = [...passes].map(([pass, days]) => `${pass}:${days.join(',')}`).sort();
    const key = `${visited} ${transport?.id ?? ''} ${used.join(' ')}`;
    const front = best.get(key) ?? [];
    best.set(key, front);
    return front;
  };
  const search = {
    heap,
    push(label: TripLabel) {
      if (label.money + restOf(label) > problem.budget) return;
      const front = frontOf(label);
      if (front.some((one) => one.money <= label.money && one.cost <= label.cost)) return;
      const rest = front.filter((one) => one.money < label.money || one.cost < label.cost);
      front.splice(0, front.length, ...rest, label);
      heap.push(label, label.cost + restOf(label));
    },
    /** Whether a better label of the same front has been found since it was pushed. */
    isBeaten: (label: TripLabel) => label.transport !== null && !frontOf(label).includes(label),
    hasKept(label: TripLabel) {
      const keys = new Set(tripOf(problem, label).plan.bookings.map(bookingKey));
      return keptKeys.every((key) => keys.has(key));
    },
    extend: (label: TripLabel) => extend(problem, limits, label),
  };
  const bought = kept.filter(({ kind }) => kind === 'pass');
  const money = bought.reduce((sum, one) => sum + (priceOfBooking(problem, one) ?? 0), 0);
  search.push({
    parent: null,
    visited: 0,
    stay: -1,
    transport: null,
    bookings: bought,
    money,
    cost: money,
    passes: new Map(bought.map(({ offer }) => [offer, []])),
  });
  return search;
}

/** All journeys that are longer by one transport, and by the stay before it. */
function extend(problem: TravelProblem, limits: TripLimits, label: TripLabel): TripLabel[] {
  const { stays, home } = problem;
  const city = label.stay < 0 ? home : stays[label.stay].city;
  const all = (1 << stays.length) - 1;
  const labels: TripLabel[] = [];
  for (const transport of problem.transports.values()) {
    if (transport.from !== city || !isOpen(problem, limits, transport)) continue;
    const isHome = transport.to === home;
    if (isHome ? label.visited !== all : false) continue;
    const next = isHome ? -1 : nextStay(problem, label.visited, transport.to);
    if (next === undefined) continue;
    if (isHome && dayOf(transport.arrives) > problem.until) continue;
    const before = stayBefore(problem, limits, label, transport);
    if (before.length === 0) continue;
    const visited = next < 0 ? label.visited : label.visited | (1 << next);
    for (const ticket of ticketsOf(problem, limits, label, transport)) {
      for (const option of before) {
        labels.push({
          parent: label,
          visited,
          stay: next,
          transport,
          bookings: [...option.bookings, ...ticket.bookings],
          money: label.money + option.money + ticket.money,
          cost: label.cost + option.cost + ticket.cost,
          passes: ticket.passes,
        });
      }
    }
  }
  return labels;
}

/** Whether a transport can be taken: kept ones must be, and replace all others of their cities. */
function isOpen(
  { transports, travellers }: TravelProblem,
  { kept, now }: TripLimits,
  transport: Transport,
): boolean {
  const { id, from, to, seats, cancelled, departsUtc } = transport;
  if (cancelled || seats < travellers) return false;
  let isKept = false;
  for (const { kind, offer } of kept) {
    if (kind !== 'flight' && kind !== 'train') continue;
    const other = transports.get(offer);
    if (offer === id) isKept = true;
    else if (other?.from === from || other?.to === to) return false;
  }
  return isKept || departsUtc >= now;
}

/** The number of the stay in a city if it can be the next one. */
function nextStay({ stays, order }: TravelProblem, visited: number, city: string) {
  const next = stays.findIndex((stay) => stay.city === city);
  if (next < 0 || (visited & (1 << next)) !== 0) return undefined;
  if (order === 'fixed' && visited !== (1 << next) - 1) return undefined;
  return next;
}

/** The ways to spend the nights between the last transport and the next one. */
function stayBefore(
  problem: TravelProblem,
  limits: TripLimits,
  { stay, transport: arriving }: TripLabel,
  leaving: Transport,
): StayOption[] {
  const { transfer, board } = problem;
  if (arriving === null) {
    const day = dayOf(leaving.departs);
    if (day < problem.from) return [];
    const cost = problem.preferences.reduce(
      (sum, one) =>
        one.kind === 'start' ? sum + Math.abs(parseDay(one.day) - day) * weightOf(one) : sum,
      0,
    );
    const isOff = problem.preferences.some(
      (one) => one.kind === 'start' && one.required && parseDay(one.day) !== day,
    );
    return isOff ? [] : [{ bookings: [], money: 0, cost }];
  }
  if (leaving.departsUtc < arriving.arrivesUtc) return [];
  const { city, nights: asked, least, most } = problem.stays[stay];
  const atHotel = arriving.arrives + transfer[arriving.mode];
  const leave = leaving.departs - board[leaving.mode] - transfer[leaving.mode];
  const [from, until] = [dayOf(atHotel - NIGHT_ENDS), dayOf(leave)];
  const nights = until - from;
  if (leave < atHotel || nights < least || nights > most) return [];
  const times = { city, atHotel, leave, from, until };
  let penalty = 0;
  for (const one of problem.preferences) {
    if (one.kind !== 'nights') continue;
    if (one.required && nights !== asked) return [];
    penalty += Math.abs(nights - asked) * weightOf(one);
  }
  return stayOptions(problem, times, limits)
    .filter(({ bookings }) => keepsRequired(problem, bookings))
    .map((option) => ({ ...option, cost: option.cost + penalty }));
}

/** Tickets for a transport: at its fare, or with a pass that is booked or gets booked with it. */
function ticketsOf(
  problem: TravelProblem,
  { kept, now }: TripLimits,
  label: TripLabel,
  transport: Transport,
) {
  const keptTicket = kept.find(
    (one): one is TransportBooking => one.kind === transport.mode && one.offer === transport.id,
  );
  const day = dayOf(transport.departs);
  const tickets = [];
  for (const pass of [null, ...transport.passes.keys()]) {
    if (keptTicket !== undefined && keptTicket.pass !== pass) continue;
    const ticket: TransportBooking = {
      kind: transport.mode,
      offer: transport.id,
      pass,
      says: {},
    };
    let passes = label.passes;
    const bookings: TravelBooking[] = [ticket];
    if (pass !== null) {
      const facts = problem.passes.get(pass);
      if (facts === undefined || day < facts.from || day > facts.until) continue;
      const days = passes.get(pass);
      if (days === undefined) bookings.unshift({ kind: 'pass', offer: pass, says: {} });
      const after = [...new Set([...(days ?? []), day])].sort((a, b) => a - b);
      if (after.length > facts.days) continue;
      passes = new Map([...passes, [pass, after]]);
    }
    if (!keepsRequired(problem, bookings)) continue;
    if (keptTicket === undefined && (beginsAt(problem, ticket) ?? now) < now) continue;
    let [money, penalty] = [0, 0];
    for (const booking of bookings) {
      money += priceOfBooking(problem, booking) ?? 0;
      for (const preference of problem.preferences) {
        penalty += timesBroken(problem, preference, booking) * weightOf(preference);
      }
    }
    tickets.push({ bookings, money, cost: money + penalty, passes });
  }
  return tickets;
}

/** Whether bookings keep all preferences that are required of single bookings. */
function keepsRequired(problem: TravelProblem, bookings: readonly TravelBooking[]): boolean {
  return problem.preferences.every(
    (one) =>
      one.required !== true || bookings.every((each) => timesBroken(problem, one, each) === 0),
  );
}
