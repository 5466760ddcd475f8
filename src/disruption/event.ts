import type { Arrival } from './arriving.js';
import { alternative, type NewAlternative } from './kinds/alternative.js';
import { arrival } from './kinds/arrival.js';
import { type Breakdown, breakdown } from './kinds/breakdown.js';
import { type Cancellation, cancellation } from './kinds/cancellation.js';
import { type CapacityChange, capacity } from './kinds/capacity.js';
import { type Delay, delay } from './kinds/delay.js';
import { type DurationChange, duration } from './kinds/duration.js';
import { type Restored, restored } from './kinds/restored.js';

/**
 * An event between a plan and its execution. `at` is the time at which it becomes known. Times are integers in the
 * instance's unit; jobs, steps and machines count from 0.
 */
export type DisruptionEvent =
  | Breakdown
  | DurationChange
  | Arrival
  | Cancellation
  | Delay
  | Restored
  | CapacityChange
  | NewAlternative;

export type EventKind = DisruptionEvent['kind'];

/** All kinds of events, in the order of lists. Add a new one at the end, and its event to {@link DisruptionEvent}. */
export const eventKinds = {
  breakdown,
  duration,
  arrival,
  cancellation,
  delay,
  restored,
  capacity,
  alternative,
} satisfies { readonly [Kind in EventKind]: { readonly kind: Kind } };

type TypesOf<Kind extends EventKind> = NonNullable<(typeof eventKinds)[Kind]['types']>;

/** An event as it takes effect: the end of a breakdown, or of another capacity, is known or estimated. */
export type EffectiveEvent = TypesOf<EventKind>['effective'];

/**
 * An event whose members with a default are optional: `at`, `resumable`, a job's release, an amount. Numbers count from
 * 0.
 */
export type CountedEvent = TypesOf<EventKind>['counted'];

/**
 * An event as programs write it: a {@link CountedEvent} in which jobs, steps and machines may also be texts. These are
 * labels as in files: `'WO-1'`, `'Lathe'`, or `'Job1'` without a name.
 */
export type EventInput = WithLabels<CountedEvent>;

type WithLabels<T> = T extends unknown
  ? { readonly [K in keyof T]: LabelledMember<K, T[K]> }
  : never;

type LabelledMember<Key, T> = Key extends 'operations' | 'alternatives' | 'needs'
  ? T extends readonly (infer Item)[] | undefined
    ? readonly WithLabels<Item>[] | Extract<T, undefined>
    : T
  : Key extends 'job' | 'step' | 'machine' | 'resource' | 'family'
    ? T extends object
      ? WithLabels<T>
      : Exclude<T, undefined> extends number
        ? T | string
        : T
    : T;

/** All kinds, as spelled in files and on the command line. */
export const EVENT_KINDS: readonly EventKind[] = Object.keys(eventKinds) as EventKind[];
