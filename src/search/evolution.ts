import { createRandom, type Random } from '../core/random.js';
import type { Instance } from '../jssp/instance.js';
import { createKernel, type Kernel, startsOf } from './kernel.js';
import { createSolution, distance, orderByTime, type Solution } from './solution.js';
import { randomStart } from './starts.js';

/** What distinguishes one search from another. */
export interface EvolutionSettings {
  readonly seed: number;
  /** Solutions in the first population; each after it is larger by half, up to `largest`. */
  readonly population: number;
  readonly largest: number;
  /** Iterations without improvement after which a tabu search gives up. */
  readonly cutoff: number;
}

/** A search that is going on; whoever drives it decides after each slice whether it goes on. */
export interface Evolution {
  /** Works for a few milliseconds. */
  advance(): void;
  readonly best: Solution | null;
  readonly iterations: number;
  /** Iterations since the best solution was found. */
  readonly idle: number;
  /** Populations that were given up because they brought nothing new. */
  readonly restarts: number;
  /** Takes a solution from elsewhere into the population. */
  invite(order: Int32Array): void;
}

/** Solutions closer than this are the same to the population. */
const LEAST_DISTANCE = 0.01;

/** The weight of the first parent of a child is drawn from this to 1 minus this. */
const LEAST_WEIGHT = 0.3;

/** Children per member of the population that may bring nothing before it is given up. */
const PATIENCE = 6;

/** Operations looked at between two chances to stop: a few milliseconds of work. */
const SLICE = 500_000;

/**
 * Tabu search within an evolution: a small population of local optima, children from averaged
 * start times, each improved by tabu search before it may replace another (a memetic algorithm in
 * the manner of Peng, Lü and Cheng 2015, doi:10.1016/j.cor.2014.08.006, and of Cheng, Peng and
 * Lü 2013). Averages of start times satisfy every precedence that all parents satisfy, so children
 * are acyclic by construction. Never returns: its driver stops advancing it.
 *
 * @param warmStart a feasible order that joins the first population, and below which the best
 *   solution never falls
 */
export function createEvolution(
  instance: Instance,
  settings: EvolutionSettings,
  warmStart: Int32Array | null = null,
): Evolution {
  const kernel = createKernel(instance);
  const random = createRandom(settings.seed);
  configure(kernel, random);
  let best: Solution | null = null;
  let iterations = 0;
  let improvedAt = 0;
  let restarts = 0;
  let guest: Int32Array | null = warmStart;

  function keep(): void {
    const makespan = kernel.exports.bestMakespan();
    if (best !== null && makespan >= best.makespan) return;
    best = snapshot(kernel);
    improvedAt = iterations;
  }

  function* improve(order: Int32Array): Generator<void, Solution> {
    kernel.order.set(order);
    kernel.exports.start();
    const steps = Math.max(1, Math.min(2048, Math.round(SLICE / instance.operations)));
    let before = 0;
    for (let goesOn = true; goesOn; ) {
      keep();
      goesOn = kernel.exports.search(steps, settings.cutoff, 0) !== 0;
      iterations += kernel.exports.iterations() - before;
      before = kernel.exports.iterations();
      keep();
      yield;
    }
    return snapshot(kernel);
  }

  function* evolve(): Generator<void, never> {
    for (let size = settings.population; ; size = Math.min(settings.largest, 1.5 * size)) {
      const members: Solution[] = [];
      while (members.length < size) {
        const order = guest ?? randomStart(instance, random);
        guest = null;
        members.push(yield* improve(order));
      }
      for (let stale = 0; stale < PATIENCE * members.length; ) {
        const order = guest ?? mate(instance, members, random);
        guest = null;
        stale = replace(instance, members, yield* improve(order)) ? 0 : stale + 1;
      }
      restarts++;
    }
  }

  const work = evolve();
  return {
    advance: () => void work.next(),
    invite: (order) => {
      guest = order;
    },
    get best() {
      return best;
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
  };
}

/** N6, and the tenure of Zhang et al. 2008 (doi:10.1016/j.cor.2007.12.021): 10 + n/m and more. */
function configure({ instance, exports }: Kernel, random: Random): void {
  const { jobs, machines } = instance;
  const tenure = 10 + jobs / machines;
  const spread = jobs <= 2 * machines ? 0.4 : 0.5;
  exports.configure(6, Math.round(tenure), Math.round(spread * tenure));
  exports.seedRandom(random.integer(1, 2 ** 31));
}

/** The best solution of the kernel's search. */
function snapshot(kernel: Kernel): Solution {
  const { instance, exports, order, bestOrder } = kernel;
  const current = order.slice();
  order.set(bestOrder);
  exports.loadOrder();
  const solution = createSolution(
    instance,
    exports.makespan(),
    bestOrder.slice(),
    startsOf(kernel),
  );
  order.set(current);
  exports.loadOrder();
  return solution;
}

/** An order between those of two members. */
function mate(instance: Instance, members: readonly Solution[], random: Random): Int32Array {
  if (members.length < 2) return randomStart(instance, random);
  const one = random.integer(0, members.length - 1);
  const other = (one + random.integer(1, members.length - 1)) % members.length;
  const weight = LEAST_WEIGHT + (1 - 2 * LEAST_WEIGHT) * random.next();
  const { start: a } = members[one];
  const { start: b } = members[other];
  return orderByTime(Float64Array.from(a, (time, op) => weight * time + (1 - weight) * b[op]));
}

/**
 * Takes a child into the population: in place of the member that is all but the same, or else of
 * the worst. Only if it is better.
 */
function replace(instance: Instance, members: Solution[], child: Solution): boolean {
  const distances = members.map((member) => distance(instance, member, child));
  const nearest = distances.indexOf(Math.min(...distances));
  const worst = members.reduce(
    (at, { makespan }, i) => (makespan > members[at].makespan ? i : at),
    0,
  );
  const place = distances[nearest] < LEAST_DISTANCE ? nearest : worst;
  if (child.makespan >= members[place].makespan) return false;
  members[place] = child;
  return true;
}
