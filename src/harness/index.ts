export type { PlanRepair } from '../lcrp/plan-repair.js';
export { blueprint } from '../pipeline/blueprint.js';
export {
  type BlueprintSpec,
  type Repairer,
  VARIANTS,
  type Variant,
} from '../pipeline/blueprint-spec.js';
export type { Disruption, ExecuteSettings, Execution } from '../pipeline/execute-stage.js';
export type { Told } from '../pipeline/llm-planner.js';
export type { PipelineLog } from '../pipeline/logged-run.js';
export { type Models, type ModelsOptions, openModels } from '../pipeline/models.js';
export type { OptimizeSettings, SearchOutcome } from '../pipeline/optimize-stage.js';
export {
  type PipelineContext,
  type PipelineResult,
  type PipelineStatus,
  type RepairSettings,
  runPipeline,
  type StageOutcomes,
} from '../pipeline/pipeline.js';
export type { InstanceReference } from '../pipeline/pipeline-task.js';
export { createPlanner, plannerSpecs } from '../pipeline/planners.js';
export type { AskWait } from '../pipeline/question.js';
export { createReplayRegistry, isPipeline } from '../pipeline/replay-registry.js';
export type { Spending } from '../pipeline/spending.js';
export type { RepairDetails } from '../pipeline/step-values.js';
export { type Stage, type StageSeconds, stages } from '../pipeline/stopwatch.js';
export {
  type Compared,
  type Comparison,
  compareRuns,
  type Pair,
  type PairVerdict,
} from './compare.js';
export type { DisruptionOptions } from './disruption.js';
export type { DisruptionRecord } from './disruption-record.js';
export { type Crossing, crossedLimits, type OffendingRow, requireBaseline } from './gate.js';
export { type JoinedRuns, joinRuns, type NamedRun } from './joined-runs.js';
export { type Limit, type Metric, type MetricName, metrics, parseLimits } from './limits.js';
export { type Manifest, manifestSchema } from './manifest.js';
export { parseBaseline, type RowName } from './paper/baseline.js';
export type { Cell } from './paper/cells.js';
export {
  type PaperOptions,
  type PaperReport,
  type PaperRow,
  type PaperTable,
  paperReport,
  type SummaryLine,
} from './paper/report.js';
export type { Mark, PairedTests } from './paper/tests.js';
export type { RowStage } from './paper/values.js';
export {
  type RecordIdentity,
  type RecordStages,
  type RunRecord,
  recordKey,
  recordSchema,
} from './record.js';
export { readRecords } from './record-file.js';
export { type RunResult, runBenchmark } from './run.js';
export { readManifest, readRun, type StoredRun } from './run-directory.js';
export type { RunModelsOptions } from './run-models-options.js';
export type { RunOptions, RunProgress } from './run-options.js';
export type { StageRow } from './stage-summary.js';
export { type RunSummary, type SummaryRow, summarize } from './summary.js';
export type { TaskLimits } from './task-limits.js';
