/** Processors that tasks share; a task that uses a model holds one only while it does not wait for an answer. */
export interface Processors {
  /**
   * Waits for a free processor; urgent tasks come first.
   *
   * @returns releases it; idempotent
   */
  take(isUrgent: boolean): Promise<() => void>;
}

/** A number of processors, all of them free. */
export function createProcessors(count: number): Processors {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let free = count;
  const next = (): void => {
    while (free > 0) {
      const begin = urgent.shift() ?? others.shift();
      if (begin === undefined) return;
      free--;
      begin();
    }
  };
  return {
    async take(isUrgent) {
      await new Promise<void>((resolve) => {
        (isUrgent ? urgent : others).push(resolve);
        next();
      });
      let isTaken = true;
      return () => {
        if (isTaken) free++;
        isTaken = false;
        next();
      };
    },
  };
}
