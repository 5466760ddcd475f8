import { InputError } from '@alas-jssp/core/errors';
import { type NamedPlanner, plannerName } from '../../jssp/planner-name.js';
import { createHeuristicPlanner } from '../../search/planners.js';
import { isControl } from './control-planners.js';

/**
 * Refuses ambiguous names.
 *
 * @throws InputError `bad_name`
 */
export function requirePlannerName({ name }: NamedPlanner): void {
  if (name === null) return;
  if (isControl(name) || createHeuristicPlanner(name) !== undefined) {
    const hint = 'choose another name';
    throw new InputError('bad_name', `'${name}' is a planner itself`, hint, {}, name);
  }
}

/**
 * Refuses planners with equal names in the records.
 *
 * @throws InputError `same_name`
 */
export function requireDifferentNames(planners: readonly string[]): void {
  const names = planners.map(plannerName);
  const name = names.find((one, i) => names.indexOf(one) < i);
  if (name === undefined) return;
  const hint = 'give each a name of its own';
  throw new InputError('same_name', `two planners are named '${name}'`, hint, {}, name);
}
