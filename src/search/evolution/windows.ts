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
  /** Operations in a window for each that may be at work at once, in the mean. */
  readonly windowDepth: number;
  /** Iterations without improvement after which a window is left. */
  readonly windowCutoff: number;
  /** The part of the best makespan by which a solution may be worse at first; nothing in the end. */
  readonly deviation: number;
}

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 500_000;
const MOST_STEPS = 2048;
/** Times that every place is searched before operations are put in the order of time again. */
const ROUNDS = 4;

/** Whether the kernel can search windows: for the makespan alone, of a shop without downtimes. */
export function knowsWindows({ instance, objective, watched }: Problem): boolean {
  return objective === 'makespan' && instance.calendar === null && watched.op.length === 0;
}

/**
 * Tabu search in one random window of time after the other, beginning with the solution that the kernel has
 * started from. A window may leave a solution behind that is worse than the best by a deviation, which
 * shrinks to nothing (record-to-record travel: Dueck 1993, doi:10.1006/jcph.1993.1010). Ends when its share
 * is used up.
 *
 * @param used the part of its share that is used up, 0 to 1
 * @param worked called after each slice of work, which took so many iterations
 */
export function* searchWindows(
  kernel: Kernel,
  random: Random,
  { windowDepth, windowCutoff, deviation }: WindowTuning,
  used: () => number,
  worked: (iterations: number) => void,
): Generator<void, void> {
  const { exports, instance } = kernel;
  const { operations, jobs, machines } = instance;
  const usual = Math.max(2, Math.round(windowDepth * Math.min(jobs, machines)));
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
    const most = Math.floor(record * (1 + deviation * (1 - used())));
    let goesOn = exports.openWindow(from, to, most) !== 0;
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
