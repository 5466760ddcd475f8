import {
  type DefinedWorkflow,
  defineWorkflow,
  type Flow,
  firstAvailable,
  type LogStore,
  type StepDefinition,
  step,
} from '@alas-jssp/workflow';
import { AlasError } from 'alas-jssp';
import * as z from 'zod';
import type { TravelClient } from '../service/travel-client.js';
import { type BookingRuns, type CallTimes, openBookingRuns } from './booking-run.js';
import { firstTripState, recordResult } from './coordinate.js';
import { offerChanges } from './offer-changes.js';
import { type ItineraryPlanner, proposeGiven, proposeItineraries } from './propose.js';
import { type PlanningTask, type ReleaseTask, type TripConstants, taskFor } from './trip-tasks.js';
import type { TripInput, TripNext, TripResult, TripState } from './trip-values.js';
import {
  type BookTask,
  checkBookingInput,
  checkBookingOutput,
  checkProposals,
  compareBooks,
} from './validate-trip.js';

/** The means of the agents of a trip. */
export interface TripWorld extends TripConstants {
  readonly store: LogStore;
  readonly client: TravelClient;
  readonly planner: ItineraryPlanner;
  readonly times: CallTimes;
}

/** Turns of the loop at most: each is the work of one agent. */
const MOST_TURNS = 1000;

/** Failures of a booking after which the coordinator plans again; all others end the run and undo it. */
const CAUGHT = [
  'SoldOut',
  'PriceChanged',
  'Cancelled',
  'UnknownOffer',
  'KeyReused',
  'KeyCancelled',
  'Busy',
  'Lost',
  'Timeout',
  'Rejected',
  'Unknown',
];

const stateSchema = z.looseObject({ next: z.string(), outcome: z.string() });
const turnSchema = z.looseObject({ next: z.string() });
const decisionSchema = z.object({
  choice: z.enum(['choose', 'retry', 'cancel']),
  proposal: z.int().min(1).optional(),
  budget: z.number().min(0).optional(),
  words: z.string().optional(),
  by: z.string().min(1),
});
const resultSchema = z.looseObject({ kind: z.string() });

/** The form of the input of a run; the problem is checked where it is read. */
export const tripInputSchema = z.object({
  problem: z.looseObject({}),
  trip: z.string().min(1),
  service: z.string().nullable(),
  planner: z.string().min(1),
  plan: z.array(z.looseObject({})).nullable(),
  approve: z.boolean(),
  proposals: z.int().min(1).max(20),
  rounds: z.int().min(1).max(100),
  events: z.array(z.looseObject({ at: z.string() })),
});

type Agent = StepDefinition<unknown, TripResult>;

/**
 * The workflow of a trip: a loop in which the saga coordinator calls one agent after another. Each agent receives a task
 * of its own, never the whole state. Bookings are compensable steps: if the run fails, all are taken back in reverse.
 */
export function tripWorkflow(
  world: TripWorld,
): DefinedWorkflow<z.input<typeof tripInputSchema>, unknown> {
  const { facts, input } = world;
  const begin = step('begin', {
    kind: 'pure',
    input: tripInputSchema,
    output: stateSchema,
    role: 'supervisor',
    run: (given) => firstTripState(given as unknown as TripInput) as never,
  });
  const coordinate = step('coordinate', {
    kind: 'pure',
    output: turnSchema,
    role: 'supervisor',
    run: (state) => taskFor(state as TripState, world) as never,
  });
  const record = step('record', {
    kind: 'pure',
    output: stateSchema,
    role: 'supervisor',
    run: (given) => {
      const { state, result } = given as { state: TripState; result: TripResult };
      return recordResult(facts, input, state, result) as never;
    },
  });
  const runs = openBookingRuns(world.store, world.client, world.times);
  const refused = step('refused', {
    kind: 'pure',
    role: 'supervisor',
    output: resultSchema,
    run: (given) => {
      const { code, message } = (given as { error: { code: string; message: string } }).error;
      return { kind: 'refused', code, message };
    },
  });
  const agents = tripAgents(world, runs);
  const end = step('end', { kind: 'pure', run: (state) => state });
  return defineWorkflow('trip', { input: tripInputSchema }, (flow, request) => {
    const first = flow.step(begin, request);
    const last = flow.loop(
      'trip',
      first,
      (turn, state) => {
        const planned = turn.step(coordinate, state) as unknown as TurnRef;
        const branches = branchesOf(turn, planned, agents, refused as never);
        const result = turn.choose('agent', planned as never, branches as never, {
          input: turnSchema,
        });
        return turn.step(record, { state: planned.state, result } as never) as never;
      },
      { until: '$output.outcome != ""', most: MOST_TURNS, output: stateSchema },
    );
    return flow.step(end, last);
  }) as never;
}

/** References to the output of the coordinator. */
interface TurnRef {
  readonly state: never;
  readonly task: never;
}

/** The branch of each agent. A booking that is refused continues with its reason. */
function branchesOf(
  flow: Flow,
  { task }: TurnRef,
  agents: Readonly<Record<string, Agent>>,
  refused: StepDefinition<never, TripResult>,
) {
  const guardOf = (next: string) => `$input.next = "${next}"`;
  const branches = Object.entries(agents).map(([next, agent]) => [
    guardOf(next),
    () => {
      const done = flow.step(agent, task);
      if (!next.startsWith('book_')) return done;
      const caught = flow.caught(refused as never, `${next}_refused`);
      return firstAvailable(done, caught as never);
    },
  ]);
  const decide = () => flow.wait('decision', decisionSchema);
  const noted = step('decided', {
    kind: 'pure',
    output: resultSchema,
    run: (given) => ({ kind: 'decision', ...(given as object) }),
  });
  return Object.fromEntries([
    ...branches,
    [
      guardOf('decide'),
      () => {
        const decision = decide();
        return flow.step(noted, decision as never);
      },
    ],
    ['otherwise', () => flow.step(giveUp, task as never)],
  ]);
}

/** Ends the run, so that all bookings are taken back. */
const giveUp = step('give_up', {
  kind: 'pure',
  output: resultSchema,
  run: (): { kind: string } => {
    throw new AlasError('GivenUp', 'the trip was given up');
  },
});

/** The agents of a trip by the steps in which they work. */
function tripAgents(world: TripWorld, runs: BookingRuns): Readonly<Record<string, Agent>> {
  const { facts, client, planner } = world;
  // A replay searches again, and takes the answers of models from the log.
  const isPure = world.input.planner === 'search';
  const booking = (agent: string) => bookingAgent(agent, runs, world.times);
  const agents = {
    read_offers: agentStep('read_offers', 'validator', 'external', async (_, signal) => ({
      kind: 'offers',
      changes: offerChanges(facts, await client.offers(signal)),
    })),
    propose: agentStep('propose', 'planner', isPure ? 'pure' : 'external', async (task, signal) => {
      const { given, ...planning } = task as PlanningTask;
      const made =
        given === null
          ? await proposeItineraries(facts, planning, planner, signal)
          : proposeGiven(facts, planning, given);
      return { kind: 'proposals', ...made };
    }),
    check_plan: agentStep('check_plan', 'validator', 'pure', async (task) =>
      checkProposals(facts, task as never),
    ),
    book_flight: booking('book_flight'),
    book_hotel: booking('book_hotel'),
    book_train: booking('book_train'),
    track_budget: agentStep('track_budget', 'domain', 'pure', async (task) =>
      addUp(task as Parameters<typeof addUp>[0]),
    ),
    release: agentStep('release', 'supervisor', 'external', async (task, signal) =>
      release(world, runs, task as ReleaseTask, signal),
    ),
    verify: agentStep('verify', 'validator', 'external', async (task, signal) =>
      compareBooks(facts, task as never, await client.bookings(signal)),
    ),
    next_event: agentStep('next_event', 'domain', 'external', async (task, signal) => {
      const { event } = task as { event: Extract<TripResult, { kind: 'event' }>['event'] };
      await client.tell(event, signal);
      return { kind: 'event', event };
    }),
  } satisfies Partial<Record<TripNext, Agent>>;
  return agents;
}

function agentStep(
  name: string,
  role: 'validator' | 'planner' | 'domain' | 'supervisor',
  kind: 'pure' | 'external',
  work: (task: unknown, signal: AbortSignal) => Promise<TripResult>,
): Agent {
  return step(name, {
    role,
    kind,
    output: resultSchema,
    ...(kind === 'external' && {
      timeout: 600,
      retry: { maxAttempts: 4, retryOn: ['Busy', 'Lost'] },
      backoff: { mode: 'exponential', base: 0.1, cap: 5 },
    }),
    run: (task, { signal }) => work(task, signal) as never,
  }) as unknown as Agent;
}

/** A booking agent: its step is compensable, and checked before and after by the global validation. */
function bookingAgent(name: string, runs: BookingRuns, { timeout }: CallTimes): Agent {
  return step(name, {
    role: 'domain',
    output: resultSchema,
    timeout: 20 * timeout + 60,
    catch: [{ errors: CAUGHT, handler: `${name}_refused` }],
    validateInput: checkBookingInput,
    validate: (output) => checkBookingOutput(output as never),
    externalRef: ({ reference }) => String(reference),
    async run(task, context) {
      const { trip, transaction } = task as BookTask;
      const { booking, price } = transaction;
      const made = await runs.book({ trip, booking, price }, context);
      return { kind: 'booked', ...made, agreed: price };
    },
    undo: {
      run: (done, context) => runs.undo.run(done as never, context),
      timeout: 20 * timeout + 60,
    },
  }) as unknown as Agent;
}

/** The budget agent: it sees prices alone. */
function addUp({
  budget,
  lost,
  items,
}: {
  readonly budget: number;
  readonly lost: number;
  readonly items: readonly { readonly kind: string; readonly price: number }[];
}): Extract<TripResult, { kind: 'budget' }> {
  const by_kind: Record<string, number> = {};
  for (const { kind, price } of items) by_kind[kind] = (by_kind[kind] ?? 0) + price;
  const total = items.reduce((sum, { price }) => sum + price, 0);
  return { kind: 'budget', total, lost, remaining: budget - total - lost, by_kind };
}

/** C1 to C3: takes a booking back by its run, or cancels a key that belongs to no transaction. */
async function release(
  { client }: TripWorld,
  runs: BookingRuns,
  { held, key }: ReleaseTask,
  signal: AbortSignal,
): Promise<TripResult> {
  if (held === null) {
    const { fee } = await client.cancel(key, signal);
    return { kind: 'released', transaction: key, fee };
  }
  const { id: transaction, run } = held;
  const problem = await runs.release(run, 'saga coordinator');
  if (problem !== undefined) return { kind: 'stuck', transaction, message: problem };
  const entry = await client.find(key, signal);
  return { kind: 'released', transaction, fee: entry?.state === 'cancelled' ? entry.fee : 0 };
}
