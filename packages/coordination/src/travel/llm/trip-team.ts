import type { TeamAsk, TeamResult, TeamRole, TeamTopology, TeamVariant } from '../../teams/team.js';
import { runTeam } from '../../teams/team-loop.js';
import { judgeTravel, type TravelPast } from '../judge/judge-travel.js';
import { formatMoment } from '../model/moment.js';
import type { TravelPlan } from '../model/travel-plan.js';
import type { TravelProblem } from '../model/travel-problem.js';
import type { ItineraryPlanner } from '../trip/propose.js';
import { type DecodedTrip, decodeTrip } from './decode-trip.js';
import {
  bookingsWithout,
  offerLines,
  TRIP_FORM,
  TRIP_SHAPE,
  TRIP_SYSTEM,
  type TripMemory,
  tripFacts,
  tripPlanText,
  tripRequest,
} from './trip-prompt.js';

export type TripTeamResult = TeamResult<TravelPlan, DecodedTrip>;

/** A trip for a team to plan. */
export interface TripTeamTask {
  readonly problem: TravelProblem;
  readonly topology: TeamTopology;
  readonly variant: TeamVariant;
  /** The maximum number of rounds with feedback. */
  readonly rounds: number;
  readonly memory: TripMemory;
  /** Faults that the planner shall avoid, such as those of earlier proposals. */
  readonly feedback: readonly string[];
  readonly ask: TeamAsk;
  readonly signal?: AbortSignal | undefined;
}

/** The team of seven of a trip (SagaLLM 4.3): three specialists who see the offers of their kind, and four with an office. */
export function tripRoles(problem: TravelProblem, memory: TripMemory): readonly TeamRole[] {
  const request = tripRequest(problem, memory);
  const specialist = (kind: 'flight' | 'train' | 'hotel', duty: string): TeamRole => ({
    id: kind,
    name: `${kind} agent`,
    kind: 'specialist',
    duty,
    facts: [request, `Offers:\n${offerLines(problem, kind, memory).join('\n')}`].join('\n\n'),
  });
  return [
    specialist(
      'flight',
      'You name the flights out and back that fit best, with their prices and what speaks against them.',
    ),
    specialist(
      'hotel',
      'You name for each city the hotels that fit best, with free nights and their total price.',
    ),
    specialist(
      'train',
      'You name the trains between the cities that fit best, and whether a pass saves money.',
    ),
    {
      id: 'itinerary',
      name: 'itinerary agent',
      kind: 'coordinator',
      duty: 'You put the proposals of the others together into one itinerary.',
      facts: '',
    },
    {
      id: 'budget',
      name: 'budget agent',
      kind: 'validator',
      duty: 'You add up the prices of an itinerary and hold them against the budget, and check nothing else.',
      facts: tripFacts(problem, memory),
    },
    {
      id: 'validation',
      name: 'global validation agent',
      kind: 'validator',
      duty: 'You check times, order, nights, hours of hotels and passes of an itinerary, and nothing about money.',
      facts: tripFacts(problem, memory),
    },
    {
      id: 'saga',
      name: 'saga coordinator',
      kind: 'supervisor',
      duty: 'You are responsible for the final itinerary: its bookings are made in this order, and each has to fit those before it.',
      facts: '',
    },
  ];
}

/** Lets a team plan a trip, with the judge's violations as feedback. @throws as `runTeam` */
export function planTripByTeam(task: TripTeamTask): Promise<TripTeamResult> {
  const { problem, topology, variant, rounds, memory, feedback, ask, signal } = task;
  const past: TravelPast | undefined =
    memory.now === null ? undefined : { bookings: memory.kept, now: memory.now };
  const warnings =
    feedback.length === 0 ? [] : [`Avoid this:\n${feedback.map((one) => `- ${one}`).join('\n')}`];
  return runTeam<TravelPlan, DecodedTrip>({
    topology,
    variant,
    rounds,
    ask,
    signal,
    roles: tripRoles(problem, memory),
    system: TRIP_SYSTEM,
    facts: [tripFacts(problem, memory), ...warnings].join('\n\n'),
    request: TRIP_FORM,
    shape: TRIP_SHAPE,
    readAnswer: (text) => decodeTrip(problem, text),
    judgeAnswer: (plan) => {
      const { valid, violations, cost } = judgeTravel(problem, plan, past);
      const missing = keptFaults(plan, memory);
      return {
        valid: valid && missing.length === 0,
        cost: valid ? cost.total / 100 : null,
        violations: [...violations.map(({ message }) => message), ...missing],
      };
    },
    writePlan: ({ bookings }) => tripPlanText(bookings),
  });
}

/** Bookings that are made already and are missing in a plan, in words. */
function keptFaults({ bookings }: TravelPlan, { kept }: TripMemory): string[] {
  return bookingsWithout(kept, bookings).map(
    ({ offer }) => `${offer} is booked already and must stay`,
  );
}

/**
 * The planner of a trip's workflow that asks a team. A team that finds nothing valid proposes its last plan, which the
 * judge refuses: the workflow asks again, or people.
 */
export function teamPlanner(
  way: Pick<TripTeamTask, 'topology' | 'variant' | 'rounds'>,
  askFor: (scope: string, signal: AbortSignal) => TeamAsk,
): ItineraryPlanner {
  return async (problem, { keep = [], now, feedback, signal }) => {
    const memory = { kept: keep, now: now ?? null };
    // Answers to a change are others than those to the first question.
    const scope = now === undefined ? problem.name : `${problem.name}@${formatMoment(now)}`;
    const ask = askFor(scope, signal);
    const result = await planTripByTeam({ ...way, problem, memory, feedback, ask, signal });
    const plan = result.kept === null ? null : (result.rounds[result.kept]?.reading?.plan ?? null);
    const calls = result.rounds.flatMap(({ turns }) => turns).length;
    const notes = [`the team: ${result.ending} after ${calls} requests`];
    if (plan === null) return { found: [], notes };
    const { cost, valid, violations } = judgeTravel(problem, plan);
    // A team that heard of the judge and found nothing valid is asked again at the next level.
    const heard = way.variant === 'full' || way.variant === 'no-repair';
    if (heard && !valid) return { found: [], notes: [...notes, violations[0]?.message ?? ''] };
    return { found: [{ plan, money: cost.money, cost: cost.total }], notes };
  };
}
