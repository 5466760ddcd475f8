import { AlasError, InputError } from '../../core/errors.js';
import { applyEvents } from '../../disruption/apply-events.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { repair } from '../../lcrp/engine.js';
import type { RepairPolicy } from '../../lcrp/policy/policy.js';
import type { Shop } from '../../pipeline/shop/follow-shop.js';
import { tellRefusal } from '../../pipeline/shop/story-lines.js';
import { requestedPolicy } from '../api/request-parts.js';
import type { DryRunAnswer } from '../api/shop-schemas.js';
import { wireSkipped, wireTime } from '../api/wire.js';
import { costOfRepair } from './outcome-answer.js';

/** Events that are known at a time. */
interface Told {
  readonly now: number;
  readonly events: readonly DisruptionEvent[];
}

/**
 * Tries out what events would cost a shop, under several policies; nothing is written.
 *
 * @param policies by name or changes; default: that of the shop
 * @throws InputError as `applyEvents` does; `no_policy`, `bad_policy`
 */
export async function tryOutPolicies(
  shop: Shop,
  { now, events }: Told,
  policies: readonly unknown[] = [],
): Promise<DryRunAnswer> {
  const { schedule, version } = shop;
  const { instance } = schedule;
  const { skipped } = applyEvents(schedule, events, now, { tooLate: 'skip' });
  const own = shop.story.input?.policy;
  const wanted: [name: string, policy: RepairPolicy][] = policies.map((policy) => [
    typeof policy === 'string' ? policy : JSON.stringify(policy),
    requestedPolicy(policy, instance, 'query.policy'),
  ]);
  if (wanted.length === 0 && own !== undefined) wanted.push(['shop', own]);
  const trials: DryRunAnswer['trials'] = [];
  for (const [name, policy] of wanted) {
    trials.push(await tryOne(shop, { now, events }, name, policy));
  }
  return {
    version,
    now: wireTime(instance.timeScale, now),
    trials,
    skipped: wireSkipped(instance, skipped),
  };
}

async function tryOne(
  { schedule, story }: Shop,
  { now, events }: Told,
  name: string,
  policy: RepairPolicy,
): Promise<DryRunAnswer['trials'][number]> {
  const reasons: string[] = [];
  for (const word of policy.methods) {
    const method = findMethod(word);
    try {
      const seed = story.input?.seed ?? 0;
      const asked = { schedule, events, now };
      const result = await repair(asked, policy, { method, seed, tooLate: 'skip' });
      const { makespan, total_weighted_tardiness, moved, moves, more } = costOfRepair(result);
      const cost = { makespan, total_weighted_tardiness, moved, moves, more };
      return { policy: name, repaired: true, reasons, method: method.name, ...cost };
    } catch (error) {
      if (!(error instanceof AlasError) || error instanceof InputError) throw error;
      reasons.push(tellRefusal({ method: method.name, reason: error.message }));
    }
  }
  const none = { makespan: null, total_weighted_tardiness: null, moved: 0, moves: [], more: 0 };
  return { policy: name, repaired: false, reasons, method: null, ...none };
}
