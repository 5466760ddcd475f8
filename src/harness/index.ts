export type { PlanRepair } from '../lcrp/plan/repair-plan.js';
export type { AskWait } from '../llm/ask.js';
export { modelOf } from '../llm/model-of.js';
export type { Usage } from '../llm/usage.js';
export { blueprint } from '../pipeline/blueprint/blueprint.js';
export {
  type BlueprintSpec,
  type Repairer,
  VARIANTS,
  type Variant,
} from '../pipeline/blueprint/spec.js';
export type { Disruption, ExecuteSettings, Execution } from '../pipeline/handlers/execute-stage.js';
export type { OptimizeSettings, SearchOutcome } from '../pipeline/handlers/optimize-stage.js';
export type { PipelineLog } from '../pipeline/logged-run.js';
export {
  type PipelineContext,
  type PipelineEngine,
  type PipelineResult,
  type RepairSettings,
  runPipeline,
} from '../pipeline/pipeline.js';
export type { PromptReport } from '../pipeline/planners/llm-planner.js';
export {
  type Models,
  type ModelsOptions,
  openModels,
  type SharedMeans,
} from '../pipeline/planners/models.js';
export { createPlanner, plannerSpecs } from '../pipeline/planners/planners.js';
export { createReplayRegistry, isPipeline } from '../pipeline/replay-registry.js';
export type { StageOutcomes } from '../pipeline/stage-outcomes.js';
export type { InstanceReference, PipelineStatus, RepairDetails } from '../pipeline/step-values.js';
export { type Stage, type StageSeconds, stages } from '../pipeline/stopwatch.js';
export { type AttributionReport, attribution } from './attribution/attribution.js';
export { CONTROL_PLANNERS } from './attribution/controls.js';
export type { EdgeAgreement, EdgeRow } from './attribution/edge-agreement.js';
export type { AttributionSubject, Share, ShareFinding, ShareRow } from './attribution/shares.js';
export type { GainRow } from './attribution/stage-gains.js';
export {
  type AnytimeOptions,
  type AnytimeReport,
  type AnytimeRow,
  anytime,
  type GapPoint,
  TARGETS_PERCENT,
  type TimeToTarget,
} from './evaluation/anytime.js';
export { type BestKnown, bestKnown, type RefutedBound } from './evaluation/best-known.js';
export { type Evaluation, type EvaluationOptions, evaluate } from './evaluation/evaluate.js';
export {
  type FailedAnswer,
  type FailureReport,
  failuresOf,
  type PlannerFailures,
  type ViolationClass,
} from './evaluation/failures.js';
export type { EvaluatedPlanner, LeftOut } from './evaluation/measured-records.js';
export type { PairTest } from './evaluation/pair-tests.js';
export {
  type PerformanceProfile,
  type PlannerProfile,
  type ProfileOptions,
  type ProfilePoint,
  performanceProfile,
  profileAt,
} from './evaluation/performance-profile.js';
export { type PlanOutcome, planOutcome } from './evaluation/plan-outcome.js';
export {
  type PlannerTest,
  type PlannerTestOptions,
  type PlannerTests,
  plannerTests,
  TEST_FAMILIES,
  type TestedMeasure,
  type TestFamily,
} from './evaluation/planner-tests.js';
export { parseBaseline, type RowName } from './paper/baseline.js';
export type { Measurement } from './paper/measurement.js';
export {
  type PaperOptions,
  type PaperReport,
  type PaperRow,
  type PaperTable,
  paperReport,
  type SummaryLine,
} from './paper/report.js';
export type { RowStage } from './paper/values.js';
export {
  type Compared,
  type Comparison,
  compareRuns,
} from './records/compare.js';
export type { DisruptionRecord } from './records/disruption-record.js';
export {
  type Crossing,
  crossedLimits,
  type OffendingRow,
  requireBaseline,
} from './records/gate.js';
export { type JoinedRuns, joinRuns, type NamedRun } from './records/joined-runs.js';
export {
  type Limit,
  type Metric,
  type MetricName,
  metrics,
  parseLimits,
} from './records/limits.js';
export type { Pair, PairVerdict } from './records/pair.js';
export {
  isCutShort,
  type RecordIdentity,
  type RecordStages,
  type RunRecord,
  recordKey,
  recordSchema,
} from './records/record.js';
export { readRecords } from './records/record-file.js';
export type { StageRow } from './records/stage-summary.js';
export { type RunSummary, type SummaryRow, summarize } from './records/summary.js';
export type {
  Executor,
  PreparedJob,
  RunJob,
  RunWork,
  SavedText,
  TaskResult,
  WorkEnd,
} from './run/executor.js';
export { fillRunSpec } from './run/fill-spec.js';
export { type Manifest, manifestSchema } from './run/manifest.js';
export {
  askingPlanner,
  type ModelBundle,
  modelBundleOf,
  type StoredAnswers,
  storedAnswers,
} from './run/model-bundle.js';
export {
  type BenchmarkResult,
  type RunContext,
  type RunProgress,
  runBenchmark,
} from './run/run.js';
export {
  type BundleContent,
  type BundleInstance,
  bundleContents,
  bundleOf,
  lostTask,
  openTasks,
  type RunBundle,
  taskCount,
} from './run/run-bundle.js';
export { manifestSpending } from './run/run-models.js';
export { type FilledRunSpec, type RunSpec, runSpecSchema, type TaskLimits } from './run/spec.js';
export type { SettingDifference } from './run/spec-differences.js';
export { readManifest, readRun, type StoredRun } from './run/stored-run.js';
export { clusterBootstrap, type Interval } from './statistics/bootstrap.js';
export type { PairedTests, TestMark } from './statistics/difference-tests.js';
export type { InstanceDifferences } from './statistics/instance-differences.js';
export { type FaultyPlan, type PlanFault, planFaults } from './study/faults.js';
export { type FaultRow, type StudyReport, studyReport, type VariantRow } from './study/report.js';
export { type RoundRow, summarizeRounds } from './study/rounds.js';
export { shopFaults } from './study/shop-faults.js';
export { type StudyOptions, studyFaults, type Trial } from './study/study.js';
export { type StudySubject, subjectsOf } from './study/subjects.js';
export {
  createTaskRunner,
  type PerformOptions,
  type RunnerModels,
  type TaskRunner,
  type TaskRunnerOptions,
} from './worker/task-runner.js';
