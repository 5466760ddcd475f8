import {
  changePolicy,
  evaluationsFor,
  hasLimits,
  type OpenPolicy,
} from 'alas-jssp/internal/service';
import type { Instance } from 'alas-jssp/jssp';
import { defaultPolicy } from 'alas-jssp/lcrp';
import type { ClampedSetting } from '../api/common.js';

/** Limits of requested policies, in addition to the time limit: passes, evaluated moves and search iterations. */
const MOST_PASSES = 100;
const MOST_EVALUATIONS = 1_000_000;
const MOST_ITERATIONS = 200_000;
/** The most methods of a policy. */
const MOST_METHODS = 8;

/** A policy within the limits of the service, and the reduced settings. */
export interface ClampedPolicy {
  readonly policy: OpenPolicy;
  readonly clamped: readonly ClampedSetting[];
}

/**
 * Reduces a policy to the limits of the service for a repair of a shop. A policy that searches more than the default
 * one, or has pins or other limits that need a search, also gets a time limit.
 *
 * @param seconds time limit of a repair
 */
export function clampPolicy(
  policy: OpenPolicy,
  seconds: number,
  { operations }: Pick<Instance, 'operations'>,
): ClampedPolicy {
  const { budget, fallback, methods } = policy;
  const clamped: ClampedSetting[] = [];
  const atMost = (setting: string, asked: number, most: number): number => {
    if (asked <= most) return asked;
    clamped.push({ setting, asked, used: most });
    return most;
  };
  const passes = atMost('budget.passes', budget.passes, MOST_PASSES);
  const evaluations =
    budget.evaluations === null
      ? null
      : atMost('budget.evaluations', budget.evaluations, MOST_EVALUATIONS);
  const iterations = atMost('fallback.iterations', fallback?.iterations ?? 0, MOST_ITERATIONS);
  atMost('methods', methods.length, MOST_METHODS);
  const searchesMore =
    passes > defaultPolicy.budget.passes ||
    evaluations !== null ||
    fallback !== null ||
    hasLimits(policy) ||
    methods.some((name) => !defaultPolicy.methods.includes(name));
  const asked = budget.seconds;
  const usual = evaluationsFor(defaultPolicy, operations);
  const time = asked === null ? null : atMost('budget.seconds', asked, seconds);
  if (asked === null && searchesMore) {
    clamped.push({ setting: 'budget.seconds', asked: null, used: seconds });
  }
  return {
    clamped,
    policy: changePolicy(policy, {
      budget: {
        passes,
        // With only a time limit, a repair would always search until the limit.
        evaluations: asked === null && searchesMore ? (evaluations ?? usual) : evaluations,
        seconds: time ?? (searchesMore ? seconds : null),
      },
      fallback: fallback && { ...fallback, iterations },
      methods: methods.slice(0, MOST_METHODS),
      cost: policy.cost,
    }),
  };
}

/** The share of the time of a request for its repairs; the rest is for reading, validation and the answer. */
const SHARE = 0.8;

/**
 * Reduces a policy of a stateless request, so that it is answered in time.
 *
 * @param seconds time limit of the request
 * @param repairs the number of requested repairs
 */
export function clampForWork(
  policy: OpenPolicy,
  seconds: number,
  instance: Instance,
  repairs = 1,
): ClampedPolicy {
  const each = Math.round((1000 * SHARE * seconds) / repairs) / 1000;
  return clampPolicy(policy, each, instance);
}
