import { AlasError, InputError } from '../../core/errors.js';

import { applyEvents } from '../../disruption/apply-events.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule } from '../../jssp/schedule.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { repair } from '../../lcrp/engine.js';
import { withObjective } from '../../lcrp/policy/policy.js';
import { type StoryWords, storyWords, tellRefusal } from '../../pipeline/shop/story-lines.js';
import { requestedPolicy } from '../api/request-parts.js';
import type { DryRunAnswer } from '../api/shop-schemas.js';
import { wireSkipped, wireTime } from '../api/wire.js';
import { SENTENCES } from '../sentences.js';
import { wireLostPins } from './lost-pins.js';
import { costOfRepair } from './outcome-answer.js';
import { clampPolicy } from './policy-limits.js';
import { mergedTrials, type ShopTrial, type TrialLimits, type Tried } from './shop-trial.js';
import { tryOutStarts } from './try-starts.js';
import { type WhatIf, whatIfs } from './what-if.js';

/**
 * Tries out what events, or starts of one's own, would cost a shop; events under several policies within the limits of the service.
 *
 * @param policies by name or changes; default: that of the shop, and what else may be done ({@link whatIfs}), where
 *   rows that come to the same schedule are one
 * @throws InputError as `applyEvents` does; `no_policy`, `bad_policy`
 */
export async function tryOutPolicies(
  trial: ShopTrial,
  policies: readonly unknown[] = [],
  limits: TrialLimits,
): Promise<DryRunAnswer> {
  if (trial.wished !== undefined) return tryOutStarts(trial, trial.wished, limits);
  const { instance, version, now, events, policy: own, language } = trial;
  const words = storyWords(instance.timeScale, SENTENCES[language]);
  const { skipped, instance: after } = applyEvents(
    createSchedule(instance, trial.start),
    events,
    now,
    { tooLate: 'skip' },
  );
  const requested = policies.map((policy) => ({
    name: typeof policy === 'string' ? policy : JSON.stringify(policy),
    policy: requestedPolicy(policy, instance, 'query.policy'),
  }));
  const ownRows = own === undefined ? [] : whatIfs(own, after.due !== null);
  const tried: Tried[] = [];
  for (const one of requested.length > 0 ? requested : ownRows) {
    tried.push(await tryOne(trial, one, after.due, { ...limits, words }));
  }
  return {
    version,
    now: wireTime(instance.timeScale, now),
    trials: requested.length > 0 ? tried.map(({ answer }) => answer) : mergedTrials(tried),
    skipped: wireSkipped(instance, skipped, words.sentences),
  };
}

/** Whether an error says that a method found no repair, which the next one may. */
function isRefusal(error: unknown): error is AlasError {
  if (error instanceof InputError) return error.code === 'too_few_edits';
  return error instanceof AlasError;
}

async function tryOne(
  { instance, start, now, events, seed }: ShopTrial,
  { name, policy: given }: WhatIf,
  due: Instance['due'],
  { seconds, signal, words }: TrialLimits & { readonly words: StoryWords },
): Promise<Tried> {
  const { policy, clamped } = clampPolicy(given, seconds, instance);
  const schedule = createSchedule(instance, start);
  const reasons: string[] = [];
  const { sentences } = words;
  const { objective } = withObjective({ due }, policy);
  const common = { policy: name, same: [], objective, clamped: [...clamped], reasons, starts: [] };
  for (const word of policy.methods) {
    const method = findMethod(word);
    try {
      const asked = { schedule, events, now };
      const result = await repair(asked, policy, { method, seed, signal, tooLate: 'skip' });
      reasons.push(...wireLostPins(result, sentences).map(({ why }) => why));
      const answer = {
        ...common,
        repaired: true,
        method: method.name,
        ...costOfRepair(result, { sentences }),
      };
      return { answer, start: result.schedule.start };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, facts, message: reason } = error;
      reasons.push(tellRefusal({ method: method.name, code, facts, reason }, words));
    }
  }
  const noCost = { makespan: null, total_weighted_tardiness: null, late: [], moved: 0, moves: [] };
  const answer = { ...common, repaired: false, method: null, ...noCost, more: 0 };
  return { answer, start: null };
}
