export { type Datum, liveDatum, loggedDatum } from './datum.js';
export type {
  Doubt,
  EffectSummary,
  Failure,
  LoopEnd,
  Payloads,
  Remaining,
  RunStatus,
} from './entries.js';
export { applyEntry, foldLog } from './fold.js';
export { forgetTurns } from './forget.js';
export type {
  Call,
  CallAnswer,
  Calling,
  HandlerFacts,
  Host,
  HostAppend,
  Maybe,
} from './host.js';
export {
  breakOff,
  cancel,
  effectsOf,
  type InterpretOptions,
  interpret,
  openRun,
  takeMessages,
} from './interpret.js';
export type { Run } from './run.js';
export { decodeState, emptyState, encodeState, type RunState, wakeTime } from './state.js';
