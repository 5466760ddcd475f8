import type { ErrorFacts } from '../../core/errors.js';

/** The codes of errors that the service has sentences for in other languages than English. */
export const TRANSLATED_CODES = [
  // Events that have no effect.
  'operation_finished',
  'operation_started',
  'unknown_step',
  'already_longer',
  'job_finished',
  'machine_up',
  'before_now',
  'not_known_yet',
  'unknown_job',
  'unknown_machine',
  'bad_time',
  'before_epoch',
  'bad_start',
  // Files of a shop.
  'bad_order',
  'name_taken',
  // What a shop refuses.
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
  // Why a proposal came to nothing.
  'Denied',
  'WaitTimeout',
  'Refused',
  'made_anew',
  'no_repair',
  // What the service refuses.
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

/** The parts of which a sentence of an error is made. */
export interface ProblemParts {
  readonly facts: ErrorFacts;
  /** The event that it is about, in words; empty for none. */
  readonly event: string;
  /** A time in the words of the shop. */
  readonly time: (time: unknown) => string;
}

/** A problem in a sentence, and what would be right where that helps. */
export type ProblemSentence = readonly [problem: string, hint?: string];

/** The sentences of errors in a language; undefined where the facts of an error make no sentence. */
export type ProblemSentences = {
  readonly [code in TranslatedCode]: (parts: ProblemParts) => ProblemSentence | undefined;
} & {
  /** An error whose code has no sentence, by its status of HTTP; the text in English follows. */
  readonly other: (status: number | null) => string;
};

/** The sentence of an error; undefined where its language, its code or its facts have none. */
export function problemSentence(
  sentences: ProblemSentences | null,
  code: unknown,
  parts: ProblemParts,
): ProblemSentence | undefined {
  if (sentences === null || !(TRANSLATED_CODES as readonly unknown[]).includes(code)) return;
  return sentences[code as TranslatedCode](parts);
}
