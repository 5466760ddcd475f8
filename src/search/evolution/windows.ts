import type { Random } from '@alas-jssp/core/random';
import { type Kernel, startsOf } from '../kernel.js';
import type { Problem } from '../problem.js';
import { orderByTime } from './solution.js';

/** Tuning parameters of the search of windows. */
export interface WindowTuning {
  /** The share of a budget in seconds for windows; the population, which their best solution joins, gets the rest. */
  readonly windowShare: number;
  /** The minimum number of operations of an instance for windows. */
  readonly windowsFrom: number;
  /**
   * The mean number of operations in a window, as a multiple of the geometric mean of two numbers: machines, and
   * operations that may run at once.
   */
  readonly windowDepth: number;
  /** Iterations without improvement after which a window is closed. */
  readonly windowCutoff: number;
  /**
   * The initial share of the best makespan by which a solution may be worse, at {@link USUAL_SIZE} operations; it falls
   * with the root of the size on larger instances, and to 0 at the end.
   */
  readonly deviation: number;
}

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 500_000;
const MAX_STEPS = 2048;
/** How often every position is searched before operations are sorted by time again. */
const SEARCHES_PER_POSITION = 4;

/** The instance size that the deviation refers to. */
const USUAL_SIZE = 800;

/** Whether windows are searched; the kernel supports that for the makespan alone, without downtimes. */
export function hasWindows(
  { instance, objective, watched }: Problem,
  { windowsFrom }: WindowTuning,
): boolean {
  if (instance.operations < windowsFrom) return false;
  return objective === 'makespan' && instance.calendar === null && watched.op.length === 0;
}

/** The driver of a search of windows. */
export interface WindowDriver {
  /** The used share of its part of the budget, 0 to 1. */
  used(): number;
  /** Receives the iterations of each slice of work. */
  worked(iterations: number): void;
  /** Copies the best solution before the kernel drops it. */
  secure(): void;
}

/**
 * Tabu search in random windows of time, one after the other, beginning with the kernel's start solution. The solution
 * after a window may be worse than the best by a deviation, which shrinks to 0 (record-to-record travel: Dueck 1993,
 * doi:10.1006/jcph.1993.1010). Ends when its share is used up.
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
  const mostWindows = Math.ceil((SEARCHES_PER_POSITION * operations) / usual);
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
    const steps = Math.max(1, Math.min(MAX_STEPS, Math.round(SLICE / width)));
    const most = Math.floor(record * (1 + widest * (1 - used())));
    secure();
    let goesOn = exports.openWindow(from, to, most) !== 0;
    // A window that is not worth a search takes the time of one or two passes, and counts as a slice, too.
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
