import type { Instance } from '../jssp/instance.js';
import { numberWords, type Words, wordsOf } from '../jssp/words.js';
import type { DisruptionEvent } from './event.js';
import { kindOf } from './kind-of.js';
import { type EventLabels, eventLabels } from './labels.js';

/**
 * An event in words: `breakdown of Lathe 2`, or counted from 1 as in files: `breakdown of machine 3`.
 *
 * @param instance the shop, if it has names: its own, or with the jobs that have arrived
 */
export function describeEvent(event: DisruptionEvent, instance?: Instance): string {
  const words: Omit<Words, 'operation'> = instance === undefined ? numberWords : wordsOf(instance);
  return kindOf(event).describe(event, words, instance);
}

/** The labels of a shop without names. */
const numbers = eventLabels({ jobOffset: new Int32Array(1), names: null });

/**
 * An event as in files: jobs and steps counted from 1, `"Job1"` and `"Machine0"`, or their names. Its keys are in the
 * order of the documentation.
 *
 * @param labels those of the shop, with the jobs that have arrived; default: nothing has a name
 */
export function labelEvent(
  event: DisruptionEvent,
  labels: EventLabels = numbers,
): Record<string, unknown> {
  const { kind, at } = event;
  return { kind, at, ...kindOf(event).label(event, labels) };
}
