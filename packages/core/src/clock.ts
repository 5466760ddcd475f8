import { isoTime } from './iso-time.js';
/** A source of time and of delays. Callers pass it in, so that tests and replays control time. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * Waits.
   *
   * @throws the reason of the signal as soon as it is aborted
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay of a timer (32 bits); longer waits use several timers. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The system clock. */
export const systemClock: Clock = wallClock(true);

/** The system clock, but its pending waits do not keep the process alive. */
export const idleClock: Clock = wallClock(false);

function wallClock(keepsAlive: boolean): Clock {
  return {
    now: () => Date.now(),
    sleep: async (milliseconds, signal) => {
      // Even a wait of 0 ms yields to the event loop.
      await wait(Math.min(milliseconds, LONGEST_TIMER), signal, keepsAlive);
      for (let left = milliseconds - LONGEST_TIMER; left > 0; left -= LONGEST_TIMER) {
        await wait(Math.min(left, LONGEST_TIMER), signal, keepsAlive);
      }
    },
  };
}

/** Replaces the timer of Node, which creates an error with a stack for every cancelled wait. */
function wait(
  milliseconds: number,
  signal: AbortSignal | undefined,
  keepsAlive: boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel);
      resolve();
    }, milliseconds);
    if (!keepsAlive) timer.unref();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Seconds since an arbitrary moment, monotonic, to measure durations. */
export function monotonicSeconds(): number {
  return performance.now() / 1000;
}

/** The current date and time as an ISO 8601 string in UTC, for manifests and logs. */
export function timestamp(): string {
  return isoTime(Date.now());
}
