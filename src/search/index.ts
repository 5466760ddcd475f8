export {
  anyOf,
  atTarget,
  type Budget,
  budgetCriterion,
  maxIdle,
  maxIterations,
  maxSeconds,
  parseBudget,
  type SearchState,
  type StoppingCriterion,
} from '../core/stopping.js';
export { type StrongLowerBound, strongLowerBound } from './bounds/strong-lower-bound.js';
export {
  type DispatchBest,
  type DispatchOptions,
  dispatch,
  dispatchBest,
  FULL_BEST_OPERATIONS,
  type Generation,
} from './dispatch.js';
export { insertion, MAX_INSERTION_OPERATIONS } from './insertion.js';
export {
  type Improvement,
  type OptimizeOptions,
  type OptimizeProgress,
  type OptimizeResult,
  type OptimizeStatus,
  optimize,
} from './optimize.js';
export { createHeuristicPlanner, heuristicPlannerSpecs, type PlannerSpec } from './planners.js';
export type { ProvenBound } from './prover.js';
export { findRule, type Priority, type Rule, ruleId, rules } from './rules.js';
