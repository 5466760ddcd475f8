import { InputError } from '../../core/errors.js';
import { sha256 } from '../../core/sha256.js';
import { entryOf, GENESIS, type Head, isLarger, type SealedRow, seal } from './chain.js';
import type { LogEntry, NewEntry } from './entry.js';
import { isConflict, openSqliteFile, type SqliteFile, type SqliteOptions } from './sqlite-file.js';
import { IS_RARE, RARE_TYPES, schemaFaults } from './sqlite-schema.js';
import { createSqliteTables } from './sqlite-tables.js';
import { walFaults } from './sqlite-wal.js';
import type { AuditableLog, LogQuery, StoredRow } from './store.js';
import {
  type AppendOptions,
  grantLease,
  type LeaseAnswer,
  type LeaseRequest,
  notOwner,
} from './tables.js';

/** Rows fetched at once, at first and at most: no read holds the file for long. */
const PAGE = { first: 32, most: 256 } as const;

/** A page of more characters is followed by a smaller one. */
const LARGE_PAGE = 4_000_000;

/** Payloads of more bytes stand in the table of blobs where nothing else is said. */
const BLOB_BYTES = 2_000_000;

/** What stands before the hash of a payload in the table of blobs; no JSON begins so. */
const BLOB = 'blob:';

// A text that is no UTF-8 would end the process inside the library, so texts are read as bytes.
const COLUMNS = ['run_id', 'ts', 'node_id', 'event_type', 'payload', 'correlation_id', 'hash']
  .map((column) => `CAST(${column} AS BLOB)`)
  .join(', ');

/**
 * Opens a log in an SQLite file, in WAL mode: many processes may read and write, one at a time; each
 * run has one owner ({@link LogStore.acquire}).
 *
 * @throws InputError as {@link openSqliteFile} says
 */
export function openSqliteStore(file: string, options: SqliteOptions = {}): AuditableLog {
  // The log beside the file is looked at before SQLite may tidy it up.
  const walFound = options.mode === 'read' ? walFaults(file) : [];
  const database = openSqliteFile(file, options);
  const { put, apply, close: closeTables, ...tables } = createSqliteTables(database, file);
  const { append, acquire, learn } = createAppender(database, {
    file,
    options,
    tables,
    put,
    apply,
  });
  const { read, rows } = createReader(database, file, learn);
  return {
    ...tables,
    append,
    acquire,
    read,
    runs: runsOf(database),
    rows,
    faults: () => [...walFound, ...faultsOf(database)],
    close: () => {
      closeTables();
      database.close();
    },
  };
}

type Tables = ReturnType<typeof createSqliteTables>;

interface Appending extends Pick<Tables, 'put' | 'apply'> {
  readonly file: string;
  readonly options: SqliteOptions;
  readonly tables: Pick<Tables, 'leaseOf'>;
}

const INSERT =
  'INSERT INTO entries (run_id, version, ts, node_id, event_type, payload, correlation_id, hash)';

/** An INSERT with a version that no entry can have, unless a condition holds at that moment. */
const insertIf = (condition: string) =>
  `${INSERT} VALUES (?1, CASE WHEN ${condition} THEN ?2 ELSE -1 END, ?3, ?4, ?5, ?6, ?7, ?8)`;

/** Appends, and remembers where the runs end that it appended to. */
function createAppender(database: SqliteFile, parts: Appending) {
  const { file, options, tables, put, apply } = parts;
  const { blobBytes = BLOB_BYTES, maxBytes } = options;
  const heads = new Map<string, Head>();
  const insertOwned = database.prepare(
    insertIf('(SELECT token FROM leases WHERE run_id = ?1) = ?9'),
  );
  const insertFree = database.prepare(
    insertIf('(SELECT owner FROM leases WHERE run_id = ?1) IS NULL'),
  );
  const insertNext = database.prepare(`${INSERT} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertBlob = database.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)');
  const selectHead = database.prepare(
    'SELECT version, CAST(hash AS BLOB) FROM entries WHERE run_id = ? ORDER BY version DESC LIMIT 1',
  );

  const headOf = (runId: string): Head => {
    const known = heads.get(runId);
    if (known !== undefined) return known;
    const found = selectHead.get([runId]);
    return found === undefined ? GENESIS : { version: found[0] as number, hash: String(found[1]) };
  };
  /** Whether the run is ours is asked with the first row of a transaction: nobody else writes then. */
  const insert = (row: SealedRow, token: number | undefined, place: number): void => {
    const { runId, version, ts, nodeId, eventType, correlationId, hash } = row;
    let { payload } = row;
    if (isLarger(payload, blobBytes)) {
      const name = sha256(payload);
      insertBlob.run([name, Buffer.from(payload)]);
      payload = BLOB + name;
    }
    const values = [runId, version, ts, nodeId, eventType, payload, correlationId, hash];
    if (place > 0) insertNext.run(values);
    else if (token === undefined) insertFree.run(values);
    else insertOwned.run([...values, token]);
  };
  const refusal = (error: unknown, runId: string, token: number | undefined): unknown => {
    if (!isConflict(error)) return error;
    const lease = tables.leaseOf(runId);
    const ours = token === undefined ? (lease?.owner ?? null) === null : lease?.token === token;
    return ours ? conflict(runId, file) : notOwner(runId, lease);
  };
  /** Notes where a run ends once its entries stand in the log. */
  const appended = (entries: readonly NewEntry[], rows: readonly SealedRow[]): LogEntry[] => {
    const { runId, version, hash } = rows[rows.length - 1];
    heads.set(runId, { version, hash });
    return rows.map((row, i) => ({ ...entries[i], version: row.version, hash: row.hash }));
  };

  const append = (entries: readonly NewEntry[], options: AppendOptions = {}): LogEntry[] => {
    if (entries.length === 0) return [];
    const { runId } = entries[0];
    const { token, claim, dropClaims, commitClaims, release } = options;
    const rows = seal(entries, headOf(runId), maxBytes);
    const beside = claim ?? dropClaims ?? commitClaims ?? release;
    try {
      if (rows.length === 1 && beside === undefined && rows[0].payload.length * 3 <= blobBytes) {
        insert(rows[0], token, 0);
      } else {
        database.transaction(() => {
          for (const [i, row] of rows.entries()) insert(row, token, i);
          apply(runId, options);
        });
      }
    } catch (error) {
      heads.delete(runId);
      throw refusal(error, runId, token);
    }
    const written = appended(entries, rows);
    if (release !== undefined) heads.delete(runId);
    return written;
  };

  const answerOf = (request: LeaseRequest): LeaseAnswer | undefined => {
    const { runId, first } = request;
    const there = selectHead.get([runId]) !== undefined;
    if (first !== undefined) return there ? { status: 'exists' } : undefined;
    if (!there) return { status: 'missing' };
    const before = tables.leaseOf(runId);
    const held = before !== undefined && grantLease(request, before) === undefined;
    return held ? { status: 'held', lease: before } : undefined;
  };
  const acquire = (request: LeaseRequest): LeaseAnswer => {
    // Who only asks does not wait for those who write.
    const refused = answerOf(request);
    if (refused !== undefined) return refused;
    const { runId, first } = request;
    // Others may have appended since this store did.
    heads.delete(runId);
    return database.transaction(() => {
      const before = tables.leaseOf(runId);
      const answer = answerOf(request);
      const lease = answer === undefined ? grantLease(request, before) : undefined;
      if (lease === undefined) return answer as LeaseAnswer;
      put(lease);
      const entries = first?.(lease.token) ?? [];
      const rows = seal(entries, GENESIS, maxBytes);
      for (const [i, row] of rows.entries()) insert(row, lease.token, i);
      const written = rows.length === 0 ? [] : appended(entries, rows);
      return { status: 'owned', lease, before, entries: written };
    });
  };
  /** Takes over where a run ends, as it was read. */
  const learn = (runId: string, { version, hash }: Head): void => {
    if ((heads.get(runId)?.version ?? -1) < version) heads.set(runId, { version, hash });
  };
  return { append, acquire, learn };
}

/** Reads entries and rows, a page at a time. */
function createReader(
  database: SqliteFile,
  file: string,
  learn: (runId: string, head: Head) => void,
) {
  const selectRows = database.prepare(
    `SELECT seq, version, ${COLUMNS} FROM entries NOT INDEXED WHERE seq > ? ORDER BY seq LIMIT ?`,
  );
  const selectRun = database.prepare(
    `SELECT version, version, ${COLUMNS} FROM entries WHERE run_id = ? AND version > ? ORDER BY version LIMIT ?`,
  );
  const selectBlob = database.prepare('SELECT content FROM blobs WHERE hash = ?');
  const rowOf = ([version, ...cells]: readonly unknown[]): StoredRow => {
    const [runId, ts, nodeId, eventType, text, correlationId, hash] = cells.map(decode);
    const known = typeof version === 'number' ? version : null;
    const payload = text?.startsWith(BLOB)
      ? decode(selectBlob.get([text.slice(BLOB.length)])?.[0])
      : text;
    return { version: known, runId, ts, nodeId, eventType, payload, correlationId, hash };
  };

  function* read(query: LogQuery): Generator<LogEntry> {
    const { runId, eventTypes, descending = false } = query;
    const select = database.prepare(
      `SELECT version, ${COLUMNS} FROM entries WHERE run_id = ? AND version BETWEEN ? AND ?${conditionOn(eventTypes)} ORDER BY version ${descending ? 'DESC' : ''} LIMIT ?`,
    );
    let { from = 0, to = Number.MAX_SAFE_INTEGER } = query;
    let last: Head = GENESIS;
    for (let limit: number = PAGE.first; ; ) {
      const page = select.all([runId, from, to, limit]);
      for (const cells of page) {
        const entry = entryOf(rowOf(cells), file);
        last = entry;
        yield entry;
      }
      if (page.length < limit) break;
      if (descending) to = last.version - 1;
      else from = last.version + 1;
      limit = nextLimit(page, limit);
    }
    const toItsEnd = !descending && query.to === undefined && eventTypes === undefined;
    if (toItsEnd && last !== GENESIS) learn(runId, last);
  }

  function* rows(runId?: string): Generator<StoredRow> {
    let limit: number = PAGE.first;
    for (let last = -1; ; ) {
      const page =
        runId === undefined ? selectRows.all([last, limit]) : selectRun.all([runId, last, limit]);
      for (const [place, ...cells] of page) {
        // In a damaged file they may go round in circles.
        if (typeof place !== 'number' || place <= last) throw damagedOrder(file);
        last = place;
        yield rowOf(cells);
      }
      if (page.length < limit) return;
      limit = nextLimit(page, limit);
    }
  }
  return { read, rows };
}

function conditionOn(eventTypes: LogQuery['eventTypes']): string {
  if (eventTypes === undefined) return '';
  const types = ` AND event_type IN (${eventTypes.map((type) => `'${type}'`).join()})`;
  return eventTypes.every((type) => RARE_TYPES.includes(type)) ? `${types} AND ${IS_RARE}` : types;
}

/** Fewer rows after a page of large ones, and more after one of small ones. */
function nextLimit(page: readonly unknown[][], limit: number): number {
  let size = 0;
  for (const row of page) {
    for (const cell of row) if (cell instanceof Uint8Array) size += cell.length;
  }
  return size > LARGE_PAGE ? Math.max(1, limit >> 2) : Math.min(PAGE.most, limit * 4);
}

function runsOf(database: SqliteFile): () => string[] {
  // Runs whose first entry is missing are found by the verification alone.
  const select = database.prepare(
    'SELECT CAST(run_id AS BLOB) FROM entries WHERE version = 0 ORDER BY seq',
  );
  return () => select.all().map(([runId]) => String(runId));
}

/** Faults that SQLite itself finds, those of the schema, and gaps in the numbers of the entries. */
function faultsOf(database: SqliteFile): string[] {
  const texts = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map(([text]) => String(text));
  const schema = texts('SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL');
  const found = texts('SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check')
    .flatMap((text) => text.split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
  const counts = database.prepare('SELECT count(*), max(seq) FROM entries NOT INDEXED').get();
  const [count, last] = counts as [number, number | null];
  const missing = (last ?? 0) - count;
  return [
    ...schemaFaults(schema, database.format),
    ...found,
    ...(missing === 0 ? [] : [`${missing} entries are missing from the file`]),
  ];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null for what is no text, or not there. */
function decode(cell: unknown): string | null {
  if (!(cell instanceof Uint8Array)) return null;
  try {
    return utf8.decode(cell);
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
