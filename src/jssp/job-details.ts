import { refuseUnless } from './instance-checks.js';

/** Texts that a shop keeps with an order, such as its customer, by column heading. */
export type JobDetails = Readonly<Record<string, string>>;

/** The limits of the number of details of a job and of the length of a heading and of a text. */
const MAX_DETAILS = 50;
const LONGEST_HEADING = 200;
const LONGEST_DETAIL = 1000;

const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** A text as a detail: on one line, truncated to {@link LONGEST_DETAIL} characters. */
export function detailText(text: string): string {
  const line = text.replaceAll(UNSEEN, ' ').trim();
  return line.length <= LONGEST_DETAIL ? line : `${line.slice(0, LONGEST_DETAIL - 1).trimEnd()}…`;
}

/**
 * Checks the details of all jobs.
 *
 * @returns them; null if no job has any
 * @throws InputError `bad_instance` for a list that does not match the jobs, too many details, and texts that are too
 *   long or have control characters
 */
export function checkDetails(
  details: readonly JobDetails[] | null | undefined,
  jobs: number,
): readonly JobDetails[] | null {
  if (!details) return null;
  refuseUnless(
    details.length === jobs,
    `there are details of ${details.length} jobs`,
    `give ${jobs}, {} where there are none`,
    details.length,
  );
  let isEmpty = true;
  details.forEach((one, job) => {
    const entries = Object.entries(one);
    if (entries.length > 0) isEmpty = false;
    refuseUnless(
      entries.length <= MAX_DETAILS,
      `job ${job + 1} has ${entries.length} details`,
      `give at most ${MAX_DETAILS}`,
      entries.length,
    );
    for (const [heading, text] of entries) checkDetail(heading, text, job);
  });
  return isEmpty ? null : details;
}

function checkDetail(heading: string, text: unknown, job: number): void {
  const isHeading = heading.length <= LONGEST_HEADING && heading.search(UNSEEN) < 0;
  refuseUnless(
    heading !== '' && isHeading,
    `a detail of job ${job + 1} has an odd heading`,
    `give 1 to ${LONGEST_HEADING} characters in one line`,
    heading,
  );
  refuseUnless(
    typeof text === 'string' && text.length <= LONGEST_DETAIL && text.search(UNSEEN) < 0,
    `the detail ${JSON.stringify(heading)} of job ${job + 1} is no short text`,
    `give at most ${LONGEST_DETAIL} characters in one line, in quotes`,
    text,
  );
}
