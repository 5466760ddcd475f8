import { InputError } from '../core/errors.js';
import { createRandom, deriveSeed } from '../core/random.js';
import { isSchedule, planFromSchedule } from '../jssp/plan.js';
import type { Planner } from '../jssp/planner.js';
import { createHeuristicPlanner } from '../search/planners.js';
import { degradePlan } from './plan-faults.js';

/** What makes the plan that is degraded, unless another heuristic is named. */
const DEFAULT_PLANNER = 'dispatch:best';

/**
 * A planner that plans with a heuristic and then makes a share of the operations wrong: for measuring
 * what validation and repair are worth where no model is asked. Equal seeds give equal faults.
 *
 * @param source the share, 0 to 1, and after a colon the heuristic, such as `0.1:insertion`
 * @throws InputError `bad_rate` if it does not begin with a share, `unknown_planner` if what follows is
 *   no heuristic, and what {@link createHeuristicPlanner} throws
 */
export function createDegradedPlanner(source: string): Planner {
  const colon = source.indexOf(':');
  const rate = parseRate(colon < 0 ? source : source.slice(0, colon));
  const spec = colon < 0 ? DEFAULT_PLANNER : source.slice(colon + 1);
  const planner = createHeuristicPlanner(spec);
  if (planner === undefined) {
    throw new InputError(
      'unknown_planner',
      `there is no heuristic '${spec}' whose plans could be degraded`,
      'name one of alas-jssp list planners, such as insertion',
      {},
      spec,
    );
  }
  const ending = planner.name === DEFAULT_PLANNER ? '' : `:${planner.name}`;
  return {
    name: `degraded:${rate}${ending}`,
    async plan(instance, context) {
      const candidate = await planner.plan(instance, context);
      const plan = isSchedule(candidate) ? planFromSchedule(candidate) : candidate;
      const random = createRandom(deriveSeed(context.seed, 'degraded'));
      return degradePlan(instance, plan, rate, random).plan;
    },
  };
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (text.trim() !== '' && rate >= 0 && rate <= 1) return rate;
  throw new InputError(
    'bad_rate',
    `'${text}' is no share of the operations`,
    'use a number from 0 to 1, such as degraded:0.1',
    {},
    text,
  );
}
