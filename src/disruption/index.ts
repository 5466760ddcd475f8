export { affectedByEach, affectedOperations } from './affected.js';
export {
  type AppliedEvents,
  type ApplyOptions,
  type ArrivedJob,
  applyEvents,
  carrySchedule,
} from './apply-events.js';
export type {
  Arrival,
  ArrivingJob,
  ArrivingMode,
  ArrivingOperation,
  EventNeed,
} from './arriving.js';
export {
  type CountedEvent,
  type DisruptionEvent,
  type EffectiveEvent,
  EVENT_KINDS,
  type EventInput,
  type EventKind,
} from './event.js';
export { formatEvent, parseEvent } from './event-text.js';
export { describeEvent } from './event-words.js';
export {
  type EventsFile,
  parseEvents,
  type ReadEventsOptions,
  readEvents,
  writeEvents,
} from './events-json.js';
export { type InjectOptions, injectEvents } from './injectors/inject.js';
export {
  type AbsenceParameters,
  type AlternativeParameters,
  type ArrivalParameters,
  type BreakdownParameters,
  type DelayParameters,
  type DurationParameters,
  type InjectionParameters,
  type Severity,
  severities,
} from './injectors/parameters.js';
export { parseParameters } from './injectors/parameters-text.js';
export type { NewAlternative } from './kinds/alternative.js';
export type { Breakdown, TimedBreakdown } from './kinds/breakdown.js';
export type { Cancellation } from './kinds/cancellation.js';
export type { CapacityChange, TimedCapacity } from './kinds/capacity.js';
export type { Delay } from './kinds/delay.js';
export type { DurationChange } from './kinds/duration.js';
export type { Restored } from './kinds/restored.js';
export { readInstanceEvents } from './realm-events.js';
export { TOO_LATE } from './refusals.js';
