import { createRequire } from 'node:module';
import { parentPort, Worker } from 'node:worker_threads';

/** A worker thread that may die, because of lack of memory or an exception. */
export interface Thread {
  /** True once it has ended for any reason. */
  readonly ended: boolean;
  /** The error with which it died; null while it runs, and if it finished. */
  readonly failure: unknown;
  /** Ends it, without waiting for it: one that is still starting takes its time. */
  close(): void;
}

const DONE = 'done';

/** Posts, in a thread, that it has finished: a thread that ends without this message has died. */
export function postDone(): void {
  parentPort?.postMessage(DONE);
}

/**
 * Starts a thread.
 *
 * @param file name of the built file among the imports of the package, which also resolves when tests run from
 *   TypeScript source
 * @param task passed to it as `workerData`
 * @param listen receives its messages, except the one that it has finished
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
      // Some threads that are terminated have the code 0.
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
