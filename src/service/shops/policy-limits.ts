import type { Instance } from '../../jssp/instance.js';
import {
  changePolicy,
  defaultPolicy,
  evaluationsFor,
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
  const usual = evaluationsFor(defaultPolicy, operations);
  const time = asked === null ? null : atMost('budget.seconds', asked, seconds);
  if (asked === null && searchesMore) {
    clamped.push({ setting: 'budget.seconds', asked: null, used: seconds });
  }
  return {
    clamped,
    policy: changePolicy(policy, {
      budget: {
        rounds,
        // With seconds and nothing else a repair would search for as long as they last.
        evaluations: asked === null && searchesMore ? (evaluations ?? usual) : evaluations,
        seconds: time ?? (searchesMore ? seconds : null),
      },
      fallback: fallback && { ...fallback, iterations },
      methods: methods.slice(0, MOST_METHODS),
      cost: policy.cost,
    }),
  };
}

/** Part of the time of a request that its repairs may take: the rest is for reading, judging and answering. */
const SHARE = 0.8;

/**
 * Reduces a policy of a request that is computed and forgotten, so that it ends with an answer in time.
 *
 * @param seconds seconds that the request may take
 * @param repairs repairs that it asks for
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
