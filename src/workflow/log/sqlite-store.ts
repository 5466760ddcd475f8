import { InputError } from '../../core/errors.js';
import { entryOf, GENESIS, type Head, type SealedRow, seal } from './chain.js';
import type { LogEntry, NewEntry } from './entry.js';
import { createMemoryTables } from './memory-tables.js';
import { isConflict, translateSqlite } from './sqlite-errors.js';
import { closeDatabase, openDatabase, schemaFaults } from './sqlite-file.js';
import type { SqliteOptions } from './sqlite-options.js';
import { walFaults } from './sqlite-wal.js';
import type { AuditableLog, LogQuery, StoredRow } from './store.js';
import type { Lease } from './tables.js';

/** Rows fetched at once: no read holds the file for long. */
const PAGE = 256;

// A text that is no UTF-8 would end the process inside the library, so texts are read as bytes.
const COLUMNS = ['run_id', 'ts', 'node_id', 'event_type', 'payload', 'correlation_id', 'hash']
  .map((column) => `CAST(${column} AS BLOB)`)
  .join(', ');

/**
 * Opens a log in an SQLite file, in WAL mode: many processes may read while one writes. A second
 * process may append to other runs; to the same run it may not ({@link LogStore.append}).
 *
 * @throws InputError as {@link openDatabase} says
 */
export function openSqliteStore(file: string, options: SqliteOptions = {}): AuditableLog {
  const { mode = 'write' } = options;
  // The log beside the file is looked at before SQLite may tidy it up.
  const walFound = mode === 'read' ? walFaults(file) : [];
  const database = openDatabase(file, options);
  const heads = new Map<string, Head>();
  const guarded = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw translateSqlite(error, file);
    }
  };
  const prepare = (sql: string) => guarded(() => database.prepare(sql).raw());
  const insert = guarded(() =>
    database.prepare(
      'INSERT INTO entries (run_id, version, ts, node_id, event_type, payload, correlation_id, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
  );
  const selectHead = prepare(
    'SELECT version, CAST(hash AS BLOB) FROM entries WHERE run_id = ? ORDER BY version DESC LIMIT 1',
  );
  const selectRows = prepare(
    `SELECT seq, version, ${COLUMNS} FROM entries NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ${PAGE}`,
  );

  const selectRun = prepare(
    `SELECT version, version, ${COLUMNS} FROM entries WHERE run_id = ? AND version > ? ORDER BY version LIMIT ${PAGE}`,
  );

  const headOf = (runId: string): Head => {
    const known = heads.get(runId);
    if (known !== undefined) return known;
    const found = selectHead.get(runId) as [number, Buffer] | undefined;
    return found === undefined ? GENESIS : { version: found[0], hash: String(found[1]) };
  };

  const write = (rows: readonly SealedRow[]): void => {
    if (rows.length > 1) database.exec('BEGIN IMMEDIATE');
    try {
      for (const row of rows) {
        const { runId, version, ts, nodeId, eventType, payload, correlationId, hash } = row;
        insert.run(runId, version, ts, nodeId, eventType, payload, correlationId, hash);
      }
      if (rows.length > 1) database.exec('COMMIT');
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  };

  const append = (entries: readonly NewEntry[]): LogEntry[] => {
    const { runId } = entries[0];
    const rows = seal(entries, headOf(runId));
    try {
      write(rows);
    } catch (error) {
      heads.delete(runId);
      throw isConflict(error) ? conflict(runId, file) : error;
    }
    const { version, hash } = rows[rows.length - 1];
    heads.set(runId, { version, hash });
    return rows.map((row, i) => ({ ...entries[i], version: row.version, hash: row.hash }));
  };

  function* read(query: LogQuery): Generator<LogEntry> {
    const { runId, eventTypes, descending = false } = query;
    const types = eventTypes?.map((type) => `'${type}'`).join();
    const select = prepare(
      `SELECT version, ${COLUMNS} FROM entries WHERE run_id = ? AND version BETWEEN ? AND ?${
        types === undefined ? '' : ` AND event_type IN (${types})`
      } ORDER BY version ${descending ? 'DESC' : ''} LIMIT ${PAGE}`,
    );
    let { from = 0, to = Number.MAX_SAFE_INTEGER } = query;
    let last: Head = GENESIS;
    for (;;) {
      const rows = guarded(() => select.all(runId, from, to)) as unknown[][];
      for (const cells of rows) {
        const entry = entryOf(rowOf(cells), file);
        last = entry;
        yield entry;
      }
      if (descending) to = last.version - 1;
      else from = last.version + 1;
      if (rows.length < PAGE) break;
    }
    const toItsEnd = !descending && query.to === undefined && eventTypes === undefined;
    if (toItsEnd && last !== GENESIS) heads.set(runId, { version: last.version, hash: last.hash });
  }

  function* rows(runId?: string): Generator<StoredRow> {
    for (let last = -1; ; ) {
      const page = guarded(() =>
        runId === undefined ? selectRows.all(last) : selectRun.all(runId, last),
      ) as unknown[][];
      for (const [place, ...cells] of page) {
        // In a damaged file they may go round in circles.
        if (typeof place !== 'number' || place <= last) throw damagedOrder(file);
        last = place;
        yield rowOf(cells);
      }
      if (page.length < PAGE) return;
    }
  }

  // Only until the tables stand in the file.
  const { grant, put, require, apply, ...tables } = createMemoryTables();
  const isThere = (runId: string) => selectHead.get(runId) !== undefined;

  return {
    ...tables,
    append(entries, options = {}) {
      if (entries.length === 0) return [];
      require(entries[0].runId, options);
      const written = guarded(() => append(entries));
      apply(entries[0].runId, options);
      return written;
    },
    acquire(request) {
      const { runId, first } = request;
      const there = isThere(runId);
      if (first !== undefined && there) return { status: 'exists' };
      if (first === undefined && !there) return { status: 'missing' };
      const before = tables.leaseOf(runId);
      const lease = grant(request);
      if (lease === undefined) return { status: 'held', lease: before as Lease };
      const entries = first === undefined ? [] : guarded(() => append(first(lease.token)));
      put(lease);
      return { status: 'owned', lease, before, entries };
    },
    read,
    runs: () =>
      prepare('SELECT CAST(run_id AS BLOB) FROM entries GROUP BY run_id ORDER BY min(seq)')
        .all()
        .map((row) => String((row as Buffer[])[0])),
    rows,
    faults: () =>
      guarded(() => [...walFound, ...schemaFaults(database), ...integrityFaults(prepare)]),
    close: () => closeDatabase(database, mode),
  };
}

type Prepare = (sql: string) => { all(): unknown[]; get(): unknown };

/** Faults that SQLite itself finds, and gaps in the numbers of the entries. */
function integrityFaults(prepare: Prepare): string[] {
  const found = prepare('SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check')
    .all()
    .flatMap((row) => String((row as Buffer[])[0]).split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
  const [count, last] = prepare('SELECT count(*), max(seq) FROM entries NOT INDEXED').get() as [
    number,
    number | null,
  ];
  const missing = (last ?? 0) - count;
  return missing === 0 ? found : [...found, `${missing} entries are missing from the file`];
}

function rowOf([version, ...texts]: readonly unknown[]): StoredRow {
  const [runId, ts, nodeId, eventType, payload, correlationId, hash] = texts.map(decode);
  const known = typeof version === 'number' ? version : null;
  return { version: known, runId, ts, nodeId, eventType, payload, correlationId, hash };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(cell: unknown): string | null {
  try {
    return utf8.decode(cell as Buffer);
  } catch {
    return null;
  }
}

function conflict(runId: string, file: string): InputError {
  return new InputError(
    'log_conflict',
    `somebody else has appended to run ${JSON.stringify(runId)}`,
    'let one process at a time execute a run; read the run again before you append to it',
    { file },
    runId,
  );
}

function damagedOrder(file: string): InputError {
  return new InputError(
    'damaged_log',
    'its entries do not stand in order',
    'use a copy that is whole',
    { file },
  );
}
