export {
  anyOf,
  atTarget,
  type Budget,
  type BudgetLike,
  budgetCriterion,
  formatBudget,
  maxIdle,
  maxIterations,
  maxSeconds,
  parseBudget,
  type SearchState,
  type StoppingCriterion,
  toBudget,
} from '@alas-jssp/core/stopping';
export type { ProvenBound } from '../jssp/bounds.js';
export { type BoundProof, type ProveBoundOptions, proveBound } from './bounds/prove-bound.js';
export {
  type StrongLowerBound,
  type StrongLowerBoundOptions,
  strongLowerBound,
} from './bounds/strong-lower-bound.js';
export {
  type DispatchBest,
  type DispatchOptions,
  dispatch,
  dispatchBest,
  FULL_BEST_OPERATIONS,
  type Generation,
} from './construct/dispatch.js';
export { insertion, MAX_INSERTION_OPERATIONS } from './construct/insertion.js';
export type { Priority, Rule } from './construct/rules/rule.js';
export { findRule, ruleId, rules } from './construct/rules.js';
export { type OptimizeResult, type OptimizeStatus, optimize } from './optimize.js';
export type { Improvement, OptimizeOptions, OptimizeProgress } from './optimize-options.js';
export { createHeuristicPlanner, heuristicPlannerSpecs, type PlannerSpec } from './planners.js';
