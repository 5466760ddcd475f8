/** Answers of shops that are kept, the latest of each request. */
const KEPT = 64;
/** Seconds that a read waits for a thread that computes, before it is answered as it was last. */
const PATIENCE = 0.3;

/** Reads of shops, answered while the thread of the shop computes. */
export interface LastReads {
  /**
   * Reads from a shop. While its thread computes something, the answer is the last one to the same request, if there
   * is one: no version comes to be followed before the thread returns.
   */
  read<T>(shop: string, request: readonly unknown[], ask: () => Promise<T>): Promise<T>;
}

/** @param busySeconds seconds since the thread of a shop began what it computes */
export function createLastReads(busySeconds: (shop: string) => number): LastReads {
  const last = new Map<string, unknown>();
  return {
    async read<T>(shop: string, request: readonly unknown[], ask: () => Promise<T>): Promise<T> {
      const key = JSON.stringify([shop, ...request]);
      if (last.has(key) && busySeconds(shop) > PATIENCE) return last.get(key) as T;
      const fresh = ask().then((answer) => {
        last.delete(key);
        last.set(key, answer);
        if (last.size > KEPT) last.delete(last.keys().next().value as string);
        return answer;
      });
      if (!last.has(key)) return fresh;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, 1000 * PATIENCE);
      });
      const answer = await Promise.race([fresh.then((value) => ({ value })), late]);
      clearTimeout(timer);
      if (answer !== undefined) return answer.value;
      if (busySeconds(shop) === 0) return fresh;
      fresh.catch(() => {});
      return last.get(key) as T;
    },
  };
}
