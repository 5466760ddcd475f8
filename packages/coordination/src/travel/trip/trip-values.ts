import type { TravelEvent } from '../events/travel-events.js';
import type { TravelBookingFile } from '../model/travel-plan.js';
import type { TravelFile } from '../model/travel-schema.js';

/** The agents of a trip, as steps of its workflow name them. */
export const TRIP_AGENTS = {
  flight: 'books flights, and sees one flight and the money that is left',
  hotel: 'books hotels, and sees one stay and the money that is left',
  train: 'books trains and passes, and sees one journey and the money that is left',
  budget: 'adds up what is booked and lost, and sees prices alone',
  itinerary: 'proposes itineraries, and sees offers, what is kept, and what was wrong before',
  validation: 'judges itineraries, and compares the books of the service with those of the trip',
  saga: 'orders transactions, finds what a failure affects, and takes bookings back in reverse',
} as const;

/** The input of a run that books a trip. */
export interface TripInput {
  readonly problem: TravelFile;
  /** The name under which the service keeps the bookings of the trip. */
  readonly trip: string;
  /** Address of the booking service; null for one that is simulated beside the log. */
  readonly service: string | null;
  /** The planner of itineraries: `search`, or the name of a model. A replay searches again, and asks no model. */
  readonly planner: string;
  /** A first plan, in place of the planner's. */
  readonly plan: readonly TravelBookingFile[] | null;
  /** Whether people choose the first itinerary. If not, the cheapest valid one is booked. */
  readonly approve: boolean;
  /** Itineraries that are proposed in phase 1. */
  readonly proposals: number;
  /** Proposals that the planner may make until one is valid. */
  readonly rounds: number;
  /** Events that the simulation knows in advance; the service hears of each once the trip is booked. */
  readonly events: readonly TravelEvent[];
}

/** Parts of offers that differ from those of the problem. Prices are those of files. */
export interface OfferChange {
  readonly id: string;
  readonly price?: number;
  readonly seats?: number;
  readonly cancelled?: true;
  /** Of a hotel: nights that differ, and nights that are gone (without price). */
  readonly nights?: readonly {
    readonly day: string;
    readonly price?: number;
    readonly rooms: number;
  }[];
}

/** A booking to make. Money is in hundredths. */
export interface TripTransaction {
  /** `T1`, `T2`, …, each once in a trip. */
  readonly id: string;
  readonly booking: TravelBookingFile;
  readonly price: number;
  /** The transactions that must hold before it: what leads to it. */
  readonly after: readonly string[];
}

/** A booking that was made. */
export interface HeldBooking extends TripTransaction {
  /** The run in the log that made it, and takes it back. */
  readonly run: string;
  readonly key: string;
  readonly reference: string;
}

/** An itinerary that was proposed: what to keep, what to take back, what to book. */
export interface TripProposal {
  readonly bookings: readonly TravelBookingFile[];
  /** Transactions that it takes back, in reverse order of their dependencies. */
  readonly release: readonly string[];
  /** The prices of all bookings and, apart from them, what is lost by those that are taken back. */
  readonly money: number;
  readonly cost: number;
  readonly lost: number;
  /** How far from the failure bookings are taken back: 0 only those that it struck. Null in phase 1. */
  readonly level: number | null;
}

/** The answer of the budget agent. */
interface TripSpending {
  readonly total: number;
  readonly lost: number;
  readonly remaining: number;
  readonly by_kind: Readonly<Record<string, number>>;
}

/** A failure, or an event that struck a booking. */
export interface TripTrouble {
  readonly code: string;
  readonly message: string;
  /** Transactions that it strikes directly. */
  readonly struck: readonly string[];
  /** Transactions next to a booking that could not be made. */
  readonly near: readonly string[];
}

export type TripNext =
  | 'read_offers'
  | 'propose'
  | 'check_plan'
  | 'decide'
  | 'book_flight'
  | 'book_hotel'
  | 'book_train'
  | 'track_budget'
  | 'release'
  | 'verify'
  | 'next_event'
  | 'give_up'
  | 'end';

/** The state of a trip: what all agents know together. Each of them sees a part of it. */
export interface TripState {
  /** 1: itineraries are proposed, and people choose; 2: bookings are made; 3: a failure is handled. */
  readonly phase: 1 | 2 | 3;
  readonly next: TripNext;
  /** `booked` once the trip is booked and nothing more is to happen. */
  readonly outcome: '' | 'booked';
  readonly changes: readonly OfferChange[];
  /** The budget, in hundredths; people may raise it. */
  readonly budget: number;
  /** The bookings of the plan that was agreed to last. */
  readonly agreed: readonly TravelBookingFile[];
  /** The time in UTC of the last event; null before the first. */
  readonly now: string | null;
  readonly todo: readonly TripTransaction[];
  readonly held: readonly HeldBooking[];
  readonly release: readonly string[];
  /** Fees of bookings that were taken back. */
  readonly lost: number;
  readonly spending: TripSpending | null;
  readonly trouble: TripTrouble | null;
  readonly proposals: readonly TripProposal[];
  /** Faults of the last proposals, for the planner. */
  readonly feedback: readonly string[];
  /** Proposals since the last valid one. */
  readonly attempts: number;
  readonly events: readonly TravelEvent[];
  /** The number of transactions so far. */
  readonly count: number;
  /** Keys at the service that belong to no transaction, to be cancelled. */
  readonly surplus: readonly string[];
  /** Failures since the books were last in order. */
  readonly doubts: number;
  /** Whether bookings were taken back since the books were last compared. */
  readonly unverified: boolean;
  /** Offers that the service refused to book, and how heavily: from {@link EXCLUDED} on they are not planned with. */
  readonly refusals: Readonly<Record<string, number>>;
}

/** The weight of refusals from which an offer counts as not available. */
export const EXCLUDED = 2;

/** The decision of people in phase 1. */
export interface TripDecision {
  readonly choice: 'choose' | 'retry' | 'cancel';
  /** The number of the proposal, from 1. */
  readonly proposal?: number | undefined;
  /** A new budget in the currency of the trip. */
  readonly budget?: number | undefined;
  /** Words for the planner. */
  readonly words?: string | undefined;
  readonly by: string;
}

/** The answer of an agent, by its step. */
export type TripResult =
  | { readonly kind: 'offers'; readonly changes: readonly OfferChange[] }
  | {
      readonly kind: 'proposals';
      readonly proposals: readonly TripProposal[];
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'verdicts';
      readonly valid: readonly number[];
      readonly violations: readonly string[];
    }
  | ({ readonly kind: 'decision' } & TripDecision)
  | {
      readonly kind: 'booked';
      readonly run: string;
      readonly key: string;
      readonly reference: string;
      readonly price: number;
      /** The price that was agreed to. */
      readonly agreed: number;
    }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  | ({ readonly kind: 'budget' } & TripSpending)
  | { readonly kind: 'released'; readonly transaction: string; readonly fee: number }
  | { readonly kind: 'stuck'; readonly transaction: string; readonly message: string }
  | {
      readonly kind: 'verified';
      readonly missing: readonly string[];
      readonly surplus: readonly string[];
      readonly voided: readonly string[];
      readonly violations: readonly string[];
      /** Transactions that the violations are about. */
      readonly struck: readonly string[];
    }
  | { readonly kind: 'event'; readonly event: TravelEvent };
