import { InputError } from '@alas-jssp/core/errors';
import type { FileSource } from './source.js';

const DECODER = new TextDecoder();

/**
 * Refuses a flexible job shop in the `.fjs` format of FJSPLib: `n m` and optionally the average number of alternatives,
 * then for each job the number of operations and, for each, the number of its alternatives with their pairs `machine
 * duration`, machines from 1.
 *
 * @throws InputError `flexible_job_shop` if all of the text has that form
 */
export function refuseFlexible(bytes: Uint8Array, { file }: FileSource): void {
  const [header, ...rows] = numberRows(DECODER.decode(bytes));
  if (header === undefined || (header.length !== 2 && header.length !== 3)) return;
  const [jobs, machines] = header;
  if (jobs < 1 || rows.length !== jobs) return;
  let operations = 0;
  let alternatives = 0;
  for (const row of rows) {
    const counts = countJob(row, machines);
    if (counts === undefined) return;
    operations += counts.operations;
    alternatives += counts.alternatives;
  }
  throw new InputError(
    'flexible_job_shop',
    `this is a flexible job shop (.fjs): ${operations} operations with ${alternatives} alternatives, which are not modelled`,
    'choose one machine and one duration for each operation, in the standard format',
    { file },
  );
}

/** The numbers of each nonempty line; an empty result if a line has anything else. */
function numberRows(text: string): number[][] {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/).map(Number));
  return rows.every((row) => row.every(Number.isFinite)) ? rows : [];
}

/** The operations and alternatives of a job; undefined if its line does not have the form. */
function countJob(row: readonly number[], machines: number) {
  const operations = row[0];
  let alternatives = 0;
  let at = 1;
  for (let k = 0; k < operations; k++) {
    const count = row[at++];
    if (!(count >= 1 && count <= machines)) return undefined;
    for (let one = 0; one < count; one++, at += 2) {
      if (!(row[at] >= 1 && row[at] <= machines && row[at + 1] >= 0)) return undefined;
    }
    alternatives += count;
  }
  return at === row.length ? { operations, alternatives } : undefined;
}
