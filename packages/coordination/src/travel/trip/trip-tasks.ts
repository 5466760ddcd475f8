import type { TravelBookingFile } from '../model/travel-plan.js';
import type { TravelFacts } from '../model/travel-schema.js';
import type { ProposalTask } from './propose.js';
import {
  EXCLUDED,
  type HeldBooking,
  type OfferChange,
  type TripInput,
  type TripNext,
  type TripState,
} from './trip-values.js';
import type { BookTask, CheckTask, VerifyTask } from './validate-trip.js';

/** A booking to take back, or a key to cancel that belongs to no transaction. */
export interface ReleaseTask {
  readonly held: Pick<HeldBooking, 'id' | 'run'> | null;
  readonly key: string;
}

/** The task of the itinerary agent, with the plan that the travellers brought, which it proposes first. */
export interface PlanningTask extends ProposalTask {
  readonly given: readonly TravelBookingFile[] | null;
}

/** The turn of an agent: its name, and the part of the state that it needs. */
export interface TripTurn {
  readonly state: TripState;
  readonly next: TripNext;
  readonly task: unknown;
}

/** The parts of a trip that do not change. */
export interface TripConstants {
  readonly facts: TravelFacts;
  readonly input: Pick<TripInput, 'trip' | 'planner' | 'approve' | 'rounds' | 'plan' | 'proposals'>;
}

/** The saga coordinator: gives the next agent its task, which holds what it needs and nothing else. */
export function taskFor(state: TripState, constants: TripConstants): TripTurn {
  return { state, next: state.next, task: partFor(state, constants) };
}

function partFor(state: TripState, { facts, input }: TripConstants): unknown {
  const { held, budget, lost, now, trouble, feedback, proposals } = state;
  const { trip } = input;
  switch (state.next) {
    case 'propose':
      return {
        changes: withoutRefused(facts, state),
        held,
        budget,
        lost,
        now,
        trouble,
        feedback,
        count: input.proposals,
        given: state.count === 0 && state.attempts === 0 ? input.plan : null,
      } satisfies PlanningTask;
    case 'check_plan':
      return {
        changes: withoutRefused(facts, state),
        held,
        budget,
        lost,
        now,
        proposals,
      } satisfies CheckTask;
    case 'book_flight':
    case 'book_hotel':
    case 'book_train': {
      const [transaction] = state.todo;
      const after = held
        .filter(({ id }) => transaction?.after.includes(id))
        .map(({ id, reference }) => ({ id, reference }));
      const spent = held.reduce((sum, { price }) => sum + price, 0);
      return { trip, transaction, after, remaining: budget - lost - spent } as BookTask;
    }
    case 'track_budget':
      return {
        budget,
        lost,
        items: held.map(({ booking, price }) => ({ kind: booking.kind, price })),
      };
    case 'release':
      return releaseTask(state);
    case 'verify': {
      const { changes, todo } = state;
      const complete = todo.length === 0;
      return { trip, changes, held, budget, lost, now, complete } satisfies VerifyTask;
    }
    case 'next_event':
      return { event: state.events[0] };
    default:
      return {};
  }
}

function releaseTask({ release, held, surplus }: TripState): ReleaseTask {
  const [first] = release;
  const one = held.find(({ id }) => id === first);
  if (one === undefined) return { held: null, key: surplus[0] ?? '' };
  const { id, run, key } = one;
  return { held: { id, run }, key };
}

/** The changes of offers, with those that the service refused to book as not available. */
function withoutRefused(
  { offers }: TravelFacts,
  { changes, refusals }: Pick<TripState, 'changes' | 'refusals'>,
): OfferChange[] {
  // The log keeps no order of keys.
  const refused = Object.keys(refusals)
    .filter((id) => (refusals[id] ?? 0) >= EXCLUDED)
    .sort();
  const extra = refused.map((id): OfferChange => {
    const known = changes.find((one) => one.id === id) ?? { id };
    const hotel = offers.hotels.find((one) => one.id === id);
    if (hotel === undefined) return { ...known, seats: 0 };
    const prices = new Map(known.nights?.map(({ day, price }) => [day, price]));
    const nights = hotel.nights.map(({ day, price }) => {
      return { day, price: prices.get(day) ?? price, rooms: 0 };
    });
    return { ...known, nights };
  });
  return [...changes.filter(({ id }) => !refused.includes(id)), ...extra];
}
