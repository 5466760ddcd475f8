import type { Planner } from '../../../src/jssp/planner.js';
import { isModelPlanner } from '../../../src/pipeline/planners/llm-planner.js';
import { createPlanner } from '../../../src/pipeline/planners/planners.js';

/** The planner of a specification that asks no model. */
export function plainPlanner(spec: string): Planner {
  const planner = createPlanner(spec);
  if (isModelPlanner(planner)) throw new Error(`${spec} asks a model`);
  return planner;
}
