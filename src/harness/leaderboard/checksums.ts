import { sha256 } from '@alas-jssp/core/sha256';
import { SCHEDULES } from '../run/file-names.js';
import { MANIFEST, RECORDS } from '../run/stored-run.js';
import type { FaultList } from './faults.js';
import type { SubmissionFolder } from './submission-folder.js';

/** The file of checksums, in the form of `sha256sum`. */
export const SUMS = 'SHA256SUMS';
/** The file with the totals of a run. */
export const SUMMARY = 'summary.json';
/** The folder of optional certificates, of `report --best` or `validate --certificate`. */
export const CERTIFICATES = 'certificates';

/** The files of a submission that need a checksum: its run, its schedules and its certificates. */
function submittedFiles(folder: SubmissionFolder): string[] {
  const inside = (name: string) => folder.list(name).map((file) => `${name}/${file}`);
  const files = [MANIFEST, RECORDS, SUMMARY].filter((file) => folder.read(file) !== undefined);
  return [...files, ...inside(SCHEDULES), ...inside(CERTIFICATES)];
}

/** The checksums of a submission as the text of {@link SUMS}. */
export function writeChecksums(folder: SubmissionFolder): string {
  return submittedFiles(folder)
    .map((file) => `${sha256(folder.read(file) ?? '')}  ${file}\n`)
    .join('');
}

/**
 * Checks the checksums of a submission: every one is right, and no file lacks one.
 *
 * @param required whether there must be checksums
 */
export function checkChecksums(folder: SubmissionFolder, faults: FaultList, required: boolean) {
  const bytes = faults.attempt(SUMS, null, () => folder.read(SUMS) ?? null);
  if (bytes === undefined) return;
  if (bytes === null) {
    if (required) faults.add(SUMS, null, 'there are no checksums; write them with --sums');
    return;
  }
  const listed = new Set<string>();
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  lines.forEach((text, index) => {
    const line = index + 1;
    const [, sum, file] = /^([0-9a-f]{64}) [ *](\S.*)$/.exec(text) ?? [];
    if (sum === undefined || listed.has(file)) {
      const twice = 'the file is listed twice';
      faults.add(SUMS, line, sum === undefined ? 'this is no checksum and file name' : twice);
      return;
    }
    listed.add(file);
    faults.attempt(SUMS, line, () => {
      const content = folder.read(file);
      if (content === undefined) faults.add(SUMS, line, `there is no file ${file}`);
      else if (sha256(content) !== sum) faults.add(SUMS, line, `${file} has another checksum`);
    });
  });
  const files = faults.attempt(SUMS, null, () => submittedFiles(folder)) ?? [];
  for (const file of files.filter((one) => !listed.has(one))) {
    faults.add(SUMS, null, `${file} has no checksum`);
  }
}
