export { canonicalJson } from '@alas-jssp/core/canonical-json';
export { deriveSeedBy } from '@alas-jssp/core/random';
export type { JsonSchema, TaskNode, Workflow } from '../ir/workflow.js';
export type { EventType, Json, LogEntry, NewEntry } from '../log/entry.js';
export { sliceLog } from '../log/slice.js';
export type { InboxMessage } from '../log/tables.js';
export { declaresSchemas, type LogSchema, requireOwnEntry } from './checks.js';
export { withDefaults } from './defaults.js';
export { decodeLogged, type EncodedValue, encodeLive } from './encoded-value.js';
export type {
  Doubt,
  EffectSummary,
  Failure,
  LoopEnd,
  Payloads,
  Remaining,
  RunStatus,
} from './entries.js';
export { type FaultRules, makeFaults } from './fault-rules.js';
export { applyEntry, foldLog } from './fold.js';
export { forgetTurns } from './forget.js';
export {
  type Call,
  type CallAnswer,
  type Calling,
  type GivenClaim,
  type HandlerFacts,
  type Host,
  type HostAppend,
  isPromise,
  type LostAnswer,
  type Maybe,
  type WantedClaim,
} from './host.js';
export { breakOff, receiveMessages } from './inbox.js';
export {
  cancel,
  drain,
  effectsOf,
  type InterpretOptions,
  interpret,
  openRun,
} from './interpret.js';
export { requireApproval, requireSignal } from './known-names.js';
export { messageFault, outlivesEnd } from './messages.js';
export { planWorkflow } from './plan.js';
export { codeOf, DEFAULT_SECONDS, describeThrown, waitAfter } from './policies.js';
export { rootOutputs } from './references.js';
export { checkRegistry } from './registry.js';
export { type Run, write } from './run.js';
export {
  decodeState,
  emptyState,
  encodeState,
  isInDoubt,
  type PendingWait,
  type RunState,
  waitsOf,
  wakeTime,
} from './state.js';
