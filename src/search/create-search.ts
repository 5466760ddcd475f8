import type { Instance } from '../jssp/instance.js';
import { isClassic } from '../jssp/shop-parts.js';
import { createEvolution, type Evolution, type EvolutionSettings } from './evolution/evolution.js';
import { createFlexibleEvolution } from './flexible/evolution.js';
import { fitsFlexibleKernel } from './flexible/fits.js';
import type { Problem } from './problem.js';
import { createListEvolution } from './shop/list-evolution.js';

/**
 * The search for a problem: the kernel of classic shops, that of flexible ones, or the search of lists, which knows
 * every feature.
 *
 * @param warmStart a solution of the problem's length; the best one is never worse
 */
export function createSearch(
  problem: Problem,
  settings: EvolutionSettings,
  warmStart: Int32Array | null,
): Evolution {
  const { given, objective } = problem;
  if (isClassic(given)) return createEvolution(problem, settings, warmStart);
  if (fitsFlexibleKernel(given, objective) && !hasPins(given)) {
    return createFlexibleEvolution(problem, settings, warmStart);
  }
  return createListEvolution(problem, settings, warmStart);
}

/** Whether free operations may start before a frozen one. */
export function hasPins({ frozen, release, operations }: Instance): boolean {
  if (frozen === null) return false;
  let earliest = Number.POSITIVE_INFINITY;
  for (let op = 0; op < operations; op++) {
    if (frozen[op] < 0) earliest = Math.min(earliest, release?.[op] ?? 0);
  }
  return frozen.some((start) => start > earliest);
}
