import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { readJsonFile } from '@alas-jssp/core/json-file';
import type { RunRecord } from '../records/record.js';
import { readRecords } from '../records/record-file.js';
import { type Manifest, manifestSchema } from './manifest.js';

/** A run on disk: its manifest and its records. */
export interface StoredRun {
  readonly manifest: Manifest;
  readonly records: readonly RunRecord[];
}

/** Names of the files in the directory of a run. */
export const MANIFEST = 'manifest.json';
export const RECORDS = 'records.jsonl';

/**
 * Reads a run: its manifest and its records so far.
 *
 * @param path directory of the run, or its `records.jsonl` with the manifest next to it
 * @throws InputError if one of the files is missing or invalid
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
 * @throws InputError `no_run` if there is none, `bad_json` if it is invalid
 */
export function readManifest(directory: string): Manifest {
  refuseMissingRun(directory);
  return readJsonFile(join(directory, MANIFEST), manifestSchema, 'manifest of the run');
}

/** @throws InputError `no_run` if there is no run in a directory, `no_manifest` if only its records are left */
export function refuseMissingRun(directory: string, named = directory): void {
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

/** True for records without a manifest; a run has both. */
export function holdsRecords(directory: string): boolean {
  return existsSync(join(directory, RECORDS)) && !existsSync(join(directory, MANIFEST));
}

/** The error for records without a manifest. */
export function manifestLost(directory: string): InputError {
  return new InputError(
    'no_manifest',
    `this directory has records but no ${MANIFEST}, so the run is unknown`,
    'restore it from a copy, or start a run in another directory',
    { file: directory },
  );
}
