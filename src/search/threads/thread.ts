import { type Calls, startThread } from '@alas-jssp/core/thread-calls';

/** The work of a thread, which may die because of lack of memory or an exception. */
export interface ThreadWork {
  /** True once it has ended for any reason. */
  readonly ended: boolean;
  /** The error with which it died; null while it runs, and if it finished. */
  readonly failure: unknown;
  /** Ends its thread, without waiting for it: a thread that is still starting ends later. */
  close(): void;
}

/** Whether work can be given to threads; not in browsers. */
export const hasThreads: boolean = true;

/**
 * Starts a thread for a call of one of its functions.
 *
 * @param name of the built file in the `imports` of the package, which also resolves when tests run from TypeScript
 *   source
 */
export function startWork<F extends object>(
  file: '#search-island' | '#search-prover',
  begin: (calls: Calls<F>) => Promise<void>,
): ThreadWork {
  const { calls, close } = startThread<F>(file, import.meta.url);
  const work = { ended: false, failure: null as unknown, close: () => void close() };
  begin(calls)
    .catch((error: unknown) => {
      work.failure = error;
    })
    .finally(() => {
      work.ended = true;
      work.close();
    });
  return work;
}
