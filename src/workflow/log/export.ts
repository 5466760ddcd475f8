import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { canonicalJson } from '../../core/canonical-json.js';
import { InputError } from '../../core/errors.js';
import { isObject } from '../../core/json-path.js';
import type { LogEntry } from './entry.js';
import { createMemoryStore } from './memory-store.js';
import type { AuditableLog, LogStore, StoredRow } from './store.js';
import { verifyLog } from './verify.js';

/** The name and version of exported logs. */
export const LOG_SCHEMA = 'alas-jssp/log@1';

/** The first byte of a compressed file. */
export const GZIP = 0x1f;

/** Entries imported in one transaction. */
const BATCH = 500;

/** Writes runs as JSON Lines: a header that names the format, then one entry a line. */
export function* exportLog(store: LogStore, runIds = store.runs()): Generator<string> {
  yield `${canonicalJson({ schema: LOG_SCHEMA, runs: runIds })}\n`;
  for (const runId of runIds) {
    for (const entry of store.read({ runId })) yield `${canonicalJson(entry)}\n`;
  }
}

/**
 * Reads an exported log. Its entries are not verified.
 *
 * @throws InputError `no_file`, `foreign_log`, `newer_log`, `damaged_log` with the line
 */
export function readExportedLog(file: string): AuditableLog {
  const [header, ...lines] = readLines(file);
  requireHeader(header, file);
  return createMemoryStore(
    lines.filter((line) => line !== '').map((line, i) => rowOf(parse(line, file, i + 2))),
    file,
  );
}

/**
 * Appends all runs of a log to another, where they get the very hashes that they have. Nothing is
 * appended unless all of it verifies and none of the runs is there.
 *
 * @returns the number of entries
 * @throws InputError `damaged_log`, `run_exists`
 */
export function importLog(from: AuditableLog, into: LogStore): number {
  const { faults, runs } = verifyLog(from);
  const fault = faults[0] ?? runs.flatMap(({ problems }) => problems)[0]?.message;
  if (fault !== undefined) {
    throw new InputError(
      'damaged_log',
      `this log is not true: ${fault}`,
      'import one that is whole',
    );
  }
  const there = new Set(into.runs());
  const twice = runs.find(({ runId }) => there.has(runId));
  if (twice !== undefined) {
    const problem = `run ${JSON.stringify(twice.runId)} is there already`;
    throw new InputError('run_exists', problem, 'import it into a new file', {}, twice.runId);
  }
  const batch: LogEntry[] = [];
  for (const { runId } of runs) {
    for (const entry of from.read({ runId })) {
      batch.push(entry);
      if (batch.length === BATCH) into.append(batch.splice(0));
    }
    into.append(batch.splice(0));
  }
  return runs.reduce((sum, { entries }) => sum + entries, 0);
}

function readLines(file: string): string[] {
  try {
    const bytes = readFileSync(file);
    const text = bytes[0] === GZIP ? gunzipSync(bytes) : bytes;
    return text.toString('utf8').split('\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError('no_file', `the log cannot be read (${code})`, 'check the path', { file });
  }
}

function requireHeader(line: string, file: string): void {
  const { schema } = parse(line, file, 1);
  if (schema === LOG_SCHEMA) return;
  const ours = typeof schema === 'string' && schema.startsWith('alas-jssp/log@');
  throw new InputError(
    ours ? 'newer_log' : 'foreign_log',
    ours ? `this log is of format ${schema}` : 'this is no exported log: its first line names none',
    ours ? 'use the version that wrote it' : 'give a file that alas-jssp log export wrote',
    { file, line: 1 },
    schema,
  );
}

function parse(text: string, file: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  const [code, what] = line === 1 ? ['foreign_log', 'header'] : ['damaged_log', 'entry'];
  const cure = 'give a file as alas-jssp log export wrote it';
  throw new InputError(code, `this is no ${what} of a log`, cure, { file, line });
}

function rowOf({ version, payload, ...texts }: Record<string, unknown>): StoredRow {
  const textOf = (key: string) => (typeof texts[key] === 'string' ? texts[key] : null);
  return {
    version: typeof version === 'number' ? version : null,
    runId: textOf('runId'),
    ts: textOf('ts'),
    nodeId: textOf('nodeId'),
    eventType: textOf('eventType'),
    payload: payload === undefined ? null : canonicalJson(payload),
    correlationId: textOf('correlationId'),
    hash: textOf('hash'),
  };
}
