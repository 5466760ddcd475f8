export { type Bounds, suiteNames } from './benchmark-index.js';
export {
  type HeadsAndTails,
  jobHeadsAndTails,
  jobLengthBound,
  type LowerBound,
  lowerBound,
  lowerBounds,
  machineHeadTailBound,
  machineLoadBound,
  machineLoads,
  type ProvenBound,
  preemptiveBound,
  simpleBound,
} from './bounds.js';
export { completionTime, earliestStart, meetsDowntime } from './calendar.js';
export { instanceChecksum } from './checksum.js';
export { type FlexibleSpec, generateFlexible } from './flexible-generator.js';
export { writeFlexible } from './formats/flexible.js';
export { writeInstanceJson } from './formats/instance-json.js';
export { instanceJsonSchema } from './formats/json-schema.js';
export { writePlanCsv } from './formats/plan-csv.js';
export type { PlanFile } from './formats/plan-file.js';
export { writePlanJson } from './formats/plan-json.js';
export { parseInstance, readInstance } from './formats/read-instance.js';
export { parsePlan, readPlan } from './formats/read-plan.js';
export type { FileSource } from './formats/source.js';
export { writeStandard } from './formats/standard.js';
export {
  generateRandom,
  generateTaillard,
  type RandomSpec,
  type TaillardSpec,
  withDueDates,
} from './generator.js';
export {
  assignModes,
  type Calendar,
  createInstance,
  type Instance,
  type InstanceSpec,
  instanceFromJobs,
  MAX_TIME,
  type OperationLiteral,
  replaceInstance,
} from './instance.js';
export { MAX_TOTAL_WEIGHT } from './instance-checks.js';
export type { InstanceNames } from './instance-names.js';
export type { JobDetails } from './job-details.js';
export { canonicalName } from './names.js';
export {
  type Objective,
  objectives,
  objectiveValue,
  totalWeightedTardiness,
} from './objectives.js';
export {
  type Candidate,
  isSchedule,
  operationAt,
  type Plan,
  type PlanEntry,
  planFromSchedule,
  scheduleFromPlan,
} from './plan.js';
export type { Planner, PlannerContext, ProcessReport, RecordedAnswer } from './planner.js';
export { createSchedule, jobEnd, machineSequences, type Schedule } from './schedule.js';
export { shareInstance } from './share-instance.js';
export type { TimeScale } from './shop-clock.js';
export {
  chosenMode,
  isClassic,
  isPlain,
  type Modes,
  type Precedence,
  type ResourceCalendar,
  type Resources,
  SETUP_PHASE,
  type Setups,
  type ShopParts,
  type Transport,
  WORK_PHASE,
} from './shop-parts.js';
export {
  chosenModes,
  listOf,
  type ShopList,
  scheduleList,
  timeList,
  withModes,
} from './shop-timing/lists.js';
export {
  benchmarkByChecksum,
  boundsFor,
  findBenchmark,
  type InstanceSource,
  resolveSource,
  resolveSources,
} from './suites.js';
export { type TardinessBound, tardinessBound, tardinessLowerBound } from './tardiness-bounds.js';
export { createTimeScale, formatTime, parseTime } from './time-scale.js';
export {
  criticalBlocks,
  criticalPath,
  headsAndTails,
  type MachineNeighbours,
  machineNeighbours,
  semiActive,
  type Timing,
} from './timing.js';
