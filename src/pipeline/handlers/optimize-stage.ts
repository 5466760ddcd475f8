import type { Budget } from '@alas-jssp/core/stopping';
import { lowerBound, type ProvenBound } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveValue } from '../../jssp/objectives.js';
import { asPlan, asSchedule, type Candidate } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { tardinessBound } from '../../jssp/tardiness-bounds.js';
import { type OptimizeStatus, optimize } from '../../search/optimize.js';
import { improvingPoints, type ProgressPoint } from '../progress.js';

/** Budget and randomness of the optimize stage. */
export interface OptimizeSettings {
  readonly budget: Budget;
  readonly objective: Objective;
  readonly seed: number;
  /** Ends the search with its best result so far. Default: the signal of the whole pipeline. */
  readonly signal?: AbortSignal | undefined;
}

/** The end of the search of the optimize stage. */
export interface SearchOutcome {
  readonly status: OptimizeStatus;
  /** The strongest bound, given or found by the search. */
  readonly lowerBound: ProvenBound;
  /** Iterations of the search; if it met the bound, those until then, because its actual stop depends on the clock. */
  readonly iterations: number;
  /** Better schedules and bounds, by the seconds of the search; undefined in logs without them. */
  readonly points?: readonly ProgressPoint[] | undefined;
}

/**
 * Searches from a feasible plan, in one thread at a time.
 *
 * @returns a schedule that is never worse than the plan, and how the search ended
 */
export async function searchFrom(
  instance: Instance,
  plan: Candidate,
  { budget, objective, seed, signal }: OptimizeSettings,
  bound: ProvenBound | undefined,
): Promise<SearchOutcome & { readonly schedule: Schedule }> {
  let improvedAt = 0;
  const points: ProgressPoint[] = [];
  const result = await optimize(instance, {
    start: asSchedule(instance, plan),
    budget,
    objective,
    provesBeside: false,
    seed,
    signal,
    bound,
    onProgress: ({ seconds, iterations, idle, best, lowerBound: proven }) => {
      improvedAt = iterations - idle;
      const value = Number.isFinite(best) ? best : null;
      const lowerBound = ownBound(proven, bound);
      const last = points.at(-1);
      if (last?.value === value && last.lowerBound === lowerBound) return;
      points.push({ seconds, value, lowerBound });
    },
  });
  const { schedule, status, lowerBound, stats } = result;
  const { seconds } = stats;
  points.push({ seconds, value: result.value, lowerBound: ownBound(lowerBound, bound) });
  const iterations = status === 'optimal' ? improvedAt : stats.iterations;
  return { schedule, status, lowerBound, iterations, points: improvingPoints(points) };
}

/** The value of a bound that the search proves; null for the given one. */
function ownBound({ value, source }: ProvenBound, given: ProvenBound | undefined): number | null {
  return source === given?.source ? null : value;
}

/**
 * Searches from an unvalidated plan: the search starts with its order, and must beat its claimed end, or the tardiness
 * of its claimed starts. Nothing is retimed before; a plan with too optimistic claims is kept unchanged, and so is one
 * that lacks operations and has no complete order.
 */
export async function searchFromClaims(
  instance: Instance,
  plan: Candidate,
  settings: OptimizeSettings,
  bound: ProvenBound | undefined,
): Promise<SearchOutcome & { readonly candidate: Candidate; readonly stage: 'plan' | 'optimize' }> {
  const start = asSchedule(instance, plan);
  const kept = { candidate: plan, stage: 'plan' } as const;
  if (start.start.includes(-1)) {
    return {
      ...kept,
      status: 'feasible',
      lowerBound: bound ?? boundOf(instance, settings.objective),
      iterations: 0,
    };
  }
  const { schedule, ...outcome } = await searchFrom(instance, start, settings, bound);
  const { objective } = settings;
  const claimed = objective === 'makespan' ? claimedEnd(plan) : objectiveValue(start, objective);
  if (objectiveValue(schedule, objective) < claimed) {
    return { ...outcome, candidate: schedule, stage: 'optimize' };
  }
  // The schedule that was found meets the bound, not the plan's claim.
  const status = outcome.status === 'optimal' ? 'feasible' : outcome.status;
  return { ...outcome, ...kept, status };
}

function boundOf(instance: Instance, objective: Objective): ProvenBound {
  if (objective === 'makespan') return lowerBound(instance);
  return tardinessBound(instance);
}

/** The latest end that a plan claims. */
function claimedEnd(plan: Candidate): number {
  const ends = asPlan(plan).entries.map(({ end }) => end);
  return ends.reduce((latest, end) => (Number.isFinite(end) ? Math.max(latest, end) : latest), 0);
}
