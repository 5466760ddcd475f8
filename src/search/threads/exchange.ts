import type { Evolution, SearchResult } from '../evolution/evolution.js';

/**
 * Shared memory through which islands and their main thread see each other's progress. Each island has two slots for
 * solutions. It writes to the unpublished one, so that the published solution stays intact even if the island dies
 * while writing.
 */
export interface ExchangeBuffers {
  /** First entry: whether the search has ended; then, for each island, the number of solutions it has published. */
  readonly control: Int32Array;
  /** Two entries: the used share of the budget, and whether islands yield most of their time to others. */
  readonly share: Float64Array;
  /** For each island: iterations, iterations since its last improvement, restarts, population. */
  readonly progress: Float64Array;
  /** For each slot of each island the cost of its solution. */
  readonly costs: Float64Array;
  /** For each slot of each island its solution: `length` numbers. */
  readonly orders: Int32Array;
}

/** The progress of one island so far. */
export type IslandProgress = Pick<Evolution, 'iterations' | 'idle' | 'restarts' | 'population'>;

/** Access to the shared memory. */
export interface Exchange {
  /** Makes all islands end. */
  stop(): void;
  isOver(): boolean;
  /** Sets the used share of the budget for all islands; 1 by default. */
  spend(share: number): void;
  /** The used share of the budget. */
  readonly spent: number;
  /** Makes all islands yield most of their time to others, or stops that. */
  rest(isResting: boolean): void;
  /** Sleeps for three times the duration of a slice, if islands rest. */
  restAfter(milliseconds: number): void;
  /** The number of slices between two published solutions of an island: 1, except in large shops. */
  readonly interval: number;
  /** Publishes the progress of an island. */
  report(island: number, progress: IslandProgress): void;
  progressOf(island: number): IslandProgress;
  /** Publishes a solution of an island. */
  publish(island: number, solution: SearchResult): void;
  /** The cost that an island publishes; Infinity if none. */
  costOf(island: number): number;
  /** A copy of the order that an island publishes; null if none. */
  orderOf(island: number): Int32Array | null;
}

/** Slices between two checks of the other islands. */
const MIGRATION_INTERVAL = 256;

/**
 * Numbers of a solution that may be copied per slice; larger solutions are published less often than every slice.
 */
const SHOWN_A_SLICE = 10_000;

/**
 * Does one slice of work on an island, and exchanges solutions with the others.
 *
 * @param slice its number, from 1
 * @param neighbours the islands whose best it adopts periodically
 */
export function workOnIsland(
  evolution: Evolution,
  exchange: Exchange,
  island: number,
  slice: number,
  neighbours: readonly number[],
): void {
  evolution.spend(exchange.spent);
  const before = evolution.iterations;
  evolution.advance();
  // Slices of a large shop are shorter than copying its solution takes, except for those that construct one.
  const isConstructed = evolution.iterations === before;
  if (isConstructed || slice % exchange.interval === 0) publishBest(evolution, exchange, island);
  exchange.report(island, evolution);
  if (slice % MIGRATION_INTERVAL !== 0) return;
  if (evolution.share !== undefined) {
    shareWith(evolution.share, exchange, island, slice / MIGRATION_INTERVAL, neighbours);
    return;
  }
  let first = island;
  for (const other of neighbours) {
    if (exchange.costOf(other) < exchange.costOf(first)) first = other;
  }
  const guest = first === island ? null : exchange.orderOf(first);
  if (guest !== null) evolution.invite(guest);
}

/** Gives an island the solutions of the others, one of them at a time. */
function shareWith(
  share: NonNullable<Evolution['share']>,
  exchange: Exchange,
  island: number,
  turn: number,
  neighbours: readonly number[],
): void {
  const others = neighbours.filter((other) => other !== island);
  if (others.length === 0) return;
  const other = others[turn % others.length];
  const cost = exchange.costOf(other);
  const order = exchange.orderOf(other);
  if (order !== null) share({ island: other, order, cost });
}

/** Publishes the best of an island, if it is better than the published one. */
export function publishBest(evolution: Evolution, exchange: Exchange, island: number): void {
  if (evolution.cost >= exchange.costOf(island)) return;
  if (evolution.best !== null) exchange.publish(island, evolution.best);
}

/** Sleep time per unit of work. */
const REST = 3;

const FIELDS = 4;
const SLOTS = 2;

/** Creates the shared memory for some islands and solutions of a length. */
export function createExchangeBuffers(islands: number, length: number): ExchangeBuffers {
  const shared = (bytes: number) => new SharedArrayBuffer(bytes);
  return {
    control: new Int32Array(shared(4 * (1 + islands))),
    share: new Float64Array(shared(16)).fill(1, 0, 1),
    progress: new Float64Array(shared(8 * FIELDS * islands)),
    costs: new Float64Array(shared(8 * SLOTS * islands)).fill(Number.POSITIVE_INFINITY),
    orders: new Int32Array(shared(4 * SLOTS * islands * length)),
  };
}

/** Opens the shared memory. */
export function createExchange(buffers: ExchangeBuffers, length: number): Exchange {
  const { control, share, progress, costs, orders } = buffers;
  const shownBy = (island: number) => Atomics.load(control, 1 + island);
  const slotOf = (island: number, shown: number) => SLOTS * island + (shown % SLOTS);
  const orderIn = (slot: number) => orders.subarray(slot * length, (slot + 1) * length);

  /** Reads the published slot of an island; the island writes to it only after publishing the other slot. */
  const read = <T>(island: number, take: (slot: number) => T): T => {
    for (;;) {
      const shown = shownBy(island);
      const taken = take(slotOf(island, shown));
      if (shown === shownBy(island)) return taken;
    }
  };

  return {
    stop: () => void Atomics.store(control, 0, 1),
    isOver: () => Atomics.load(control, 0) === 1,
    spend: (part) => {
      share[0] = part;
    },
    get spent() {
      return share[0];
    },
    rest: (isResting) => {
      share[1] = isResting ? 1 : 0;
    },
    restAfter: (milliseconds) => {
      if (share[1] === 1) Atomics.wait(control, 0, 0, REST * milliseconds);
    },
    interval: Math.ceil(length / SHOWN_A_SLICE),
    report: (island, { iterations, idle, restarts, population }) => {
      progress.set([iterations, idle, restarts, population], FIELDS * island);
    },
    progressOf: (island) => {
      const [iterations, idle, restarts, population] = progress.subarray(FIELDS * island);
      return { iterations, idle, restarts, population };
    },
    publish: (island, { cost, order }) => {
      const shown = shownBy(island) + 1;
      const slot = slotOf(island, shown);
      orderIn(slot).set(order);
      costs[slot] = cost;
      Atomics.store(control, 1 + island, shown);
    },
    costOf: (island) => read(island, (slot) => costs[slot]),
    orderOf: (island) =>
      shownBy(island) === 0 ? null : read(island, (slot) => orderIn(slot).slice()),
  };
}
