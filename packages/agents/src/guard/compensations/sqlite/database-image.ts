import { InputError } from '@alas-jssp/core/errors';
import Database from 'libsql';
import { cannotUndo } from '../settings.js';

export type SqliteConnection = InstanceType<typeof Database>;

/** The storage class of a value and the value as a text: exact for each class. Null is null. */
export type Cell = readonly [kind: 'integer' | 'real' | 'text' | 'blob', value: string] | null;

/** The rows of a table by their keys. */
export type Rows = Readonly<Record<string, readonly Cell[]>>;

/** A table, index, view or trigger. */
export interface DatabaseObject {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/** A table with its rows. */
export interface TableImage {
  readonly name: string;
  readonly sql: string;
  /** The columns that rows have, generated ones left out. */
  readonly columns: readonly string[];
  /** The name of the row's number, if the rows have one that is no column. */
  readonly rowid: string | null;
  readonly rows: Rows;
}

/** A database: its schema, and its tables by name. */
export interface DatabaseImage {
  readonly objects: readonly DatabaseObject[];
  readonly tables: ReadonlyMap<string, TableImage>;
}

/**
 * Opens a database that exists. References between tables are not enforced, as in the server.
 *
 * @throws InputError `bad_database`
 */
export function openDatabase(file: string): SqliteConnection {
  try {
    const database = new Database(file, { fileMustExist: true, timeout: 5000 } as never);
    database.pragma('foreign_keys = OFF');
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError('bad_database', `it cannot be opened: ${reason}`, 'name a database', {
      file,
    });
  }
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function allRows(database: SqliteConnection, sql: string, ...values: unknown[]): unknown[][] {
  return database
    .prepare(sql)
    .raw()
    .all(...values) as unknown[][];
}

/** The schema, without the objects that SQLite makes itself. */
export function readSchema(database: SqliteConnection): readonly DatabaseObject[] {
  const sql =
    'SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid';
  return allRows(database, sql).map(([type, name, table, text]) => ({
    type: String(type),
    name: String(name),
    table: String(table),
    sql: String(text),
  }));
}

/**
 * Reads a whole database.
 *
 * @throws InputError `cannot_undo` if it has more rows than `largest`, or virtual tables
 */
export function readDatabase(database: SqliteConnection, largest: number): DatabaseImage {
  const objects = readSchema(database);
  const tables = new Map<string, TableImage>();
  let left = largest;
  for (const { type, name, sql } of objects) {
    if (type !== 'table') continue;
    if (/^\s*CREATE\s+VIRTUAL/i.test(sql)) {
      throw cannotUndo(
        `the table ${name} is virtual`,
        'use a database without virtual tables',
        name,
      );
    }
    const [[count]] = allRows(database, `SELECT count(*) FROM ${quoted(name)}`);
    left -= Number(count);
    if (left < 0) {
      const hint = 'raise "largest" in the settings of sqlite';
      throw cannotUndo(`the database has more than ${largest} rows`, hint);
    }
    tables.set(name, readTable(database, name, sql));
  }
  return { objects, tables };
}

/** Reads a table. */
export function readTable(database: SqliteConnection, name: string, sql: string): TableImage {
  const info = allRows(database, 'SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)', name);
  const columns = info.filter(([, , , hidden]) => hidden === 0).map(([column]) => String(column));
  const keys = info.filter(([, , pk]) => Number(pk) > 0);
  const [[isWithoutRowid] = [0]] = allRows(database, 'SELECT wr FROM pragma_table_list(?)', name);
  // A column that is the row's number itself keeps it.
  const isNumber =
    keys.length === 1 && String(keys[0]?.[1]).toUpperCase() === 'INTEGER' && !isWithoutRowid;
  const taken = new Set(info.map(([column]) => String(column).toLowerCase()));
  const alias = ['rowid', '_rowid_', 'oid'].find((each) => !taken.has(each));
  const rowid = isWithoutRowid || isNumber ? null : (alias ?? null);
  if (rowid === null && keys.length === 0) {
    throw cannotUndo(`the rows of ${name} cannot be told apart`, 'rename its column rowid', name);
  }
  const keyColumns = rowid === null ? keys.map(([column]) => String(column)) : [rowid];
  const selected = [...(rowid === null ? [] : [rowid]), ...columns];
  const parts = selected.flatMap((column) => {
    const value = rowid === column ? column : quoted(column);
    return [
      `typeof(${value})`,
      `CASE typeof(${value}) WHEN 'blob' THEN hex(${value}) WHEN 'real' THEN ${value} ELSE CAST(${value} AS TEXT) END`,
    ];
  });
  const rows: Record<string, readonly Cell[]> = {};
  for (const row of allRows(database, `SELECT ${parts.join(', ')} FROM ${quoted(name)}`)) {
    const cells = selected.map((_, i) => cellOf(row[2 * i], row[2 * i + 1]));
    const key = JSON.stringify(keyColumns.map((column) => cells[selected.indexOf(column)]));
    rows[key] = cells;
  }
  return { name, sql, columns, rowid, rows };
}

function cellOf(kind: unknown, value: unknown): Cell {
  return kind === 'null' ? null : [kind as 'text', String(value)];
}

/** The value of a cell for a statement, and the expression that takes it. */
export function boundCell(cell: Cell): { readonly expression: string; readonly value: unknown } {
  if (cell === null) return { expression: '?', value: null };
  const [kind, value] = cell;
  if (kind === 'blob') return { expression: '?', value: Buffer.from(value, 'hex') };
  if (kind === 'integer') return { expression: 'CAST(? AS INTEGER)', value };
  if (kind === 'real') return { expression: 'CAST(? AS REAL)', value: Number(value) };
  return { expression: '?', value };
}
