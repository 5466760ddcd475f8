import { appendFileSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '../../core/errors.js';
import { readJsonFile, writeJsonFile } from '../../core/json-file.js';
import { replaceFile, unwritable } from '../../core/replace-file.js';
import { isCutShort, type RecordIdentity, type RunRecord, recordKey } from '../records/record.js';
import { formatRecord, readRecords } from '../records/record-file.js';
import type { RunSummary } from '../records/summary.js';
import type { SavedFiles } from '../worker/task.js';
import { lockDirectory } from './lock.js';
import { expectedCells, type Manifest, manifestSchema, settingDifferences } from './manifest.js';

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
  /** Puts the records in order and writes summary and manifest. */
  finish(manifest: Manifest, records: readonly RunRecord[], summary: RunSummary): void;
  /** Closes the records and gives the directory free. Harmless if that is done. */
  close(): void;
}

const MANIFEST = 'manifest.json';
const RECORDS = 'records.jsonl';
const SUMMARY = 'summary.json';
const SCHEDULES = 'schedules';
const INSTANCES = 'instances';

/**
 * Starts the directory of a new run and writes its manifest.
 *
 * @throws InputError `run_exists` if it holds a run already, `bad_out` if it is no directory,
 *   `run_locked` if another run writes to it
 */
export function createRunDirectory(directory: string, manifest: Manifest): RunDirectory {
  makeDirectory(directory);
  return locked(directory, () => {
    if (holdsRecords(directory)) throw manifestLost(directory);
    if (existsSync(join(directory, MANIFEST))) {
      throw new InputError(
        'run_exists',
        'there is a run in this directory already',
        `finish it with --resume ${directory}, or choose another directory`,
        { file: directory },
      );
    }
    writeJsonFile(join(directory, MANIFEST), manifest);
    return openDirectory(directory, manifest, []);
  });
}

/**
 * Opens the directory of a run that was not finished. Its records are kept, except those with
 * status `error` or a search that was cut short, which are run again, and a last line that was cut
 * off.
 *
 * @throws InputError `no_run` if it holds no run, `other_settings` if that run had other settings,
 *   `foreign_record` if a record does not belong to it, `run_locked` if another run writes to it,
 *   and what reading the files throws
 */
export function resumeRunDirectory(directory: string, manifest: Manifest): RunDirectory {
  refuseMissingRun(directory);
  return locked(directory, () => {
    const before = readManifest(directory);
    refuseOtherSettings(directory, manifest, before);
    const file = join(directory, RECORDS);
    const records = existsSync(file) ? readRecords(file) : [];
    refuseForeignRecords(records, before, file);
    const kept = records.filter((record) => record.status !== 'error' && !isCutShort(record));
    replaceFile(file, kept.map(formatRecord).join(''));
    const { workers, models } = manifest;
    const ended = { finished: null, interrupted: false, stopped: null };
    const resumed = { ...before, workers, models, ...ended };
    writeJsonFile(join(directory, MANIFEST), resumed);
    return openDirectory(directory, resumed, kept);
  });
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
  refuseMissingRun(directory, path);
  const manifest = readManifest(directory);
  return { manifest, records: readRecords(join(directory, isFile ? basename(path) : RECORDS)) };
}

/**
 * Reads the manifest of a run.
 *
 * @throws InputError `no_run` if there is none, `bad_json` if it is not what a run writes
 */
export function readManifest(directory: string): Manifest {
  refuseMissingRun(directory);
  return readJsonFile(join(directory, MANIFEST), manifestSchema, 'manifest of the run');
}

/** The files in which the schedule of a record is saved, and the instance that it was realised in. */
export function savedFiles(directory: string, identity: RecordIdentity): SavedFiles {
  const { instance, planner, variant, method, replicate } = identity;
  const parts = [instance, planner, variant, ...(method === null ? [] : [method]), replicate];
  const name = `${parts.map(fileNamePart).join('__')}.json`;
  return { schedule: join(directory, SCHEDULES, name), instance: join(directory, INSTANCES, name) };
}

/** The id of the run of a record in a log; methods share a run, as they share a schedule. */
export function logRunId({ instance, planner, variant, replicate }: RecordIdentity): string {
  return [instance, planner, variant, replicate].map(fileNamePart).join('__');
}

/** Any text as a part of a file name; `dispatch:mwkr` becomes `dispatch-mwkr`. */
export function fileNamePart(text: string | number): string {
  return String(text).replaceAll(/[^A-Za-z0-9._-]+/g, '-');
}

/** Opens a directory under its lock, which is kept until the directory is closed. */
function locked(directory: string, open: () => RunDirectory): RunDirectory {
  const unlock = lockDirectory(directory);
  try {
    const opened = open();
    const close = () => {
      opened.close();
      unlock();
    };
    return { ...opened, close };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openDirectory(
  directory: string,
  manifest: Manifest,
  kept: readonly RunRecord[],
): RunDirectory {
  if (manifest.save_schedules) makeDirectory(join(directory, SCHEDULES));
  if (manifest.save_schedules && manifest.disruption !== null) {
    makeDirectory(join(directory, INSTANCES));
  }
  const file = join(directory, RECORDS);
  let descriptor: number | null = openSync(file, 'a');
  const close = () => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  return {
    kept,
    manifest,
    append(record) {
      if (descriptor === null) return;
      try {
        appendFileSync(descriptor, formatRecord(record));
      } catch (error) {
        throw unwritable(file, error);
      }
    },
    finish(finished, records, summary) {
      close();
      replaceFile(file, records.map(formatRecord).join(''));
      writeJsonFile(join(directory, SUMMARY), summary);
      writeJsonFile(join(directory, MANIFEST), finished);
    },
    close,
  };
}

function refuseMissingRun(directory: string, named = directory): void {
  if (existsSync(join(directory, MANIFEST))) return;
  if (holdsRecords(directory)) throw manifestLost(directory);
  throw new InputError(
    'no_run',
    `there is no run in ${named}`,
    'name the directory of a run, or start one there with --out',
    {},
    named,
  );
}

function refuseOtherSettings(directory: string, manifest: Manifest, before: Manifest): void {
  const differences = settingDifferences(manifest, before);
  if (differences.length === 0) return;
  throw new InputError(
    'other_settings',
    `the run to resume was started with other settings: ${differences.join('; ')}`,
    'give the settings it was started with, or start a new run with --out',
    { file: join(directory, MANIFEST) },
  );
}

/** True for records without a manifest; both together are a run. */
function holdsRecords(directory: string): boolean {
  return existsSync(join(directory, RECORDS)) && !existsSync(join(directory, MANIFEST));
}

function manifestLost(directory: string): InputError {
  return new InputError(
    'no_manifest',
    `there are records here but no ${MANIFEST}, so nobody can tell what was run`,
    'restore it from a copy, or start anew in another directory',
    { file: directory },
  );
}

function refuseForeignRecords(
  records: readonly RunRecord[],
  manifest: Manifest,
  file: string,
): void {
  const expected = new Set(Array.from(expectedCells(manifest), recordKey));
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

/**
 * Makes a directory, unless it is there.
 *
 * @param user who needs it, in words
 * @throws InputError `bad_out` if that is impossible
 */
export function makeDirectory(directory: string, user = 'a run needs'): void {
  try {
    mkdirSync(directory, { recursive: true });
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const reason = code === 'EEXIST' ? 'this is a file' : `it cannot be made (${code})`;
    throw new InputError('bad_out', `${reason}, ${user} a directory`, 'choose another one', {
      file: directory,
    });
  }
}
