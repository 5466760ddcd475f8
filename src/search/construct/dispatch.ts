import { deriveSeed } from '@alas-jssp/core/seed';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOf, objectiveValue } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { dispatchShop } from '../shop/shop-rules.js';
import { generateActive } from './active.js';
import { generateNonDelay } from './non-delay.js';
import { est } from './rules/est.js';
import type { Rule } from './rules/rule.js';
import { bestRules, findRule } from './rules.js';

/**
 * How a rule generates a schedule: `non-delay` never lets a machine wait while it has work, `active` also considers
 * work that arrives a little later (Giffler and Thompson).
 */
export type Generation = 'non-delay' | 'active';

/** Options of {@link dispatch}. */
export interface DispatchOptions {
  /** A rule or its name, in any case and punctuation. */
  readonly rule: Rule | string;
  /** Default: `non-delay`. */
  readonly generation?: Generation | undefined;
  /** For the rule `random`; default 0. */
  readonly seed?: number | undefined;
}

/**
 * Schedules an instance by a priority dispatching rule. Respects the constraints of an instance in execution: releases,
 * downtimes, frozen starts (free operations come after the frozen ones in their job and on their machine). Deadlines
 * may be missed. O(N log n), not counting downtimes.
 *
 * @throws InputError `unknown_rule`; `no_due_dates` if the rule needs due dates and there are none
 * @throws AlasError `frozen_after_free` if a job has a frozen operation after a free one
 */
export function dispatch(instance: Instance, options: DispatchOptions): Schedule {
  const { generation = 'non-delay', seed = 0 } = options;
  const rule = typeof options.rule === 'string' ? findRule(options.rule) : options.rule;
  if (!isClassic(instance)) return dispatchShop(instance, rule, generation === 'active', seed);
  const priority = rule.prioritize(instance, seed);
  const generate = generation === 'non-delay' || rule === est ? generateNonDelay : generateActive;
  return createSchedule(instance, generate(instance, priority));
}

/** The size up to which {@link dispatchBest} tries every rule in both generations. */
export const FULL_BEST_OPERATIONS = 200_000;

/** The same for shops with alternatives and other features. */
const FULL_BEST_IN_SHOPS = 2000;

/** The rules of {@link dispatchBest} for larger instances, on which they are best. */
const LARGE_RULES = ['MWKR', 'MOPNR', 'FDD/MWKR'];

/** The best schedule of several rules, and the rule that made it. */
export interface DispatchBest {
  readonly schedule: Schedule;
  readonly rule: Rule;
  readonly generation: Generation;
}

/**
 * Runs all rules in both generations, `non-delay` first, and returns the best schedule by an objective, which defaults
 * to that of the instance. Ties go to the smaller makespan, then to the first in the order of {@link bestRules}. Rules that
 * need due dates are included if the instance has any. For more than {@link FULL_BEST_OPERATIONS} operations only MWKR,
 * MOPNR and FDD/MWKR are tried, and only in non-delay generation.
 *
 * @throws AlasError as {@link dispatch} does
 */
export function dispatchBest(
  instance: Instance,
  seed = 0,
  objective: Objective = objectiveOf(instance),
): DispatchBest {
  let best: DispatchBest | null = null;
  let failure: unknown = null;
  for (const { rule, generation } of candidates(instance)) {
    let schedule: Schedule;
    try {
      schedule = dispatch(instance, { rule, generation, seed: deriveSeed(seed, generation) });
    } catch (error) {
      // In shops with features a rule may run into a dead end where another one does not.
      if (isClassic(instance)) throw error;
      failure = error;
      continue;
    }
    if (best === null || isBetter(schedule, best.schedule, objective)) {
      best = { schedule, rule, generation };
    }
  }
  if (best === null) throw failure;
  return best;
}

function isBetter(one: Schedule, other: Schedule, objective: Objective): boolean {
  const difference = objectiveValue(one, objective) - objectiveValue(other, objective);
  return difference < 0 || (difference === 0 && one.makespan < other.makespan);
}

function candidates(instance: Instance): { rule: Rule; generation: Generation }[] {
  if (instance.operations > (isClassic(instance) ? FULL_BEST_OPERATIONS : FULL_BEST_IN_SHOPS)) {
    return LARGE_RULES.map((name) => ({ rule: findRule(name), generation: 'non-delay' }));
  }
  const usable = bestRules.filter((rule) => !rule.needsDueDates || instance.due !== null);
  return [
    ...usable.map((rule) => ({ rule, generation: 'non-delay' as const })),
    ...usable
      .filter((rule) => rule !== est)
      .map((rule) => ({ rule, generation: 'active' as const })),
  ];
}
