/**
 * Shared memory through which proofs in several threads hand each other short clauses. Each writes to a ring of
 * its own, which others read as far as they have not yet; what was overwritten meanwhile is lost to them.
 */
export interface ClauseChannel {
  /** Shows a clause that holds for all schedules within a makespan. */
  send(literals: Int32Array, length: number, makespan: number): void;
  /** Hands over what others have shown since the last time and what holds for a makespan. */
  receive(makespan: number, take: (literals: Int32Array, length: number) => void): void;
}

/** Threads that share clauses. */
export const PROVERS = 2;

/** Longest clause that is shared, and literal block distance of the worst. */
export const MOST_SHARED = { length: 8, levels: 3 };

const SLOTS = 4096;
/** A slot: number of the clause plus one (0 while it is written), makespan, length, literals. */
const SLOT = 3 + MOST_SHARED.length;

/** Makes the memory: a count for each thread, then their rings. */
export function createChannelBuffer(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * PROVERS * (1 + SLOTS * SLOT)));
}

/** Opens the memory for one of the threads. */
export function openChannel(memory: Int32Array, own: number): ClauseChannel {
  const read = new Int32Array(PROVERS);
  const copy = new Int32Array(MOST_SHARED.length);
  const slotOf = (thread: number, number: number): number =>
    PROVERS + (thread * SLOTS + (number % SLOTS)) * SLOT;

  return {
    send: (literals, length, makespan) => {
      const number = memory[own];
      const at = slotOf(own, number);
      Atomics.store(memory, at, 0);
      Atomics.store(memory, at + 1, makespan);
      Atomics.store(memory, at + 2, length);
      for (let i = 0; i < length; i++) Atomics.store(memory, at + 3 + i, literals[i]);
      Atomics.store(memory, at, number + 1);
      Atomics.store(memory, own, number + 1);
    },
    receive: (makespan, take) => {
      for (let thread = 0; thread < PROVERS; thread++) {
        if (thread === own) continue;
        const end = Atomics.load(memory, thread);
        let number = Math.max(read[thread], end - SLOTS);
        for (; number < end; number++) {
          const at = slotOf(thread, number);
          if (Atomics.load(memory, at) !== number + 1) continue;
          const holds = Atomics.load(memory, at + 1);
          const length = Math.min(Atomics.load(memory, at + 2), MOST_SHARED.length);
          for (let i = 0; i < length; i++) copy[i] = Atomics.load(memory, at + 3 + i);
          // Only if it was not overwritten while it was read.
          if (Atomics.load(memory, at) === number + 1 && holds >= makespan) take(copy, length);
        }
        read[thread] = end;
      }
    },
  };
}
