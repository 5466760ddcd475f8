// The façade: what most programs need. Everything else is under the subpaths
// `alas-jssp/jssp`, `alas-jssp/validator`, `alas-jssp/disruption`, `alas-jssp/search`, `alas-jssp/lcrp` and
// `alas-jssp/harness`.
export { AlasError, CycleError, InputError } from './core/errors.js';
export {
  type BlueprintSpec,
  blueprint,
  compareRuns,
  createPlanner,
  parseLimits,
  type RunOptions,
  type RunRecord,
  type RunResult,
  readRun,
  runBenchmark,
  runPipeline,
} from './harness/index.js';
export {
  type Candidate,
  createInstance,
  createSchedule,
  generateRandom,
  generateTaillard,
  type Instance,
  type InstanceSource,
  instanceFromJobs,
  lowerBound,
  type Plan,
  type PlanEntry,
  type Planner,
  type PlannerContext,
  planFromSchedule,
  readInstance,
  readPlan,
  resolveSource,
  resolveSources,
  type Schedule,
  scheduleFromPlan,
  semiActive,
  suiteNames,
} from './jssp/index.js';
export { dispatch, dispatchBest, insertion } from './search/index.js';
export {
  countViolations,
  createCertificate,
  createJudge,
  isFeasible,
  type Judge,
  type ValidationReport,
  type Violation,
  validate,
  verifyCertificate,
} from './validator/index.js';
