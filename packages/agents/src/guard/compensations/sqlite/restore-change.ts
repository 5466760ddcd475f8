import { type ChangePresence, presenceOf, rowsNow } from './change-state.js';
import { type DatabaseChange, isSameRow, SEQUENCE, type TableChange } from './database-change.js';
import {
  boundCell,
  type Cell,
  quoted,
  readSchema,
  type SqliteConnection,
  type TableImage,
} from './database-image.js';

type TableShape = Pick<TableImage, 'name' | 'columns' | 'rowid'>;

/**
 * Restores a database to the state before a change, in one transaction, if it has exactly the state after it; otherwise
 * nothing is written.
 *
 * @returns the state that was found; `other` also if rows of others would refer to nothing
 */
export function restoreChange(database: SqliteConnection, change: DatabaseChange): ChangePresence {
  database.exec('BEGIN IMMEDIATE');
  let isDone = false;
  try {
    const found = presenceOf(database, change);
    if (found !== 'applied') return found;
    const faults = countFaults(database);
    // Triggers would act on the restored rows.
    const triggers = readSchema(database).filter(({ type }) => type === 'trigger');
    for (const { name } of triggers) database.exec(`DROP TRIGGER ${quoted(name)}`);
    const sequences = readSequences(database);
    restoreSchema(database, change);
    for (const table of change.tables) if (table.name !== SEQUENCE) restoreRows(database, table);
    // Rows that were put back have moved them on.
    keepSequences(database, sequences);
    for (const table of change.tables) if (table.name === SEQUENCE) restoreRows(database, table);
    dropSequencesWithoutTable(database);
    const created = new Set(change.created.objects.map(({ type, name }) => `${type} ${name}`));
    const kept = triggers.filter(({ name }) => !created.has(`trigger ${name}`));
    for (const { sql } of kept) database.exec(sql);
    for (const { type, sql } of change.dropped.objects) if (type === 'trigger') database.exec(sql);
    isDone = presenceOf(database, change) === 'reverted' && countFaults(database) <= faults;
    return isDone ? found : 'other';
  } finally {
    database.exec(isDone ? 'COMMIT' : 'ROLLBACK');
  }
}

/** The number of rows that refer to rows that do not exist. */
function countFaults(database: SqliteConnection): number {
  const statement = database.prepare('SELECT count(*) FROM pragma_foreign_key_check()').raw();
  const [count] = statement.get() as unknown as [number];
  return count;
}

type Sequence = {
  readonly number: number;
  readonly name: string | null;
  readonly seq: string | null;
};

/** The numbers of the last rows of tables; empty if the database keeps none. */
function readSequences(database: SqliteConnection): readonly Sequence[] {
  const table = 'SELECT 1 FROM sqlite_master WHERE name = ?';
  if (database.prepare(table).raw().all(SEQUENCE).length === 0) return [];
  const sql = `SELECT rowid AS number, name, CAST(seq AS TEXT) AS seq FROM ${SEQUENCE}`;
  return database.prepare(sql).all() as Sequence[];
}

/** Sets the numbers of tables as they were, also those that a dropped table took with it; new ones are removed. */
function keepSequences(database: SqliteConnection, before: readonly Sequence[]): void {
  const now = readSequences(database);
  for (const { number, seq } of now) {
    const known = before.find((each) => each.number === number);
    if (known === undefined) {
      database.prepare(`DELETE FROM ${SEQUENCE} WHERE rowid = ?`).run(number);
    } else if (known.seq !== seq) {
      const sql = `UPDATE ${SEQUENCE} SET seq = CAST(? AS INTEGER) WHERE rowid = ?`;
      database.prepare(sql).run(known.seq, number);
    }
  }
  for (const { number, name, seq } of before) {
    if (now.some((each) => each.number === number)) continue;
    const sql = `INSERT INTO ${SEQUENCE} (rowid, name, seq) VALUES (?, ?, CAST(? AS INTEGER))`;
    database.prepare(sql).run(number, name, seq);
  }
}

function dropSequencesWithoutTable(database: SqliteConnection): void {
  if (readSequences(database).length === 0) return;
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
  database.exec(`DELETE FROM ${SEQUENCE} WHERE name NOT IN (${tables})`);
}

function restoreSchema(database: SqliteConnection, { dropped, created }: DatabaseChange): void {
  const tables = new Set(created.tables.map(({ name }) => name));
  for (const { type, name, table } of created.objects) {
    // Dropping a table drops its indexes.
    if (type === 'trigger' || (type === 'index' && tables.has(table))) continue;
    database.exec(`DROP ${type.toUpperCase()} ${quoted(name)}`);
  }
  for (const { type, sql } of dropped.objects) if (type === 'table') database.exec(sql);
  for (const table of dropped.tables) {
    for (const row of Object.values(table.rows)) insertRow(database, table, row);
  }
  for (const { type, sql } of dropped.objects) {
    if (type === 'index' || type === 'view') database.exec(sql);
  }
}

/** Puts the rows of a table back. Those that are replaced are deleted first: unique values may have moved. */
function restoreRows(database: SqliteConnection, table: TableChange): void {
  const isSequence = table.name === SEQUENCE;
  const now = rowsNow(database, table.name, table.sql) ?? {};
  // Rows that others have added since have moved the sequence on.
  const rows = table.rows.filter(
    ({ key, after }) => !isSequence || isSameRow(now[key] ?? null, after),
  );
  for (const { after } of rows) if (after !== null) deleteRow(database, table, after);
  for (const { before } of rows) if (before !== null) insertRow(database, table, before);
}

function insertRow(database: SqliteConnection, table: TableShape, row: readonly Cell[]): void {
  const { name, columns, rowid } = table;
  const bound = row.map(boundCell);
  const names = [...(rowid === null ? [] : [rowid]), ...columns.map(quoted)];
  const places = bound.map(({ expression }) => expression);
  const sql = `INSERT INTO ${quoted(name)} (${names.join(', ')}) VALUES (${places.join(', ')})`;
  database.prepare(sql).run(...bound.map(({ value }) => value));
}

function deleteRow(database: SqliteConnection, table: TableShape, row: readonly Cell[]): void {
  const { name, columns, rowid } = table;
  const names = rowid === null ? columns.map(quoted) : [rowid];
  const bound = names.map((_, i) => boundCell(row[i] ?? null));
  const terms = names.map((column, i) => `${column} IS ${bound[i]?.expression}`);
  const sql = `DELETE FROM ${quoted(name)} WHERE ${terms.join(' AND ')}`;
  database.prepare(sql).run(...bound.map(({ value }) => value));
}
