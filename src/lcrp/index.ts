export { compensate } from './compensate.js';
export {
  createRepairEngine,
  type RepairEngine,
  type RepairOptions,
  type RepairResult,
  repair,
} from './engine.js';
export { lcrp } from './lcrp.js';
export { defaultPolicy, type RepairLimits, type RepairPolicy } from './policy.js';
export { type Execution, type Status, updateStatus } from './status.js';
export type { Phase, RepairContext, Repaired, RepairMethod, RepairTask } from './task.js';
