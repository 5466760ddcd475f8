import {
  changePolicy,
  defaultPolicy,
  hasLimits,
  type OpenPolicy,
} from '../../lcrp/policy/policy.js';
import type { ClampedSetting } from '../api/common.js';

/** Bounds of the policies of requests, beside the seconds: rounds, moves and iterations of searches. */
const MOST_ROUNDS = 100;
const MOST_EVALUATIONS = 1_000_000;
const MOST_ITERATIONS = 200_000;
/** Methods that are tried one after the other. */
const MOST_METHODS = 8;

/** A policy within the limits of the service, and the settings that were larger. */
export interface ClampedPolicy {
  readonly policy: OpenPolicy;
  readonly clamped: readonly ClampedSetting[];
}

/**
 * Reduces a policy to what the service lets a repair of a shop take. A policy that searches more than the default
 * one, or has pins and other limits, which take a search to keep, gets a limit of time, too.
 *
 * @param seconds seconds that a repair may take
 */
export function clampPolicy(policy: OpenPolicy, seconds: number): ClampedPolicy {
  const { budget, fallback, methods } = policy;
  const clamped: ClampedSetting[] = [];
  const atMost = (setting: string, asked: number, most: number): number => {
    if (asked <= most) return asked;
    clamped.push({ setting, asked, used: most });
    return most;
  };
  const rounds = atMost('budget.rounds', budget.rounds, MOST_ROUNDS);
  const evaluations =
    budget.evaluations === null
      ? null
      : atMost('budget.evaluations', budget.evaluations, MOST_EVALUATIONS);
  const iterations = atMost('fallback.iterations', fallback?.iterations ?? 0, MOST_ITERATIONS);
  atMost('methods', methods.length, MOST_METHODS);
  const searchesMore =
    rounds > defaultPolicy.budget.rounds ||
    evaluations !== null ||
    fallback !== null ||
    hasLimits(policy) ||
    methods.some((name) => !defaultPolicy.methods.includes(name));
  const asked = budget.seconds;
  const time = asked === null ? null : atMost('budget.seconds', asked, seconds);
  if (asked === null && searchesMore) {
    clamped.push({ setting: 'budget.seconds', asked: null, used: seconds });
  }
  return {
    clamped,
    policy: changePolicy(policy, {
      budget: { rounds, evaluations, seconds: time ?? (searchesMore ? seconds : null) },
      fallback: fallback && { ...fallback, iterations },
      methods: methods.slice(0, MOST_METHODS),
      cost: policy.cost,
    }),
  };
}
