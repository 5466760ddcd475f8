import { InputError } from '@alas-jssp/core/errors';
import { asSchedule, createSearchPlanner, withObjective } from 'alas-jssp/internal/service';
import type { Instance, Schedule } from 'alas-jssp/jssp';
import { createHeuristicPlanner } from 'alas-jssp/search';
import { requestedInstance, requestedPolicy } from '../api/request-parts.js';
import type { NewShopRequest } from '../api/shop-schemas.js';
import { wirePlan } from '../api/wire.js';
import type { WorkSetting } from './work.js';

const USUAL_PLANNER = 'dispatch:best';

type PlanRequest = Pick<NewShopRequest, 'planner' | 'seed' | 'policy'>;

/**
 * Computes the plan of a new shop, by the objective of its repairs.
 *
 * @throws InputError `unknown_planner`, `bad_policy`
 */
export async function planNewShop(
  instance: Instance,
  { planner: spec = USUAL_PLANNER, seed = 0, policy }: PlanRequest,
): Promise<Schedule> {
  const planner = createHeuristicPlanner(spec) ?? searchPlanner(spec);
  const { objective } = withObjective(instance, requestedPolicy(policy ?? 'default', instance));
  return asSchedule(instance, await planner.plan(instance, { seed, objective }));
}

function searchPlanner(spec: string) {
  const budget = /^search:(\d+(?:\.\d+)?)s$/.exec(spec.trim().toLowerCase())?.[1];
  if (budget === undefined || Number(budget) > MOST_SECONDS) {
    const problem = `there is no planner ${JSON.stringify(spec.slice(0, 80))} here`;
    const hint = `use dispatch:best, insertion, dispatch:RULE or search:Ns with at most ${MOST_SECONDS} seconds`;
    throw new InputError('unknown_planner', problem, hint, { path: '$.planner' }, spec);
  }
  return createSearchPlanner(`${budget}s`);
}

/** Time limit of a search for the plan of a new shop, in seconds. */
const MOST_SECONDS = 10;

/** Computes the plan of a new shop as a document. */
export async function performPlan(request: NewShopRequest, setting: WorkSetting) {
  return wirePlan(
    await planNewShop(requestedInstance(request.instance, setting.operations), request),
  );
}
