import { setImmediate, setTimeout } from 'node:timers/promises';
import { monotonicSeconds } from '@alas-jssp/core/clock';
import { deriveSeed } from '@alas-jssp/core/seed';
import { shareInstance } from '../../jssp/share-instance.js';
import { createSearch } from '../create-search.js';
import type { EvolutionSettings } from '../evolution/evolution.js';
import { isSettled } from '../evolution/settled.js';
import type { Problem } from '../problem.js';
import { createExchange, createExchangeBuffers, type IslandProgress } from './exchange.js';
import type { IslandFunctions, IslandTask } from './island.js';
import { hasThreads, startWork } from './thread.js';

/** A search in progress: one in this thread, or several in their own threads. */
export interface Islands {
  /** Lets it work for some milliseconds. */
  work(): Promise<void>;
  /** Sets the used share of a budget in seconds. */
  spend(share: number): void;
  /** Yields most of the time of its threads to others, or stops that. */
  rest(isResting: boolean): void;
  /** The smallest published cost; Infinity at first. */
  readonly cost: number;
  /** Sums over the islands; `idle` is that of the least idle one. */
  readonly progress: IslandProgress;
  /** True once every island has ended by itself or has died. */
  readonly ended: boolean;
  /** The errors of islands that died: their results are used, and the others continue. */
  readonly lost: readonly unknown[];
  /** The best solution, of the first island that has it; or null. */
  bestOrder(): Int32Array | null;
  /** Ends all threads, without waiting for them: a thread that is still starting ends later. */
  close(): void;
}

/** Settings of islands. */
export interface IslandsOptions {
  readonly threads: number;
  /** `iterations` are those of all islands together. */
  readonly settings: EvolutionSettings;
  readonly warmStart: Int32Array | null;
  /**
   * A cost at which an island ends by itself. The others continue, so that the result does not depend on which island
   * is first.
   */
  readonly goal: number;
}

/** Milliseconds of work between two checks of the clock and the caller's requests. */
const TURN = 5;

/**
 * The size beyond which one step of the search (a first schedule, a child) may block the calling thread for too long.
 */
const MAX_HERE = 1500;

/**
 * Starts a search: in this thread if one is enough and the instance not large, or if there are no others; otherwise in
 * islands.
 */
export function startSearch(problem: Problem, options: IslandsOptions): Islands {
  const isSmall = options.threads === 1 && problem.given.operations <= MAX_HERE;
  if (isSmall) return startHere(problem, options);
  if (hasThreads) return startIslands(problem, options);
  const { settings } = options;
  // As the only island.
  return startHere(problem, {
    ...options,
    settings: { ...settings, seed: deriveSeed(settings.seed, 0) },
  });
}

function startHere(problem: Problem, { settings, warmStart, goal }: IslandsOptions): Islands {
  const evolution = createSearch(problem, settings, warmStart);
  let isResting = false;
  const hasEnded = () =>
    evolution.iterations >= settings.iterations ||
    isSettled(evolution, goal, settings.leastTardiness);
  return {
    work: async () => {
      const stop = monotonicSeconds() + TURN / 1000;
      while (!hasEnded() && monotonicSeconds() < stop) evolution.advance();
      await (isResting ? setTimeout(3 * TURN) : setImmediate());
    },
    spend: evolution.spend,
    rest: (wanted) => {
      isResting = wanted;
    },
    get cost() {
      return evolution.cost;
    },
    get progress() {
      return evolution;
    },
    get ended() {
      return hasEnded();
    },
    lost: [],
    bestOrder: () => evolution.best?.order ?? null,
    close: () => {},
  };
}

/** Starts searches in worker threads, which have different seeds and exchange their best solutions. */
function startIslands(
  { given, objective, solutionLength }: Problem,
  options: IslandsOptions,
): Islands {
  const { threads, settings, warmStart, goal } = options;
  const { seed, iterations } = settings;
  const shared = shareInstance(given);
  const buffers = createExchangeBuffers(threads, solutionLength);
  const exchange = createExchange(buffers, solutionLength);
  const workers = Array.from({ length: threads }, (_, island) => {
    const task: IslandTask = {
      instance: shared,
      objective,
      settings: {
        ...settings,
        seed: deriveSeed(seed, island),
        iterations: shareOf(iterations, island, threads),
        ...(threads > 1 && { zone: { index: island, count: threads } }),
      },
      warmStart,
      island,
      islands: threads,
      buffers,
      goal,
      // Otherwise the result would depend on the timing of threads.
      migrates: iterations === Number.POSITIVE_INFINITY,
    };
    return startWork<IslandFunctions>('#search-island', ({ search }) => search(task));
  });
  const all = [...workers.keys()];
  const bestIsland = () =>
    all.reduce((best, one) => (exchange.costOf(one) < exchange.costOf(best) ? one : best));

  return {
    work: () => setTimeout(TURN),
    spend: exchange.spend,
    rest: exchange.rest,
    get cost() {
      return exchange.costOf(bestIsland());
    },
    get progress() {
      const each = all.map((island) => exchange.progressOf(island));
      return {
        iterations: each.reduce((sum, { iterations: count }) => sum + count, 0),
        idle: Math.min(...each.map(({ idle }) => idle)),
        restarts: each.reduce((sum, { restarts }) => sum + restarts, 0),
        population: each.reduce((sum, { population }) => sum + population, 0),
      };
    },
    get ended() {
      return workers.every(({ ended }) => ended);
    },
    get lost() {
      return workers.map(({ failure }) => failure).filter((failure) => failure !== null);
    },
    bestOrder: () => exchange.orderOf(bestIsland()),
    close: () => {
      exchange.stop();
      for (const worker of workers) worker.close();
    },
  };
}

/** The share of one island in the iterations of all; the first islands get the remainder. */
function shareOf(iterations: number, island: number, islands: number): number {
  if (iterations === Number.POSITIVE_INFINITY) return iterations;
  return Math.floor(iterations / islands) + (island < iterations % islands ? 1 : 0);
}
