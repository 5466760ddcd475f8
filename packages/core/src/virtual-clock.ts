import type { Clock } from './clock.js';

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * A clock for tests and simulations. Its time does not advance while anything is computing; when all tasks sleep, it
 * jumps to the moment when the first of them wakes. Work outside of the event loop (files, sockets) is invisible to it
 * and takes no time.
 *
 * @param start milliseconds since 1970
 */
export function virtualClock(start = 0): Clock {
  const timers = new Set<Timer>();
  let now = start;
  let armed = false;

  const jump = () => {
    armed = false;
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    if (first === undefined) return;
    timers.delete(first);
    now = Math.max(now, first.at);
    first.wake();
    arm();
  };
  const arm = () => {
    if (armed || timers.size === 0) return;
    armed = true;
    // Immediates run after all pending promise callbacks.
    setImmediate(jump);
  };

  return {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = () => {
          timers.delete(timer);
          reject(signal?.reason);
        };
        const wake = () => {
          signal?.removeEventListener('abort', cancel);
          resolve();
        };
        const timer = { at: now + milliseconds, wake };
        timers.add(timer);
        signal?.addEventListener('abort', cancel, { once: true });
        arm();
      }),
  };
}
