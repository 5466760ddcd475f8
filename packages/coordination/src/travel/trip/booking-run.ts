import {
  childRun,
  compensateRun,
  type DefinedWorkflow,
  defineWorkflow,
  type LogStore,
  type Registry,
  resumeRun,
  type StepContext,
  settleEffect,
  stateOfRun,
  step,
} from '@alas-jssp/workflow';
import { AlasError } from 'alas-jssp';
import * as z from 'zod';
import type { TravelBookingFile } from '../model/travel-plan.js';
import type { TravelClient } from '../service/travel-client.js';

/** Times of calls to the service, in seconds. */
export interface CallTimes {
  /** For an attempt. */
  readonly timeout: number;
  /** Between attempts. */
  readonly wait: number;
}

const reserveInput = z.looseObject({
  trip: z.string(),
  booking: z.looseObject({ kind: z.string(), offer: z.string() }),
  price: z.number(),
});
const reserveOutput = z.object({ key: z.string(), reference: z.string(), price: z.number() });

/** Failures of the service after which a call is repeated under its key. */
const REPEATED = ['Busy', 'Lost', 'Timeout'];

/**
 * The workflow of one booking, a run of its own: it is committed by itself, and taken back by itself, while the other
 * bookings of the trip stay.
 */
export function bookingWorkflow(
  client: TravelClient,
  { timeout, wait }: CallTimes,
): DefinedWorkflow<z.input<typeof reserveInput>, z.output<typeof reserveOutput>> {
  const backoff = { mode: 'fixed', base: wait } as const;
  const reserve = step('reserve', {
    input: reserveInput,
    output: reserveOutput,
    role: 'domain',
    timeout,
    lateAnswer: timeout,
    retry: { maxAttempts: 3, retryOn: REPEATED },
    backoff,
    async run({ trip, booking, price }, { idempotencyKey: key, signal }) {
      const request = { trip, booking: booking as TravelBookingFile, price };
      const { reference, price: paid } = await client.book(key, request, signal);
      return { key, reference, price: paid };
    },
    externalRef: ({ reference }) => reference,
    undo: {
      timeout,
      retry: { maxAttempts: 4, retryOn: ['*'] },
      backoff,
      async run({ idempotencyKey }, { signal }) {
        await client.cancel(idempotencyKey, signal);
      },
      async verify({ idempotencyKey }, { signal }) {
        const entry = await client.find(idempotencyKey, signal);
        return entry?.state === 'booked' ? `${entry.reference} is still booked` : undefined;
      },
    },
  });
  return defineWorkflow('booking', { input: reserveInput, output: reserveOutput }, (flow, input) =>
    flow.step(reserve, input),
  );
}

/** Makes a booking and takes it back, in runs of their own in a log. */
export interface BookingRuns {
  /** @throws AlasError with the code of the failure, or `InDoubt` if nobody knows whether it is booked */
  book(
    input: { readonly trip: string; readonly booking: TravelBookingFile; readonly price: number },
    context: StepContext,
  ): Promise<z.output<typeof reserveOutput> & { readonly run: string }>;
  /** The compensator of a step that has booked. */
  readonly undo: ReturnType<typeof childRun>['compensator'];
  /** Takes a booking back, by its run. @returns a text if it could not be taken back */
  release(run: string, by: string): Promise<string | undefined>;
}

/** Opens the runs of bookings in a log. */
export function openBookingRuns(
  store: LogStore,
  client: TravelClient,
  times: CallTimes,
): BookingRuns {
  const { workflow, registry } = bookingWorkflow(client, times);
  const { handler, compensator } = childRun(workflow, { store, registry });
  return {
    async book(input, context) {
      try {
        const output = (await handler.run(input, context)) as z.output<typeof reserveOutput>;
        return { ...output, run: runOf(context) };
      } catch (error) {
        if (!(error instanceof AlasError)) throw error;
        const run = String(error.value ?? '');
        if (!store.runs().includes(run)) throw error;
        await settleDoubt(store, run, client, registry);
        const { end } = stateOfRun(store, run);
        const isSettled = end?.status === 'COMPENSATED' || end?.status === 'FAILED';
        if (!isSettled || end.error === undefined) {
          throw new AlasError('InDoubt', `${error.message}; see the run ${run} in the log`, run);
        }
        throw new AlasError(end.error.code, end.error.message, run);
      }
    },
    undo: compensator,
    async release(run, by) {
      const options = { registry, evenCommitted: true };
      const { status, error } = await compensateRun(store, run, by, options);
      return status === 'COMPENSATED' || status === 'FAILED'
        ? undefined
        : `${run} is ${status}${error === undefined ? '' : `: ${error.message}`}`;
    },
  };
}

/**
 * Settles the doubt of a booking that was undone while nobody knows what became of an attempt of a process that has
 * ended: the service refuses a cancelled key from then on, so that what it says of the key now is final.
 */
async function settleDoubt(
  store: LogStore,
  run: string,
  client: TravelClient,
  registry: Registry,
): Promise<void> {
  const doubts = stateOfRun(store, run).end?.inDoubt ?? [];
  for (const { nodeId, idempotencyKey } of doubts) {
    const entry = await client.find(idempotencyKey);
    if (entry?.state === 'booked') return;
    settleEffect(store, run, nodeId, { happened: false, by: 'the books of the service' });
  }
  if (doubts.length > 0) await resumeRun(store, run, { registry });
}

/** The id of the child run of a step, as `childRun` makes it. */
function runOf({ runId, nodeId, idempotencyKey }: StepContext): string {
  const [again = ''] = /~\d+$/.exec(idempotencyKey) ?? [];
  return `${runId}/${nodeId}${again}`;
}
