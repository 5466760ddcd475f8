import { createRandom, type Random } from '@alas-jssp/core/random';
import { createKernel, type Kernel, startsOf, valueOfCost } from '../kernel.js';
import type { Problem } from '../problem.js';
import { bestHalf, crossOver, meanDistance, replace, replaceApart } from './population.js';
import { createSolution, distance, type Solution } from './solution.js';
import { randomStarts, seriesProgress } from './starts.js';
import { hasWindows, searchWindows, type WindowTuning } from './windows.js';
import type { Guest, Zone } from './zones.js';

/** Tuning parameters of the search: `npm run bench -- race` compares alternatives with the usual ones. */
export interface EvolutionTuning extends WindowTuning {
  /** Solutions in the first population, at least 2; … */
  readonly population: number;
  /** … the growth factor of each further one, … */
  readonly growth: number;
  /** … and their limit. */
  readonly largest: number;
  /** Children per member of the population without improvement before it is abandoned. */
  readonly patience: number;
  /** Iterations without improvement after which a tabu search ends. */
  readonly cutoff: number;
  /** The weight of the first parent of a child is drawn from this to 1 minus this. */
  readonly leastWeight: number;
  /** Solutions closer than this count as equal in the population. */
  readonly leastDistance: number;
  /**
   * If the budget is known: the minimum distance of solutions at the beginning, as a share of the founders' mean
   * distance. It decreases to 0 at the end of the budget.
   */
  readonly spread: number;
  /** The share of a budget in seconds for the first of a series of dispatched starts, … */
  readonly startShare: number;
  /** … and for each one after it. */
  readonly laterStartShare: number;
  /**
   * How many moves are tried exactly if more than the makespan counts, the most promising by estimates; budgets in
   * iterations try every move. `triedDown` applies to instances with downtimes.
   */
  readonly tried: number;
  readonly triedDown: number;
}

/** The values in use: a small population converges soon, as short runs need; long runs restart with larger ones. */
export const usualTuning: EvolutionTuning = {
  population: 6,
  growth: 2,
  largest: 30,
  patience: 6,
  cutoff: 3000,
  leastWeight: 0.3,
  leastDistance: 0.01,
  spread: 0.5,
  startShare: 0.4,
  laterStartShare: 0.05,
  windowShare: 1,
  windowsFrom: 700,
  windowDepth: 15,
  largeDepth: 25,
  windowCutoff: 2000,
  sweeps: 24,
  deviation: 0.015,
  zonesFrom: 500_000,
  adoptions: 8,
  tried: 0,
  triedDown: 5,
};

/** The settings by which one search differs from another. */
export interface EvolutionSettings {
  readonly seed: number;
  readonly tuning: EvolutionTuning;
  /** The exact number of iterations; Infinity for no limit. */
  readonly iterations: number;
  /** A lower bound of the tardiness, at which the makespan breaks ties. Null if the makespan counts. */
  readonly leastTardiness: number | null;
  /** The place of this search among others that may share the work on one solution; default: it does not. */
  readonly zone?: Zone;
}

/** A topological order of all operations (N), and the objective of its schedule. */
export interface SearchResult {
  readonly order: Int32Array;
  /** Infinity if a deadline or a pinned start is violated; {@link valueOfCost} converts it. */
  readonly cost: number;
}

/** A search in progress; its driver decides after each slice whether it continues. */
export interface Evolution {
  /** Works for a few milliseconds. */
  advance(): void;
  /** The cost of the best order so far; Infinity before there is one. */
  readonly cost: number;
  /** The best order (N) so far and its cost, copied on access; null before there is one. */
  readonly best: SearchResult | null;
  readonly iterations: number;
  /** Iterations since the best solution was found. */
  readonly idle: number;
  /** Populations that were abandoned because they brought no improvement. */
  readonly restarts: number;
  /** Solutions in the current population. */
  readonly population: number;
  /** Uses a solution of another island in place of the next child. */
  invite(order: Int32Array): void;
  /** Receives the solution of another island to share its work; missing if islands do not share one solution. */
  readonly share?: ((guest: Guest) => void) | undefined;
  /** Sets the used share of the budget, 0 to 1; the default 1 also applies to an unknown budget. */
  spend(share: number): void;
}

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 500_000;
/** Iterations between two chances to stop, at most. */
const MAX_STEPS = 2048;

/**
 * Tabu search within an evolution: a small population of local optima, children from averaged start times, each
 * improved by tabu search before it may replace another (a memetic algorithm in the manner of Peng, Lü and Cheng 2015,
 * doi:10.1016/j.cor.2014.08.006, and of Cheng, Peng and Lü 2013). Averages of start times satisfy every precedence that
 * all parents satisfy, so children are acyclic by construction. Never ends by itself: its driver stops advancing it.
 *
 * @param warmStart a feasible order that joins the first population; the best solution is never worse
 */
export function createEvolution(
  problem: Problem,
  settings: EvolutionSettings,
  warmStart: Int32Array | null = null,
): Evolution {
  const { instance, watched } = problem;
  const { tuning } = settings;
  const kernel = createKernel(instance, watched);
  const random = createRandom(settings.seed);
  configure(kernel, problem, random);
  const steps = configureTrials(kernel, settings);
  let bestCost = Number.POSITIVE_INFINITY;
  let bestOrder: Int32Array | null = null;
  let hasBest = false;
  let iterations = 0;
  let improvedAt = 0;
  let restarts = 0;
  let population = 0;
  let first = warmStart;
  let guest: Int32Array | null = null;
  let sharing: Guest | null = null;
  const zone = zoneOf(problem, settings);
  let spent = 1;

  function keep(): void {
    const cost = valueOfCost(kernel.exports.bestCost());
    if (hasBest && cost >= bestCost) return;
    hasBest = true;
    bestCost = cost;
    bestOrder = null;
    improvedAt = iterations;
  }

  function share(other: Guest): void {
    sharing = other;
  }

  /** Loads an order in place of the kernel's, whose best is saved. */
  function load(order: Int32Array): void {
    if (hasBest) bestOrder ??= kernel.bestOrder();
    kernel.load(order);
    kernel.exports.start();
  }

  function* improve(order: Int32Array): Generator<void, Solution> {
    load(order);
    let before = 0;
    for (let goesOn = true; goesOn; ) {
      keep();
      const most = Math.min(steps, settings.iterations - iterations);
      goesOn = kernel.exports.search(most, tuning.cutoff, 0) !== 0;
      iterations += kernel.exports.iterations() - before;
      before = kernel.exports.iterations();
      keep();
      yield;
    }
    if (hasBest) bestOrder ??= kernel.bestOrder();
    return snapshot(kernel);
  }

  /** The best of a series of random starts. */
  function* start(): Generator<void, Int32Array> {
    let found: SearchResult | null = null;
    const share = hasBest ? tuning.laterStartShare : tuning.startShare;
    const counts = settings.iterations < Number.POSITIVE_INFINITY;
    const progress = counts ? undefined : seriesProgress(() => spent, share);
    for (const order of randomStarts(instance, random, progress)) {
      load(order);
      keep();
      const cost = kernel.exports.bestCost();
      if (found === null || cost < found.cost) found = { cost, order };
      yield;
    }
    return (found as SearchResult).order;
  }

  /** The best solution of a search in windows, which gets its share of the budget. */
  function* throughWindows(): Generator<void, Int32Array> {
    load(first ?? (yield* start()));
    keep();
    yield* searchWindows(kernel, random, tuning, {
      used: () => spent / tuning.windowShare,
      worked: (count) => {
        iterations += count;
        const before = bestCost;
        keep();
        // An older guest may be worse now.
        if (bestCost < before) guest = null;
      },
      secure: () => {
        bestOrder ??= kernel.bestOrder();
      },
      takeBetter: () => {
        const order = guest;
        guest = null;
        return order;
      },
      zone,
      takeGuest: () => {
        bestOrder ??= kernel.bestOrder();
        const taken = sharing;
        sharing = null;
        return taken;
      },
      own: () => {
        bestOrder ??= kernel.bestOrder();
        return { cost: bestCost, order: bestOrder };
      },
    });
    return bestOrder ?? kernel.bestOrder();
  }

  /** A population of random solutions and the solution to start from. */
  function* founders(size: number): Generator<void, Solution[]> {
    const members: Solution[] = [];
    while (members.length < size) {
      const order = first ?? (yield* start());
      first = null;
      members.push(yield* improve(order));
      population = members.length;
    }
    return members;
  }

  /** Makes children of a population until they no longer improve it. */
  function* mature(members: Solution[]): Generator<void, void> {
    const apartness = (a: Solution, b: Solution) => distance(instance, a, b);
    population = members.length;
    const widest = tuning.spread * meanDistance(members, apartness);
    for (let stale = 0; stale < tuning.patience * members.length; ) {
      const order = guest ?? crossOver(members, tuning.leastWeight, random);
      guest = null;
      const child = yield* improve(order);
      const apart = (1 - spent) * widest;
      const stays =
        apart > tuning.leastDistance
          ? replaceApart(members, child, apart, apartness)
          : replace(members, child, tuning.leastDistance, apartness);
      stale = stays ? 0 : stale + 1;
    }
  }

  /** Each population matures by itself, and then together with the better half of earlier populations. */
  function* evolve(): Generator<void, never> {
    let elders: Solution[] = [];
    if (spent < tuning.windowShare && hasWindows(problem, tuning)) first = yield* throughWindows();
    for (let size = tuning.population; ; size = Math.min(tuning.largest, tuning.growth * size)) {
      const members = yield* founders(size);
      yield* mature(members);
      if (elders.length === 0) elders = members;
      else {
        elders = [...bestHalf(elders), ...bestHalf(members)];
        yield* mature(elders);
      }
      restarts++;
    }
  }

  const work = evolve();
  return {
    advance: () => void work.next(),
    spend: (share) => {
      spent = share;
    },
    invite: (order) => {
      guest = order;
    },
    share: zone === null ? undefined : share,
    get cost() {
      return bestCost;
    },
    get best() {
      if (!hasBest) return null;
      bestOrder ??= kernel.bestOrder();
      return { cost: bestCost, order: bestOrder };
    },
    get iterations() {
      return iterations;
    },
    get idle() {
      return iterations - improvedAt;
    },
    get restarts() {
      return restarts;
    },
    get population() {
      return population;
    },
  };
}

/** Configures trials of moves, and returns the iterations between two chances to stop. */
function configureTrials({ exports, instance }: Kernel, settings: EvolutionSettings): number {
  const { tuning, iterations, leastTardiness } = settings;
  const tried = instance.calendar === null ? tuning.tried : tuning.triedDown;
  exports.configureTrials(iterations === Number.POSITIVE_INFINITY ? tried : -1);
  if (leastTardiness !== null) exports.breakTies(leastTardiness);
  // Where estimates do not suffice, this many moves tried exactly take as long.
  const steps = Math.max(1, Math.min(MAX_STEPS, Math.round(SLICE / instance.operations)));
  exports.limitTrials(steps);
  return steps;
}

/** The zone of a search that shares its work with others. */
function zoneOf(problem: Problem, settings: EvolutionSettings): Zone | null {
  const { tuning, zone } = settings;
  const isLarge = problem.instance.operations >= tuning.zonesFrom;
  return zone !== undefined && isLarge && hasWindows(problem, tuning) ? zone : null;
}

/** N6, and the tenure of Zhang et al. 2008 (doi:10.1016/j.cor.2007.12.021): 10 + n/m and more. */
function configure({ exports }: Kernel, { instance, objective }: Problem, random: Random): void {
  const { jobs, machines } = instance;
  const tenure = 10 + jobs / machines;
  const spread = jobs <= 2 * machines ? 0.4 : 0.5;
  const isTardiness = objective === 'total-weighted-tardiness';
  exports.configure(6, Math.round(tenure), Math.round(spread * tenure), isTardiness);
  exports.seedRandom(random.integer(1, 2 ** 31));
}

/** The best solution of the kernel's finished search. */
function snapshot(kernel: Kernel): Solution {
  const order = kernel.bestOrder();
  kernel.load(order);
  return createSolution(kernel.instance, kernel.exports.bestCost(), order, startsOf(kernel));
}
