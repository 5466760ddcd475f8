import { isoTime } from './iso-time.js';
/** Tells the time and waits: handed in, so that tests and replays have a time of their own. */
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

/** Timers hold 32 bits: longer waits are made of several. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The clock on the wall. */
export const systemClock: Clock = wallClock(true);

/** The clock on the wall, whose waits alone keep no process alive. */
export const idleClock: Clock = wallClock(false);

function wallClock(keepsAlive: boolean): Clock {
  return {
    now: () => Date.now(),
    sleep: async (milliseconds, signal) => {
      // Also a wait for nothing lets everything else go on first.
      await wait(Math.min(milliseconds, LONGEST_TIMER), signal, keepsAlive);
      for (let left = milliseconds - LONGEST_TIMER; left > 0; left -= LONGEST_TIMER) {
        await wait(Math.min(left, LONGEST_TIMER), signal, keepsAlive);
      }
    },
  };
}

/** Not that of Node: it makes an error with a stack whenever a wait is no longer needed. */
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

/** Seconds since an arbitrary moment, monotonic: for measuring durations. */
export function monotonicSeconds(): number {
  return performance.now() / 1000;
}

/** The current date and time as an ISO 8601 string in UTC: for manifests and logs. */
export function timestamp(): string {
  return isoTime(Date.now());
}
