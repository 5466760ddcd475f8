import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../core/errors.js';
import { readJsonFile, replaceFile, writeJsonFile } from './json-file.js';
import { expectedKeys, type Manifest, manifestSchema, settingDifferences } from './manifest.js';
import { type RunRecord, recordKey } from './record.js';
import { formatRecord, readRecords } from './record-file.js';
import type { RunSummary } from './summary.js';

/** What a run leaves behind. */
export interface StoredRun {
  readonly manifest: Manifest;
  readonly records: readonly RunRecord[];
}

/** The directory of a run that is going on. */
export interface RunDirectory {
  /** What the run had finished before it was resumed. */
  readonly kept: readonly RunRecord[];
  /** Where the run began: the manifest as it was first written. */
  readonly manifest: Manifest;
  append(record: RunRecord): void;
  /** Writes summary and manifest and closes the records. */
  finish(manifest: Manifest, summary: RunSummary): void;
  /** Closes the records. Harmless if they are closed. */
  close(): void;
}

const MANIFEST = 'manifest.json';
const RECORDS = 'records.jsonl';
const SUMMARY = 'summary.json';
const SCHEDULES = 'schedules';

/**
 * Starts the directory of a new run and writes its manifest.
 *
 * @throws InputError `run_exists` if it holds a run already, `bad_out` if it is no directory
 */
export function createRunDirectory(directory: string, manifest: Manifest): RunDirectory {
  if (existsSync(join(directory, MANIFEST)) || existsSync(join(directory, RECORDS))) {
    throw new InputError(
      'run_exists',
      'there is a run in this directory already',
      `finish it with --resume ${directory}, or choose another directory`,
      { file: directory },
    );
  }
  makeDirectory(manifest.save_schedules ? join(directory, SCHEDULES) : directory);
  writeJsonFile(join(directory, MANIFEST), manifest);
  return openDirectory(directory, manifest, []);
}

/**
 * Opens the directory of a run that was not finished. Its records are kept, except those with
 * status `error`, which are run again, and a last line that was cut off.
 *
 * @throws InputError `no_run` if it holds no run, `other_settings` if that run had other settings,
 *   `foreign_record` if a record does not belong to it, and what reading the files throws
 */
export function resumeRunDirectory(directory: string, manifest: Manifest): RunDirectory {
  if (!existsSync(join(directory, MANIFEST))) {
    throw new InputError(
      'no_run',
      'there is no run in this directory',
      `start one with --out ${directory}`,
      { file: directory },
    );
  }
  const before = readManifest(directory);
  const differences = settingDifferences(manifest, before);
  if (differences.length > 0) {
    throw new InputError(
      'other_settings',
      `the run to resume was started with other settings: ${differences.join('; ')}`,
      'give the settings it was started with, or start a new run with --out',
      { file: join(directory, MANIFEST) },
    );
  }
  const file = join(directory, RECORDS);
  const records = existsSync(file) ? readRecords(file) : [];
  refuseForeignRecords(records, before, file);
  const kept = records.filter(({ status }) => status !== 'error');
  replaceFile(file, kept.map(formatRecord).join(''));
  const resumed = { ...before, workers: manifest.workers, finished: null, interrupted: false };
  writeJsonFile(join(directory, MANIFEST), resumed);
  if (resumed.save_schedules) makeDirectory(join(directory, SCHEDULES));
  return openDirectory(directory, resumed, kept);
}

/**
 * Reads a run: its manifest and the records it has so far.
 *
 * @param path directory of the run, or its `records.jsonl` with the manifest beside it
 * @throws InputError if one of the files is not there or not what a run writes
 */
export function readRun(path: string): StoredRun {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const directory = isFile ? dirname(path) : path;
  const manifest = readManifest(directory);
  return { manifest, records: readRecords(join(directory, isFile ? basename(path) : RECORDS)) };
}

/**
 * Reads the manifest of a run.
 *
 * @throws InputError if it is not there or not what a run writes
 */
export function readManifest(directory: string): Manifest {
  return readJsonFile(join(directory, MANIFEST), manifestSchema, 'manifest of the run');
}

/** The file in which the schedule of a record is saved. */
export function schedulePath(directory: string, identity: readonly (string | number)[]): string {
  return join(directory, SCHEDULES, `${identity.map(fileNamePart).join('__')}.json`);
}

/** Any text as a part of a file name; `dispatch:mwkr` becomes `dispatch-mwkr`. */
export function fileNamePart(text: string | number): string {
  return String(text).replaceAll(/[^A-Za-z0-9._-]+/g, '-');
}

function openDirectory(
  directory: string,
  manifest: Manifest,
  kept: readonly RunRecord[],
): RunDirectory {
  let records: number | null = openSync(join(directory, RECORDS), 'a');
  const close = () => {
    if (records !== null) closeSync(records);
    records = null;
  };
  return {
    kept,
    manifest,
    append(record) {
      if (records !== null) appendFileSync(records, formatRecord(record));
    },
    finish(finished, summary) {
      close();
      writeJsonFile(join(directory, SUMMARY), summary);
      writeJsonFile(join(directory, MANIFEST), finished);
    },
    close,
  };
}

function refuseForeignRecords(
  records: readonly RunRecord[],
  manifest: Manifest,
  file: string,
): void {
  const expected = new Set(expectedKeys(manifest));
  records.forEach((record, index) => {
    if (expected.has(recordKey(record))) return;
    throw new InputError(
      'foreign_record',
      'this record does not belong to the run that the manifest describes',
      'delete the line, or start a new run with --out',
      { file, line: index + 1 },
    );
  });
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    throw new InputError(
      'bad_out',
      `the directory cannot be made (${(error as NodeJS.ErrnoException).code})`,
      'choose another one',
      { file: directory },
    );
  }
}
