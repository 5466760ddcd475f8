import type { Schedule } from '../../jssp/schedule.js';

/** The schedule in execution. */
export type PlannedTimes = Omit<Schedule, 'makespan'>;

/** A type whose named members may be missing. */
export type Open<T, Key extends keyof T> = Omit<T, Key> & {
  readonly [K in Key]?: T[K] | undefined;
};

/**
 * A kind of events, with the types of its events. Published types need no more of it than this; the code uses its
 * {@link EventDefinition}.
 *
 * @template Event the event: its kind, `at`, and numbers from 0
 * @template Counted the event as programs give it: members with a default are optional
 * @template Effective the event as it takes effect
 */
export interface EventKindOf<
  Event extends { readonly kind: string; readonly at: number },
  Counted = Open<Event, 'at'>,
  Effective extends Event = Event,
> {
  readonly kind: Event['kind'];
  /** No value: only the types. */
  readonly types?:
    | { readonly event: Event; readonly counted: Counted; readonly effective: Effective }
    | undefined;
}
