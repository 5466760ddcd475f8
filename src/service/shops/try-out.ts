import { AlasError, InputError } from '../../core/errors.js';
import { applyEvents } from '../../disruption/apply-events.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule } from '../../jssp/schedule.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { repair } from '../../lcrp/engine.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import type { Shop } from '../../pipeline/shop/follow-shop.js';
import { tellRefusal } from '../../pipeline/shop/story-lines.js';
import { requestedPolicy } from '../api/request-parts.js';
import type { DryRunAnswer } from '../api/shop-schemas.js';
import { wireSkipped, wireTime } from '../api/wire.js';
import { wireLostPins } from './lost-pins.js';
import { costOfRepair } from './outcome-answer.js';
import { clampPolicy } from './policy-limits.js';

/** A dry run as it goes to another thread: the schedule that a shop follows, and events. */
export interface ShopTrial {
  readonly instance: Instance;
  readonly start: Int32Array;
  readonly version: number;
  readonly now: number;
  readonly events: readonly DisruptionEvent[];
  readonly seed: number;
  /** The policy of the shop. */
  readonly policy: OpenPolicy | undefined;
}

/** Limits of a dry run. */
interface TrialLimits {
  /** Seconds that each repair may take. */
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** The parts of a shop that a dry run needs. */
export function trialOf(
  { schedule, version, story }: Shop,
  { now, events }: Pick<ShopTrial, 'now' | 'events'>,
): ShopTrial {
  const { instance, start } = schedule;
  const { seed = 0, policy } = story.input ?? {};
  return { instance, start, version, now, events, seed, policy };
}

/**
 * Tries out what events would cost a shop, under several policies within the limits of the service.
 *
 * @param policies by name or changes; default: that of the shop
 * @throws InputError as `applyEvents` does; `no_policy`, `bad_policy`
 */
export async function tryOutPolicies(
  trial: ShopTrial,
  policies: readonly unknown[] = [],
  limits: TrialLimits,
): Promise<DryRunAnswer> {
  const { instance, version, now, events, policy: own } = trial;
  const { skipped } = applyEvents(createSchedule(instance, trial.start), events, now, {
    tooLate: 'skip',
  });
  const wanted: [name: string, policy: OpenPolicy][] = policies.map((policy) => [
    typeof policy === 'string' ? policy : JSON.stringify(policy),
    requestedPolicy(policy, instance, 'query.policy'),
  ]);
  if (wanted.length === 0 && own !== undefined) wanted.push(['shop', own]);
  const trials: DryRunAnswer['trials'] = [];
  for (const [name, policy] of wanted) {
    trials.push(await tryOne(trial, name, policy, limits));
  }
  return {
    version,
    now: wireTime(instance.timeScale, now),
    trials,
    skipped: wireSkipped(instance, skipped),
  };
}

async function tryOne(
  { instance, start, now, events, seed }: ShopTrial,
  name: string,
  given: OpenPolicy,
  { seconds, signal }: TrialLimits,
): Promise<DryRunAnswer['trials'][number]> {
  const { policy, clamped } = clampPolicy(given, seconds);
  const schedule = createSchedule(instance, start);
  const reasons: string[] = [];
  const common = { policy: name, clamped: [...clamped], reasons };
  for (const word of policy.methods) {
    const method = findMethod(word);
    try {
      const asked = { schedule, events, now };
      const result = await repair(asked, policy, { method, seed, signal, tooLate: 'skip' });
      const { makespan, total_weighted_tardiness, moved, moves, more } = costOfRepair(result);
      const cost = { makespan, total_weighted_tardiness, moved, moves, more };
      reasons.push(...wireLostPins(result).map(({ why }) => why));
      return { ...common, repaired: true, method: method.name, ...cost };
    } catch (error) {
      if (!(error instanceof AlasError) || error instanceof InputError) throw error;
      reasons.push(tellRefusal({ method: method.name, reason: error.message }));
    }
  }
  const none = { makespan: null, total_weighted_tardiness: null, moved: 0, moves: [], more: 0 };
  return { ...common, repaired: false, method: null, ...none };
}
