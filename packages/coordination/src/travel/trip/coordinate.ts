import { describeTravelEvent } from '../events/travel-events.js';
import { centsOf } from '../model/travel-problem.js';
import type { TravelFacts } from '../model/travel-schema.js';
import { transactionsOf } from './dependencies.js';
import { applyOfferChanges, worldWithHeld } from './offer-changes.js';
import { planOfProposal } from './propose.js';
import {
  EXCLUDED,
  type HeldBooking,
  type TripDecision,
  type TripInput,
  type TripProposal,
  type TripResult,
  type TripState,
  type TripTransaction,
} from './trip-values.js';

/** The state of a trip before anything has been done. */
export function firstTripState({ problem, events }: TripInput): TripState {
  return {
    phase: 1,
    next: 'read_offers',
    outcome: '',
    changes: [],
    budget: centsOf(problem.budget),
    agreed: [],
    now: null,
    todo: [],
    held: [],
    release: [],
    lost: 0,
    spending: null,
    trouble: null,
    proposals: [],
    feedback: [],
    attempts: 0,
    events,
    count: 0,
    surplus: [],
    doubts: 0,
    unverified: false,
    refusals: {},
  };
}

/** Failures, without success between them, after which people are asked. */
const MOST_DOUBTS = 8;

/** The saga coordinator: the state after an answer of an agent, with the agent that is next. */
export function recordResult(
  facts: TravelFacts,
  input: Pick<TripInput, 'approve' | 'rounds'>,
  state: TripState,
  result: TripResult,
): TripState {
  switch (result.kind) {
    case 'offers':
      return { ...state, changes: result.changes, next: 'propose' };
    case 'proposals':
      return { ...state, proposals: result.proposals, feedback: result.notes, next: 'check_plan' };
    case 'verdicts':
      return afterVerdicts(facts, input, state, result);
    case 'decision':
      return afterDecision(facts, state, result);
    case 'booked':
      return afterBooking(state, result);
    case 'refused':
      return afterRefusal(state, result);
    case 'budget': {
      const { kind: _, ...spending } = result;
      return advance({ ...state, spending });
    }
    case 'released':
      return afterRelease(state, result);
    case 'stuck': {
      const { transaction, message } = result;
      const trouble = { code: 'NotReleased', message, struck: [transaction], near: [] };
      return { ...state, trouble, proposals: [], phase: 1, next: 'decide' };
    }
    case 'verified':
      return afterVerification(state, result);
    case 'event':
      return {
        ...state,
        phase: 3,
        now: result.event.at,
        events: state.events.slice(1),
        trouble: {
          code: 'Event',
          message: describeTravelEvent(result.event),
          struck: [],
          near: [],
        },
        next: 'verify',
      };
  }
}

/** The next agent of a trip whose plan is agreed: take back, book, verify, and then what happens next. */
function advance(state: TripState): TripState {
  if (state.release.length > 0 || state.surplus.length > 0) return { ...state, next: 'release' };
  if (state.unverified) return { ...state, next: 'verify' };
  const [first] = state.todo;
  if (first === undefined) return { ...state, next: 'verify' };
  const agent = {
    flight: 'book_flight',
    hotel: 'book_hotel',
    train: 'book_train',
    pass: 'book_train',
  } as const;
  return { ...state, next: agent[first.booking.kind] };
}

function afterVerdicts(
  facts: TravelFacts,
  { approve, rounds }: Pick<TripInput, 'approve' | 'rounds'>,
  state: TripState,
  { valid, violations }: Extract<TripResult, { kind: 'verdicts' }>,
): TripState {
  const proposals = valid.map((i) => state.proposals[i]);
  const attempts = state.attempts + 1;
  if (proposals.length === 0) {
    const feedback = violations.length > 0 ? violations : state.feedback;
    // Without a proposal nothing but people can help; a bad one goes back to its planner.
    const isLast = attempts >= rounds || state.proposals.length === 0;
    const next = isLast ? 'decide' : 'propose';
    return { ...state, proposals, feedback, attempts, phase: isLast ? 1 : state.phase, next };
  }
  const checked = { ...state, proposals, attempts: 0, feedback: [] };
  const isChosenByPeople = state.phase === 1 && approve && state.held.length === 0;
  if (isChosenByPeople) return { ...checked, next: 'decide' };
  const best = proposals.reduce((least, one) => (one.cost < least.cost ? one : least));
  return adopt(facts, checked, best);
}

/** Hands a plan over to execution: transactions in order, and what is taken back before them. */
function adopt(facts: TravelFacts, state: TripState, proposal: TripProposal): TripState {
  const kept = state.held.filter(({ id }) => !proposal.release.includes(id));
  const world = worldWithHeld(applyOfferChanges(facts, state.changes), kept, state.budget);
  const { bookings } = planOfProposal(world, proposal);
  const all = transactionsOf(world, bookings, kept, state.count);
  const todo = all.filter(({ id }) => !kept.some((one) => one.id === id));
  // What held bookings build on may be new.
  const held = state.held.map((one) => ({
    ...one,
    after: all.find(({ id }) => id === one.id)?.after ?? one.after,
  }));
  return advance({
    ...state,
    phase: state.phase === 1 && state.held.length === 0 ? 2 : 3,
    held,
    todo,
    release: proposal.release,
    count: state.count + todo.length,
    proposals: [proposal],
    agreed: proposal.bookings,
    trouble: null,
  });
}

function afterDecision(
  facts: TravelFacts,
  state: TripState,
  { choice, proposal, budget, words }: TripDecision,
): TripState {
  const raised = budget === undefined ? state : { ...state, budget: centsOf(budget) };
  if (choice === 'cancel') return { ...raised, next: 'give_up' };
  const chosen = choice === 'choose' ? state.proposals[(proposal ?? 1) - 1] : undefined;
  if (chosen !== undefined) return adopt(facts, { ...raised, feedback: [] }, chosen);
  if (state.release.length > 0) return advance(raised);
  const feedback = words === undefined ? [] : [words];
  return { ...raised, feedback, refusals: {}, attempts: 0, doubts: 0, next: 'read_offers' };
}

function afterBooking(
  state: TripState,
  { run, key, reference }: Extract<TripResult, { kind: 'booked' }>,
): TripState {
  const [first, ...todo] = state.todo as [TripTransaction, ...TripTransaction[]];
  const held: HeldBooking[] = [...state.held, { ...first, run, key, reference }];
  return { ...state, held, todo, next: 'track_budget' };
}

/** Refusals that say that there is nothing to book. */
const FINAL_REFUSALS = ['SoldOut', 'Cancelled', 'UnknownOffer'];

/** A booking that was refused: the rest of the plan is given up, and planned again around what is held. */
function afterRefusal(
  state: TripState,
  { code, message }: Extract<TripResult, { kind: 'refused' }>,
): TripState {
  const [first] = state.todo;
  const offer = first?.booking.offer ?? '';
  const weight = FINAL_REFUSALS.includes(code) ? EXCLUDED : code === 'PriceChanged' ? 0 : 1;
  const refusals = { ...state.refusals, [offer]: (state.refusals[offer] ?? 0) + weight };
  const near = (first?.after ?? []).filter((id) => state.held.some((one) => one.id === id));
  const trouble = { code, message: `${first?.id ?? ''} (${offer}): ${message}`, struck: [], near };
  const doubts = state.doubts + 1;
  const failed = { ...state, trouble, refusals, doubts, todo: [] };
  if (doubts > MOST_DOUBTS) {
    return { ...failed, proposals: [], phase: 1, doubts: 0, next: 'decide' };
  }
  return { ...failed, phase: 3, next: 'read_offers' };
}

function afterRelease(
  state: TripState,
  { transaction, fee }: Extract<TripResult, { kind: 'released' }>,
): TripState {
  const held = state.held.filter(({ id }) => id !== transaction);
  const release = state.release.filter((id) => id !== transaction);
  const surplus = state.surplus.filter((key) => key !== transaction);
  const lost = state.lost + fee;
  // Once all is taken back, the books are compared before anything new is booked.
  return { ...state, held, release, surplus, lost, unverified: true, next: 'track_budget' };
}

/** The state after the books of the service were compared with it. */
function afterVerification(
  state: TripState,
  found: Extract<TripResult, { kind: 'verified' }>,
): TripState {
  const { missing, surplus, voided, violations, struck } = found;
  const lost = [...missing, ...voided];
  if (surplus.length > 0 || lost.length > 0 || violations.length > 0) {
    const doubts = state.doubts + 1;
    const trouble = {
      code:
        voided.length > 0
          ? 'Void'
          : missing.length > 0
            ? 'Missing'
            : surplus.length > 0
              ? 'Surplus'
              : 'Invalid',
      message: state.trouble?.message ?? messageOf(found),
      struck: [...lost, ...struck],
      near: [],
    };
    if (doubts > MOST_DOUBTS) {
      return { ...state, trouble, proposals: [], todo: [], phase: 1, doubts: 0, next: 'decide' };
    }
    if (surplus.length > 0) return { ...state, trouble, surplus, doubts, next: 'release' };
    return {
      ...state,
      trouble,
      unverified: false,
      todo: [],
      phase: 3,
      doubts,
      next: 'read_offers',
    };
  }
  const calm = { ...state, trouble: null, unverified: false };
  if (state.todo.length > 0) return advance(calm);
  if (state.events.length > 0) return { ...calm, doubts: 0, next: 'next_event' };
  return { ...calm, outcome: 'booked', next: 'end' };
}

function messageOf({
  missing,
  surplus,
  voided,
  violations,
}: Extract<TripResult, { kind: 'verified' }>) {
  if (voided.length > 0) return `the service gave up ${voided.join(', ')}`;
  if (missing.length > 0) return `the service has no booking for ${missing.join(', ')}`;
  if (surplus.length > 0)
    return `the service has bookings that nobody asked for: ${surplus.join(', ')}`;
  return violations.join('; ');
}
