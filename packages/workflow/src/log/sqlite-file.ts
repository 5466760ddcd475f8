import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { once } from '@alas-jssp/core/once';
import type Database from 'libsql';
import { READ_ONLY, requirePlace, translateSqlite } from './sqlite-errors.js';
import { APPLICATION_ID, CREATE, FORMAT_VERSION } from './sqlite-schema.js';

/** Options of opening a log file. */
export interface SqliteOptions {
  /** `write` creates the file if there is none; `read` leaves it as it is. Default `write`. */
  readonly mode?: 'write' | 'read' | undefined;
  /**
   * The failure that an appended entry survives: with `normal` the death of the process, with
   * `full` that of the machine too, at the price of a disk write for each append. Default `normal`.
   */
  readonly synchronous?: 'normal' | 'full' | undefined;
  /** Limit of the wait for a lock of another process. Default 5. */
  readonly busySeconds?: number | undefined;
  /**
   * Larger payloads, in bytes of canonical JSON, are kept apart, one copy of equal ones. Default 2
   * MB.
   */
  readonly blobBytes?: number | undefined;
  /** Larger payloads, in bytes of canonical JSON, are rejected. Default 256 MB. */
  readonly maxBytes?: number | undefined;
}

/** A statement, which is compiled when it is first used. Rows are lists of cells. */
interface SqlStatement {
  get(values?: readonly unknown[]): unknown[] | undefined;
  all(values?: readonly unknown[]): unknown[][];
  run(values: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number };
}

/** An open SQLite file. Its errors name the file and a hint, except for violated constraints. */
export interface SqliteFile {
  prepare(sql: string): SqlStatement;
  /** Runs a function in one write transaction; waits for other processes. */
  transaction<T>(act: () => T): T;
  /**
   * Merges all data into the one file, if no other process has it open, and closes it. Unmerged
   * data stay in the files `-wal` and `-shm` next to it, and are no less durable.
   */
  close(): void;
}

type Connection = InstanceType<typeof Database>;

/** The library, loaded with its native code when the first file is opened: most threads and commands open none. */
const libsql = once(() => createRequire(import.meta.url)('libsql') as typeof Database);

/**
 * Pages in the write-ahead log beyond which they are merged into the file: with SQLite's default of
 * 1,000, one of 65 events of a shop waits for the disk.
 */
const CHECKPOINT_PAGES = 4000;
/** Milliseconds between two attempts to open a file that others are opening or closing. */
const PAUSE = 20;

/**
 * Opens the SQLite file of a log, and makes its tables if it is new.
 *
 * @throws InputError `no_file`, `unwritable_file`, `foreign_log`, `other_log_format`, `locked_log`,
 *   `damaged_log`
 */
export function openSqliteFile(file: string, options: SqliteOptions): SqliteFile {
  const { mode = 'write', busySeconds = 5 } = options;
  requirePlace(file, mode);
  const end = systemClock.now() + 1000 * busySeconds;
  for (;;) {
    try {
      return connect(file, mode, options);
    } catch (error) {
      // A change of the journal does not wait by itself.
      const translated = translateSqlite(error, file);
      const locked = (translated as InputError).code === 'locked_log';
      if (!locked || systemClock.now() > end) throw translated;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

function connect(file: string, mode: 'write' | 'read', options: SqliteOptions): SqliteFile {
  const { synchronous = 'normal', busySeconds = 5 } = options;
  const path = resolve(file);
  const url = `${pathToFileURL(path).href}?mode=ro`;
  const database = new (libsql())(mode === 'read' ? url : path, { timeout: 1000 * busySeconds });
  try {
    if (mode === 'write') {
      makeTables(database);
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      database.exec(`PRAGMA synchronous = ${synchronous}`);
    }
    requireFormat(database, file);
    return fileOf(database, { file, mode });
  } catch (error) {
    database.close();
    throw error;
  }
}

interface Opened {
  readonly file: string;
  readonly mode: 'write' | 'read';
}

function fileOf(database: Connection, { file, mode }: Opened): SqliteFile {
  const begin = statementOf(database, 'BEGIN IMMEDIATE', file);
  const commit = statementOf(database, 'COMMIT', file);
  return {
    prepare: (sql) => statementOf(database, sql, file),
    transaction(act) {
      if (mode === 'read') throw new InputError(...READ_ONLY, { file });
      begin.run([]);
      try {
        const result = act();
        commit.run([]);
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    },
    close() {
      if (!database.open) return;
      try {
        if (mode === 'write') {
          database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
        }
      } catch {
        // Another process reads or writes: the last writer will do it.
      }
      database.close();
    },
  };
}

function statementOf(database: Connection, sql: string, file: string): SqlStatement {
  let compiled: ReturnType<Connection['prepare']> | undefined;
  const statement = () => {
    if (compiled === undefined) {
      compiled = database.prepare(sql);
      if (compiled.reader) compiled.raw();
    }
    return compiled;
  };
  // Without closures: this path runs for each append.
  return {
    get(values = []) {
      try {
        return statement().get(values) as unknown[] | undefined;
      } catch (error) {
        throw translateSqlite(error, file);
      }
    },
    all(values = []) {
      try {
        return statement().all(values) as unknown[][];
      } catch (error) {
        throw translateSqlite(error, file);
      }
    },
    run(values) {
      try {
        return statement().run(values) as ReturnType<SqlStatement['run']>;
      } catch (error) {
        throw translateSqlite(error, file);
      }
    },
  };
}

function rollBack(database: Connection): void {
  // A full disk may have ended the transaction already.
  if (database.inTransaction) database.exec('ROLLBACK');
}

/** Creates the tables of a new file, in one transaction. */
function makeTables(database: Connection): void {
  if (!isBlank(database)) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been first.
    if (isBlank(database)) for (const sql of CREATE) database.exec(sql);
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Whether nothing has ever been written into this database. */
function isBlank(database: Connection): boolean {
  const [tables] = firstRow(database, 'SELECT count(*) FROM sqlite_schema');
  const [id] = firstRow(database, 'PRAGMA application_id');
  return tables === 0 && id === 0;
}

/** @throws InputError `foreign_log`, `other_log_format` */
function requireFormat(database: Connection, file: string): void {
  const [id] = firstRow(database, 'PRAGMA application_id');
  const [version] = firstRow(database, 'PRAGMA user_version') as [number];
  if (id !== APPLICATION_ID) {
    throw new InputError(
      'foreign_log',
      'this is not a log but another SQLite database',
      'name a log that alas-jssp wrote, or a file that does not exist yet',
      { file },
      id,
    );
  }
  if (version !== FORMAT_VERSION) {
    throw new InputError(
      'other_log_format',
      `this log is of format ${version}; this version of alas-jssp reads format ${FORMAT_VERSION}`,
      version > FORMAT_VERSION ? 'update alas-jssp' : 'use the version that wrote it',
      { file },
      version,
    );
  }
}

function firstRow(database: Connection, sql: string): readonly unknown[] {
  return database.prepare(sql).raw().get() as readonly unknown[];
}
