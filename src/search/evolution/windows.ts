import type { Random } from '../../core/random.js';
import { type Kernel, startsOf } from '../kernel.js';
import type { Problem } from '../problem.js';
import { orderByTime } from './solution.js';

/** Values by which the search of windows is tuned. */
export interface WindowTuning {
  /**
   * The part of a budget in seconds for which windows are searched; the population, which their best
   * solution joins, has the rest.
   */
  readonly windowShare: number;
  /** Operations that an instance has at least for its windows to be searched. */
  readonly windowsFrom: number;
  /**
   * Operations in a window, in the mean: so many times the geometric mean of the machines and of the operations
   * that may be at work at once.
   */
  readonly windowDepth: number;
  /** Iterations without improvement after which a window is left. */
  readonly windowCutoff: number;
  /**
   * The part of the best makespan by which a solution may be worse at first, at {@link USUAL_SIZE} operations;
   * less by the root of the size on larger instances, and nothing in the end.
   */
  readonly deviation: number;
}

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 500_000;
const MOST_STEPS = 2048;
/** Times that every place is searched before operations are put in the order of time again. */
const ROUNDS = 4;

/** Operations of instances for which the deviation is meant. */
const USUAL_SIZE = 800;

/** Whether windows are to be searched; the kernel can do so for the makespan alone, without downtimes. */
export function hasWindows(
  { instance, objective, watched }: Problem,
  { windowsFrom }: WindowTuning,
): boolean {
  if (instance.operations < windowsFrom) return false;
  return objective === 'makespan' && instance.calendar === null && watched.op.length === 0;
}

/** Whoever drives a search of windows. */
export interface WindowDriver {
  /** The part of their share of the budget that is used up, 0 to 1. */
  used(): number;
  /** Hears of each slice of work, and how many iterations it took. */
  worked(iterations: number): void;
  /** Copies the best solution if the kernel alone has it: it is about to leave it. */
  secure(): void;
}

/**
 * Tabu search in one random window of time after the other, beginning with the solution that the kernel has
 * started from. A window may leave a solution behind that is worse than the best by a deviation, which
 * shrinks to nothing (record-to-record travel: Dueck 1993, doi:10.1006/jcph.1993.1010). Ends when its share
 * is used up.
 */
export function* searchWindows(
  kernel: Kernel,
  random: Random,
  { windowDepth, windowCutoff, deviation }: WindowTuning,
  { used, worked, secure }: WindowDriver,
): Generator<void, void> {
  const { exports, instance } = kernel;
  const { operations, jobs, machines } = instance;
  const usual = Math.max(
    2,
    Math.round(windowDepth * Math.sqrt(machines * Math.min(jobs, machines))),
  );
  const widest = deviation * Math.min(1, Math.sqrt(USUAL_SIZE / operations));
  const mostWindows = Math.ceil((ROUNDS * operations) / usual);
  let record = exports.bestCost();
  let iterations = exports.iterations();
  const count = () => {
    worked(exports.iterations() - iterations);
    iterations = exports.iterations();
    record = Math.min(record, exports.bestCost());
  };
  for (let windows = 1; used() < 1; windows++) {
    const width = Math.min(operations, Math.round(usual * (0.5 + random.next())));
    const begin = random.integer(-(width >> 1), operations - (width >> 1));
    const from = Math.max(0, begin);
    const to = Math.min(operations, begin + width);
    const steps = Math.max(1, Math.min(MOST_STEPS, Math.round(SLICE / width)));
    const most = Math.floor(record * (1 + widest * (1 - used())));
    secure();
    let goesOn = exports.openWindow(from, to, most) !== 0;
    // One that is not worth a search takes the time of a pass or two, and is a slice, too.
    if (!goesOn) yield;
    while (goesOn && used() < 1) {
      goesOn = exports.search(steps, windowCutoff, 0) !== 0;
      count();
      yield;
    }
    exports.closeWindow();
    if (windows % mostWindows !== 0) continue;
    kernel.load(orderByTime(startsOf(kernel)));
    exports.start();
    iterations = 0;
    yield;
  }
}
