/** First in, first out, of the numbers 0 … count − 1, each at most once at a time. */
export interface NumberQueue {
  size(): number;
  /** Adds a number behind the others, unless it is waiting already. */
  push(number: number): void;
  /** Takes the first; only if there is one. */
  shift(): number;
  clear(): void;
}

/** Creates an empty queue: a ring buffer. */
export function createNumberQueue(count: number): NumberQueue {
  const ring = new Int32Array(count);
  const waits = new Uint8Array(count);
  let first = 0;
  let size = 0;

  const shift = (): number => {
    const number = ring[first];
    waits[number] = 0;
    first = first + 1 === count ? 0 : first + 1;
    size--;
    return number;
  };

  return {
    size: () => size,
    push: (number) => {
      if (waits[number] === 1) return;
      waits[number] = 1;
      ring[(first + size++) % count] = number;
    },
    shift,
    clear: () => {
      while (size > 0) shift();
    },
  };
}
