import type { Evolution, Found } from './evolution.js';

/** Shared memory through which islands and their main thread see each other's progress. */
export interface ExchangeBuffers {
  /** Is it over? Then, for each island, the version of what it shows. */
  readonly control: Int32Array;
  /** For each island: iterations, iterations since its last improvement, restarts. */
  readonly progress: Float64Array;
  /** For each island the cost of its best solution. */
  readonly costs: Float64Array;
  /** For each island the operations (N) in the order of its best solution. */
  readonly orders: Int32Array;
}

/** What one island has achieved so far. */
export interface IslandProgress {
  readonly iterations: number;
  readonly idle: number;
  readonly restarts: number;
}

/** Access to the shared memory. */
export interface Exchange {
  /** Tells all islands to end. */
  stop(): void;
  isOver(): boolean;
  /** Shows the progress of an island. */
  report(island: number, progress: Pick<Evolution, keyof IslandProgress>): void;
  progressOf(island: number): IslandProgress;
  /** Shows a solution of an island. */
  publish(island: number, solution: Found): void;
  /** The cost that an island shows; Infinity if none. */
  costOf(island: number): number;
  /** A copy of the order that an island shows; null if none. */
  orderOf(island: number): Int32Array | null;
}

const FIELDS = 3;

/** Makes the shared memory for some islands at work on N operations. */
export function createExchangeBuffers(islands: number, operations: number): ExchangeBuffers {
  const shared = (bytes: number) => new SharedArrayBuffer(bytes);
  return {
    control: new Int32Array(shared(4 * (1 + islands))),
    progress: new Float64Array(shared(8 * FIELDS * islands)),
    costs: new Float64Array(shared(8 * islands)).fill(Number.POSITIVE_INFINITY),
    orders: new Int32Array(shared(4 * islands * operations)),
  };
}

/** Opens the shared memory. */
export function createExchange(buffers: ExchangeBuffers, operations: number): Exchange {
  const { control, progress, costs, orders } = buffers;
  const versionAt = (island: number) => 1 + island;
  const shownBy = (island: number) =>
    orders.subarray(island * operations, (island + 1) * operations);

  return {
    stop: () => void Atomics.store(control, 0, 1),
    isOver: () => Atomics.load(control, 0) === 1,
    report: (island, { iterations, idle, restarts }) => {
      progress.set([iterations, idle, restarts], FIELDS * island);
    },
    progressOf: (island) => {
      const [iterations, idle, restarts] = progress.subarray(FIELDS * island);
      return { iterations, idle, restarts };
    },
    publish: (island, { cost, order }) => {
      // An odd version says that the order is being written.
      Atomics.add(control, versionAt(island), 1);
      shownBy(island).set(order);
      costs[island] = cost;
      Atomics.add(control, versionAt(island), 1);
    },
    costOf: (island) => costs[island],
    orderOf: (island) => {
      for (;;) {
        const version = Atomics.load(control, versionAt(island));
        if (version < 2) return null;
        const order = shownBy(island).slice();
        const isWhole = version % 2 === 0 && version === Atomics.load(control, versionAt(island));
        if (isWhole) return order;
      }
    },
  };
}
