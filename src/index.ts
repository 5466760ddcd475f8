// The façade: light to import, with what most programs need. Everything else is under the subpaths `alas-jssp/jssp`,
// `alas-jssp/validator`, `alas-jssp/disruption`, `alas-jssp/search`, `alas-jssp/lcrp`, `alas-jssp/llm`,
// `@alas-jssp/workflow` and `alas-jssp/harness`. The two functions at the end load the harness when they are called.
import type * as harness from './harness/index.js';

export { AlasError, CycleError, InputError } from '@alas-jssp/core/errors';
export type {
  BenchmarkResult,
  BlueprintSpec,
  RunContext,
  RunRecord,
  RunSpec,
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

/** Runs planners over instances; `runBenchmark` of `alas-jssp/harness`, loaded when it is called. */
export async function runBenchmark(
  ...given: Parameters<typeof harness.runBenchmark>
): ReturnType<typeof harness.runBenchmark> {
  const { runBenchmark: run } = await import('./harness/run/run.js');
  return run(...given);
}

/** Plans, repairs and improves one instance; `runPipeline` of `alas-jssp/harness`, loaded when called. */
export async function runPipeline(
  ...given: Parameters<typeof harness.runPipeline>
): ReturnType<typeof harness.runPipeline> {
  const { runPipeline: run } = await import('./pipeline/pipeline.js');
  return run(...given);
}
