import type { Random } from '@alas-jssp/core/random';
import type { Instance } from '../../jssp/instance.js';
import { type Kernel, startsOf } from '../kernel.js';
import type { Problem } from '../problem.js';
import { orderByTime } from './solution.js';
import { combineZones, type Guest, sortZones, type Zone, zoneBegin } from './zones.js';

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
  /** The same from {@link LARGE} operations on. */
  readonly largeDepth: number;
  /** Iterations without improvement after which a window is closed. */
  readonly windowCutoff: number;
  /**
   * How often windows should cover the order within the budget, from {@link MANY} operations on: windows are closed
   * earlier if they would do so less often.
   */
  readonly sweeps: number;
  /**
   * The initial share of the best makespan by which a solution may be worse, at {@link USUAL_SIZE} operations; it falls
   * with the root of the size on larger instances, and to 0 at the end.
   */
  readonly deviation: number;
  /** The minimum number of operations for which islands share one solution, each with its zone of the order. */
  readonly zonesFrom: number;
  /** How often in a budget an island continues from the best solution of all, below {@link MANY} operations. */
  readonly adoptions: number;
}

/** Operations timed between two chances to stop: a few milliseconds of work. */
const SLICE = 500_000;
const MAX_STEPS = 2048;
/** How often every position is searched before operations are sorted by time again. */
const SEARCHES_PER_POSITION = 4;

/** From this many operations on the time for each window depends on the budget … */
const MANY = 5000;
/** … and from this many on windows are deeper. */
const LARGE = 50_000;
/** The fewest iterations without improvement after which a window is closed. */
const LEAST_CUTOFF = 200;
/** The factor by which that number changes after a window. */
const CUTOFF_STEP = 1.1;

/** The share of the budget until which islands keep to their zones, … */
const ZONES_UNTIL = 0.9;
/** … and between two solutions that one takes from the others. */
const SHARING = 0.03;

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
  /** A better solution of another island, given once; null if there is none. */
  takeBetter(): Int32Array | null;
  /** The zone of this island, if islands share one solution, … */
  readonly zone: Zone | null;
  /** … the latest solution of another one, if there is one, … */
  takeGuest(): Guest | null;
  /** … and the best solution of this one and its cost. */
  own(): { readonly order: Int32Array; readonly cost: number };
}

/**
 * Tabu search in random windows of time, one after the other, beginning with the kernel's start solution. The solution
 * after a window may be worse than the best by a deviation, which shrinks to 0 (record-to-record travel: Dueck 1993,
 * doi:10.1006/jcph.1993.1010). Ends when its share is used up.
 */
export function* searchWindows(
  kernel: Kernel,
  random: Random,
  tuning: WindowTuning,
  driver: WindowDriver,
): Generator<void, void> {
  const { used, worked, secure } = driver;
  const { exports, instance } = kernel;
  const { operations } = instance;
  const { deviation } = tuning;
  const usual = usualWidth(instance, tuning);
  const cutoff = createCutoff(operations, tuning, used());
  const widest = deviation * Math.min(1, Math.sqrt(USUAL_SIZE / operations));
  const mostWindows = Math.ceil((SEARCHES_PER_POSITION * operations) / usual);
  let record = exports.bestCost();
  let iterations = exports.iterations();
  const count = () => {
    worked(exports.iterations() - iterations);
    iterations = exports.iterations();
    record = Math.min(record, exports.bestCost());
  };
  let zone = driver.zone;
  let sharedAt = used();
  const adoption = createAdoption(kernel, tuning, driver);
  for (let windows = 1; used() < 1; windows++) {
    if (adoption.happens()) {
      iterations = 0;
      count();
      yield;
    }
    if (zone !== null && used() >= sharedAt + SHARING && takeOver(kernel, driver, zone.count)) {
      sharedAt = used();
      worked(0);
      record = driver.own().cost;
      iterations = exports.iterations();
      if (used() > ZONES_UNTIL) zone = null;
      yield;
    }
    const { from, to } = drawWindow(operations, usual, zone, random);
    const width = to - from;
    const steps = Math.max(1, Math.min(MAX_STEPS, Math.round(SLICE / width)));
    const most = Math.floor(record * (1 + widest * (1 - used())));
    secure();
    let goesOn = exports.openWindow(from, to, most) !== 0;
    // A window that is not worth a search takes the time of one or two passes, and counts as a slice, too.
    if (!goesOn) yield;
    while (goesOn && used() < 1) {
      goesOn = exports.search(steps, cutoff.value, 0) !== 0;
      count();
      yield;
    }
    exports.closeWindow();
    cutoff.adapt((zone?.count ?? 1) * width, used());
    if (windows % mostWindows !== 0) continue;
    exports.settle();
    const order = kernel.bestOrder();
    const start = startsOf(kernel);
    kernel.load(zone === null ? orderByTime(start) : sortZones(order, start, zone.count));
    exports.start();
    iterations = 0;
    yield;
  }
}

/** A random window of a zone, or of the whole order; it is narrower where it begins before its first position. */
function drawWindow(operations: number, usual: number, zone: Zone | null, random: Random) {
  const first = zone === null ? 0 : zoneBegin(operations, zone.index, zone.count);
  const end = zone === null ? operations : zoneBegin(operations, zone.index + 1, zone.count);
  const width = Math.min(end - first, Math.round(usual * (0.5 + random.next())));
  const begin = random.integer(first - (width >> 1), end - (width >> 1));
  return { from: Math.max(first, begin), to: Math.min(end, begin + width) };
}

/**
 * Continues with the best solution, and with the zone of another island in it: both shorten what all longest paths go
 * through. If their solutions have nothing in common yet, the better one replaces the other. Returns whether there was
 * a solution of another island.
 */
function takeOver(kernel: Kernel, { takeGuest, own }: WindowDriver, count: number): boolean {
  const guest = takeGuest();
  if (guest === null) return false;
  const { order, cost } = own();
  const combined = combineZones(order, guest, count);
  if (combined === null && guest.cost >= cost) return true;
  kernel.load(combined ?? guest.order);
  kernel.exports.start();
  if (kernel.exports.bestCost() <= cost) return true;
  kernel.load(order);
  kernel.exports.start();
  return true;
}

/**
 * Continues with a better solution of another island, if there is one, when a further share of the budget is used: what
 * one island is ahead half way it usually keeps.
 */
function createAdoption(
  { instance, load, exports }: Kernel,
  { adoptions }: WindowTuning,
  { used, secure, takeBetter }: WindowDriver,
): { happens(): boolean } {
  const stageNow = () => (instance.operations < MANY ? Math.floor(used() * adoptions) : 0);
  let stage = stageNow();
  return {
    happens: () => {
      if (stageNow() <= stage) return false;
      stage = stageNow();
      const better = takeBetter();
      if (better === null) return false;
      secure();
      load(better);
      exports.start();
      return true;
    },
  };
}

/** The mean number of operations in a window. */
function usualWidth(
  { operations, jobs, machines }: Instance,
  { windowDepth, largeDepth }: WindowTuning,
): number {
  const depth = operations < LARGE ? windowDepth : largeDepth;
  return Math.max(2, Math.round(depth * Math.sqrt(machines * Math.min(jobs, machines))));
}

/**
 * The number of iterations without improvement after which a window is closed. Most of what a window gains it gains at
 * once, so on instances with so many operations that windows come to each of them only a few times it is better to
 * leave them early.
 *
 * @param begun the used share of the budget at the beginning
 */
function createCutoff(
  operations: number,
  { windowCutoff, sweeps }: WindowTuning,
  begun: number,
): { readonly value: number; adapt(width: number, used: number): void } {
  let value = operations < MANY ? windowCutoff : Math.min(LEAST_CUTOFF, windowCutoff);
  let searched = 0;
  return {
    get value() {
      return Math.round(value);
    },
    adapt: (width, used) => {
      if (operations < MANY) return;
      searched += width / operations;
      const expected = (searched * (1 - begun)) / Math.max(used - begun, Number.EPSILON);
      value = expected < sweeps ? value / CUTOFF_STEP : value * CUTOFF_STEP;
      value = Math.max(Math.min(LEAST_CUTOFF, windowCutoff), Math.min(windowCutoff, value));
    },
  };
}
