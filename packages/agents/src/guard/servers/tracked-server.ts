import type { GuardServer } from './server.js';

/** A server, and the number of its calls without an answer. */
export interface TrackedServer extends GuardServer {
  readonly pending: number;
  /** Resolves when no call is without an answer. */
  idle(): Promise<void>;
}

/** Counts the calls of a server that are in progress. */
export function trackServer(server: GuardServer): TrackedServer {
  let pending = 0;
  let waiting: (() => void)[] = [];
  const end = () => {
    pending--;
    if (pending === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  return {
    ...server,
    get pending() {
      return pending;
    },
    idle: () =>
      pending === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting = [...waiting, resolve];
          }),
    async call(...args) {
      pending++;
      try {
        return await server.call(...args);
      } finally {
        end();
      }
    },
  };
}
