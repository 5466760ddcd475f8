import {
  type CountedEvent,
  type DisruptionEvent,
  type EffectiveEvent,
  type EventKind,
  eventKinds,
} from './event.js';
import type { EventDefinition } from './kinds/definition.js';

/** The definition of a kind, for events of any kind. */
type AnyDefinition = EventDefinition<DisruptionEvent, CountedEvent, EffectiveEvent>;

// Published types do not show definitions, but `defineEvent` makes kinds from nothing else.
const definitions = eventKinds as unknown as Readonly<Record<EventKind, AnyDefinition>>;

/** The definition of the kind of an event. */
export function kindOf({ kind }: { readonly kind: EventKind }): AnyDefinition {
  return definitions[kind];
}

/** The definition of a kind that is named by any value; undefined if there is no such kind. */
export function findKind(kind: unknown): AnyDefinition | undefined {
  return typeof kind === 'string' && Object.hasOwn(definitions, kind)
    ? definitions[kind as EventKind]
    : undefined;
}
