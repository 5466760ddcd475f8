import { instantOf } from '../events/travel-events.js';
import { beginsAt, judgeTravel } from '../judge/judge-travel.js';
import {
  bookingEdits,
  bookingKey,
  type TravelBookingFile,
  type TravelPlan,
  writeBooking,
} from '../model/travel-plan.js';
import type { TravelProblem } from '../model/travel-problem.js';
import type { TravelFacts } from '../model/travel-schema.js';
import { type FoundTrip, planTravel, type TravelPlanOptions } from '../plan/plan-travel.js';
import { bookingOf, distancesFrom, inReverse } from './dependencies.js';
import { applyOfferChanges, worldWithHeld } from './offer-changes.js';
import type { HeldBooking, OfferChange, TripProposal, TripTrouble } from './trip-values.js';

/** The task of the itinerary agent. */
export interface ProposalTask {
  readonly changes: readonly OfferChange[];
  readonly held: readonly HeldBooking[];
  /** In hundredths: the budget, and what is lost of it. */
  readonly budget: number;
  readonly lost: number;
  readonly now: string | null;
  readonly trouble: TripTrouble | null;
  readonly count: number;
  readonly feedback: readonly string[];
}

/** A planner of itineraries: the search, or a model. */
export type ItineraryPlanner = (
  problem: TravelProblem,
  options: Pick<TravelPlanOptions, 'keep' | 'now' | 'count'> & {
    readonly feedback: readonly string[];
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly found: readonly FoundTrip[]; readonly notes: readonly string[] }>;

/** The planner that searches: exact, so that nothing found is a proof that there is nothing. */
export const searchPlanner: ItineraryPlanner = async (problem, { feedback: _, ...options }) => {
  const { status, found } = planTravel(problem, options);
  const notes =
    status === 'none' ? ['the search proves that no itinerary fits'] : [`the search: ${status}`];
  return { found, notes };
};

/** A way to keep some bookings and give up others. */
interface ReleaseLevel {
  readonly level: number;
  readonly keep: readonly HeldBooking[];
  readonly release: readonly HeldBooking[];
  /** Fees of the released ones, in hundredths. */
  readonly fees: number;
}

/**
 * The ways to answer a failure, the least change first: give up only the bookings that it struck, then also those that
 * they build on or that build on them, and so on. Bookings that have begun are kept at every level.
 */
function releaseLevels(
  problem: TravelProblem,
  held: readonly HeldBooking[],
  { struck, near }: Pick<TripTrouble, 'struck' | 'near'>,
  now: string | null,
): ReleaseLevel[] {
  const limit = now === null ? Number.NEGATIVE_INFINITY : instantOf(now);
  const hasBegun = (one: HeldBooking) =>
    (beginsAt(problem, bookingOf(one)) ?? Number.POSITIVE_INFINITY) < limit;
  const distances = distancesFrom(held, struck, near);
  const free = held.filter((one) => struck.includes(one.id) || !hasBegun(one));
  const farthest = held.length + 1;
  const levels: ReleaseLevel[] = [];
  for (let level = 0; level <= farthest; level++) {
    const isReached = ({ id }: HeldBooking) => (distances.get(id) ?? farthest) <= level;
    const release = free.filter(isReached);
    const before = levels.at(-1)?.release.length;
    if (before === release.length) continue;
    const keep = held.filter((one) => !release.includes(one));
    const fees = release
      .filter(({ id }) => !struck.includes(id))
      .reduce((sum, one) => sum + cancellationFee(problem, one), 0);
    levels.push({ level, keep, release, fees });
  }
  return levels;
}

/** The part of the price that is not refunded if the travellers cancel a booking. */
function cancellationFee(
  { transports, hotels, passes }: TravelProblem,
  { booking: { offer }, price }: Pick<HeldBooking, 'booking' | 'price'>,
): number {
  const refund = (transports.get(offer) ?? hotels.get(offer) ?? passes.get(offer))?.refund ?? 100;
  return Math.round((price * (100 - refund)) / 100);
}

/**
 * The itinerary agent: itineraries for the offers as they are now. In phase 1 several; after a failure the one with the
 * least change, by level.
 */
export async function proposeItineraries(
  facts: TravelFacts,
  task: ProposalTask,
  planner: ItineraryPlanner,
  signal: AbortSignal,
): Promise<{ readonly proposals: readonly TripProposal[]; readonly notes: readonly string[] }> {
  const { held, budget, lost, now, trouble, count, feedback } = task;
  const current = applyOfferChanges(facts, task.changes);
  const base = worldWithHeld(current, [], budget);
  const levels =
    held.length === 0
      ? [{ level: 0, keep: [], release: [], fees: 0 }]
      : releaseLevels(base, held, trouble ?? { struck: [], near: [] }, now);
  const notes: string[] = [];
  for (const { level, keep, release, fees } of levels) {
    const world = worldWithHeld(current, keep, budget - lost - fees);
    const { found, notes: said } = await planner(world, {
      keep: keep.map(bookingOf),
      count: held.length === 0 ? count : 1,
      feedback,
      signal,
      ...(now !== null && { now: instantOf(now) }),
    });
    notes.push(...said.map((note) => (levels.length > 1 ? `level ${level}: ${note}` : note)));
    if (found.length === 0) continue;
    const proposals = found.map((one) =>
      proposalOf(current, one, held, release, task, held.length === 0 ? null : level),
    );
    return { proposals, notes };
  }
  return { proposals: [], notes };
}

/** The plan that the travellers brought, as a proposal. */
export function proposeGiven(
  facts: TravelFacts,
  { changes, budget }: Pick<ProposalTask, 'changes' | 'budget'>,
  given: readonly TravelBookingFile[],
): { readonly proposals: readonly TripProposal[]; readonly notes: readonly string[] } {
  const world = worldWithHeld(applyOfferChanges(facts, changes), [], budget);
  const { cost } = judgeTravel(world, planOfProposal(world, { bookings: given }));
  const { money, total } = cost;
  const proposal = { bookings: given, release: [], money, cost: total, lost: 0, level: null };
  return { proposals: [proposal], notes: ['the plan of the travellers'] };
}

/** A proposal; bookings that were to be given up and are in the plan again stay. */
function proposalOf(
  current: TravelFacts,
  { plan }: FoundTrip,
  held: readonly HeldBooking[],
  release: readonly HeldBooking[],
  { budget, lost, trouble }: ProposalTask,
  level: number | null,
): TripProposal {
  const planned = new Set(plan.bookings.map(bookingKey));
  const isStruck = ({ id }: HeldBooking) => trouble?.struck.includes(id) === true;
  const given = release.filter((one) => isStruck(one) || !planned.has(bookingKey(bookingOf(one))));
  const keep = held.filter((one) => !given.includes(one));
  const world = worldWithHeld(current, keep, budget);
  const fees = given
    .filter((one) => !isStruck(one))
    .reduce((sum, one) => sum + cancellationFee(world, one), 0);
  const { cost } = judgeTravel(worldWithHeld(current, keep, budget - lost - fees), plan);
  return {
    bookings: plan.bookings.map(writeBooking),
    release: inReverse(
      held,
      given.map(({ id }) => id),
    ),
    money: cost.money,
    cost: cost.total,
    lost: fees,
    level,
  };
}

/** The plan of a proposal. */
export function planOfProposal(
  problem: TravelProblem,
  { bookings }: Pick<TripProposal, 'bookings'>,
): TravelPlan {
  return {
    problem: problem.name,
    bookings: bookings.map((booking) => bookingOf({ booking })),
    claimed: null,
  };
}

/** The share of the bookings that are given up or new, of all bookings before and after. */
export function editRadiusOf(
  before: readonly TravelBookingFile[],
  { bookings }: Pick<TripProposal, 'bookings'>,
): number {
  const keys = (all: readonly TravelBookingFile[]) =>
    all.map((booking) => bookingKey(bookingOf({ booking })));
  return bookingEdits(keys(before), keys(bookings)).radius;
}
