import type { Calls, Thread } from './thread-calls.js';

/** Threads that all serve the same functions. */
export interface ThreadPool<F> {
  /**
   * Calls functions of a free thread, or waits for one: first come, first served.
   *
   * @param signal ends the thread, and the work at once with the reason of the signal
   * @throws ThreadEnd if the thread ends before the work does; what `start` throws
   */
  run<T>(work: (calls: Calls<F>) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Starts the threads that have no work yet, and those that have to be replaced. */
  fill(): void;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** Settings of a {@link ThreadPool}. */
export interface ThreadPoolOptions<F> {
  /** Starts one of its threads. */
  readonly start: () => Thread<F>;
  readonly threads: number;
  /** Concurrent work in one thread. Default: 1. */
  readonly workPerThread?: number | undefined;
}

/** The place of a thread. */
interface Place<F> {
  /** Null before its first work, and between the end of a thread and the next work. */
  thread: Thread<F> | null;
  /** The work in progress. */
  busy: number;
}

/** Creates a pool whose threads start with their first work, and are replaced when they have ended. */
export function createThreadPool<F>({
  start,
  threads,
  workPerThread = 1,
}: ThreadPoolOptions<F>): ThreadPool<F> {
  const places = Array.from({ length: threads }, (): Place<F> => ({ thread: null, busy: 0 }));
  const waiting = new Set<(place: Place<F>) => void>();

  /** The place with the least work; of equals one whose thread is started. */
  const nextPlace = () => {
    let first: Place<F> | undefined;
    for (const place of places) {
      if (place.busy === workPerThread) continue;
      const isFirst =
        first === undefined ||
        place.busy < first.busy ||
        (place.busy === first.busy && first.thread === null && place.thread !== null);
      if (isFirst) first = place;
    }
    return first;
  };
  const hand = () => {
    for (const take of waiting) {
      const place = nextPlace();
      if (place === undefined) return;
      waiting.delete(take);
      place.busy++;
      take(place);
    }
  };
  const takePlace = (signal: AbortSignal | undefined): Promise<Place<F>> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const take = (place: Place<F>) => {
        signal?.removeEventListener('abort', leave);
        resolve(place);
      };
      const leave = () => {
        waiting.delete(take);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.add(take);
      hand();
    });
  const threadOf = (place: Place<F>): Thread<F> => {
    if (place.thread !== null) return place.thread;
    const thread = start();
    place.thread = thread;
    void thread.ended.then(() => {
      if (place.thread === thread) place.thread = null;
    });
    return thread;
  };

  return {
    async run(work, signal) {
      const place = await takePlace(signal);
      let abort = () => {};
      try {
        signal?.throwIfAborted();
        const thread = threadOf(place);
        abort = () => {
          if (place.thread === thread) place.thread = null;
          void thread.close();
        };
        signal?.addEventListener('abort', abort, { once: true });
        return await work(thread.calls);
      } catch (error) {
        throw signal?.aborted ? signal.reason : error;
      } finally {
        signal?.removeEventListener('abort', abort);
        place.busy--;
        hand();
      }
    },
    fill() {
      for (const place of places) threadOf(place);
    },
    async close() {
      await Promise.all(places.map(({ thread }) => thread?.close()));
    },
  };
}
