import { InputError } from '@alas-jssp/core/errors';
import { sha256 } from '@alas-jssp/core/sha256';
import { GENESIS, type Head, isLarger, type SealedRow, seal } from './chain.js';
import type { LogEntry, NewEntry } from './entry.js';
import { isConflict } from './sqlite-errors.js';
import { openSqliteFile, type SqliteFile, type SqliteOptions } from './sqlite-file.js';
import { BLOB, createReader, faultsOf, runsOf } from './sqlite-reader.js';
import { createSqliteTables } from './sqlite-tables.js';
import { cutFault, walFaults } from './sqlite-wal.js';
import type { AuditableLog } from './store.js';
import {
  type AppendOptions,
  grantLease,
  type Lease,
  type LeaseAnswer,
  type LeaseRequest,
  notOwner,
} from './tables.js';

/** The default size in bytes from which payloads go to the table of blobs. */
const BLOB_BYTES = 2_000_000;

/**
 * Opens a log in an SQLite file, in WAL mode: many processes may read and write, one at a time;
 * each run has one owner ({@link LogStore.acquire}).
 *
 * @throws InputError as {@link openSqliteFile}
 */
export function openSqliteStore(file: string, options: SqliteOptions = {}): AuditableLog {
  // The write-ahead log is checked before SQLite may merge it.
  const cut = cutFault(file);
  if (cut !== undefined && options.mode !== 'read') {
    const hint = `put ${file}-wal back, or continue without the lost entries in a new log: alas-jssp log export and import`;
    throw new InputError('cut_log', cut, hint, { file });
  }
  const walFound = options.mode === 'read' ? [...(cut ? [cut] : []), ...walFaults(file)] : [];
  const database = openSqliteFile(file, options);
  const {
    put,
    apply,
    close: closeTables,
    ...tables
  } = createSqliteTables(database, file, options.maxBytes);
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

/**
 * Characters of payloads beyond which rows are inserted one by one. Below, one statement takes them all as a JSON list:
 * handing a cell over to SQLite costs more than what SQLite does with it.
 */
const MOST_TOGETHER = 4_000_000;

/** An INSERT with an impossible version unless a condition holds at that moment. */
const insertIf = (condition: string) =>
  `${INSERT} VALUES (?1, CASE WHEN ${condition} THEN ?2 ELSE -1 END, ?3, ?4, ?5, ?6, ?7, ?8)`;

/** The same for a list of rows of a run. The condition, which no row changes, is computed once. */
const insertAllIf = (condition: string) =>
  `${INSERT} SELECT ?1, CASE WHEN ${condition} THEN value ->> 0 ELSE -1 END, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?2)`;

const sizeOf = (rows: readonly SealedRow[]): number =>
  rows.reduce((sum, { payload }) => sum + payload.length, 0);

/** Appends, and caches the ends of the runs to which it appended. */
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
  const insertAllOwned = database.prepare(
    insertAllIf('(SELECT token FROM leases WHERE run_id = ?1) = ?3'),
  );
  const insertAllFree = database.prepare(
    insertAllIf('(SELECT owner FROM leases WHERE run_id = ?1) IS NULL'),
  );
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
  const isBlob = (payload: string) => isLarger(payload, blobBytes);
  const valuesOf = (row: SealedRow): (string | number)[] => {
    const { runId, version, ts, nodeId, eventType, correlationId, hash } = row;
    let { payload } = row;
    if (isBlob(payload)) {
      const name = sha256(payload);
      insertBlob.run([name, Buffer.from(payload)]);
      payload = BLOB + name;
    }
    return [runId, version, ts, nodeId, eventType, payload, correlationId, hash];
  };
  const insertNew = (row: SealedRow): void => void insertNext.run(valuesOf(row));
  /**
   * The first row of a transaction checks the ownership of the run: no other process writes then.
   */
  const insertFirst = (row: SealedRow, token: number | undefined): void => {
    const values = valuesOf(row);
    if (token === undefined) insertFree.run(values);
    else insertOwned.run([...values, token]);
  };
  const insertList = (rows: readonly SealedRow[], token: number | undefined): void => {
    const list = JSON.stringify(rows.map((row) => valuesOf(row).slice(1)));
    const { runId } = rows[0];
    if (token === undefined) insertAllFree.run([runId, list]);
    else insertAllOwned.run([runId, list, token]);
  };
  const insertAll = (rows: readonly SealedRow[], token: number | undefined): void => {
    if (rows.length > 1 && sizeOf(rows) <= MOST_TOGETHER) {
      insertList(rows, token);
      return;
    }
    insertFirst(rows[0], token);
    for (const row of rows.slice(1)) insertNew(row);
  };
  const refusal = (error: unknown, runId: string, token: number | undefined): unknown => {
    if (!isConflict(error)) return error;
    const lease = tables.leaseOf(runId);
    const ours = token === undefined ? (lease?.owner ?? null) === null : lease?.token === token;
    return ours ? conflict(runId, file) : notOwner(runId, lease);
  };
  /** Records the end of a run once its entries are in the log. */
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
      const isAlone = beside === undefined && !rows.some(({ payload }) => isBlob(payload));
      if (isAlone && rows.length === 1) insertFirst(rows[0], token);
      else if (isAlone && sizeOf(rows) <= MOST_TOGETHER) insertList(rows, token);
      else {
        database.transaction(() => {
          insertAll(rows, token);
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
    const { runId, first } = request;
    // A read does not wait for writers.
    const refused = first === undefined ? answerOf(request) : undefined;
    if (refused !== undefined) return refused;
    // Other processes may have appended since this store did.
    heads.delete(runId);
    return database.transaction(() => {
      const answer = answerOf(request);
      if (answer !== undefined) return answer;
      const before = first === undefined ? tables.leaseOf(runId) : undefined;
      const lease = grantLease(request, before) as Lease;
      put(lease);
      const entries = first?.(lease.token) ?? [];
      const rows = seal(entries, GENESIS, maxBytes);
      for (const row of rows) insertNew(row);
      const written = rows.length === 0 ? [] : appended(entries, rows);
      return { status: 'owned', lease, before, entries: written };
    });
  };
  /** Records the end of a run as it was read. */
  const learn = (runId: string, { version, hash }: Head): void => {
    if ((heads.get(runId)?.version ?? -1) < version) heads.set(runId, { version, hash });
  };
  return { append, acquire, learn };
}

function conflict(runId: string, file: string): InputError {
  return new InputError(
    'log_conflict',
    `another process has appended to run ${JSON.stringify(runId)}`,
    'let one process at a time execute a run; read the run again before you append to it',
    { file },
    runId,
  );
}
