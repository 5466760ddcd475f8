import { createRequire } from 'node:module';
import { parentPort, Worker } from 'node:worker_threads';

/** A worker thread that may die, for want of memory or of something it throws. */
export interface Thread {
  /** True once it is gone, in whatever way. */
  readonly ended: boolean;
  /** The reason why it died; null as long as it lives, and if it came to its end. */
  readonly failure: unknown;
  /** Ends it, without waiting for it: one that is still starting takes its time. */
  close(): void;
}

const DONE = 'done';

/** Tells, in a thread, that it has come to its end: one that goes without a word has died. */
export function postDone(): void {
  parentPort?.postMessage(DONE);
}

/**
 * Starts a thread.
 *
 * @param file name of the built file among the imports of the package, which is found also where
 *   this one is run from its TypeScript source by the tests
 * @param task handed to it as `workerData`
 * @param listen told what it posts besides that it is done
 */
export function startThread(
  file: '#search-island' | '#search-prover',
  task: object,
  listen: (message: unknown) => void = () => {},
): Thread {
  let ended = false;
  let isDone = false;
  let failure: unknown = null;
  const worker = new Worker(createRequire(import.meta.url).resolve(file), { workerData: task })
    .on('message', (message) => {
      if (message === DONE) isDone = true;
      else listen(message);
    })
    .on('error', (error) => {
      failure = error;
    })
    .on('exit', (code) => {
      ended = true;
      // Some that are ended from outside have the code 0.
      if (!isDone) failure ??= new Error(`its thread ended early, with code ${code}`);
    });
  return {
    get ended() {
      return ended;
    },
    get failure() {
      return failure;
    },
    close: () => void worker.terminate(),
  };
}
