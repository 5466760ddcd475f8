import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { laterVersionHint } from '@alas-jssp/core/later-version';
import type { LogEntry } from './entry.js';
import { createMemoryStore } from './memory-store.js';
import type { AuditableLog, LogStore, StoredRow } from './store.js';
import { unpackLog } from './unpack-log.js';
import { verifyLog } from './verify.js';

/** The name and version of exported logs. */
export const LOG_SCHEMA = 'alas-jssp/log@1';

/** The first byte of a compressed file. */
export const GZIP = 0x1f;

/** Entries imported in one transaction. */
const BATCH = 500;

/** Bytes per read. */
const CHUNK = 2 ** 20;

/** The end of a run in an export. */
interface RunEnd {
  readonly entries: number;
  readonly head: string | null;
}

/**
 * Writes runs as JSON Lines: a header with the format, the runs, their numbers of entries and their
 * last hashes; then one entry per line.
 */
export function* exportLog(store: LogStore, runIds = store.runs()): Generator<string> {
  // Entries appended meanwhile are omitted.
  const ends = runIds.map((runId) => endOf(store, runId));
  yield `${canonicalJson({ schema: LOG_SCHEMA, runs: runIds, ends })}\n`;
  for (const [i, runId] of runIds.entries()) {
    const to = ends[i].entries - 1;
    for (const entry of store.read({ runId, to })) yield `${canonicalJson(entry)}\n`;
  }
}

function endOf(store: LogStore, runId: string): RunEnd {
  for (const { version, hash } of store.read({ runId, descending: true })) {
    return { entries: version + 1, head: hash };
  }
  return { entries: 0, head: null };
}

/**
 * Reads an exported log. Its entries are not verified.
 *
 * @throws InputError `no_file`, `foreign_log`, `other_log_format`, `damaged_log` with the line, or
 *   if there are fewer entries than the header announces
 */
export function readExportedLog(file: string): AuditableLog {
  const lines = linesOf(file);
  const header = parse(lines.next().value ?? '', file, 1);
  requireHeader(header, file);
  const found = new Map<string | null, RunEnd>();
  const rows = function* (): Generator<StoredRow> {
    let line = 1;
    for (const text of lines) {
      line++;
      if (text === '') continue;
      const row = rowOf(parse(text, file, line));
      const entries = (found.get(row.runId)?.entries ?? 0) + 1;
      found.set(row.runId, { entries, head: row.hash });
      yield row;
    }
  };
  const log = createMemoryStore(rows(), file);
  const faults = faultsOfEnds(header, found, file);
  return { ...log, faults: () => faults };
}

/**
 * Compares the entries of an export with its header.
 *
 * @throws InputError `damaged_log` if entries are missing
 */
function faultsOfEnds(
  { runs, ends }: Record<string, unknown>,
  found: ReadonlyMap<string | null, RunEnd>,
  file: string,
): string[] {
  if (!Array.isArray(runs) || !Array.isArray(ends) || runs.length !== ends.length) {
    return ['the header has no ends of its runs'];
  }
  const faults: string[] = [];
  for (const [i, runId] of runs.entries()) {
    const said = ends[i] as RunEnd;
    const { entries, head } = found.get(runId) ?? { entries: 0, head: null };
    const name = JSON.stringify(runId);
    if (entries < said.entries) {
      const problem = `this export was cut: it holds ${entries} of the ${said.entries} entries of run ${name}`;
      throw new InputError('damaged_log', problem, 'use an intact copy', { file });
    }
    if (entries > said.entries || head !== said.head) {
      faults.push(`the header has another end of run ${name}`);
    }
  }
  const known = new Set(runs);
  for (const runId of found.keys()) {
    if (!known.has(runId)) faults.push(`the header does not name run ${JSON.stringify(runId)}`);
  }
  return faults;
}

/**
 * Appends all runs of a log to another, where they keep their hashes. Nothing is appended unless
 * the whole log verifies and none of its runs exists.
 *
 * @returns the number of entries
 * @throws InputError `damaged_log`, `run_exists`
 */
export function importLog(from: AuditableLog, into: LogStore): number {
  const { faults, runs } = verifyLog(from);
  const fault = faults[0] ?? runs.flatMap(({ problems }) => problems)[0]?.message;
  if (fault !== undefined) {
    throw new InputError('damaged_log', `this log is not intact: ${fault}`, 'import an intact log');
  }
  const there = new Set(into.runs());
  const twice = runs.find(({ runId }) => there.has(runId));
  if (twice !== undefined) {
    const problem = `run ${JSON.stringify(twice.runId)} exists already`;
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

/** The lines of a file, which may be longer than a text can be. */
function* linesOf(file: string): Generator<string, undefined> {
  let rest: Buffer[] = [];
  try {
    for (const chunk of chunksOf(file)) {
      let from = 0;
      for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, to)]).toString();
        rest = [];
        from = to + 1;
      }
      rest.push(chunk.subarray(from));
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || error instanceof InputError) throw error;
    if (code.startsWith('Z_')) {
      const problem = `its compressed content is damaged or cut (${code})`;
      throw new InputError('damaged_log', problem, 'use an intact copy', { file });
    }
    throw new InputError('no_file', `the log cannot be read (${code})`, 'check the path', { file });
  }
  yield Buffer.concat(rest).toString();
}

function* chunksOf(file: string): Generator<Buffer> {
  const descriptor = openSync(file, 'r');
  try {
    for (let first = true; ; first = false) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      if (first && chunk[0] === GZIP) return yield unpackLog(readFileSync(file), file);
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}

function requireHeader({ schema }: Record<string, unknown>, file: string): void {
  if (schema === LOG_SCHEMA) return;
  const ours = typeof schema === 'string' && schema.startsWith('alas-jssp/log@');
  throw new InputError(
    ours ? 'other_log_format' : 'foreign_log',
    ours
      ? `this log is of format ${schema}; this version of alas-jssp reads ${LOG_SCHEMA}`
      : 'this is not an exported log: its first line is no header',
    ours
      ? laterVersionHint(schema, [LOG_SCHEMA]) === undefined
        ? 'use the version that wrote it'
        : 'update alas-jssp'
      : 'give a file that alas-jssp log export wrote',
    { file, line: 1 },
    schema,
  );
}

function parse(text: string, file: string, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  const [code, what] = line === 1 ? ['foreign_log', 'header'] : ['damaged_log', 'entry'];
  const hint = 'give a file as alas-jssp log export wrote it';
  throw new InputError(code, `this is not a valid ${what} of a log`, hint, { file, line });
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
