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
export {
  EVENT_TYPES,
  type EventType,
  type Json,
  type LogEntry,
  type NewEntry,
} from './log/entry.js';
export type { LogQuery, LogStore } from './log/store.js';
export type { Change } from './saga/changes.js';
export { type Changeset, type ChangesetOptions, openChangeset } from './saga/changeset.js';
