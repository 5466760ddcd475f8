export { affectedByEach, affectedOperations } from './affected.js';
export {
  type AppliedEvents,
  type ApplyOptions,
  type ArrivedJob,
  applyEvents,
  carrySchedule,
} from './apply-events.js';
export {
  type Arrival,
  type ArrivingJob,
  type ArrivingMode,
  type ArrivingOperation,
  type Breakdown,
  type Cancellation,
  type CapacityChange,
  type CountedEvent,
  type Delay,
  type DisruptionEvent,
  type DurationChange,
  describeEvent,
  type EffectiveEvent,
  EVENT_KINDS,
  type EventInput,
  type EventKind,
  type EventNeed,
  type NewAlternative,
  type Restored,
  type TimedBreakdown,
  type TimedCapacity,
} from './event.js';
export { formatEvent, parseEvent } from './event-text.js';
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
export { readInstanceEvents } from './realm-events.js';
export { TOO_LATE } from './refusals.js';
