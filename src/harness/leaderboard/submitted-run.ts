import { InputError } from '@alas-jssp/core/errors';
import { parseJsonAs } from '@alas-jssp/core/json-file';
import { schemaName } from '@alas-jssp/core/schema-name';
import * as z from 'zod';
import { plannerName } from '../../jssp/planner-name.js';
import { type RunRecord, recordKey, recordSchema } from '../records/record.js';
import { expectedCells, type Manifest, manifestSchema, methodsOf } from '../run/manifest.js';
import { MANIFEST, RECORDS } from '../run/stored-run.js';
import { SUMMARY } from './checksums.js';
import type { FaultList } from './faults.js';
import { parseSubmittedJson } from './parse-submitted.js';
import type { SubmissionFolder } from './submission-folder.js';

/** The limit of members of a JSON file: enough for schedules of 400,000 operations. */
export const MAX_MEMBERS = 4_000_000;
const MAX_RECORDS = 100_000;

/** A record and its line in `records.jsonl`. */
export interface SubmittedRecord {
  readonly record: RunRecord;
  readonly line: number;
}

/** Reads the manifest of a submission; undefined if it cannot be used. */
export function readSubmittedManifest(
  folder: SubmissionFolder,
  faults: FaultList,
): Manifest | undefined {
  const manifest = faults.attempt(MANIFEST, null, () =>
    parseFile(folder, MANIFEST, manifestSchema),
  );
  if (manifest === undefined) return undefined;
  const { spec, instances, outcome } = manifest;
  const fault = (problem: string) => faults.add(MANIFEST, null, problem);
  if (outcome.finished === null || outcome.interrupted) fault('the run is not finished');
  if (spec.objective !== 'makespan') fault('the objective is not the makespan');
  if (spec.disruption !== null) fault('the schedules are executed under events');
  if (spec.dueTightness !== null) fault('the instances have other due dates');
  const sizes = [instances, spec.planners, spec.variants, methodsOf(spec)];
  const cells = sizes.reduce((product, { length }) => product * length, spec.replicates);
  if (cells > 0 && cells <= MAX_RECORDS) return manifest;
  fault(`the run has ${cells} records; 1 to ${MAX_RECORDS} are possible`);
  return undefined;
}

/** Reads the records of a submission, of which each must belong to the run, and be there once. */
export function readSubmittedRecords(
  folder: SubmissionFolder,
  manifest: Manifest,
  faults: FaultList,
): SubmittedRecord[] {
  const bytes = faults.attempt(RECORDS, null, () => requireFile(folder, RECORDS));
  if (bytes === undefined) return [];
  const missing = new Map([...expectedCells(manifest)].map((cell) => [recordKey(cell), cell]));
  const lineOf = new Map<string, number>();
  const records: SubmittedRecord[] = [];
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  lines.slice(0, MAX_RECORDS + 1).forEach((text, index) => {
    const line = index + 1;
    const record = faults.attempt(RECORDS, line, () => parseRecord(text));
    if (record === undefined) return;
    const key = recordKey(record);
    const first = lineOf.get(key);
    if (first !== undefined) {
      faults.add(RECORDS, line, `this is the record of line ${first} again`);
      return;
    }
    lineOf.set(key, line);
    if (missing.delete(key)) records.push({ record, line });
    else faults.add(RECORDS, line, 'the record does not belong to the run of the manifest');
  });
  for (const { instance, planner, replicate } of missing.values()) {
    faults.add(RECORDS, null, `no record of ${planner} on ${instance}, replicate ${replicate}`);
  }
  checkSummary(folder, lines.length, faults);
  return records;
}

/** The names of the planners of a run. */
export function plannersOfRun({ spec }: Manifest): string[] {
  return spec.planners.map(plannerName);
}

const summarySchema = z.object({ schema: schemaName('alas-jssp/summary@1'), records: z.int() });

function checkSummary(folder: SubmissionFolder, records: number, faults: FaultList): void {
  faults.attempt(SUMMARY, null, () => {
    if (folder.read(SUMMARY) === undefined) return;
    const summary = parseFile(folder, SUMMARY, summarySchema);
    if (summary.records === records) return;
    faults.add(SUMMARY, null, `it counts ${summary.records} records, but there are ${records}`);
  });
}

function parseRecord(text: string): RunRecord {
  const bytes = Buffer.from(text);
  parseSubmittedJson(bytes);
  return parseJsonAs(bytes, recordSchema, RECORDS, 'record');
}

/** Parses a JSON file of a submission. @throws InputError if it is missing or invalid */
function parseFile<T>(folder: SubmissionFolder, file: string, schema: z.ZodType<T>): T {
  const bytes = requireFile(folder, file);
  parseSubmittedJson(bytes, MAX_MEMBERS);
  return parseJsonAs(bytes, schema, file, file);
}

function requireFile(folder: SubmissionFolder, file: string): Uint8Array {
  const bytes = folder.read(file);
  if (bytes !== undefined) return bytes;
  throw new InputError('missing_file', 'the file is missing', 'add it', { file });
}
