import { eventKinds } from './kinds.js';

type Kinds = typeof eventKinds;

export type EventKind = keyof Kinds;

type TypesOf<Kind extends EventKind> = NonNullable<Kinds[Kind]['types']>;

/**
 * An event between a plan and its execution. `at` is the time at which it becomes known. Times are integers in the
 * instance's unit; jobs, steps and machines count from 0.
 */
export type DisruptionEvent = TypesOf<EventKind>['event'];

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
export const EVENT_KINDS = Object.keys(eventKinds) as EventKind[];
