import { AlasError } from '@alas-jssp/core/errors';
import { type Booking, createAccount } from '../../llm/account.js';
import type { BudgetRefusal } from '../../llm/admission/spending.js';
import type { AskWait } from '../../llm/ask.js';
import type { Ask } from '../../llm/client.js';
import { LlmError } from '../../llm/errors.js';
import { requestKey } from '../../llm/request-key.js';
import type { Models } from '../../pipeline/planners/models.js';
import type { KeptPlan } from '../../pipeline/progress.js';
import type { Processors } from './processors.js';
import type { SharedPlan } from './shared-plans.js';
import type { TaskWatch } from './watch.js';

/**
 * The main thread as a task in a worker thread sees it. Keys, limits, budgets and stored answers stay there: all tasks
 * share them.
 */
export interface TaskHost extends Pick<TaskWatch, 'interrupted' | 'stopped' | 'outOfTime'> {
  /** Makes one attempt at an answer. */
  readonly ask: Ask;
  /** The task waits before it retries a request. */
  onWait(wait: AskWait): void;
  /** The planner has delivered a plan that is better than all before it. */
  onKept(kept: KeptPlan): void;
  /** A program has planned, or failed to: other variants of the task need not ask it again. */
  onProposed(plan: SharedPlan): void;
  onPlanner(is: PlannerCall): void;
  /** Waits for a processor to work on an answer. */
  takeProcessor(waiting: { readonly signal: AbortSignal }): Promise<void>;
  onProcessorFree(): void;
}

/** The beginning and the end of a planner's work: its time counts in between. */
type PlannerCall = 'called' | 'repairing' | 'done';

/** Calls a planner in a worker thread; the host counts the time until it is done. */
export async function timePlanner<T>(
  { onPlanner }: Pick<TaskHost, 'onPlanner'>,
  plan: () => Promise<T>,
  as: PlannerCall = 'called',
): Promise<T> {
  onPlanner(as);
  try {
    return await plan();
  } finally {
    onPlanner('done');
  }
}

/** The models that a task uses. */
export interface TaskModels extends Pick<Models, 'askFor'> {
  onWait(wait: AskWait): void;
  /** Receives the exceeded limit of the budget, whenever that refuses a request. */
  onBudgetSpent(limit: string): void;
}

/** The parts of a run that the host of a task uses. */
interface HostOptions {
  /** Null for tasks that use none. */
  readonly models: TaskModels | null;
  /** The planner of the task, as a specification. */
  readonly planner: string;
  readonly watch: TaskWatch;
  /** Receives the plan of a program. */
  readonly onProposed?: ((plan: SharedPlan) => void) | undefined;
  /** Default: unlimited. */
  readonly processors?: Processors | undefined;
}

/** An open host. */
interface OpenHost {
  readonly host: TaskHost;
  /** The usage of its answers so far; it survives the loss of the thread. */
  usage(): Booking;
  /** The best plan so far; undefined if there is none. */
  kept(): KeptPlan | undefined;
  /** Whether a request was refused because the budget of the run is spent. */
  ranOut(): boolean;
  /** Aborts all requests in flight and releases the processor. */
  close(): void;
}

/** Opens the host of one task. */
export function openTaskHost(options: HostOptions): OpenHost {
  const { models, planner, watch, processors, onProposed } = options;
  const attempt = models?.askFor(planner) ?? noModel;
  const account = createAccount();
  const closing = new AbortController();
  let kept: KeptPlan | undefined;
  let ranOut = false;
  let release = () => {};
  const close = () => {
    closing.abort();
    release();
  };
  watch.signal.addEventListener('abort', close, { once: true });
  if (watch.signal.aborted) close();

  const ask: Ask = async (request, { replicate, signal }) => {
    const entry = account.open(requestKey(request, replicate));
    const both = signal === undefined ? [closing.signal] : [closing.signal, signal];
    try {
      const answer = await attempt(request, { replicate, signal: AbortSignal.any(both) });
      entry.answer(answer);
      return answer;
    } catch (error) {
      entry.fail(error);
      if (error instanceof LlmError && error.code === 'BudgetSpent') {
        ranOut = true;
        models?.onBudgetSpent((error.value as BudgetRefusal).limit);
      }
      throw error;
    }
  };
  const takeProcessor = async (): Promise<void> => {
    const back = (await processors?.take(true)) ?? (() => {});
    if (closing.signal.aborted) return back();
    const before = release;
    release = () => {
      release = () => {};
      before();
      back();
    };
  };
  const { interrupted, stopped, outOfTime } = watch;
  return {
    host: {
      ask,
      onWait: (wait) => models?.onWait(wait),
      onKept: (plan) => {
        kept = plan;
      },
      onProposed: (plan) => onProposed?.(plan),
      onPlanner: (is) => (is === 'done' ? watch.pause() : watch.begin(is === 'repairing')),
      takeProcessor,
      onProcessorFree: () => release(),
      interrupted,
      stopped,
      outOfTime,
    },
    usage: account.read,
    kept: () => kept,
    ranOut: () => ranOut,
    close,
  };
}

/** The models of a host without models. */
export const noModel: Ask = () =>
  Promise.reject(new AlasError('no_model', 'no model can be asked here'));
