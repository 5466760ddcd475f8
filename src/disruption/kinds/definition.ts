import type * as z from 'zod';
import type { Instance } from '../../jssp/instance.js';
import type { Sentences } from '../../jssp/sentences/english.js';
import type { Words } from '../../jssp/words.js';
import type { Draft, OpenDraft } from '../draft.js';
import type { EventLabels } from '../labels.js';
import type { Refusal } from '../refusals.js';
import type { Spelling } from '../spelling.js';
import type { EventKindOf, Open, PlannedTimes } from './kind.js';

/** The time, and the numbers of operations after the events. */
export interface AppliedTimes {
  readonly now: number;
  /** For each operation before: its number now, −1 if it was cancelled. */
  readonly newOf: Int32Array;
}

/** An event in the form of files, as a log keeps it. */
interface WrittenEvent {
  readonly [key: string]: unknown;
}

/** The words for the phrase of an event in the history of a shop. */
interface PhraseWords {
  readonly sentences: Sentences;
  /** The machine of the event, or several machines that broke down together. */
  readonly machine: string;
  /** The job of the event, and its operation. */
  job(): string;
  operation(): string;
  /** `machine 3` of `Machine3`. */
  name(label: unknown): string;
  /** A time of the log: a number or a date. */
  time(time: unknown): string;
  duration(units: number): string;
}

/** Everything about a kind of events, with the types of {@link EventKindOf}. */
export interface EventDefinition<
  Event extends { readonly kind: string; readonly at: number },
  Counted = Open<Event, 'at'>,
  Effective extends Event = Event,
> extends EventKindOf<Event, Counted, Effective> {
  /**
   * Whether it leaves the numbers of jobs and operations as they are, and changes only durations and releases (by
   * `draft.write`), downtimes and resources, but no modes of a shop that has none. Such events are repaired in place, in a shop that is kept up to date.
   */
  readonly inPlace: boolean;
  /** Whether it lasts from `from` on; without `from`, it begins when it is reported to a service. */
  readonly lasts?: true | undefined;
  /** Members with times, in addition to `at`, `from`, `to` and `until`: dates in files of shops with a clock. */
  readonly times?: readonly string[] | undefined;
  /** The schema of its members, with hints as messages. */
  schema(spelling: Spelling): z.ZodType<Counted>;
  /** Adds defaults. */
  complete(event: Counted, at: number): Event;
  /** The time at which its effect begins, if it is known beforehand. Default: when it becomes known. */
  begin?(event: Counted): number | undefined;
  /** The time at which it becomes known, if it has none. Default: the earlier of its begin and `knownBy`. */
  timeKnown?(event: Counted, knownBy: number | undefined): number | undefined;
  /** The event if it is processed after its report, and began in the meantime. Default: unchanged. */
  fromNowOn?(event: Event, now: number): Event;
  /** Its members, without kind and `at`, in the form of files and in the order of the documentation. */
  label(event: Event, labels: EventLabels): Record<string, unknown>;
  /** The event in words, as the subject of a problem: `breakdown of machine 3`. */
  describe(event: Event, words: Omit<Words, 'operation'>, instance: Instance | undefined): string;
  /** Completes the event when it takes effect. Default: unchanged. */
  resolve?(draft: Draft, event: Event, estimate: number | null): Effective;
  /**
   * Changes the draft, or returns the reason why it cannot take effect; the draft is then unchanged.
   *
   * @throws InputError `unknown_machine`, `unknown_resource`
   */
  apply(draft: OpenDraft, event: Effective): Refusal | undefined;
  /** The operations, in the numbers before the events, that it affects directly, cancelled ones included. */
  concerned(schedule: PlannedTimes, applied: AppliedTimes, event: Effective): number[];
  /** The machine whose downtimes it changes. Default: none. */
  changedMachine?(event: Effective): number;
  /** The time until which it alone may delay the operations that it hits; −1 for never. Default: `at`. */
  holdsUntil?(event: Effective): number;
  /** The latest time that it fixes. Default: −1, none. */
  fixesUntil?(event: Effective): number;
  /** Its effect, as the reason of a change: `Lathe 2 is down until 14:10`. */
  reason(event: Effective, words: Words, now: number, instance: Instance): string;
  /** The event in the history of a shop: `machine 3 broke down until 200`. */
  phrase(event: WrittenEvent, words: PhraseWords): string;
}

/** Makes a kind of events from its definition. `src/disruption/event.ts` lists the kinds. */
export function defineEvent<
  Event extends { readonly kind: string; readonly at: number },
  Counted = Open<Event, 'at'>,
  Effective extends Event = Event,
>(definition: EventDefinition<Event, Counted, Effective>): EventKindOf<Event, Counted, Effective> {
  return definition;
}
