import type { ErrorFacts } from '@alas-jssp/core/errors';
import { formatTime } from '../jssp/time-scale.js';
import { wordsOf } from '../jssp/words.js';
import type { Draft } from './draft.js';

/**
 * Codes of events that came too late to have an effect: their operation, job or downtime is over. Only these may be
 * skipped; any other problem of an event is an error of its author. (A step that does not exist may have been cancelled
 * earlier: an instance does not record that.)
 */
export const TOO_LATE = [
  'operation_finished',
  'operation_started',
  'unknown_step',
  'already_longer',
  'job_finished',
  'machine_up',
  'capacity_usual',
] as const;

/** The codes of events that cannot take effect. */
type RefusalCode =
  | (typeof TOO_LATE)[number]
  | 'before_now'
  | 'not_known_yet'
  | 'unknown_job'
  | 'cannot_do'
  | 'bad_event';

/** The reason why an event cannot take effect. */
export interface Refusal {
  readonly code: RefusalCode;
  /** The problem, as the end of a line that begins with the event. */
  readonly problem: string;
  readonly hint: string;
  /** Facts for sentences in other languages. */
  readonly facts: ErrorFacts;
}

/** Makes a {@link Refusal}. */
export function refusal(
  code: RefusalCode,
  problem: string,
  hint: string,
  facts: ErrorFacts = {},
): Refusal {
  return { code, problem, hint, facts };
}

/** The operation of an event, or the reason why it no longer exists. */
export function findOperation(draft: Draft, job: number, step: number): number | Refusal {
  const missing = requireJob(draft, job);
  if (missing !== undefined) return missing;
  const { jobOffset, kept } = draft;
  if (step < kept[job]) return jobOffset[job] + step;
  const hint = kept[job] === 0 ? 'the job has no steps' : `use step 1 to ${kept[job]}`;
  return refusal('unknown_step', `the job has no step ${step + 1}`, hint, { step: step + 1 });
}

/** The refusal of a job that the shop never had; undefined if it has it. */
export function requireJob({ jobs }: Draft, job: number): Refusal | undefined {
  if (job < jobs) return undefined;
  return refusal('unknown_job', 'there is no such job', `use job 1 to ${jobs}`);
}

/**
 * The refusal of an event whose effect begins in the past; undefined if it does not.
 *
 * @param what the beginning of the problem, before the time: `it begins`
 */
export function refusePast(
  draft: Draft,
  kind: string,
  begin: number,
  what: string,
): Refusal | undefined {
  const { now } = draft;
  if (begin >= now) return undefined;
  const { timeScale } = draft.facts;
  return refusal(
    'before_now',
    `${what} at ${timeText(draft, begin)}, which is past: now is ${timeText(draft, now)}`,
    `give ${timeScale === null ? now : formatTime(timeScale, now)} or later`,
    { begin, kind },
  );
}

/** A time in the words of the shop. */
export function timeText({ facts }: Draft, at: number): string {
  return wordsOf(facts).time(at);
}
