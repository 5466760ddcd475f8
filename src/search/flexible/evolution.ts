import { createRandom, type Random } from '@alas-jssp/core/random';
import type { Evolution, EvolutionSettings } from '../evolution/evolution.js';
import { bestHalf, meanDistance, replace, replaceApart } from '../evolution/population.js';
import { valueOfCost } from '../kernel.js';
import type { Problem } from '../problem.js';
import { constructOrder, type ModedOrder } from './construct.js';
import { crossModes } from './cross-over.js';
import { edgesOf } from './edges.js';
import { firstOrders } from './first-orders.js';
import { shopGoalsOf } from './goals.js';
import { createFlexibleKernel, type FlexibleKernel } from './kernel.js';
import { createFlexibleSolution, type FlexibleSolution, flexibleDistance } from './solution.js';

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 100_000;
/** Iterations between two chances to stop, at most. */
const MAX_STEPS = 2048;
/** Iterations without improvement after which a tabu search ends, at most. */
const LONGEST_CUTOFF = 3000;
/** The random factor of constructed solutions. */
const NOISE = 0.3;
/** Below every tardiness: the makespan never breaks ties. */
const NO_TIES = -1;

/** Tuning parameters of the search of flexible shops. */
export interface FlexibleTuning {
  readonly population: number;
  readonly growth: number;
  readonly largest: number;
  readonly patience: number;
  /** Iterations without improvement after which a tabu search ends, in shops of 1000 operations; more in smaller ones. */
  readonly cutoff: number;
  readonly leastWeight: number;
  readonly leastDistance: number;
  readonly spread: number;
  /** The least tenure of a move in a shop of no operations, … */
  readonly tenure: number;
  /** … how many operations add one to it, … */
  readonly tenureGrowth: number;
  /** … and how much longer it may be. */
  readonly tenureSpread: number;
  /** How many operations of a critical path are looked at exactly: those with the best estimates, 16 at most. */
  readonly looks: number;
  /** How many moves of an iteration are tried if due dates, deadlines or downtimes count, 64 at most. */
  readonly tries: number;
  /** The same for shops with downtimes, of which estimates know less, … */
  readonly triesDown: number;
  /** … and if their makespan counts, of which they know least. */
  readonly shortTries: number;
}

/** The values in use. */
const flexibleTuning: FlexibleTuning = {
  population: 3,
  growth: 2,
  largest: 30,
  patience: 6,
  cutoff: 600,
  leastWeight: 0.05,
  leastDistance: 0.01,
  spread: 0.5,
  tenure: 3,
  tenureGrowth: 80,
  tenureSpread: 4,
  looks: 3,
  tries: 4,
  triesDown: 10,
  shortTries: 32,
};

/** A solution that travels between threads: the order (N), and behind it the modes (N). */
function pack({ order, mode }: ModedOrder): Int32Array {
  const packed = new Int32Array(2 * order.length);
  packed.set(order);
  packed.set(mode, order.length);
  return packed;
}

function unpack(packed: Int32Array): ModedOrder {
  const half = packed.length >> 1;
  return { order: packed.slice(0, half), mode: packed.slice(half) };
}

/**
 * Tabu search within an evolution for flexible shops, like `createEvolution` for shops whose operations have one mode:
 * children are in the order of averaged start times, each operation in the mode of one of its parents. Solutions are
 * arrays of 2N numbers: a topological order, and the mode of each operation.
 *
 * @param warmStart a feasible solution that joins the first population; the best solution is never worse
 */
export function createFlexibleEvolution(
  {
    instance,
    objective = 'makespan',
  }: Pick<Problem, 'instance'> & Partial<Pick<Problem, 'objective'>>,
  settings: Pick<EvolutionSettings, 'seed' | 'iterations'> & Partial<EvolutionSettings>,
  warmStart: Int32Array | null = null,
  tuning: FlexibleTuning = flexibleTuning,
): Evolution {
  const edges = edgesOf(instance);
  const goals = shopGoalsOf(instance, objective, edges);
  const hasTerms = goals.due.length > 0 || instance.calendar !== null;
  const kernel = createFlexibleKernel(instance, edges, goals);
  const random = createRandom(settings.seed);
  const isTardiness = objective === 'total-weighted-tardiness';
  configure(kernel, random, tuning, isTardiness);
  kernel.exports.configureGoals(isTardiness, settings.leastTardiness ?? NO_TIES);
  const steps = Math.max(1, Math.min(MAX_STEPS, Math.round(SLICE / instance.operations)));
  const cutoff = Math.min(
    LONGEST_CUTOFF,
    Math.max(tuning.cutoff, Math.round((1000 * tuning.cutoff) / instance.operations)),
  );
  let bestCost = Number.POSITIVE_INFINITY;
  /** Null while only the kernel has it. */
  let bestOrder: Int32Array | null = null;
  let hasBest = false;
  let iterations = 0;
  let improvedAt = 0;
  let restarts = 0;
  let population = 0;
  let first = warmStart === null ? null : unpack(warmStart);
  /** Solutions of dispatching rules that founders start from. */
  let ruled: ModedOrder[] = [];
  let guest: ModedOrder | null = null;
  let spent = 1;

  function keep(): void {
    const cost = valueOfCost(kernel.exports.bestCost());
    if (hasBest && cost >= bestCost) return;
    hasBest = true;
    bestCost = cost;
    bestOrder = null;
    improvedAt = iterations;
  }

  function kernelBest(): Int32Array {
    return pack({ order: kernel.arrays.bestOrder, mode: kernel.arrays.bestMode });
  }

  function* improve({ order, mode }: ModedOrder): Generator<void, FlexibleSolution> {
    if (hasBest) bestOrder ??= kernelBest();
    kernel.load(order, mode);
    let before = 0;
    for (let goesOn = true; goesOn; ) {
      keep();
      const most = Math.min(steps, settings.iterations - iterations);
      goesOn = kernel.exports.search(most, cutoff, 0) !== 0;
      iterations += kernel.exports.iterations() - before;
      before = kernel.exports.iterations();
      keep();
      yield;
    }
    if (hasBest) bestOrder ??= kernelBest();
    return snapshot(kernel);
  }

  function* founders(size: number): Generator<void, FlexibleSolution[]> {
    const members: FlexibleSolution[] = [];
    if (hasTerms && !hasBest) ruled = yield* firstOrders(kernel, settings.seed);
    while (members.length < size) {
      const start =
        first ?? ruled.shift() ?? constructOrder(instance, edges, random, hasBest ? NOISE : 0);
      first = null;
      members.push(yield* improve(start));
      population = members.length;
    }
    return members;
  }

  /** Makes children of a population until they no longer improve it. */
  function* mature(members: FlexibleSolution[]): Generator<void, void> {
    population = members.length;
    const widest = tuning.spread * meanDistance(members, flexibleDistance);
    for (let stale = 0; stale < tuning.patience * members.length; ) {
      const start = guest ?? crossModes(members, tuning.leastWeight, random);
      guest = null;
      const child = yield* improve(start);
      const apart = (1 - spent) * widest;
      const stays =
        apart > tuning.leastDistance
          ? replaceApart(members, child, apart, flexibleDistance)
          : replace(members, child, tuning.leastDistance, flexibleDistance);
      stale = stays ? 0 : stale + 1;
    }
  }

  /** Each population matures by itself, and then together with the better half of earlier populations. */
  function* evolve(): Generator<void, never> {
    let elders: FlexibleSolution[] = [];
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
    invite: (solution) => {
      guest = unpack(solution);
    },
    get cost() {
      return bestCost;
    },
    get best() {
      if (!hasBest) return null;
      bestOrder ??= kernelBest();
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

function configure(
  { exports, instance }: FlexibleKernel,
  random: Random,
  { tenure, tenureGrowth, tenureSpread, looks, tries, triesDown, shortTries }: FlexibleTuning,
  isTardiness: boolean,
): void {
  const triedDown = isTardiness ? triesDown : shortTries;
  exports.configure(tenure + Math.round(instance.operations / tenureGrowth), tenureSpread);
  exports.configureLooks(looks);
  exports.configureTries(instance.calendar === null ? tries : triedDown);
  exports.seedRandom(random.integer(1, 2 ** 31));
}

/** The best solution of the kernel's finished search. */
function snapshot({ instance, exports, arrays }: FlexibleKernel): FlexibleSolution {
  const order = arrays.bestOrder.slice();
  const mode = arrays.bestMode.slice();
  const cost = exports.bestCost();
  arrays.order.set(order);
  arrays.mode.set(mode);
  exports.start();
  const start = Int32Array.from(mode, (chosen, op) => arrays.end[op] - arrays.modeDuration[chosen]);
  return createFlexibleSolution(instance, cost, order, mode, start);
}
