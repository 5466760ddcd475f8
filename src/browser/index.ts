// The engine in a browser: `alas-jssp/browser`, one file without Node. Everything here is what the other entries export
// under the same names; files, threads and proofs are missing.
export { AlasError, InputError } from '@alas-jssp/core/errors';
export { packageVersion } from '@alas-jssp/core/package-version';
export {
  type BudgetLike,
  parseBudget,
  type SearchState,
  type StoppingCriterion,
} from '@alas-jssp/core/stopping';
export { type AppliedEvents, applyEvents, carrySchedule } from '../disruption/apply-events.js';
export type { DisruptionEvent, EventInput } from '../disruption/event.js';
export { formatEvent, parseEvent } from '../disruption/event-text.js';
export { describeEvent } from '../disruption/event-words.js';
export { parseEvents, writeEvents } from '../disruption/events-json.js';
export { type InjectOptions, injectEvents } from '../disruption/injectors/inject.js';
export { type LowerBound, lowerBound, type ProvenBound } from '../jssp/bounds.js';
export { instanceChecksum } from '../jssp/checksum.js';
export { generateFlexible } from '../jssp/flexible-generator.js';
export { writeFlexible } from '../jssp/formats/flexible.js';
export { writeInstanceJson } from '../jssp/formats/instance-json.js';
export { writePlanCsv } from '../jssp/formats/plan-csv.js';
export type { PlanFile } from '../jssp/formats/plan-file.js';
export { writePlanJson } from '../jssp/formats/plan-json.js';
export { parseInstance } from '../jssp/formats/read-instance.js';
export { parsePlan } from '../jssp/formats/read-plan.js';
export { writeStandard } from '../jssp/formats/standard.js';
export { generateRandom, generateTaillard, withDueDates } from '../jssp/generator.js';
export {
  createInstance,
  type Instance,
  type InstanceSpec,
  instanceFromJobs,
  replaceInstance,
} from '../jssp/instance.js';
export { type Objective, objectiveValue, totalWeightedTardiness } from '../jssp/objectives.js';
export {
  operationAt,
  type Plan,
  type PlanEntry,
  planFromSchedule,
  scheduleFromPlan,
} from '../jssp/plan.js';
export { createSchedule, jobEnd, machineSequences, type Schedule } from '../jssp/schedule.js';
export { chosenMode } from '../jssp/shop-parts.js';
export { scheduleList, withModes } from '../jssp/shop-timing/lists.js';
export {
  criticalBlocks,
  criticalPath,
  headsAndTails,
  machineNeighbours,
  semiActive,
} from '../jssp/timing.js';
export {
  createRepairEngine,
  type RepairEngine,
  type RepairOptions,
  repair,
} from '../lcrp/engine.js';
export { explainEdit } from '../lcrp/metrics/edit-words.js';
export { type Cause, type Edit, explainRepair } from '../lcrp/metrics/explain.js';
export { measureRepair, type RepairMetrics } from '../lcrp/metrics/metrics.js';
export { type PlanRepair, repairPlan } from '../lcrp/plan/repair-plan.js';
export { policy } from '../lcrp/policy/make-policy.js';
export { policies, type RepairPolicy } from '../lcrp/policy/policy.js';
export type { RepairResult } from '../lcrp/repair-result.js';
export { dispatch, dispatchBest } from '../search/construct/dispatch.js';
export { insertion } from '../search/construct/insertion.js';
export type { Rule } from '../search/construct/rules/rule.js';
export { findRule, ruleId, rules } from '../search/construct/rules.js';
export { type OptimizeResult, optimize } from '../search/optimize.js';
export type { Improvement, OptimizeOptions, OptimizeProgress } from '../search/optimize-options.js';
export {
  type Certificate,
  createCertificate,
  verifyCertificate,
} from '../validator/certificate.js';
export { countViolations, createJudge, isFeasible } from '../validator/judge.js';
export { type ValidationReport, validate } from '../validator/validate.js';
export type { Violation } from '../validator/violation.js';
