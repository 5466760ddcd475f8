import { createRequire } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { unpackError } from '@alas-jssp/core/sent-error';
import { Piscina } from 'piscina';
import { UnreadBody } from '../api/check-body.js';
import type { WorkProgress } from '../api/work-schemas.js';
import type { ServiceLimits } from '../http/limits.js';
import { ServiceRefusal } from '../http/refusal.js';
import type { SentAnswer, SentWork, WorkKind } from './thread.js';
import { createTurns } from './turns.js';

/** Options of a computation. */
interface WorkOptions {
  /** The name of the caller; computations per caller are limited. */
  readonly caller: string;
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
}

/** Threads that compute stateless requests. */
export interface Compute {
  /**
   * Computes a request that matches the schema of its kind, or queues it until a thread is free. The answer to an
   * `UnreadBody` is JSON text. When the time limit ends or the service stops, the computation returns its best result
   * so far.
   *
   * @throws ServiceRefusal at once: 429 if the caller, 503 if the service has too many requests
   * @throws InputError, AlasError in the promise, as the work does; ServiceRefusal 503 `out_of_time`, `out_of_memory`
   */
  begin(kind: Exclude<WorkKind, 'warm'>, request: unknown, options: WorkOptions): Promise<unknown>;
  /** Starts all threads, which load and compile their code, so that the first request is as fast as later ones. */
  warmUp(): Promise<void>;
  /** Requests in computation, and queued ones. */
  readonly load: { readonly working: number; readonly waiting: number };
  /** Asks all computations to end with their best results so far, and waits for them. */
  stop(): Promise<void>;
}

/** Seconds that a computation may take to end on request; then its thread is terminated. */
const GRACE = 3;

/** Options of the threads. */
interface ComputeOptions {
  /** Keeps a thread free for other callers: no caller gets all threads, unless there is only one. */
  readonly isShared?: boolean | undefined;
  /** Receives errors of threads that cannot start or that end by themselves. */
  readonly onFault?: ((error: AlasError) => void) | undefined;
}

/** Creates threads that start with the first request, or by `warmUp`. */
export function createCompute(
  limits: ServiceLimits,
  { isShared = false, onFault = () => {} }: ComputeOptions = {},
): Compute {
  const { searches, waiting, per_caller, seconds, operations, megabytes } = limits;
  // Created with the first request, or by `warmUp`.
  let pool: Piscina | undefined;
  const startPool = (): Piscina => {
    const fresh = new Piscina({
      filename: createRequire(import.meta.url).resolve('#service-compute'),
      name: 'performWork',
      minThreads: searches,
      maxThreads: searches,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    });
    // A thread that fails while idle cannot load its code: the next request starts new threads.
    fresh.on('error', (error) => {
      onFault(threadFailed(error));
      if (pool === fresh) pool = undefined;
      void fresh.destroy();
    });
    return fresh;
  };
  const run = async (work: SentWork, signal: AbortSignal): Promise<SentAnswer> => {
    let own: Piscina | undefined;
    try {
      pool ??= startPool();
      own = pool;
      return await own.run(work, { transferList: [work.port], signal });
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string };
      if (name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      // The errors of abandoned threads are already reported.
      if (own === pool) onFault(threadFailed(error));
      throw new ServiceRefusal(503, 'thread_failed', 'the thread of the work ended', LATER, 2);
    }
  };
  const turns = createTurns(searches, isShared ? Math.max(1, searches - 1) : searches);
  const byCaller = new Map<string, number>();
  const inFlight = new Set<{ ask(): void; readonly done: Promise<unknown> }>();
  let isEnding = false;

  const admit = (caller: string) => {
    if (isEnding) throw new ServiceRefusal(503, 'ending', 'the service ends', LATER, 5);
    const own = byCaller.get(caller) ?? 0;
    if (own >= per_caller) {
      const problem = `${own} requests of '${caller}' are in progress, which is the limit`;
      throw new ServiceRefusal(429, 'too_many_requests', problem, LATER, 2);
    }
    if (inFlight.size >= searches + waiting) {
      const problem = `${searches} requests are computed and ${waiting} wait`;
      throw new ServiceRefusal(503, 'busy', problem, LATER, 2);
    }
    byCaller.set(caller, own + 1);
  };
  const release = (caller: string) => {
    const left = (byCaller.get(caller) ?? 1) - 1;
    if (left > 0) byCaller.set(caller, left);
    else byCaller.delete(caller);
  };
  const send = (kind: WorkKind, request: unknown, { caller, signal, onProgress }: WorkOptions) => {
    const { port1: here, port2: there } = new MessageChannel();
    const killer = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const ask = () => {
      // Queued work has no partial result.
      if (timer === undefined) return killer.abort();
      here.postMessage('end');
      clearTimeout(timer);
      timer = setTimeout(() => killer.abort(), GRACE * 1000);
    };
    const expire = () => {
      isLate = true;
      ask();
    };
    // The time limit starts with the work, not with the wait for a thread.
    here.on('message', (message: WorkProgress) => {
      if (timer === undefined) timer = setTimeout(expire, seconds * 1000);
      onProgress?.(message);
    });
    signal.addEventListener('abort', ask, { once: true });
    if (signal.aborted) killer.abort();
    const isSent = request instanceof UnreadBody;
    const sent = isSent ? request.bytes : request;
    const work: SentWork = { kind, request: sent, isSent, operations, seconds, port: there };
    const done = turns
      .take(caller, killer.signal, () => run(work, killer.signal))
      .then((sent) => answerOf(sent, isLate))
      .catch((error: unknown) => {
        throw lossOf(error, isLate, limits);
      })
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', ask);
        here.close();
      });
    return { ask, done };
  };
  return {
    begin: (kind, request, options) => {
      admit(options.caller);
      const work = send(kind, request, options);
      inFlight.add(work);
      options.onProgress?.(WAITING);
      return work.done.finally(() => {
        inFlight.delete(work);
        release(options.caller);
      });
    },
    warmUp: async () => {
      const { signal } = new AbortController();
      const threads = Array.from(
        { length: searches },
        (_, i) => send('warm', null, { caller: `warm-up ${i}`, signal }).done,
      );
      await Promise.allSettled(threads);
    },
    get load() {
      const working = Math.min(inFlight.size, searches);
      return { working, waiting: inFlight.size - working };
    },
    stop: async () => {
      isEnding = true;
      for (const { ask } of inFlight) ask();
      await Promise.allSettled(Array.from(inFlight, ({ done }) => done));
      await pool?.destroy();
    },
  };
}

const LATER = 'try again later';
const WAITING: WorkProgress = {
  stage: 'waiting',
  seconds: 0,
  best: null,
  lower_bound: null,
  iterations: null,
};

function threadFailed(error: unknown): AlasError {
  const message = `a thread of computations ended and is restarted: ${errorLine(error)}`;
  return new AlasError('thread_failed', message);
}

function answerOf(sent: SentAnswer, isLate: boolean): unknown {
  if ('answer' in sent) return sent.answer;
  const error = unpackError(sent.failure);
  const isStopped = error instanceof AlasError && error.code === 'stopped';
  throw isStopped && isLate ? new AlasError('out_of_time', error.message) : error;
}

/** The error for work whose thread ended, or that was asked to end and has no result. */
function lossOf(error: unknown, isLate: boolean, { seconds, megabytes }: ServiceLimits): unknown {
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const problem = `the work needs more than ${megabytes} megabytes of memory`;
    return new ServiceRefusal(503, 'out_of_memory', problem, 'ask for less', 10);
  }
  if (code === 'out_of_time' || (name === 'AbortError' && isLate)) {
    const problem = `the work takes longer than ${seconds} seconds`;
    return new ServiceRefusal(503, 'out_of_time', problem, 'ask for less', 10);
  }
  if (code === 'stopped' || name === 'AbortError') {
    return new ServiceRefusal(503, 'ending', 'the work was broken off', LATER, 5);
  }
  return error;
}
