import type { ErrorFacts } from '@alas-jssp/core/errors';

/** The codes of errors for which the service has translated sentences. */
export const TRANSLATED_CODES = [
  // Events without effect.
  'operation_finished',
  'operation_started',
  'unknown_step',
  'already_longer',
  'job_finished',
  'machine_up',
  'capacity_usual',
  'cannot_do',
  'before_now',
  'not_known_yet',
  'unknown_job',
  'unknown_machine',
  'unknown_resource',
  'bad_time',
  'before_epoch',
  'bad_start',
  // Files of a shop.
  'bad_order',
  'name_taken',
  // Refusals of a shop.
  'bad_now',
  'nothing_to_undo',
  'other_version',
  'no_report',
  'built_upon',
  'no_version',
  'no_proposal',
  'proposal_waits',
  'shop_ended',
  'shop_exists',
  'no_shop',
  'other_request',
  'bad_change',
  // Reasons why a proposal failed.
  'Denied',
  'WaitTimeout',
  'Refused',
  'outdated',
  'no_repair',
  // Refusals of the service.
  'no_token',
  'bad_token',
  'forbidden',
  'foreign_host',
  'foreign_origin',
  'busy',
  'too_many_requests',
  'too_many_streams',
  'too_many_shops',
  'too_many_operations',
  'shop_quarantined',
  'shop_opening',
  'not_quarantined',
  'out_of_time',
  'out_of_memory',
  'ending',
  'too_large',
  'too_slow',
  'bad_request',
  'bad_media_type',
  'bad_policy',
  'no_policy',
  'not_found',
  'bad_method',
  'unwritable_file',
  'locked_log',
  'no_file',
  'damaged_log',
  'changed_log',
  'run_owned',
  'not_owner',
  'internal',
] as const;

/** A code of {@link TRANSLATED_CODES}. */
type TranslatedCode = (typeof TRANSLATED_CODES)[number];

/** The parts from which the sentence of an error is built. */
export interface ProblemParts {
  readonly facts: ErrorFacts;
  /** The event in words; empty if the error is not about one. */
  readonly event: string;
  /** The event in words; empty if the error is not about one. */
  readonly time: (time: unknown) => string;
}

/** A problem in a sentence, and optionally a hint. */
export type ProblemSentence = readonly [problem: string, hint?: string];

/** The sentences for errors in a language; undefined if the facts of an error are not sufficient. */
export type ProblemSentences = {
  readonly [code in TranslatedCode]: (parts: ProblemParts) => ProblemSentence | undefined;
} & {
  /** For an error code without a sentence, by HTTP status; the English text follows. */
  readonly other: (status: number | null) => string;
};

/** The sentence for an error; undefined if there is none for its language, code or facts. */
export function problemSentence(
  sentences: ProblemSentences | null,
  code: unknown,
  parts: ProblemParts,
): ProblemSentence | undefined {
  if (sentences === null || !(TRANSLATED_CODES as readonly unknown[]).includes(code)) return;
  return sentences[code as TranslatedCode](parts);
}
