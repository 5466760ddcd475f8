/** The number of cached answers, the latest of each request. */
const KEPT = 64;
/** The time that a read waits for a busy thread before it gets the last answer, in seconds. */
const PATIENCE = 0.3;

/** A cache of reads, which answers while the thread of a shop is busy. */
export interface LastReads {
  /**
   * Reads from a shop. While its thread is busy, the answer is the last one to the same request, unless the shop has
   * changed since.
   */
  read<T>(shop: string, request: readonly unknown[], ask: () => Promise<T>): Promise<T>;
  /** Notes a change of a shop, which invalidates earlier answers. */
  noteChange(shop: string): void;
}

/** @param busySeconds seconds since the thread of a shop began its computation */
export function createLastReads(busySeconds: (shop: string) => number): LastReads {
  const last = new Map<string, unknown>();
  const changes = new Map<string, number>();
  return {
    noteChange(shop) {
      changes.set(shop, (changes.get(shop) ?? 0) + 1);
    },
    async read<T>(shop: string, request: readonly unknown[], ask: () => Promise<T>): Promise<T> {
      // An answer that is outdated by a change is stored under an unused key.
      const key = JSON.stringify([shop, changes.get(shop) ?? 0, ...request]);
      const isKnown = last.has(key);
      const known = last.get(key) as T;
      if (isKnown && busySeconds(shop) > PATIENCE) return known;
      const fresh = ask().then((answer) => {
        last.delete(key);
        last.set(key, answer);
        if (last.size > KEPT) last.delete(last.keys().next().value as string);
        return answer;
      });
      if (!isKnown) return fresh;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, 1000 * PATIENCE);
      });
      const answer = await Promise.race([fresh.then((value) => ({ value })), late]);
      clearTimeout(timer);
      if (answer !== undefined) return answer.value;
      if (busySeconds(shop) === 0) return fresh;
      fresh.catch(() => {});
      return known;
    },
  };
}
