export { findMethod, repairMethods } from './baselines/find-method.js';
export {
  createRepairEngine,
  type Edits,
  type RepairEngine,
  type RepairOptions,
  type RepairResult,
  repair,
} from './engine.js';
export { type Cause, type Edit, explainRepair } from './explain.js';
export type { Judgement } from './judge-repair.js';
export { lcrp } from './lcrp.js';
export { costOfLimits, type LimitsCost } from './limits-cost.js';
export { measureRepair, type RepairMetrics } from './metrics/metrics.js';
export { compensate } from './phases/compensate.js';
export { type PlanRepair, repairPlan } from './plan/repair-plan.js';
export { defaultPolicy, type RepairLimits, type RepairPolicy } from './policy.js';
export { parsePolicy, policies, resolvePolicy } from './policy-file.js';
export {
  type SimulateOptions,
  type Simulation,
  type SimulationStep,
  simulate,
} from './simulate.js';
export { type Execution, type Status, updateStatus } from './status.js';
export type { Phase, RepairContext, Repaired, RepairMethod, RepairTask } from './task.js';
