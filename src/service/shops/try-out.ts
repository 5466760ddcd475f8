import { AlasError, InputError } from '../../core/errors.js';
import { applyEvents } from '../../disruption/apply-events.js';
import type { DisruptionEvent } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import { createSchedule } from '../../jssp/schedule.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { repair } from '../../lcrp/engine.js';
import { type OpenPolicy, withObjective } from '../../lcrp/policy/policy.js';
import type { Shop } from '../../pipeline/shop/follow-shop.js';
import { tellRefusal } from '../../pipeline/shop/story-lines.js';
import { requestedPolicy } from '../api/request-parts.js';
import type { DryRunAnswer } from '../api/shop-schemas.js';
import { wireSkipped, wireTime } from '../api/wire.js';
import { wireLostPins } from './lost-pins.js';
import { costOfRepair } from './outcome-answer.js';
import { clampPolicy } from './policy-limits.js';
import { type WhatIf, whatIfs } from './what-if.js';

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
 * @param policies by name or changes; default: that of the shop, and what else may be done ({@link whatIfs}), where
 *   rows that come to the same schedule are one
 * @throws InputError as `applyEvents` does; `no_policy`, `bad_policy`
 */
export async function tryOutPolicies(
  trial: ShopTrial,
  policies: readonly unknown[] = [],
  limits: TrialLimits,
): Promise<DryRunAnswer> {
  const { instance, version, now, events, policy: own } = trial;
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
    tried.push(await tryOne(trial, one, after.due, limits));
  }
  return {
    version,
    now: wireTime(instance.timeScale, now),
    trials: requested.length > 0 ? tried.map(({ answer }) => answer) : merged(tried),
    skipped: wireSkipped(instance, skipped),
  };
}

/** A trial, and the starts that it came to. */
interface Tried {
  readonly answer: DryRunAnswer['trials'][number];
  readonly start: Int32Array | null;
}

/** One row for each schedule, named after the first policy that comes to it. */
function merged(tried: readonly Tried[]): DryRunAnswer['trials'] {
  const rows: Tried[] = [];
  for (const one of tried) {
    const row = rows.find(({ start }) => isSameStart(start, one.start));
    if (row === undefined) rows.push(one);
    else row.answer.same.push(one.answer.policy);
  }
  return rows.map(({ answer }) => answer);
}

function isSameStart(a: Int32Array | null, b: Int32Array | null): boolean {
  return a !== null && b !== null && a.every((time, op) => time === b[op]);
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
  { seconds, signal }: TrialLimits,
): Promise<Tried> {
  const { policy, clamped } = clampPolicy(given, seconds, instance);
  const schedule = createSchedule(instance, start);
  const reasons: string[] = [];
  const { objective } = withObjective({ due }, policy);
  const common = { policy: name, same: [], objective, clamped: [...clamped], reasons };
  for (const word of policy.methods) {
    const method = findMethod(word);
    try {
      const asked = { schedule, events, now };
      const result = await repair(asked, policy, { method, seed, signal, tooLate: 'skip' });
      reasons.push(...wireLostPins(result).map(({ why }) => why));
      const answer = { ...common, repaired: true, method: method.name, ...costOfRepair(result) };
      return { answer, start: result.schedule.start };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      reasons.push(tellRefusal({ method: method.name, reason: error.message }));
    }
  }
  const noCost = { makespan: null, total_weighted_tardiness: null, late: [], moved: 0, moves: [] };
  const answer = { ...common, repaired: false, method: null, ...noCost, more: 0 };
  return { answer, start: null };
}
