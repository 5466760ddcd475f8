import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { InputError } from '../../core/errors.js';
import { translateSqlite } from './sqlite-errors.js';
import type { SqliteOptions } from './sqlite-options.js';

export type Connection = InstanceType<typeof Database>;

/** Marks the file as a log of ours: "ALAS" in ASCII. */
const APPLICATION_ID = 0x414c4153;

/** The version of the tables; a file of a newer version is refused. */
const FORMAT_VERSION = 1;

/**
 * All that stands in the schema, text by text, as SQLite keeps it. `seq` numbers the entries of all
 * runs from 1 without gaps. The triggers make the file append-only for every program that opens it;
 * that on INSERT stands against gaps and against INSERT OR REPLACE, which deletes without a trigger.
 */
const SCHEMA = [
  'CREATE TABLE entries (seq INTEGER PRIMARY KEY, run_id TEXT NOT NULL, version INTEGER NOT NULL, ts TEXT NOT NULL, node_id TEXT NOT NULL, event_type TEXT NOT NULL, payload TEXT NOT NULL, correlation_id TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (run_id, version)) STRICT',
  "CREATE TRIGGER entries_in_order BEFORE INSERT ON entries WHEN NEW.version <> (SELECT ifnull(max(version) + 1, 0) FROM entries WHERE run_id = NEW.run_id) OR NEW.seq BETWEEN 0 AND (SELECT max(seq) FROM entries) BEGIN SELECT RAISE(ABORT, 'entries are appended in order'); END",
  "CREATE TRIGGER entries_not_changed BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries do not change'); END",
  "CREATE TRIGGER entries_not_deleted BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END",
] as const;

/**
 * Opens the SQLite file of a log and makes its tables if it is new.
 *
 * @throws InputError `no_file`, `unwritable_file`, `foreign_log`, `newer_log`, `locked_log`,
 *   `damaged_log`
 */
export function openDatabase(file: string, options: SqliteOptions): Connection {
  const { mode = 'write', synchronous = 'normal', busySeconds = 5 } = options;
  requirePlace(file, mode);
  try {
    const path = resolve(file);
    const url = `${pathToFileURL(path).href}?mode=ro`;
    const database = new Database(mode === 'read' ? url : path, { timeout: 1000 * busySeconds });
    if (mode === 'write') {
      if (isBlank(database)) createTables(database, file);
      else requireOurs(database, file);
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA synchronous = ${synchronous}`);
    } else {
      requireOurs(database, file);
    }
    return database;
  } catch (error) {
    throw translateSqlite(error, file);
  }
}

/**
 * Puts all back into the one file, if nobody else has it open, and closes it. What could not be put
 * back stands in the files `-wal` and `-shm` beside it, and is no less durable.
 */
export function closeDatabase(database: Connection, mode: 'write' | 'read'): void {
  if (!database.open) return;
  try {
    if (mode === 'write') database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE');
  } catch {
    // Somebody reads: the last one to write will do it.
  }
  database.close();
}

/** Faults of the schema: what is missing or does not belong there, one sentence each. */
export function schemaFaults(database: Connection): string[] {
  const found = database
    .prepare('SELECT CAST(sql AS BLOB) FROM sqlite_schema WHERE sql IS NOT NULL')
    .raw()
    .all()
    .map((row) => String((row as Buffer[])[0]));
  const named = (sql: string) => sql.slice(0, sql.indexOf(' ', 'CREATE TRIGGER '.length));
  return [
    ...SCHEMA.filter((sql) => !found.includes(sql)).map(
      (sql) => `the schema lacks or has altered its ${named(sql).replace('CREATE ', '')}`,
    ),
    ...found
      .filter((sql) => !(SCHEMA as readonly string[]).includes(sql))
      .map((sql) => `the schema holds what is not ours: ${sql.slice(0, 60)}`),
  ];
}

/** Whether nothing has ever been written into this database. */
function isBlank(database: Connection): boolean {
  const [tables] = query(database, 'SELECT count(*) FROM sqlite_schema');
  const [id] = query(database, 'PRAGMA application_id');
  return tables === 0 && id === 0;
}

function createTables(database: Connection, file: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have come first.
    if (isBlank(database)) {
      for (const sql of SCHEMA) database.exec(sql);
      database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      database.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
    } else {
      requireOurs(database, file);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function requireOurs(database: Connection, file: string): void {
  const [id] = query(database, 'PRAGMA application_id');
  const [version] = query(database, 'PRAGMA user_version');
  if (id !== APPLICATION_ID) {
    throw new InputError(
      'foreign_log',
      'this is no log but an SQLite database of another kind',
      'name a log that alas-jssp wrote, or a file that does not exist yet',
      { file },
      id,
    );
  }
  if (version !== FORMAT_VERSION) {
    throw new InputError(
      'newer_log',
      `this log is of format ${version}; this version of alas-jssp reads format ${FORMAT_VERSION}`,
      'use the version that wrote it',
      { file },
      version,
    );
  }
}

function query(database: Connection, sql: string): readonly unknown[] {
  return database.prepare(sql).raw().get() as readonly unknown[];
}

/** SQLite says only that it cannot open a file; this says why. */
function requirePlace(file: string, mode: 'write' | 'read'): void {
  const refuse = (code: string, problem: string, cure: string) => {
    throw new InputError(code, problem, cure, { file });
  };
  if (!existsSync(file)) {
    if (mode === 'read') refuse('no_file', 'there is no such file', 'check the path');
    if (!existsSync(dirname(resolve(file)))) {
      refuse('no_file', 'its directory does not exist', 'make the directory first');
    }
    return;
  }
  if (statSync(file).isDirectory()) {
    refuse('no_file', 'this is a directory', 'name a file inside it');
  }
  try {
    accessSync(file, mode === 'read' ? constants.R_OK : constants.W_OK);
  } catch {
    refuse(
      mode === 'read' ? 'no_file' : 'unwritable_file',
      `you may not ${mode} it`,
      'change its permissions, or name another file',
    );
  }
}
