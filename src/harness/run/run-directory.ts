import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import { InputError } from '@alas-jssp/core/errors';
import { writeJsonFile } from '@alas-jssp/core/json-file';
import { replaceFile, unwritable } from '@alas-jssp/core/replace-file';
import { isCutShort, type RunRecord, recordKey } from '../records/record.js';
import { formatRecord, readRecords } from '../records/record-file.js';
import type { RunSummary } from '../records/summary.js';
import { INSTANCES, SCHEDULES, STAGES } from './file-names.js';
import { expectedCells, type Manifest, resumeManifest, runDifferences } from './manifest.js';
import {
  holdsRecords,
  MANIFEST,
  manifestLost,
  RECORDS,
  readManifest,
  refuseMissingRun,
} from './stored-run.js';

const SUMMARY = 'summary.json';

/** The directory of a run in progress. */
export interface RunDirectory {
  /** Records that existed before the run was resumed. */
  readonly kept: readonly RunRecord[];
  /** The manifest as it was first written. */
  readonly manifest: Manifest;
  append(record: RunRecord): void;
  /** Sorts the records and writes summary and manifest. */
  finish(manifest: Manifest, records: readonly RunRecord[], summary: RunSummary): void;
  /** Closes the records and releases the directory. Idempotent. */
  close(): void;
}

/**
 * Starts the directory of a new run and writes its manifest.
 *
 * @throws InputError `run_exists` if it has a run already, `bad_out` if it is not a directory, `run_locked` if another
 *   run writes to it
 */
export function createRunDirectory(directory: string, manifest: Manifest): RunDirectory {
  ensureDirectory(directory);
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
 * Opens the directory of an unfinished run. Its records are kept, except an incomplete last line and records with
 * status `error` or an interrupted search, which run again.
 *
 * @throws InputError `no_run` if it has no run, `other_settings` if that run had other settings, `foreign_record` if a
 *   record does not belong to it, `run_locked` if another run writes to it, and errors of reading the files
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
    const resumed = resumeManifest(before, manifest);
    writeJsonFile(join(directory, MANIFEST), resumed);
    return openDirectory(directory, resumed, kept);
  });
}

/** Opens a directory under its lock, which is held until the directory is closed. */
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
  const { saveSchedules, disruption } = manifest.spec;
  if (saveSchedules) {
    for (const folder of [SCHEDULES, STAGES]) ensureDirectory(join(directory, folder));
  }
  if (saveSchedules && disruption !== null) ensureDirectory(join(directory, INSTANCES));
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

function refuseOtherSettings(directory: string, manifest: Manifest, before: Manifest): void {
  const differences = runDifferences(manifest, before);
  if (differences.length === 0) return;
  throw new InputError(
    'other_settings',
    `the run to resume was started with other settings: ${differences.join('; ')}`,
    'give the settings it was started with, or start a new run with --out',
    { file: join(directory, MANIFEST) },
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
 * Makes a directory unless it exists.
 *
 * @param user the part of the system that needs it, in words
 * @throws InputError `bad_out` if that is impossible
 */
export function ensureDirectory(directory: string, user = 'a run needs'): void {
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

/** Locks that this process holds. */
const held = new Set<string>();

/**
 * Locks the directory of a run for this process, because two writers would corrupt it. The lock of a killed process is
 * taken over.
 *
 * @returns releases the directory
 * @throws InputError `run_locked` if another run holds it
 */
function lockDirectory(directory: string): () => void {
  const file = join(directory, 'run.lock');
  if (!tryLock(file)) {
    refuseLiving(directory, file);
    rmSync(file, { force: true });
    if (!tryLock(file)) refuseLiving(directory, file);
  }
  held.add(file);
  return () => {
    if (held.delete(file)) rmSync(file, { force: true });
  };
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, `${pid} ${hostname()}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A full disk may have left an empty lock.
    rmSync(file, { force: true });
    throw unwritable(file, error);
  }
}

function refuseLiving(directory: string, file: string): void {
  const [owner, host] = readFileSync(file, 'utf8').trim().split(' ');
  if (host === hostname() && !isAlive(Number(owner), file)) return;
  throw new InputError(
    'run_locked',
    `another run is writing to this directory (process ${owner} on ${host})`,
    `wait until it is done, or delete ${file} if there is no such process`,
    { file: directory },
  );
}

/** Whether the owner of a lock is alive. This process may have the number of a dead one, for example in a container. */
function isAlive(owner: number, file: string): boolean {
  if (owner === pid) return held.has(file);
  try {
    return kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
