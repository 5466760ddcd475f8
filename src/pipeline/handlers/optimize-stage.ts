import type { Budget } from '../../core/stopping.js';
import type { ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { asSchedule, type Candidate } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { type OptimizeStatus, optimize } from '../../search/optimize.js';

/** Budget and randomness of the optimize stage. */
export interface OptimizeSettings {
  readonly budget: Budget;
  readonly seed: number;
  /** Ends the search with its best so far. Default: the signal of the whole pipeline. */
  readonly signal?: AbortSignal | undefined;
}

/** The end of the search of the optimize stage. */
export interface SearchOutcome {
  readonly status: OptimizeStatus;
  /** The strongest bound there was, the one that was told or the search's own. */
  readonly lowerBound: ProvenBound;
  /**
   * Iterations of the search; of one that met the bound, those until it did. When it notices and
   * stops depends on the clock, this does not.
   */
  readonly iterations: number;
}

/**
 * Searches from a feasible plan, with one thread at work at a time.
 *
 * @returns a schedule that is never worse than the plan, and how the search ended
 */
export async function searchFrom(
  instance: Instance,
  plan: Candidate,
  { budget, seed, signal }: OptimizeSettings,
  bound: ProvenBound | undefined,
): Promise<SearchOutcome & { readonly schedule: Schedule }> {
  let improvedAt = 0;
  const { schedule, status, lowerBound, stats } = await optimize(instance, {
    start: asSchedule(instance, plan),
    budget,
    provesBeside: false,
    seed,
    signal,
    bound,
    onProgress: ({ iterations, idle }) => {
      improvedAt = iterations - idle;
    },
  });
  const iterations = status === 'optimal' ? improvedAt : stats.iterations;
  return { schedule, status, lowerBound, iterations };
}
