import { InputError } from '@alas-jssp/core/errors';
import { horizonOf, type LowerBound, lowerBound, type ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { createBranching, type TrialResult } from './branching.js';
import { createPropagation } from './propagation.js';

/** A lower bound on the makespan with its proof, which may be by trials. */
export interface StrongLowerBound extends ProvenBound {
  readonly source: LowerBound['source'] | 'destructive improvement';
}

/** Options of {@link strongLowerBound}. */
export interface StrongLowerBoundOptions {
  /** A known feasible makespan: the bound never exceeds it, and meeting it ends the work. */
  readonly upperBound?: number;
  /**
   * For work in parallel with a search: the least makespan found so far, which may decrease. Polled as often as
   * `isOver`.
   */
  readonly upperBoundNow?: () => number;
  /** Receives every bound proven by trials, each larger than the one before. */
  readonly onBound?: (value: number) => void;
  /**
   * Polled often, every few microseconds on small instances; once it returns true, which it must continue to do, the
   * work ends.
   */
  readonly isOver?: () => boolean;
  /** The first trial makespan, ideally close to the bound; any value gives a valid result. */
  readonly start?: number;
  /** The limit of branching nodes. Default: 1,000, or no limit if `isOver` is given. */
  readonly maxNodes?: number;
}

/** The limits of operations, and of pairs of operations on one machine; beyond them only simple bounds are computed. */
const MAX_OPERATIONS = 20_000;
const MAX_PAIRS = 20_000_000;

/** Nodes of a trial once propagation alone no longer helps, and their growth factor. */
const FIRST_NODES = 16;
const MORE_NODES = 4;
/** The factor for the trial right below the upper bound, which would prove it optimal. */
const CLOSING_FACTOR = 4;

/**
 * Destructive improvement (Klein and Scholl 1999, doi:10.1016/S0377-2217(97)00441-4): a trial makespan that leads to a
 * contradiction proves that the optimum is larger. The first trials use only propagation, later ones more and more
 * branching, until the bound meets the upper bound, the optimum is known, or the work is over. Calendars and deadlines
 * are ignored, which keeps the bound valid. If an instance has no feasible schedule, the value is meaningless.
 * Deterministic unless `isOver` or `upperBoundNow` depends on the clock.
 *
 * @throws InputError `bad_option` if a number among the options is negative or no number
 */
export function strongLowerBound(
  instance: Instance,
  options: StrongLowerBoundOptions = {},
): StrongLowerBound {
  checkOptions(options);
  const simple = lowerBound(instance);
  const known = options.upperBound ?? Infinity;
  // Trials beyond that cannot be refuted, because they ignore downtimes.
  const upper = Math.min(known, horizonOf({ ...instance, calendar: null }));
  // Trials assume one machine for each operation.
  if (simple.value >= upper || isTooLarge(instance) || !isClassic(instance)) {
    return { ...simple, value: Math.min(simple.value, known) };
  }
  const value = improve(instance, simple.value, upper, options);
  return value > simple.value ? { value, source: 'destructive improvement' } : simple;
}

/** Raises a bound, trial by trial, towards an upper bound. */
function improve(
  instance: Instance,
  bound: number,
  feasible: number,
  options: StrongLowerBoundOptions,
): number {
  const { isOver = never, upperBoundNow = unknown, onBound, start } = options;
  const { maxNodes = isOver === never ? 1000 : Infinity } = options;
  let value = bound;
  let upper = feasible;
  let current = 0;

  /** A trial also ends when a schedule within it has been found. */
  const isTrialOver = (): boolean => {
    upper = Math.min(upper, upperBoundNow());
    return upper <= current || isOver();
  };
  const known = createPropagation(instance, isTrialOver);
  const branching = createBranching(instance, known, isTrialOver);

  /** Tries a makespan below `upper`; true if there is no such schedule. */
  const refutes = (trial: number, nodes: number): boolean => {
    current = trial;
    let verdict: TrialResult = known.reset(trial) ? 'undecided' : 'refuted';
    const allowed = Math.min(nodes, maxNodes - branching.nodes());
    if (verdict === 'undecided' && allowed > 0) verdict = branching.search(trial, allowed);
    if (verdict === 'possible') upper = Math.min(upper, trial);
    if (verdict !== 'refuted') return false;
    value = trial + 1;
    onBound?.(value);
    return true;
  };

  /** Raises the bound in growing steps, then halves the interval between success and failure. */
  const climb = (from: number, nodes: number): void => {
    let failed = upper;
    let step = 1;
    let trial = from;
    while (value < failed && !isOver()) {
      if (refutes(trial, nodes)) step *= 2;
      else {
        failed = trial;
        step = Infinity;
      }
      failed = Math.min(failed, upper);
      trial = Math.min(value + step - 1, (value + failed) >> 1);
    }
  };

  climb(clamp(start ?? value, value, upper - 1), 0);
  for (let nodes = FIRST_NODES; branching.nodes() < maxNodes; nodes *= MORE_NODES) {
    if (value < upper && !isOver()) refutes(upper - 1, CLOSING_FACTOR * nodes);
    if (value >= upper || isOver()) break;
    climb(value, nodes);
  }
  return Math.min(value, upper);
}

function unknown(): number {
  return Infinity;
}

function never(): boolean {
  return false;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function isTooLarge(instance: Instance): boolean {
  return instance.operations > MAX_OPERATIONS || pairsOf(instance) > MAX_PAIRS;
}

/** The number of ordered pairs of operations on one machine, which determines the time of a propagation node. */
export function pairsOf({ machines, machineOffset }: Instance): number {
  let pairs = 0;
  for (let k = 0; k < machines; k++) pairs += (machineOffset[k + 1] - machineOffset[k]) ** 2;
  return pairs;
}

function checkOptions({ upperBound, start, maxNodes }: StrongLowerBoundOptions): void {
  for (const [name, value] of Object.entries({ upperBound, start, maxNodes })) {
    if (value === undefined || value >= 0) continue;
    throw new InputError('bad_option', `${name} is ${value}`, 'use 0 or more', {}, value);
  }
}
