import { checkJson } from '@alas-jssp/core/json-check';
import type { CheckedJson, JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound, isObject } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import type * as z from 'zod';
import { type CountedEvent, type DisruptionEvent, EVENT_KINDS, type EventKind } from './event.js';
import { findKind, kindOf } from './kind-of.js';
import { countedSpelling, labelledSpelling, type Spelling } from './spelling.js';

const countedSchemas = schemasFor(countedSpelling);
const labelledSchemas = schemasFor(labelledSpelling);

/** The schemas of all kinds. Optional members get defaults (see {@link readEvent}). */
function schemasFor(spelling: Spelling): Readonly<Record<EventKind, z.ZodType<CountedEvent>>> {
  const schemas = EVENT_KINDS.map((kind) => [kind, kindOf({ kind }).schema(spelling)] as const);
  return Object.fromEntries(schemas) as Record<EventKind, z.ZodType<CountedEvent>>;
}

/**
 * Checks the shape of an event and adds defaults: a breakdown becomes known when it begins, a job when it is released,
 * the others at `knownBy`; a job is released when it becomes known, and breakdowns are resumable.
 *
 * @param spelling `counted` for numbers from 0, as in programs; `labelled` for files
 * @param knownBy the latest time at which the event is known; undefined if that is unknown
 */
export function readEvent(
  value: unknown,
  spelling: 'counted' | 'labelled',
  knownBy?: number,
): CheckedJson<DisruptionEvent> {
  if (!isObject(value)) return missing([], value, 'give an object with a kind');
  const { kind } = value;
  const definition = findKind(kind);
  if (definition === undefined) {
    const word = typeof kind === 'string' ? kind.slice(0, 40) : '';
    return missing(['kind'], kind, suggestNames(word, EVENT_KINDS));
  }
  const schemas = spelling === 'counted' ? countedSchemas : labelledSchemas;
  const checked = checkJson<CountedEvent>(schemas[definition.kind], value);
  if (checked.fault !== undefined) return checked;
  const event = checked.data;
  const at = event.at ?? timeKnown(event, knownBy);
  if (at === undefined) {
    return missing(['at'], undefined, 'give the time at which it becomes known');
  }
  return { data: definition.complete(event, at) };
}

/** The time at which an event becomes known: not after its effect. */
function timeKnown(event: CountedEvent, knownBy: number | undefined): number | undefined {
  const definition = kindOf(event);
  if (definition.timeKnown !== undefined) return definition.timeKnown(event, knownBy);
  const effect = definition.begin?.(event);
  return effect === undefined ? knownBy : Math.min(effect, knownBy ?? effect);
}

function missing(
  path: readonly PropertyKey[],
  found: unknown,
  hint: string,
): { readonly fault: JsonFault } {
  return { fault: { path, problem: describeFound(found), hint, found } };
}
