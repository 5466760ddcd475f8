import type { Planner } from '../../jssp/planner.js';
import type { PlannerSpec } from '../../search/planners.js';
import type { ReadFile } from './file-planner.js';
import type { ModelPlanner } from './llm-planner.js';

/** A kind of planner: its specification as lists show it, and what makes planners of it. */
export interface PlannerKind extends PlannerSpec {
  /**
   * Makes the planner of a specification; undefined if the specification is for another kind.
   *
   * @throws InputError if it is for this kind, but invalid
   */
  create(spec: string, read?: ReadFile): Planner | ModelPlanner | undefined;
}

/** A maker of the planners whose specifications begin with a prefix; it receives the rest. */
export function withPrefix(
  prefix: string,
  create: (rest: string, read?: ReadFile) => Planner | ModelPlanner,
): PlannerKind['create'] {
  return (spec, read) =>
    spec.startsWith(prefix) ? create(spec.slice(prefix.length), read) : undefined;
}
