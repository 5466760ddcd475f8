import type { Clock } from '../../core/clock.js';
import type { Failure } from './payloads.js';
import type { Ended } from './step.js';

/** How long to wait for an answer, and what to do when that is over. */
export interface Watch {
  readonly clock: Clock;
  readonly seconds: number | undefined;
  /** What stops the waiting from outside. */
  readonly stops: Set<(failure: Failure) => void>;
  timeout(seconds: number): Failure;
  failure(error: unknown): Failure;
  /** Tells the handler to stop; `settled` is fulfilled when it has answered all the same. */
  abandon(failure: Failure, settled: Promise<void>): void;
  /** Takes what a handler answers after it was abandoned. */
  late(ended: Ended): void;
}

/** Waits for a handler until its time is up or it is stopped; then tells it so and leaves it. */
export function watchAnswer(answer: PromiseLike<unknown>, watch: Watch): Promise<Ended> {
  const { clock, seconds, stops } = watch;
  return new Promise((resolve) => {
    let over = false;
    const timer = seconds === undefined ? undefined : new AbortController();
    const finish = (ended: Ended) => {
      over = true;
      timer?.abort();
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
    if (timer === undefined || seconds === undefined) return;
    clock.sleep(seconds * 1000, timer.signal).then(
      () => stop(watch.timeout(seconds)),
      () => {},
    );
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
