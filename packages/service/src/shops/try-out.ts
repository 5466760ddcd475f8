import { AlasError, InputError } from '@alas-jssp/core/errors';
import { applyEvents } from 'alas-jssp/disruption';
import {
  affected,
  formatRefusal,
  type OpenPolicy,
  requireFewEdits,
  type StoryWords,
  storyWords,
  withObjective,
} from 'alas-jssp/internal/service';
import { createSchedule, type Instance } from 'alas-jssp/jssp';
import { findMethod, repair } from 'alas-jssp/lcrp';
import { policyOfRow, type RepairRow, ROW_NAMES } from 'alas-jssp/shop';
import { requestedPolicy } from '../api/request-parts.js';
import type { DryRunAnswer } from '../api/shop-schemas.js';
import { wireSkipped, wireTime } from '../api/wire.js';
import { SENTENCES } from '../sentences.js';
import { wireLostPins } from './lost-pins.js';
import { costOfRepair } from './outcome-answer.js';
import { clampPolicy } from './policy-limits.js';
import {
  type ComparedTrial,
  mergedTrials,
  type ShopTrial,
  type TrialLimits,
} from './shop-trial.js';
import { tryOutStarts } from './try-starts.js';

/**
 * Computes the cost of events or of manually proposed starts in a shop; for events under several policies, within the
 * limits of the service.
 *
 * @param policies by name or changes; default: the rows that a report may choose, merged by schedule
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
  const rows = trial.row === undefined ? rowsFor(after) : [trial.row];
  const ownRows =
    own === undefined ? [] : rows.map((name) => ({ name, policy: policyOfRow(own, name) }));
  const tried: ComparedTrial[] = [];
  for (const one of requested.length > 0 ? requested : ownRows) {
    tried.push(await tryOne(trial, one, after, { ...limits, words }));
  }
  return {
    version,
    now: wireTime(instance.timeScale, now),
    trials: requested.length > 0 ? tried.map(({ answer }) => answer) : mergedTrials(tried),
    skipped: wireSkipped(instance, skipped, words.sentences),
  };
}

/** A policy to try. */
interface TrialPolicy {
  readonly name: string;
  readonly policy: OpenPolicy;
}

/** The applicable rows of a shop: `due-dates` needs due dates. */
function rowsFor({ due }: Pick<Instance, 'due'>): readonly RepairRow[] {
  return due === null ? ROW_NAMES.filter((row) => row !== 'due-dates') : ROW_NAMES;
}

/** Codes of methods that a shop cannot use: of a limit, or of setups, operators and the like that they do not know. */
const REFUSALS: ReadonlySet<string> = new Set(['too_few_edits', 'not_modelled']);

/** Whether an error means that a method found no repair, so that the next one is tried. */
function isRefusal(error: unknown): error is AlasError {
  if (error instanceof InputError) return REFUSALS.has(error.code);
  return error instanceof AlasError;
}

async function tryOne(
  { instance, start, now, events, seed }: ShopTrial,
  { name, policy: given }: TrialPolicy,
  after: Instance,
  { seconds, signal, words }: TrialLimits & { readonly words: StoryWords },
): Promise<ComparedTrial> {
  const { policy, clamped } = clampPolicy(given, seconds, after);
  const schedule = createSchedule(instance, start);
  const reasons: string[] = [];
  const { sentences } = words;
  const { objective } = withObjective(after, policy);
  const common = { policy: name, same: [], objective, clamped: [...clamped], reasons, starts: [] };
  // As in a shop: if no method keeps the limit of edits, the plan is only delayed as needed.
  const last = policy.limits.mostEdited === null ? [] : [affected.name];
  for (const [i, word] of [...policy.methods, ...last].entries()) {
    const method = findMethod(word);
    const yields = i === policy.methods.length;
    try {
      const task = { schedule, events, now };
      const result = await repair(task, policy, { method, seed, signal, tooLate: 'skip' });
      requireFewEdits(result, result.schedule, yields ? null : policy.limits.mostEdited);
      reasons.push(...wireLostPins(result, sentences).map(({ why }) => why));
      const answer = {
        ...common,
        repaired: true,
        method: method.name,
        ...costOfRepair(result, { sentences }),
      };
      return { answer, schedule: result.schedule };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, facts, message: reason } = error;
      reasons.push(formatRefusal({ method: method.name, code, facts, reason }, words));
    }
  }
  const noCost = { makespan: null, total_weighted_tardiness: null, late: [], moved: 0, moves: [] };
  const answer = { ...common, repaired: false, method: null, ...noCost, more: 0 };
  return { answer, schedule: null };
}
