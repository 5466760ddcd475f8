export { type GraphBuilder, graph } from './ir/builder.js';
export { type CheckOptions, checkWorkflow } from './ir/check/check.js';
export type { KnownHandlers } from './ir/check/effect-rules.js';
export type { Finding } from './ir/check/finding.js';
export { findMisfits, type Misfit } from './ir/compatibility.js';
export { describeWorkflow } from './ir/describe.js';
export { compileGuard, type Guard } from './ir/guard/guard.js';
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
export type { LogQuery, LogStore } from './log/store.js';
