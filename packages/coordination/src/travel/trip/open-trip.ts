import {
  type Json,
  type LogStore,
  type Replay,
  replayRun,
  resumeRun,
  runWorkflow,
  signalRun,
  stateOfRun,
} from '@alas-jssp/workflow';
import { AlasError, InputError } from 'alas-jssp';
import type { TravelEvent } from '../events/travel-events.js';
import { type TravelPlan, writeBooking } from '../model/travel-plan.js';
import { readTravel, type TravelProblem } from '../model/travel-problem.js';
import { createTravelClient } from '../service/travel-client.js';
import { bookingWorkflow, type CallTimes } from './booking-run.js';
import { type ItineraryPlanner, searchPlanner } from './propose.js';
import { type TripStory, tripStory } from './trip-story.js';
import type { TripDecision, TripInput } from './trip-values.js';
import { tripWorkflow } from './trip-workflow.js';

/** The log, the service and the planner of a trip. */
export interface TripOptions {
  readonly store: LogStore;
  /** Default `trip`. */
  readonly runId?: string | undefined;
  /** Address of the booking service. */
  readonly service: string;
  /** Whether the service is simulated, so that its address is not kept in the log. Default false. */
  readonly isSimulated?: boolean | undefined;
  /** Default: the exact search. A model's planner comes with its name. */
  readonly planner?: { readonly name: string; readonly plan: ItineraryPlanner } | undefined;
  /** Times of calls, in seconds. Default: 10 for an attempt, 1 between attempts. */
  readonly times?: CallTimes | undefined;
  /** Releases the run as it is, so that another process can resume it. */
  readonly leave?: AbortSignal | undefined;
}

/** A trip to book. */
export interface TripRequest {
  readonly problem: TravelProblem;
  /** A first plan. Default: the planner's. */
  readonly plan?: TravelPlan | undefined;
  /** Whether people choose the first itinerary. Default false. */
  readonly approve?: boolean | undefined;
  /** Itineraries to propose in phase 1. Default 3. */
  readonly proposals?: number | undefined;
  /** Proposals that the planner may make until one is valid. Default 3. */
  readonly rounds?: number | undefined;
  /** Events that the simulation knows in advance. Default: none. */
  readonly events?: readonly TravelEvent[] | undefined;
}

const TIMES: CallTimes = { timeout: 10, wait: 1 };

/**
 * Books a trip: proposes itineraries, has the best one chosen, books its parts in order, and answers failures and events
 * by taking back and planning again what they affect. Everything is kept in the log, and the trip waits there for people
 * where it cannot go on without them.
 *
 * @throws InputError `run_exists` if the log has a run of that id with another trip
 */
export async function bookTrip(options: TripOptions, request: TripRequest): Promise<TripStory> {
  const { store, runId = 'trip', planner } = options;
  const { problem, plan, approve = false, proposals = 3, rounds = 3, events = [] } = request;
  const input: TripInput = JSON.parse(
    JSON.stringify({
      problem: problem.facts,
      trip: runId,
      service: options.isSimulated === true ? null : options.service,
      planner: planner?.name ?? 'search',
      plan: plan === undefined ? null : plan.bookings.map(writeBooking),
      approve,
      proposals,
      rounds,
      events,
    } satisfies Record<keyof TripInput, unknown>),
  );
  const { workflow, registry } = definitionOf(options, input);
  const { leave } = options;
  await runWorkflow(workflow, input, { store, runId, registry, leave });
  return tripStory(store, runId);
}

/**
 * Resumes a trip from its log: one that was interrupted, or that waited for a decision.
 *
 * @throws InputError `no_trip`
 */
export async function resumeTrip(options: TripOptions): Promise<TripStory> {
  const { store, runId = 'trip', leave } = options;
  const input = tripInputOf(store, runId);
  const { registry } = definitionOf(options, input);
  await resumeRun(store, runId, { registry, leave });
  return tripStory(store, runId);
}

/**
 * Sends the decision of a person to a trip that waits for one; {@link resumeTrip} goes on with it.
 *
 * @throws InputError `no_trip`; `no_decision` if the trip waits for none, or for another kind
 */
export async function decideTrip(
  store: LogStore,
  runId: string,
  decision: TripDecision,
): Promise<void> {
  const { state, status } = tripStory(store, runId);
  if (status !== 'waiting') {
    const hint = 'travel show lists what it waits for';
    throw new InputError('no_decision', `the trip ${runId} waits for no decision`, hint, {}, runId);
  }
  const count = state?.proposals.length ?? 0;
  const { choice, proposal = 1 } = decision;
  if (choice === 'choose' && proposal > count) {
    const hint = count === 0 ? 'raise the budget and retry, or cancel' : `give 1 to ${count}`;
    throw new InputError('no_decision', `there is no proposal ${proposal}`, hint, {}, proposal);
  }
  const data = JSON.parse(JSON.stringify(decision)) as Json;
  await signalRun(store, runId, { name: 'decision', data, by: decision.by });
}

/** Replays a trip and its bookings from the log, without any call: each run, and whether it has parity. */
export async function replayTrip(
  store: LogStore,
  runId = 'trip',
): Promise<{
  readonly parity: boolean;
  readonly runs: readonly (Replay & { readonly runId: string })[];
}> {
  const input = tripInputOf(store, runId);
  const nowhere = { store, service: 'http://127.0.0.1:9' };
  const { registry } = definitionOf(
    { ...nowhere, planner: { name: '', plan: searchPlanner } },
    input,
  );
  const bookings = bookingWorkflow(createTravelClient(nowhere.service), TIMES).registry;
  const runs: (Replay & { readonly runId: string })[] = [];
  for (const id of store.runs()) {
    if (id !== runId && !id.startsWith(`${runId}/`)) continue;
    const own = id === runId ? registry : bookings;
    runs.push({ runId: id, ...(await replayRun(store, id, { registry: own })) });
  }
  return { parity: runs.every(({ parity }) => parity), runs };
}

/** The input of a trip in the log. @throws InputError `no_trip` */
export function tripInputOf(store: LogStore, runId: string): TripInput {
  const state = store.runs().includes(runId) ? stateOfRun(store, runId) : undefined;
  if (state?.workflow.name !== 'trip') {
    const hint = 'give the log of travel book, and --run if the trip has another id';
    throw new InputError('no_trip', `the log has no trip ${runId}`, hint, {}, runId);
  }
  return state.input as unknown as TripInput;
}

function definitionOf(
  { store, service, planner, times = TIMES }: TripOptions,
  input: TripInput,
): ReturnType<typeof tripWorkflow> {
  if (input.planner !== 'search' && planner === undefined) {
    const message = `the itineraries of this trip are made by ${input.planner}: give it as the planner`;
    throw new AlasError('no_planner', message, input.planner);
  }
  const { facts } = readTravel(input.problem);
  const client = createTravelClient(service);
  const plan = planner?.plan ?? searchPlanner;
  return tripWorkflow({ facts, input, store, client, planner: plan, times });
}
