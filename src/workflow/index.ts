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
  WORKFLOW_SCHEMA,
  type Workflow,
  workflowSchema,
} from './ir/workflow.js';
export { type Difference, diffJson, diffVersions } from './log/diff.js';
export {
  EVENT_TYPES,
  type EventType,
  type Json,
  type LogEntry,
  type NewEntry,
} from './log/entry.js';
export { exportLog, importLog, LOG_SCHEMA, readExportedLog } from './log/export.js';
export { createMemoryStore } from './log/memory-store.js';
export { openLog } from './log/open-log.js';
export { type RedactionOptions, redacting } from './log/redaction.js';
export { type IoSchemas, schemasOfWorkflow } from './log/secret-schemas.js';
export { isWithin, type SliceScope, sliceLog } from './log/slice.js';
export {
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
export type {
  AuditableLog,
  LogQuery,
  LogQuery,
  LogStore,
  LogStore,
  StoredRow,
} from './log/store.js';
export {
  type LogProblem,
  type LogVerification,
  type RunVerification,
  type VerifyOptions,
  verifyLog,
} from './log/verify.js';
export type { Change } from './saga/changes.js';
export { type Changeset, type ChangesetOptions, openChangeset } from './saga/changeset.js';
