import { createRandom, type Random } from '@alas-jssp/core/random';
import type { ShopList } from '../../jssp/shop-timing/lists.js';
import { createShopTimer, type ShopTimer } from '../../jssp/shop-timing/timer.js';
import { BROKEN } from '../costs.js';
import type { Evolution, EvolutionSettings } from '../evolution/evolution.js';
import type { Problem } from '../problem.js';
import { listOfSolution, solutionOfList } from '../solutions.js';
import { createCriticalPath, traceBack } from './critical-list.js';
import { firstLists } from './first-lists.js';
import { listJobs } from './list-by-jobs.js';
import { createListDraft } from './list-draft.js';
import { createListEnergy, limitLateness, setTails } from './list-energy.js';
import { type MoveContext, moveAtRandom } from './list-moves.js';

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 60_000;
const MAX_STEPS = 2048;
/**
 * The first and the last temperature, as multiples of the mean duration (times the mean weight if tardiness counts). The
 * first one is lower in shops of more than so many operations, for which there is time for fewer moves each.
 */
const HOT = 0.4;
const COLD = 0.02;
const SMALL = 60;
/** Moves of a round of cooling for each operation, if the budget is not known. */
const ROUND = 400;

/**
 * Simulated annealing over lists of operations and their modes (Van Laarhoven, Aarts and Lenstra 1992,
 * doi:10.1287/opre.40.1.113), for shops with any features: moves are random ones on a critical path, and are timed
 * exactly, as far as a list differs from the one before it and may still be accepted. Never ends by itself.
 *
 * @param warmStart a solution (2N) to start from; the best one is never worse
 */
export function createListEvolution(
  problem: Problem,
  settings: EvolutionSettings,
  warmStart: Int32Array | null = null,
): Evolution {
  const { given } = problem;
  const { operations } = given;
  const random = createRandom(settings.seed);
  const timer = createShopTimer(given);
  setTails(timer);
  const measure = createListEnergy(problem, timer, settings.leastTardiness);
  const draft = createListDraft(timer.table);
  const path = createCriticalPath(operations);
  const start = new Int32Array(operations);
  const end = new Int32Array(operations);
  const queue = new Int32Array(operations);
  const context: MoveContext = { table: timer.table, draft, start, end, path, random, queue };
  const steps = Math.max(1, Math.min(MAX_STEPS, Math.round(SLICE / operations)));
  const isMakespan = problem.objective === 'makespan' && problem.watched.op.length === 0;
  const canLimit = isMakespan || limitLateness(timer, problem);
  let energy = Number.POSITIVE_INFINITY;
  let bestCost = Number.POSITIVE_INFINITY;
  let bestEnergy = Number.POSITIVE_INFINITY;
  let best: Int32Array | null = null;
  let iterations = 0;
  let improvedAt = 0;
  let restarts = 0;
  let guest: Int32Array | null = null;
  let spent = 1;

  /** Adopts the list that the timer has timed as the current one. */
  function adopt(found: number, missed: number): void {
    energy = found;
    start.set(timer.start);
    end.set(timer.end);
    traceBack(path, timer, draft.mode, lastOperation(timer, measure.late, random), random);
    const cost = measure.cost(missed);
    if (cost < bestCost || (best === null && found < bestEnergy)) {
      bestCost = cost;
      bestEnergy = found;
      best = solutionOfList({ order: draft.order, modes: draft.mode });
      improvedAt = iterations;
    }
  }

  function load({ order, modes }: ShopList): boolean {
    const missed = timer.time(order, modes);
    if (missed === Number.POSITIVE_INFINITY) return false;
    draft.load(order, modes);
    adopt(measure.energy(missed), missed);
    return true;
  }

  function step(temperature: number): void {
    iterations++;
    if (!moveAtRandom(context)) {
      draft.undo();
      return;
    }
    const most = energy - temperature * Math.log(1 - random.next());
    const missed = timer.time(draft.order, draft.mode, canLimit ? most : undefined);
    const found = missed === Number.POSITIVE_INFINITY ? missed : measure.energy(missed);
    if (found > most) draft.undo();
    else {
      draft.keep();
      adopt(found, missed);
    }
  }

  /** Lets the temperature fall from hot to cold, once. */
  function* cool(): Generator<void, void> {
    const from = iterations;
    const began = spent;
    const scale = scaleOf(problem);
    const hot = Math.max(2 * COLD, HOT * Math.min(1, SMALL / operations));
    const counts = settings.iterations < Number.POSITIVE_INFINITY;
    const round = counts ? settings.iterations - from : ROUND * operations;
    for (;;) {
      const progress =
        began < 1 && !counts ? (spent - began) / (1 - began) : (iterations - from) / round;
      if (progress >= 1) return;
      const temperature = scale * hot * (COLD / hot) ** progress;
      const most = Math.min(steps, settings.iterations - iterations);
      for (let i = 0; i < most; i++) step(temperature);
      if (guest !== null) acceptGuest();
      yield;
    }
  }

  function acceptGuest(): void {
    const { order, modes } = listOfSolution(guest as Int32Array);
    guest = null;
    if (random.next() < 0.5) load({ order, modes });
  }

  function* evolve(): Generator<void, never> {
    if (warmStart !== null) load(listOfSolution(warmStart));
    for (const list of firstLists(timer, settings.seed)) {
      load(list);
      yield;
    }
    while (best === null) {
      iterations++;
      load(listInRandomJobs(timer, random));
      yield;
    }
    for (;;) {
      load(listOfSolution(best));
      yield* cool();
      restarts++;
      yield;
    }
  }

  const work = evolve();
  return {
    advance: () => void work.next(),
    spend: (share) => {
      spent = share;
    },
    invite: (solution) => {
      guest = solution;
    },
    get cost() {
      return bestCost < BROKEN ? bestCost : Number.POSITIVE_INFINITY;
    },
    get best() {
      return best === null ? null : { cost: this.cost, order: best };
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
      return 1;
    },
  };
}

/** The mean duration of modes; times the mean weight if tardiness counts. */
function scaleOf({ given, objective }: Problem): number {
  const mean = (numbers: Int32Array) =>
    numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const work = mean(given.modes?.duration ?? given.duration);
  const isLate = objective === 'total-weighted-tardiness' && given.weight !== null;
  return Math.max(1e-6, isLate ? work * mean(given.weight as Int32Array) : work);
}

/** A list of jobs in random order. */
function listInRandomJobs(timer: ShopTimer, random: Random): ShopList {
  const { jobs } = timer.table.instance;
  const sequence = Array.from({ length: jobs }, (_, job) => job);
  return listJobs(timer, random.shuffle(sequence));
}

/** The operation from which the critical path is followed back: the last one of the shop, or of a late job. */
function lastOperation(timer: ShopTimer, late: Float64Array, random: Random): number {
  const { operations, instance } = timer.table;
  const { jobOffset } = instance;
  let from = 0;
  let to = operations;
  let draw = random.next() * late.reduce((sum, part) => sum + part, 0);
  for (let job = 0; draw > 0 && job < late.length; job++) {
    draw -= late[job];
    if (draw > 0) continue;
    from = jobOffset[job];
    to = jobOffset[job + 1];
  }
  let last = from;
  for (let op = from; op < to; op++) if (timer.end[op] > timer.end[last]) last = op;
  return last;
}
