import type { MessagePort } from 'node:worker_threads';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { type Booking, createAccount } from '../../llm/account.js';
import type { BudgetRefusal } from '../../llm/admission/spending.js';
import type { AskWait } from '../../llm/ask.js';
import type { Answer, Ask, LlmRequest } from '../../llm/client.js';
import { LlmError, type LlmErrorCode } from '../../llm/errors.js';
import { requestKey } from '../../llm/request-key.js';
import { OUT_OF_TIME } from '../../pipeline/handlers/repair-stage.js';
import type { KeptPlan } from '../../pipeline/progress.js';
import type { Processors } from './processors.js';

/** A message from the worker thread of a task to the host, the main thread, which makes all requests to models. */
type WorkerMessage =
  /** The planner starts a plan or a repair, or finishes: its time counts in between. */
  | { readonly kind: 'planner'; readonly is: PlannerCall }
  /** The planner has delivered a plan that is better than all before it. */
  | { readonly kind: 'kept'; readonly kept: KeptPlan }
  /** A request to a model. */
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly request: LlmRequest;
      readonly replicate: number;
    }
  /** The task no longer waits for that answer. */
  | { readonly kind: 'cancel'; readonly id: number }
  /** The task needs a processor to work on an answer, or releases it. */
  | { readonly kind: 'processor'; readonly is: 'wanted' | 'given back' }
  /** The task waits before it retries a request. */
  | { readonly kind: 'wait'; readonly wait: AskWait };

/** The beginning and the end of a planner's work. */
type PlannerCall = 'called' | 'repairing' | 'done';

/** A message from the host to the worker thread of a task. */
export type HostMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: SentError }
  /** The requested processor is free. */
  | { readonly kind: 'processor' }
  /** The search must end with its best result so far. */
  | { readonly kind: 'interrupt' }
  /** The model's time for repairs is over: the task continues without it. */
  | { readonly kind: 'give up'; readonly reason: string }
  /** The task must stop now: its time or that of the run is over. */
  | { readonly kind: 'stop'; readonly reason: string };

/** An error in a form that threads can exchange. */
interface SentError {
  readonly code: string;
  readonly message: string;
  /** Only of errors of providers. */
  readonly retryAfterSeconds: number | null | undefined;
}

/** The worker's end of the connection between host and worker. */
export interface WorkerEnd {
  /** Requests one attempt at an answer from the host. */
  readonly ask: Ask;
  /** Notifies the host of a wait before another attempt. */
  onWait(wait: AskWait): void;
  /** Notifies the host of the best plan so far. */
  onKept(kept: KeptPlan): void;
  /** Calls a planner; the host counts the time until it is done. */
  callPlanner<T>(plan: () => Promise<T>, as?: 'called' | 'repairing'): Promise<T>;
  /** Waits for a processor to work on an answer; returns at once if the task must stop. */
  takeProcessor(): Promise<void>;
  giveProcessorBack(): void;
  /** Aborted when the search must end with its best result so far. */
  readonly interrupted: AbortSignal;
  /** Aborted when the task must stop at once. */
  readonly stopped: AbortSignal;
  /** Aborted when the planner has no time left for repairs. */
  readonly outOfTime: AbortSignal;
}

/** Opens the worker's end of the connection; closing the port ends it. */
export function openWorkerEnd(port: MessagePort): WorkerEnd {
  const interrupt = new AbortController();
  const stop = new AbortController();
  const outOfTime = new AbortController();
  const waiting = new Map<number, (message: HostMessage) => void>();
  let last = 0;
  let work = () => {};
  const send = (message: WorkerMessage) => port.postMessage(message);
  for (const { signal } of [interrupt, stop]) signal.addEventListener('abort', () => work());

  port.on('message', (message: HostMessage) => {
    if (message.kind === 'processor') work();
    else if (message.kind === 'interrupt') interrupt.abort();
    else if (message.kind === 'give up') {
      outOfTime.abort(new AlasError(OUT_OF_TIME, message.reason));
    } else if (message.kind === 'stop') stop.abort(new AlasError('stopped', message.reason));
    else waiting.get(message.id)?.(message);
  });
  const ask: Ask = (request, { replicate, signal }) =>
    new Promise<Answer>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = ++last;
      const cancel = () => {
        waiting.delete(id);
        send({ kind: 'cancel', id });
        reject(signal?.reason);
      };
      waiting.set(id, (message) => {
        waiting.delete(id);
        signal?.removeEventListener('abort', cancel);
        if (message.kind === 'answer') resolve(message.answer);
        else if (message.kind === 'failure') reject(receiveError(message.failure));
      });
      signal?.addEventListener('abort', cancel, { once: true });
      send({ kind: 'ask', id, request, replicate });
    });
  return {
    ask,
    onWait: (wait) => send({ kind: 'wait', wait }),
    onKept: (kept) => send({ kind: 'kept', kept }),
    async callPlanner(plan, is = 'called') {
      send({ kind: 'planner', is });
      try {
        return await plan();
      } finally {
        send({ kind: 'planner', is: 'done' });
      }
    },
    takeProcessor: () =>
      new Promise((resolve) => {
        work = resolve;
        if (interrupt.signal.aborted || stop.signal.aborted) resolve();
        send({ kind: 'processor', is: 'wanted' });
      }),
    giveProcessorBack: () => send({ kind: 'processor', is: 'given back' }),
    interrupted: interrupt.signal,
    stopped: stop.signal,
    outOfTime: outOfTime.signal,
  };
}

/** The host of one task: its access to models, and its listeners. */
export interface TaskHost {
  /** Makes one attempt per call; without it no request is answered. */
  readonly ask?: Ask | undefined;
  onWait?(wait: AskWait): void;
  /** Receives the exceeded limit of a budget that refused a request. */
  onBudgetSpent?(limit: string): void;
  readonly onKept?: ((kept: KeptPlan) => void) | undefined;
  onPlanner(is: PlannerCall): void;
  /** Default: unlimited. */
  readonly processors?: Processors | undefined;
}

/** The host's end of the connection between host and worker. */
export interface HostEnd {
  /** The usage of its answers so far; it survives the loss of the thread. */
  usage(): Booking;
  /** Whether a request was refused because the budget of the run is spent. */
  ranOut(): boolean;
  /** Aborts all requests in flight and releases the processor. */
  cancel(): void;
}

/**
 * Opens the host's end of the connection. Keys, limits, budgets and stored answers stay in the main thread, which all
 * tasks share.
 */
export function openHostEnd(port: MessagePort, host: TaskHost): HostEnd {
  const { ask = noModel, onWait, onBudgetSpent, onKept, onPlanner, processors } = host;
  const account = createAccount();
  const asking = new Map<number, AbortController>();
  let ranOut = false;
  const send = (message: HostMessage) => port.postMessage(message);

  let isOver = false;
  let giveBack = () => {};
  const endWork = () => {
    giveBack();
    giveBack = () => {};
  };
  const takeProcessor = async (): Promise<void> => {
    const back = (await processors?.take(true)) ?? (() => {});
    if (isOver) return back();
    const before = giveBack;
    giveBack = () => {
      before();
      back();
    };
    send({ kind: 'processor' });
  };

  const answer = async (id: number, request: LlmRequest, replicate: number): Promise<void> => {
    const controller = new AbortController();
    asking.set(id, controller);
    const entry = account.open(requestKey(request, replicate));
    try {
      const given = await ask(request, { replicate, signal: controller.signal });
      entry.answer(given);
      send({ kind: 'answer', id, answer: given });
    } catch (error) {
      entry.fail(error);
      if (error instanceof LlmError && error.code === 'BudgetSpent') {
        ranOut = true;
        onBudgetSpent?.((error.value as BudgetRefusal).limit);
      }
      send({ kind: 'failure', id, failure: sendError(error) });
    } finally {
      asking.delete(id);
    }
  };
  port.on('message', (message: WorkerMessage) => {
    if (message.kind === 'planner') onPlanner(message.is);
    else if (message.kind === 'wait') onWait?.(message.wait);
    else if (message.kind === 'kept') onKept?.(message.kept);
    else if (message.kind === 'cancel') asking.get(message.id)?.abort();
    else if (message.kind === 'processor') {
      if (message.is === 'wanted') void takeProcessor();
      else endWork();
    } else void answer(message.id, message.request, message.replicate);
  });
  return {
    usage: account.read,
    ranOut: () => ranOut,
    cancel: () => {
      isOver = true;
      endWork();
      for (const controller of asking.values()) controller.abort();
    },
  };
}

/** The models of a host without models. */
export const noModel: Ask = () =>
  Promise.reject(new AlasError('no_model', 'no model can be asked here'));

function sendError(error: unknown): SentError {
  const { code } = (error ?? {}) as { code?: unknown };
  return {
    code: typeof code === 'string' ? code : 'Error',
    message: errorLine(error),
    retryAfterSeconds: error instanceof LlmError ? error.retryAfterSeconds : undefined,
  };
}

function receiveError({ code, message, retryAfterSeconds }: SentError): AlasError {
  return retryAfterSeconds === undefined
    ? new AlasError(code, message)
    : new LlmError(code as LlmErrorCode, message, undefined, retryAfterSeconds);
}
