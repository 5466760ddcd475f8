import type { Clock } from '../../core/clock.js';

/** Settings of the client of a provider. */
export interface ClientOptions {
  /** Null for servers that want none. */
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** For one attempt, from the question to the end of the answer. */
  readonly timeoutSeconds: number;
  /** Texts beside the key that no error and no answer may hold. */
  readonly secrets?: readonly string[] | undefined;
  /** Times the attempts. Default: the clock on the wall. */
  readonly clock?: Clock | undefined;
}
