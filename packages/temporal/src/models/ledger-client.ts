import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, type Client } from '@temporalio/client';
import { AlasError } from 'alas-jssp';
import {
  type Admission,
  type BudgetLimits,
  LlmError,
  type Usage,
  unlessAborted,
} from 'alas-jssp/llm';
import { isNotFound, isRefusedForNow, patiently } from '../patience.js';
import {
  LEASE,
  type LedgerReply,
  type LedgerReport,
  type LedgerRequest,
  type LeftRequest,
} from './ledger-messages.js';

/** The ledger of a run, as its workers and its starter see it. */
export interface LedgerClient {
  /** Admits requests to a provider. */
  admissionOf(provider: string): Admission;
  /**
   * The state of the ledger, even if it is closed.
   *
   * @throws AlasError `no_ledger`
   */
  report(): Promise<LedgerReport>;
  /** Sends a note to the starter of the run. */
  note(worker: string, line: string): Promise<void>;
  /** Stops renewing the requests in flight. */
  close(): void;
}

/** Settings of a ledger that a client needs. */
export interface LedgerTerms {
  readonly workflowId: string;
  readonly budget: BudgetLimits;
  /** Seconds, see `alasLedger`. */
  readonly lease?: number | undefined;
}

/** Returned instead of a reply: the request must be sent again. */
const CUT_OFF = Symbol('cut off');

/** Pause before that, in milliseconds. */
const CUT_OFF_PAUSE = 100;

/** Signs of life per lease. */
const SIGNS = 3;

/** Opens a present or past ledger of a run on the server. */
export function openLedger(
  client: Client,
  { workflowId, budget, lease = LEASE }: LedgerTerms,
): LedgerClient {
  const handle = client.workflow.getHandle(workflowId);
  const me = randomUUID().slice(0, 8);
  const open = new Set<string>();
  let last = 0;
  /** The deadline of the budget, in milliseconds since 1970. */
  let over: number | null = null;
  const signal = async (name: string, ...args: unknown[]) => {
    try {
      await patiently(() => handle.signal(name, ...args));
    } catch (error) {
      // Its run is over, and so are its bookings.
      if (!isNotFound(error)) throw error;
    }
  };
  const sendLeft = async (left: LeftRequest): Promise<void> => {
    open.delete(left.ticket);
    await signal('leave', [left]);
  };
  const signs = setInterval(
    () => {
      if (open.size > 0) signal('alive', [...open]).catch(() => {});
    },
    (lease * 1000) / SIGNS,
  );
  signs.unref();

  const enter = async (request: LedgerRequest, aborted: AbortSignal | undefined): Promise<void> => {
    for (let turn = 0; ; ) {
      aborted?.throwIfAborted();
      const updateId = `${request.ticket}.${turn}`;
      const asking = patiently(
        () =>
          handle.executeUpdate<LedgerReply, [LedgerRequest]>('enter', {
            args: [request],
            updateId,
          }),
        aborted,
      ).catch((error: unknown) => afterGone(error, workflowId, () => handle.describe()));
      const reply = await unlessAborted(asking, aborted);
      if (reply === CUT_OFF) {
        await sleep(CUT_OFF_PAUSE);
        continue;
      }
      turn++;
      if (reply.kind === 'admitted') {
        over = reply.secondsLeft === undefined ? null : Date.now() + reply.secondsLeft * 1000;
        return;
      }
      if (reply.kind === 'refused') {
        throw new LlmError('BudgetSpent', reply.message, reply.refusal);
      }
      await sleep(
        reply.seconds * 1000,
        undefined,
        aborted === undefined ? {} : { signal: aborted },
      );
    }
  };
  return {
    admissionOf: (provider) => ({
      limits: budget,
      secondsLeft: () => (over === null ? null : Math.max(0, (over - Date.now()) / 1000)),
      async reserve(least, { key, signal: aborted }) {
        const ticket = `${me}/${++last}`;
        open.add(ticket);
        try {
          await enter({ ticket, provider, key, least, left: [] }, aborted);
        } catch (error) {
          void sendLeft({ ticket, outcome: { kind: 'not sent' }, taken: null }).catch(() => {});
          throw aborted?.aborted ? aborted.reason : error;
        }
        return (outcome, taken: Usage | null) => sendLeft({ ticket, outcome, taken });
      },
    }),
    async report() {
      try {
        return await patiently(() => handle.query<LedgerReport>('report'));
      } catch (error) {
        throw isNotFound(error) ? noLedger(workflowId) : error;
      }
    },
    note: (worker, line) => signal('note', worker, line),
    close: () => clearInterval(signs),
  };
}

/** Whether a workflow continued as new, or ended, just when an update arrived. */
function isCutOff(error: unknown): boolean {
  if (isRefusedForNow(error)) return true;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ApplicationFailure && cause.type === 'AcceptedUpdateCompletedWorkflow';
}

/** A missing ledger may just have continued as new; a closed one admits nothing. */
async function afterGone(
  error: unknown,
  workflowId: string,
  describe: () => Promise<{ readonly status: { readonly name: string } }>,
): Promise<typeof CUT_OFF> {
  if (!isNotFound(error) && !isCutOff(error)) throw error;
  const status = await patiently(describe).then(
    ({ status }) => status.name,
    () => 'UNKNOWN',
  );
  if (status === 'RUNNING' || status === 'CONTINUED_AS_NEW') return CUT_OFF;
  throw noLedger(workflowId);
}

function noLedger(workflowId: string): AlasError {
  return new AlasError('no_ledger', `the ledger of the run is closed: ${workflowId}`, workflowId);
}
