export {
  type DispatchBest,
  type DispatchOptions,
  dispatch,
  dispatchBest,
  FULL_BEST_OPERATIONS,
  type Generation,
} from './dispatch.js';
export { insertion, MAX_INSERTION_OPERATIONS } from './insertion.js';
export { createHeuristicPlanner, heuristicPlannerSpecs, type PlannerSpec } from './planners.js';
export { findRule, type Priority, type Rule, ruleId, rules } from './rules.js';
