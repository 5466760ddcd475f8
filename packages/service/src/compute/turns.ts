/** A fair queue of callers for a number of threads. */
export interface Turns {
  /**
   * Begins work as soon as a thread is free; of the waiting callers, the one with the least work in progress is first.
   *
   * @throws the reason of the signal if it is aborted before
   */
  take<T>(caller: string, signal: AbortSignal, begin: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly caller: string;
  start(): void;
}

/** @param share the most threads of one caller at a time */
export function createTurns(threads: number, share: number): Turns {
  const waiting = new Set<Waiting>();
  const working = new Map<string, number>();
  let busy = 0;
  const ofCaller = (caller: string) => working.get(caller) ?? 0;
  const next = () => {
    if (busy >= threads) return;
    let first: Waiting | undefined;
    for (const one of waiting) {
      const own = ofCaller(one.caller);
      if (own < share && (first === undefined || own < ofCaller(first.caller))) first = one;
    }
    if (first === undefined) return;
    waiting.delete(first);
    busy++;
    working.set(first.caller, ofCaller(first.caller) + 1);
    first.start();
  };
  const turnOf = (caller: string, signal: AbortSignal): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        waiting.delete(one);
        reject(signal.reason);
      };
      const one: Waiting = {
        caller,
        start() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(one);
      next();
    });
  return {
    async take(caller, signal, begin) {
      await turnOf(caller, signal);
      try {
        return await begin();
      } finally {
        busy--;
        const left = ofCaller(caller) - 1;
        if (left > 0) working.set(caller, left);
        else working.delete(caller);
        next();
      }
    },
  };
}
