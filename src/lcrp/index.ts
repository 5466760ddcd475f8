export { findMethod, repairMethods } from './baselines/find-method.js';
export {
  createRepairEngine,
  type ProposalOptions,
  type RepairEngine,
  type RepairOptions,
  repair,
} from './engine.js';
export type { ExecutionVerdict } from './judge-repair.js';
export { lcrp } from './lcrp.js';
export { explainEdit } from './metrics/edit-words.js';
export { type Cause, type Edit, explainRepair } from './metrics/explain.js';
export { costOfLimits, type LimitsCost } from './metrics/limits-cost.js';
export {
  type DeviationMetrics,
  type EditMetrics,
  type MeasuredRepair,
  measureRepair,
  type RepairMetrics,
} from './metrics/metrics.js';
export { compensate } from './phases/compensate.js';
export { type DisturbedShop, type Status, updateStatus } from './phases/status.js';
export { type PlanRepair, repairPlan } from './plan/repair-plan.js';
export { policy } from './policy/make-policy.js';
export {
  defaultPolicy,
  type LimitChanges,
  type OpenPolicy,
  type PinnedOperation,
  type PolicyChanges,
  policies,
  type RepairLimits,
  type RepairPolicy,
} from './policy/policy.js';
export { parsePolicy, resolvePolicy } from './policy/policy-file.js';
export type { Edits, RepairResult } from './repair-result.js';
export {
  type RepairTotals,
  type SimulateOptions,
  type Simulation,
  type SimulationStep,
  simulate,
} from './simulation/simulate.js';
export type {
  LostPin,
  MethodResult,
  Phase,
  RepairContext,
  RepairMethod,
  RepairTask,
} from './task.js';
