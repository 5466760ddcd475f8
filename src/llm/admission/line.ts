import { type Clock, systemClock } from '@alas-jssp/core/clock';
import { unlessAborted } from '../unless-aborted.js';
import {
  beginSending,
  endSending,
  hasPlace,
  type Pace,
  type PaceLimits,
  type RequestOutcome,
  type Sending,
  type Wait,
  waitAtPace,
} from './pace.js';

/** Settings of a line. */
export interface LineOptions extends PaceLimits {
  readonly clock?: Clock | undefined;
  /** Receives every wait before it begins, except waits for a place among the concurrent requests. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Settings of a waiting request. */
interface Standing {
  readonly signal?: AbortSignal | undefined;
  /** Receives the seconds of a wait; may throw if waiting that long is pointless. */
  readonly beforeWait?: ((seconds: number) => void) | undefined;
}

/** A queue of requests to one provider: first come, first served. */
export interface Line {
  /**
   * Waits until a request may be sent, and books it.
   *
   * @param tokens estimated usage of the request
   * @throws the reason of the signal; errors of `beforeWait`
   */
  enter(tokens: number, standing: Standing): Promise<Sending>;
  /** Books the end of a request; the caller calls it once per request. */
  leave(sending: Sending, outcome: RequestOutcome): void;
}

/** Opens a queue that continues at a pace, which it updates. */
export function openLine(pace: Pace, options: LineOptions): Line {
  const { clock = systemClock } = options;
  /** Resolved when all earlier requests have been sent or abandoned. */
  let line: Promise<unknown> = Promise.resolve();
  let wakeFirst: () => void = () => {};

  const waitForTurn: Line['enter'] = async (tokens, { signal, beforeWait }) => {
    for (;;) {
      signal?.throwIfAborted();
      if (!hasPlace(pace)) {
        const left = new Promise<void>((resolve) => {
          wakeFirst = resolve;
        });
        await unlessAborted(left, signal);
        continue;
      }
      const wait = waitAtPace(pace, options, tokens, clock.now());
      if (wait === null) return beginSending(pace, tokens, clock.now());
      beforeWait?.(wait.seconds);
      options.onWait?.(wait);
      await clock.sleep(Math.ceil(wait.seconds * 1000), signal);
    }
  };

  return {
    enter(tokens, standing) {
      const before = line;
      const turn = unlessAborted(before, standing.signal).then(() => waitForTurn(tokens, standing));
      line = before.then(() => turn).catch(() => {});
      return turn;
    },
    leave(sending, outcome) {
      endSending(pace, options, sending, outcome, clock.now());
      wakeFirst();
    },
  };
}
