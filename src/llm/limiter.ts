import { type LineOptions, openLine, type Standing } from './admission/line.js';
import { newPace, type RequestOutcome } from './admission/pace.js';

/** Rate limits of a provider, the clock, and the listener for waits. */
export interface LimiterOptions extends LineOptions {}

/** Admits requests to one provider, first come, first served. */
export interface Limiter {
  /**
   * Waits until a request may be sent.
   *
   * @param tokens estimated usage of the request
   * @returns a function to call once, with the outcome of the request
   * @throws the reason of the signal; errors of `beforeWait`
   */
  enter(tokens: number, standing: Standing): Promise<(outcome: RequestOutcome) => void>;
}

/** Makes a limiter for the requests of one process; see `endSending` for the adaptation of its concurrency. */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const line = openLine(newPace(options), options);
  return {
    async enter(tokens, standing) {
      const sending = await line.enter(tokens, standing);
      return (outcome) => line.leave(sending, outcome);
    },
  };
}
