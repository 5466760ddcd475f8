/**
 * Shared memory through which proofs in several threads exchange short clauses. Each thread writes to its own ring,
 * from which the others read new entries; they miss entries that were overwritten in the meantime.
 */
export interface ClauseChannel {
  /** Publishes a clause that holds for all schedules within a makespan. */
  send(literals: Int32Array, length: number, makespan: number): void;
  /** Passes on clauses of others since the last call that hold for a makespan. */
  receive(makespan: number, take: (literals: Int32Array, length: number) => void): void;
}

/** Threads that share clauses. */
export const PROVERS = 2;

/** The maximum length of shared clauses, and their maximum literal block distance. */
export const MAX_SHARED = { length: 8, levels: 3 };

const SLOTS = 4096;
/** A slot: number of the clause plus one (0 while it is written), makespan, length, literals. */
const SLOT = 3 + MAX_SHARED.length;

/** Allocates the memory: a count for each thread, then their rings. */
export function createChannelBuffer(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * PROVERS * (1 + SLOTS * SLOT)));
}

/** Opens the memory for one of the threads. */
export function openChannel(memory: Int32Array, own: number): ClauseChannel {
  const read = new Int32Array(PROVERS);
  const copy = new Int32Array(MAX_SHARED.length);
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
          const length = Math.min(Atomics.load(memory, at + 2), MAX_SHARED.length);
          for (let i = 0; i < length; i++) copy[i] = Atomics.load(memory, at + 3 + i);
          // Valid only if it was not overwritten during the read.
          if (Atomics.load(memory, at) === number + 1 && holds >= makespan) take(copy, length);
        }
        read[thread] = end;
      }
    },
  };
}
