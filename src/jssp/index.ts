export {
  type HeadsAndTails,
  jobHeadsAndTails,
  jobLengthBound,
  type LowerBound,
  lowerBound,
  machineHeadTailBound,
  machineLoadBound,
  machineLoads,
  preemptiveBound,
} from './bounds.js';
export { completionTime, earliestStart, meetsDowntime } from './calendar.js';
export { instanceChecksum } from './checksum.js';
export {
  type Calendar,
  createInstance,
  type Instance,
  type InstanceSpec,
  instanceFromJobs,
  MAX_TIME,
  type OperationLiteral,
  replaceInstance,
  shareInstance,
} from './instance.js';
export {
  type Candidate,
  isSchedule,
  operationAt,
  type Plan,
  type PlanEntry,
  planFromSchedule,
  scheduleFromPlan,
} from './plan.js';
export type { Planner, PlannerContext } from './planner.js';
export { createSchedule, machineSequences, type Schedule } from './schedule.js';
export {
  criticalBlocks,
  criticalPath,
  headsAndTails,
  type MachineNeighbours,
  machineNeighbours,
  semiActive,
  type Timing,
} from './timing.js';
