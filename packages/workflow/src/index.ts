export { type Clock, systemClock } from '@alas-jssp/core/clock';
export { packageVersion } from '@alas-jssp/core/package-version';
export { virtualClock } from '@alas-jssp/core/virtual-clock';
export {
  type DefinedResult,
  type DefinedRunOptions,
  type DefinedWorkflow,
  type DefinitionOptions,
  defineWorkflow,
} from './define/define-workflow.js';
export type { CaughtFailure, Flow } from './define/flow.js';
export { firstAvailable, type Given, type Ref } from './define/reference.js';
export { fromJsonSchema } from './define/schema.js';
export {
  type DeclaredOptions,
  type DoneStep,
  declareStep,
  type HandlersOf,
  type StepDefinition,
  type StepOptions,
  step,
} from './define/step.js';
export { callRegistered, encodeWith, factsOf, LOST } from './hosts/call-registered.js';
export { type ChildRunOptions, childRun } from './hosts/child-run.js';
export { compensateRun } from './hosts/compensate-run.js';
export { createFaults, FAULTS_SCHEMA, type FaultsSpec, fillFaults } from './hosts/faults.js';
export {
  approve,
  cancelRun,
  type Delivery,
  deny,
  type NamedSignal,
  settleEffect,
  signalRun,
} from './hosts/messages.js';
export { isOwnerGone, newOwner } from './hosts/owner.js';
export { replayRun } from './hosts/replay-run.js';
export { type RunResult, resultOf } from './hosts/result.js';
export { resumeRun, runWorkflow } from './hosts/run.js';
export {
  type CompensateOptions,
  fillWorkflow,
  type NewRunOptions,
  type RunAlert,
  type RunOptions,
  requireRunOptions,
} from './hosts/run-options.js';
export { stateOfRun } from './hosts/run-state.js';
export { type ListedRun, listRuns } from './hosts/runs.js';
export {
  createSimulation,
  type RunSimulation,
  type SimulatedProcess,
  type SimulationOptions,
} from './hosts/simulated.js';
export type { SimulatedFaults } from './hosts/simulated-faults.js';
export type { CallWorld } from './hosts/step-context.js';
export { createWorker, type Worker, type WorkerOptions } from './hosts/worker.js';
export { describeState, type TransactionState } from './interpreter/describe.js';
export type {
  Doubt,
  EffectSummary,
  Failure,
  Payloads,
  Remaining,
  RunStatus,
} from './interpreter/entries.js';
export { applyEntry, foldLog } from './interpreter/fold.js';
export type {
  Codec,
  Compensator,
  DoneEffect,
  Handler,
  Judged,
  Registry,
  StepContext,
  Validator,
  Verdict,
} from './interpreter/registry.js';
export type { Replay } from './interpreter/replay.js';
export type { Divergence } from './interpreter/replay-place.js';
export type { RunState } from './interpreter/state.js';
export { type CheckOptions, checkWorkflow } from './ir/check/check.js';
export type { KnownHandlers } from './ir/check/effect-rules.js';
export type { Finding } from './ir/check/finding.js';
export { requireSoundWorkflow } from './ir/check/sound.js';
export { findIncompatibilities, type Incompatibility } from './ir/compatibility.js';
export { describeWorkflow } from './ir/describe.js';
export { compileGuard, type Guard, type GuardReads } from './ir/guard/guard.js';
export type { GuardScope } from './ir/guard/infer.js';
export { workflowJsonSchema } from './ir/json-schema.js';
export {
  type Body,
  type ChoiceNode,
  type Compensation,
  type Edge,
  type JsonSchema,
  type MapNode,
  type Node,
  type ParallelNode,
  type Policy,
  type RepairSpec,
  type TaskNode,
  type WaitNode,
  WORKFLOW_SCHEMA,
  type Workflow,
  workflowSchema,
} from './ir/workflow.js';
export { parseWorkflow, readWorkflow, toWorkflow, writeWorkflow } from './ir/workflow-file.js';
export {
  EVENT_TYPES,
  type EventType,
  type Json,
  type LogEntry,
  type NewEntry,
} from './log/entry.js';
export { exportLog, importLog, LOG_SCHEMA, readExportedLog } from './log/export.js';
export { grouping } from './log/grouping-store.js';
export { createMemoryStore } from './log/memory-store.js';
export { createNullStore } from './log/null-store.js';
export { openLog } from './log/open-log.js';
export { type RedactionOptions, redacting } from './log/redaction.js';
export { type IoSchemas, schemasOfWorkflow } from './log/secrets.js';
export { isWithin, type SliceScope, sliceLog } from './log/slice.js';
export {
  type Difference,
  diffJson,
  diffVersions,
  type Fold,
  foldOutputs,
  lastSnapshot,
  type Reducer,
  type Snapshot,
  stateAt,
  writeSnapshot,
} from './log/snapshot.js';
export type { SqliteOptions } from './log/sqlite-file.js';
export { openSqliteStore } from './log/sqlite-store.js';
export {
  type AuditableLog,
  hasRun,
  type LogQuery,
  type LogStore,
  type StoredRow,
} from './log/store.js';
export {
  type LogProblem,
  type LogVerification,
  type RunVerification,
  requireUnchanged,
  type VerifyOptions,
  verifyLog,
  verifyRun,
} from './log/verify.js';
export type { Agreement } from './validation/agreement.js';
export type { CheckKind, Constraint, Otherwise, StepFinding } from './validation/findings.js';
export {
  type InputChecks,
  inputValidator,
  type StepChecks,
  stepValidator,
} from './validation/validators.js';
