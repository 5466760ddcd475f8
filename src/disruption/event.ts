import type { Instance } from '../jssp/instance.js';
import { numberWords, wordsOf } from '../jssp/words.js';
import { resourceWord } from './resource-labels.js';

/**
 * A machine is down from `from` to `to` (exclusive). `resumable`: whether the running operation is interrupted and
 * continues afterwards, or is lost and must start again. Without `to` the end is unknown: an estimate applies until a
 * later event replaces it.
 */
export interface Breakdown {
  readonly kind: 'breakdown';
  readonly at: number;
  readonly machine: number;
  readonly from: number;
  readonly to?: number | undefined;
  readonly resumable: boolean;
  /** Whether `to` is an estimate. */
  readonly estimated?: true | undefined;
}

/**
 * An operation, running or future, has another total duration: either `duration` or `factor` times the known one,
 * rounded (a positive duration remains at least 1). With `machine`, it is the duration on that machine alone; without,
 * `duration` is that on the planned machine, and durations on others change by the same factor.
 */
export interface DurationChange {
  readonly kind: 'duration';
  readonly at: number;
  readonly job: number;
  readonly step: number;
  /** A machine that may do the operation. */
  readonly machine?: number | undefined;
  readonly duration?: number | undefined;
  readonly factor?: number | undefined;
}

/** A new job. It gets the next free job number. */
export interface Arrival {
  readonly kind: 'arrival';
  readonly at: number;
  readonly job: ArrivingJob;
}

/** A job that arrives. */
export interface ArrivingJob {
  readonly name?: string | undefined;
  readonly operations: readonly ArrivingOperation[];
  /** The earliest start of its first operation. */
  readonly release: number;
  readonly due?: number | undefined;
  /** The cost of a unit of its tardiness, a whole number; default 1. */
  readonly weight?: number | undefined;
}

/** An amount of a resource that an operation needs, while it works or during its setup. */
export interface EventNeed {
  readonly resource: number;
  /** Default 1. */
  readonly amount?: number | undefined;
  /** Default `work`. */
  readonly during?: 'work' | 'setup' | undefined;
}

/** A mode of an operation of a job that arrives. */
export interface ArrivingMode {
  readonly machine: number;
  readonly duration: number;
  readonly needs?: readonly EventNeed[] | undefined;
}

/** An operation of a job that arrives, with the mode in which it is planned first. */
export interface ArrivingOperation extends ArrivingMode {
  readonly name?: string | undefined;
  /** Its other modes. */
  readonly alternatives?: readonly ArrivingMode[] | undefined;
  /** Its setup family, in a shop with setups. */
  readonly family?: number | undefined;
}

/** A job is cancelled: its operations that have not started are removed; a running one is finished. */
export interface Cancellation {
  readonly kind: 'cancellation';
  readonly at: number;
  readonly job: number;
}

/**
 * Material comes late: an operation does not start before `until`. Without a step it is the first operation of the job
 * that has not started.
 */
export interface Delay {
  readonly kind: 'delay';
  readonly at: number;
  readonly job: number;
  readonly step?: number | undefined;
  readonly until: number;
}

/** A machine that is down is back at `at`, earlier than known. */
export interface Restored {
  readonly kind: 'restored';
  readonly at: number;
  readonly machine: number;
}

/**
 * A resource (operators, tools) has another capacity from `from` to `to` (exclusive), which replaces what was known about
 * that time: an operator is ill, or back. Without `to` the end is unknown: an estimate applies until a later event
 * replaces it.
 */
export interface CapacityChange {
  readonly kind: 'capacity';
  readonly at: number;
  readonly resource: number;
  readonly from: number;
  readonly to?: number | undefined;
  /** The capacity in that time. If it is the usual one, and there is no `to`, the change in progress ends. */
  readonly amount: number;
  /** Whether `to` is an estimate. */
  readonly estimated?: true | undefined;
}

/** A machine may do an operation from now on, in a given time. If it already may, it has another duration there. */
export interface NewAlternative {
  readonly kind: 'alternative';
  readonly at: number;
  readonly job: number;
  readonly step: number;
  readonly machine: number;
  readonly duration: number;
  /**
   * The resources that the operation needs on that machine. Default: what it needs there, if it already may be done
   * there, else the needs of its planned mode.
   */
  readonly needs?: readonly EventNeed[] | undefined;
}

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

/** An event as it takes effect: the end of a breakdown, or of another capacity, is known or estimated. */
export type EffectiveEvent =
  | Exclude<DisruptionEvent, Breakdown | CapacityChange>
  | TimedBreakdown
  | TimedCapacity;

/** A breakdown whose end is known or estimated. */
export interface TimedBreakdown extends Breakdown {
  readonly to: number;
}

/** Another capacity whose end is known or estimated. */
export interface TimedCapacity extends CapacityChange {
  readonly to: number;
}

/**
 * An event whose members with a default are optional: `at`, `resumable`, a job's release, an amount. Numbers count from
 * 0.
 */
export type CountedEvent =
  | Open<Breakdown, 'at' | 'resumable'>
  | Open<DurationChange, 'at'>
  | (Open<Omit<Arrival, 'job'>, 'at'> & { readonly job: Open<ArrivingJob, 'release'> })
  | Open<Cancellation, 'at'>
  | Open<Delay, 'at'>
  | Open<Restored, 'at'>
  | Open<CapacityChange, 'at' | 'amount'>
  | Open<NewAlternative, 'at'>;

type Open<T, Key extends keyof T> = Omit<T, Key> & { readonly [K in Key]?: T[K] | undefined };

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

export type EventKind = DisruptionEvent['kind'];

/** All kinds, as spelled in files and on the command line. */
export const EVENT_KINDS = [
  'breakdown',
  'duration',
  'arrival',
  'cancellation',
  'delay',
  'restored',
  'capacity',
  'alternative',
] as const satisfies readonly EventKind[];

/**
 * An event in words: `breakdown of Lathe 2`, or counted from 1 as in files: `breakdown of machine 3`.
 *
 * @param instance the shop, if it has names: its own, or with the jobs that have arrived
 */
export function describeEvent(event: DisruptionEvent, instance?: Instance): string {
  const words = instance === undefined ? numberWords : wordsOf(instance);
  switch (event.kind) {
    case 'breakdown':
      return event.estimated && event.to !== undefined
        ? `breakdown of ${words.machine(event.machine)}, estimated to end at ${words.time(event.to)}`
        : `breakdown of ${words.machine(event.machine)}`;
    case 'restored':
      return `restoration of ${words.machine(event.machine)}`;
    case 'arrival':
      return `arrival of ${event.job.name === undefined ? 'a job' : JSON.stringify(event.job.name)}`;
    case 'cancellation':
      return `cancellation of ${words.job(event.job)}`;
    case 'duration':
      return `new duration of ${words.job(event.job)}, ${words.step(event.job, event.step)}`;
    case 'delay':
      return event.step === undefined
        ? `delay of ${words.job(event.job)}`
        : `delay of ${words.job(event.job)}, ${words.step(event.job, event.step)}`;
    case 'capacity':
      return `capacity of ${resourceWord(instance, event.resource)}`;
    case 'alternative': {
      const operation = `${words.job(event.job)}, ${words.step(event.job, event.step)}`;
      return `${words.machine(event.machine)} as an alternative for ${operation}`;
    }
  }
}
