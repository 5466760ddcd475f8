import { InputError } from '@alas-jssp/core/errors';
import { type Draft, loseOverload, type OpenDraft } from './draft.js';
import type { DisruptionEvent, EffectiveEvent } from './event.js';
import { describeEvent, labelEvent } from './event-words.js';
import { kindOf } from './kind-of.js';
import { hasNames, labelsWith } from './labels.js';
import { type Refusal, refusal, timeText } from './refusals.js';

/**
 * Applies an event to a draft.
 *
 * @returns undefined, or the reason why it cannot take effect; the draft is then unchanged
 * @throws InputError `unknown_machine` or `unknown_resource`
 */
export function takeEffect(draft: OpenDraft, event: EffectiveEvent): InputError | undefined {
  const reason = refuseEarly(draft, event) ?? kindOf(event).apply(draft, event);
  if (reason !== undefined) return refusalError(draft, event, reason);
  loseOverload(draft);
  return undefined;
}

/** The refusal of an event that is not known yet. */
function refuseEarly(draft: Draft, { at }: EffectiveEvent): Refusal | undefined {
  const { now } = draft;
  if (at <= now) return undefined;
  const known = timeText(draft, at);
  const problem = `it becomes known at ${known}, and now is ${timeText(draft, now)}`;
  const hint = `apply it at ${known} or let it become known earlier`;
  return refusal('not_known_yet', problem, hint, { at });
}

/** The error for an event that cannot take effect, in the words and times of the shop. */
function refusalError(
  { facts, now }: Draft,
  event: EffectiveEvent,
  { code, problem, hint, facts: more }: Refusal,
): InputError {
  const words = `${describeEvent(event, facts)}: ${problem}`;
  const known = !hasNames(facts) ? undefined : labelsWith(facts, [event]);
  const refusalFacts = { event: labelEvent(event, known), now, scale: facts.timeScale, ...more };
  return new InputError(code, words, hint, {}, event, refusalFacts);
}

/**
 * An event completed at the moment when it takes effect: the step of a delay of a job, which is the first one that has
 * not started, if any; the estimated end of a breakdown or of another capacity.
 *
 * @param estimate the duration of either; null for 5 % of the makespan of the schedule
 */
export function resolveEvent(
  draft: Draft,
  event: DisruptionEvent,
  estimate: number | null,
): EffectiveEvent {
  // An event whose kind completes nothing takes effect as it is.
  return kindOf(event).resolve?.(draft, event, estimate) ?? (event as EffectiveEvent);
}
