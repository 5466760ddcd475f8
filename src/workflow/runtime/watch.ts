import type { Clock } from '../../core/clock.js';
import type { Failure } from './payloads.js';
import type { Ended } from './step.js';

/** How long to wait for an answer, and what to do when that is over. */
export interface Watch {
  readonly clock: Clock;
  readonly seconds: number | undefined;
  /** Callbacks that stop the waiting from outside. */
  readonly stops: Set<(failure: Failure) => void>;
  timeout(seconds: number): Failure;
  failure(error: unknown): Failure;
  /** Tells the handler to stop; `settled` is fulfilled when it has answered all the same. */
  abandon(failure: Failure, settled: Promise<void>): void;
  /** Takes what a handler answers after it was abandoned. */
  late(ended: Ended): void;
}

/** Turns of the queue of promises for which a handler needs no timer, which costs more than they do. */
const PROMPT = 10;

/** Whoever waits for it goes on a turn later. */
const turn = Promise.resolve();

/** Why a timer is stopped: aborting without a reason makes an error with a stack. */
const ANSWERED = 'answered';

/** Waits for a handler until its time is up or it is stopped; then tells it so and leaves it. */
export function watchAnswer(answer: PromiseLike<unknown>, watch: Watch): Promise<Ended> {
  const { clock, seconds, stops } = watch;
  return new Promise((resolve) => {
    let over = false;
    let timer: AbortController | undefined;
    const finish = (ended: Ended) => {
      over = true;
      timer?.abort(ANSWERED);
      stops.delete(stop);
      resolve(ended);
    };
    const stop = (failure: Failure) => {
      if (over) return;
      finish({ status: 'stopped', failure });
      watch.abandon(failure, settled);
    };
    const take = (ended: Ended) => (over ? watch.late(ended) : finish(ended));
    const settled = Promise.resolve(answer).then(
      (value) => take({ status: 'value', value }),
      (error) => take({ status: 'error', failure: watch.failure(error) }),
    );
    stops.add(stop);
    if (seconds === undefined) return;
    const arm = (turns: number): void => {
      if (over) return;
      if (turns > 0) {
        // Cheaper than queueMicrotask, which keeps track of where it was called.
        turn.then(() => arm(turns - 1));
        return;
      }
      timer = new AbortController();
      clock.sleep(seconds * 1000, timer.signal).then(
        () => stop(watch.timeout(seconds)),
        () => {},
      );
    };
    arm(PROMPT);
  });
}

/** Waits for a moment; gives up, and tells why, when it is stopped. */
export async function pause(
  clock: Clock,
  milliseconds: number,
  stops: Set<(failure: Failure) => void>,
): Promise<Failure | undefined> {
  if (milliseconds <= 0) return undefined;
  const timer = new AbortController();
  let stopped: Failure | undefined;
  const stop = (failure: Failure) => {
    stopped = failure;
    timer.abort();
  };
  stops.add(stop);
  await clock.sleep(milliseconds, timer.signal).catch((error) => {
    if (stopped === undefined) throw error;
  });
  stops.delete(stop);
  return stopped;
}
