import { type Clock, systemClock } from '../../core/clock.js';
import { AlasError, errorLine } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
import {
  addBookings,
  type Booking,
  createLedger,
  type Ledger,
  NO_BOOKING,
} from '../../llm/bookings.js';
import type { Answer, Ask, LlmRequest } from '../../llm/client.js';
import { isRetryable, RETRYABLE_CODES } from '../../llm/errors.js';
import { ATTEMPTS } from '../../llm/planner-spec.js';
import { runWorkflow } from '../../workflow/hosts/run.js';
import type { Handler, LogStore, Policy, Registry, Workflow } from '../../workflow/index.js';
import { waitAfter } from '../../workflow/interpreter/policies.js';
import { createNullStore } from '../../workflow/log/null-store.js';
import { hasRun } from '../../workflow/log/store.js';
import type { ModelPlanner } from './llm-planner.js';

/**
 * Seconds after which an attempt is abandoned as a last resort: the client has a time limit for each request, and this
 * one includes waits for rate limits.
 */
const LONGEST_ATTEMPT = 24 * 3600;

/** A wait before a request is retried. */
export interface AskWait {
  /** In words, such as `RateLimited: …`. */
  readonly reason: string;
  readonly seconds: number;
}

/** Settings of requests. */
export interface QuestionOptions {
  /** Default {@link ATTEMPTS}. */
  readonly attempts?: number | undefined;
  /** The log in which each request is a separate run, `RUN/ask-1`, `RUN/ask-2`, …. Default: none. */
  readonly log?: { readonly store: LogStore; readonly runId: string } | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Receives every wait between two attempts. */
  readonly onWait?: ((wait: AskWait) => void) | undefined;
}

/** The name of the workflow of a request. */
const NAME = 'question';

/**
 * The workflow of a request: one step with its retry policy. It is written as JSON, because `defineWorkflow` loads zod
 * and the checker, which threads with models do not need.
 */
export function questionWorkflow(attempts: number = ATTEMPTS): Workflow {
  const asking: Policy = {
    retry: { maxAttempts: attempts, retryOn: [...RETRYABLE_CODES] },
    backoff: { mode: 'exponential', base: 0.5, cap: 60, jitter: 0.5 },
    timeout: { seconds: LONGEST_ATTEMPT },
  };
  const io = { input: { type: 'object' }, output: { type: 'object' } };
  return {
    schema: 'alas-jssp/workflow@1',
    name: NAME,
    nodes: [{ id: 'ask', type: 'task', effect: 'none', role: 'planner', policyRef: 'ask', io }],
    edges: [],
    io,
    policies: { ask: asking },
    schemas: {},
    logSchemas: {},
    invariants: [],
    meta: {},
    description: 'asks a model, again where that may help',
  };
}

/** Whether a workflow, such as one from a log, is that of a request. */
export function isQuestion({ name, nodes }: Pick<Workflow, 'name' | 'nodes'>): boolean {
  return name === NAME && nodes.length === 1 && nodes[0].id === 'ask';
}

/** The handlers of a request in a log: a replay takes the answer from the log. */
export const questionRegistry: Registry = {
  handlers: {
    ask: {
      kind: 'external',
      run: () => {
        throw new AlasError('not_asked', 'a question of a log is not asked again');
      },
    },
  },
};

/**
 * Adds retries to a function that makes one attempt per call: every request is a run of {@link questionWorkflow}, with
 * all its attempts in the log.
 *
 * @param attempt makes one attempt, and itself waits as long as a provider asks
 * @returns an {@link Ask} that rejects with the error of the last attempt, or with the reason of the signal
 */
export function askByPolicy(attempt: Ask, options: QuestionOptions): Ask {
  const { attempts = ATTEMPTS, log, onWait, clock = systemClock } = options;
  const workflow = questionWorkflow(attempts);
  const { backoff } = workflow.policies.ask;
  return async (request, { replicate, signal }) => {
    signal?.throwIfAborted();
    let failure: unknown;
    const ask: Handler<unknown, Answer> = {
      kind: 'external',
      run: async (_, context) => {
        try {
          return await attempt(request, { replicate, signal: context.signal });
        } catch (error) {
          failure = error;
          if (context.attempt < attempts && isRetryable(error)) {
            const seconds = waitAfter(
              sha256,
              backoff,
              context.runId,
              context.nodeId,
              context.attempt,
            );
            onWait?.({ reason: `${error.code}: ${errorLine(error)}`, seconds });
          }
          throw error;
        }
      },
    };
    const result = await runWorkflow(workflow, inputOf(request, replicate), {
      registry: { handlers: { ask } },
      store: log?.store ?? createNullStore(),
      runId: log === undefined ? NAME : freeRunId(log),
      clock,
      signal,
      unchecked: true,
    });
    if (result.status === 'COMPLETED') return result.output as Answer;
    signal?.throwIfAborted();
    throw failure ?? new AlasError(result.error?.code ?? NAME, result.error?.message ?? NAME);
  };
}

/** A request in its logged form, without settings that use the provider's default. */
function inputOf(request: LlmRequest, replicate: number) {
  const { model, messages, shape = null, maxOutputTokens } = request;
  const { temperature = null, topP = null, seed = null, effort } = request;
  return {
    model,
    messages,
    shape: shape?.name ?? null,
    maxOutputTokens,
    temperature,
    topP,
    seed,
    ...(effort === undefined ? {} : { effort }),
    replicate,
  };
}

/** The last assigned numbers, because a request is logged only after it has one. */
const numbers = new WeakMap<LogStore, Map<string, number>>();

/** Requests are numbered in their order; a resumed run continues the numbers. */
function freeRunId({ store, runId }: NonNullable<QuestionOptions['log']>): string {
  const last = numbers.get(store) ?? new Map<string, number>();
  numbers.set(store, last);
  for (let number = (last.get(runId) ?? 0) + 1; ; number++) {
    const id = `${runId}/ask-${number}`;
    last.set(runId, number);
    if (!hasRun(store, id)) return id;
  }
}

/** Stages that use models. */
type AskingStage = 'plan' | 'repair';

/** The model of a pipeline, for the steps that use it. */
export interface ModelAccess {
  readonly planner: ModelPlanner;
  /**
   * Starts the ledger of a step.
   *
   * @param runId of the run of the pipeline, the prefix of its requests in a log
   */
  begin(stage: AskingStage, runId: string): Ledger;
  /** The total usage of a stage, including steps that failed. */
  spent(stage: AskingStage): Booking;
}

/**
 * Creates the access of a pipeline to its model.
 *
 * @param attempt makes one attempt at an answer, as for {@link askByPolicy}
 * @param store the log of the requests
 */
export function createModelAccess(
  planner: ModelPlanner,
  attempt: Ask,
  store: LogStore | undefined,
  onWait: QuestionOptions['onWait'],
): ModelAccess {
  const begun: Record<AskingStage, Ledger[]> = { plan: [], repair: [] };
  const { attempts } = planner.settings;
  return {
    planner,
    begin(stage, runId) {
      const log = store && { store, runId };
      const ledger = createLedger(attempt, (once) => askByPolicy(once, { attempts, log, onWait }));
      begun[stage].push(ledger);
      return ledger;
    },
    spent: (stage) => begun[stage].map((ledger) => ledger.read()).reduce(addBookings, NO_BOOKING),
  };
}
