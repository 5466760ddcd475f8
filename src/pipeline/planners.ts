import { InputError } from '../core/errors.js';
import type { Planner } from '../jssp/planner.js';
import {
  createHeuristicPlanner,
  heuristicPlannerSpecs,
  type PlannerSpec,
} from '../search/planners.js';
import { createFilePlanner } from './file-planner.js';
import { createModulePlanner } from './module-planner.js';

/** Every planner specification there is; in capitals what the user fills in. */
export const plannerSpecs: readonly PlannerSpec[] = [
  ...heuristicPlannerSpecs,
  {
    spec: 'file:PATTERN',
    description: 'finished plans from files, such as file:plans/{instance}.json',
  },
  { spec: 'module:PATH', description: 'the planner that an ES module exports' },
];

/**
 * Makes the planner that a specification names:
 *
 * - a rule or heuristic of this package, such as `dispatch:mwkr` or `insertion`;
 * - `file:PATTERN`, plans that lie in files, such as `file:plans/{instance}.json`;
 * - `module:PATH`, a planner in an ES module of the user's.
 *
 * @throws InputError `unknown_planner` if nothing goes by that name, or what the planner itself
 *   says about its file or module
 */
export function createPlanner(spec: string): Planner {
  if (spec.startsWith('file:')) return createFilePlanner(spec.slice('file:'.length));
  if (spec.startsWith('module:')) return createModulePlanner(spec.slice('module:'.length));
  const planner = createHeuristicPlanner(spec);
  if (planner !== undefined) return planner;
  throw new InputError(
    'unknown_planner',
    `there is no planner '${spec}'`,
    `use one of ${plannerSpecs.map((known) => known.spec).join(', ')}`,
    {},
    spec,
  );
}
