import { AlasError, errorLine } from '@alas-jssp/core/errors';
import { startThread, ThreadEnd } from '@alas-jssp/core/thread-calls';
import { createThreadPool } from '@alas-jssp/core/thread-pool';
import { UnreadBody } from '../api/check-body.js';
import type { WorkProgress } from '../api/work-schemas.js';
import type { ServiceLimits } from '../http/limits.js';
import { ServiceRefusal } from '../http/refusal.js';
import type { ComputeFunctions, WorkKind } from './thread.js';
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
  const pool = createThreadPool<ComputeFunctions>({
    threads: searches,
    start: () => startThread('#service-compute', import.meta.url, { megabytes }),
  });
  const turns = createTurns(searches, isShared ? Math.max(1, searches - 1) : searches);
  const byCaller = new Map<string, number>();
  const inFlight = new Set<{ ask(): void; readonly done: Promise<unknown> }>();
  let isEnding = false;
  const warming = new AbortController();

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
    const [ender, killer] = [new AbortController(), new AbortController()];
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const kill = () => killer.abort(new AlasError('stopped', 'the work was stopped'));
    const ask = () => {
      // Queued work has no partial result.
      if (timer === undefined) return kill();
      ender.abort(new AlasError('stopped', 'the work was asked to end'));
      clearTimeout(timer);
      timer = setTimeout(kill, GRACE * 1000);
    };
    const expire = () => {
      isLate = true;
      ask();
    };
    const onThreadProgress = (progress: WorkProgress) => {
      // The time limit starts with the work, not with the wait for a thread.
      timer ??= setTimeout(expire, seconds * 1000);
      onProgress?.(progress);
    };
    signal.addEventListener('abort', ask, { once: true });
    if (signal.aborted) kill();
    const isSent = request instanceof UnreadBody;
    const sent = isSent ? request.bytes : request;
    const work = { kind, request: sent, isSent, operations, seconds };
    const own = { ended: ender.signal, onProgress: onThreadProgress };
    const compute = () => pool.run((calls) => calls.performWork(work, own), killer.signal);
    const done = turns
      .take(caller, killer.signal, compute)
      .catch((error: unknown) => {
        const isFault = error instanceof ThreadEnd && error.code !== 'thread_out_of_memory';
        if (isFault && !isEnding) onFault(threadFailed(error));
        throw lossOf(error, isLate, limits);
      })
      .finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', ask);
        if (!isEnding) pool.fill();
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
      const { signal } = warming;
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
      warming.abort();
      for (const { ask } of inFlight) ask();
      await Promise.allSettled(Array.from(inFlight, ({ done }) => done));
      await pool.close();
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

/** The error for work whose thread ended, or that was asked to end and has no result. */
function lossOf(error: unknown, isLate: boolean, { seconds, megabytes }: ServiceLimits): unknown {
  const { code } = error as { code?: string };
  if (code === 'thread_out_of_memory') {
    const problem = `the work needs more than ${megabytes} megabytes of memory`;
    return new ServiceRefusal(503, 'out_of_memory', problem, 'ask for less', 10);
  }
  if (code === 'out_of_time' || (code === 'stopped' && isLate)) {
    const problem = `the work takes longer than ${seconds} seconds`;
    return new ServiceRefusal(503, 'out_of_time', problem, 'ask for less', 10);
  }
  if (code === 'stopped') {
    return new ServiceRefusal(503, 'ending', 'the work was broken off', LATER, 5);
  }
  if (error instanceof ThreadEnd) {
    return new ServiceRefusal(503, 'thread_failed', 'the thread of the work ended', LATER, 2);
  }
  return error;
}
