import { createRequire } from 'node:module';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { monotonicSeconds } from '../core/clock.js';
import { deriveSeed } from '../core/random.js';
import { shareInstance } from '../jssp/instance.js';
import { createEvolution, type EvolutionSettings } from './evolution.js';
import { createExchange, createExchangeBuffers, type IslandProgress } from './exchange.js';
import type { IslandTask } from './island.js';
import type { Problem } from './problem.js';

/** A search at work: one in this thread, or several in threads of their own. */
export interface Islands {
  /** Lets it work for some milliseconds. */
  work(): Promise<void>;
  /** The smallest cost that any island shows; Infinity at first. */
  readonly cost: number;
  /** Sums over the islands; `idle` is that of the least idle one. */
  readonly progress: IslandProgress;
  /** True once every island has ended by itself. */
  readonly ended: boolean;
  /** The order (N operations) of the best solution, of the first island that has it. */
  bestOrder(): Int32Array;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** How islands work. */
export interface IslandsOptions {
  readonly threads: number;
  readonly settings: EvolutionSettings;
  readonly warmStart: Int32Array | null;
  /**
   * Iterations of all islands together, after which they end. They do not exchange solutions then,
   * so that the result depends on the seed and the number of threads alone.
   */
  readonly iterations: number | null;
}

/** Milliseconds of work between two looks at the clock and the user's wishes. */
const TURN = 15;

/** Starts a search: in this thread if one thread is enough, else in islands. */
export function startSearch(problem: Problem, options: IslandsOptions): Islands {
  return options.threads === 1 ? startHere(problem, options) : startIslands(problem, options);
}

function startHere(problem: Problem, { settings, warmStart, iterations }: IslandsOptions): Islands {
  const evolution = createEvolution(problem, settings, warmStart);
  const limit = iterations ?? Number.POSITIVE_INFINITY;
  return {
    work: async () => {
      const stop = monotonicSeconds() + TURN / 1000;
      while (evolution.iterations < limit && monotonicSeconds() < stop) evolution.advance();
      await setImmediate();
    },
    get cost() {
      return evolution.best?.cost ?? Number.POSITIVE_INFINITY;
    },
    get progress() {
      return evolution;
    },
    get ended() {
      return evolution.iterations >= limit;
    },
    bestOrder: () => evolution.best?.order ?? new Int32Array(),
    close: async () => {},
  };
}

/** Searches in worker threads, each with a seed of its own, that show each other their best. */
function startIslands({ given, objective }: Problem, options: IslandsOptions): Islands {
  const { threads, settings, warmStart, iterations } = options;
  const shared = shareInstance(given);
  const buffers = createExchangeBuffers(threads, given.operations);
  const exchange = createExchange(buffers, given.operations);
  const file = createRequire(import.meta.url).resolve('#search-island');
  let running = threads;
  let failure: unknown = null;
  const workers = Array.from({ length: threads }, (_, island) => {
    const task: IslandTask = {
      instance: shared,
      objective,
      settings: { ...settings, seed: deriveSeed(settings.seed, island) },
      warmStart,
      island,
      islands: threads,
      buffers,
      iterations: iterations === null ? Number.POSITIVE_INFINITY : Math.ceil(iterations / threads),
      migrates: iterations === null,
    };
    return new Worker(file, { workerData: task })
      .on('exit', () => {
        running--;
      })
      .on('error', (error) => {
        failure = error;
      });
  });
  const all = [...workers.keys()];
  const bestIsland = () =>
    all.reduce((best, one) => (exchange.costOf(one) < exchange.costOf(best) ? one : best));

  return {
    work: () => setTimeout(TURN),
    get cost() {
      if (failure !== null) throw failure;
      return exchange.costOf(bestIsland());
    },
    get progress() {
      const each = all.map((island) => exchange.progressOf(island));
      return {
        iterations: each.reduce((sum, { iterations: count }) => sum + count, 0),
        idle: Math.min(...each.map(({ idle }) => idle)),
        restarts: each.reduce((sum, { restarts }) => sum + restarts, 0),
      };
    },
    get ended() {
      return running === 0;
    },
    bestOrder: () => exchange.orderOf(bestIsland()),
    close: async () => {
      exchange.stop();
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
