import { type DatabaseChange, type DatabasePart, isSameRow, SEQUENCE } from './database-change.js';
import { type Rows, readSchema, readTable, type SqliteConnection } from './database-image.js';

/** Whether a change is in a database (`applied`), or not (`reverted`), or others have changed the same things. */
export type ChangePresence = 'applied' | 'reverted' | 'other';

/** Compares a database with the states before and after a change. */
export function presenceOf(database: SqliteConnection, change: DatabaseChange): ChangePresence {
  let [isApplied, isReverted] = [true, true];
  const { dropped, created } = change;
  if (dropped.objects.length + created.objects.length > 0) {
    isApplied = hasPart(database, created) && lacksPart(database, dropped, created);
    isReverted = hasPart(database, dropped) && lacksPart(database, created, dropped);
  }
  for (const { name, sql, rows } of change.tables) {
    if (name === SEQUENCE) continue;
    const now = rowsNow(database, name, sql);
    for (const { key, before, after } of rows) {
      const row = now?.[key] ?? null;
      if (now === undefined || !isSameRow(row, after)) isApplied = false;
      if (now === undefined || !isSameRow(row, before)) isReverted = false;
    }
  }
  return isApplied ? 'applied' : isReverted ? 'reverted' : 'other';
}

/** The rows of a table; undefined if it does not exist any more, or is defined differently. */
export function rowsNow(database: SqliteConnection, name: string, sql: string): Rows | undefined {
  const isThere = readSchema(database).some((each) => each.name === name && each.sql === sql);
  return isThere ? readTable(database, name, sql).rows : undefined;
}

/** Whether all objects exist as they are described, and the tables among them have the same rows. */
function hasPart(database: SqliteConnection, { objects, tables }: DatabasePart): boolean {
  const schema = readSchema(database);
  const isDefined = objects.every(({ type, name, sql }) =>
    schema.some((each) => each.type === type && each.name === name && each.sql === sql),
  );
  return (
    isDefined &&
    tables.every(({ name, sql, rows }) => {
      const now = rowsNow(database, name, sql) ?? {};
      const keys = Object.keys(rows);
      const isAsLong = Object.keys(now).length === keys.length;
      return isAsLong && keys.every((key) => isSameRow(now[key] ?? null, rows[key] ?? null));
    })
  );
}

/** Whether none of the objects exists, except for those that the other part defines by the same name. */
function lacksPart(database: SqliteConnection, part: DatabasePart, other: DatabasePart): boolean {
  const schema = readSchema(database);
  return part.objects.every(
    ({ name }) =>
      other.objects.some((each) => each.name === name) ||
      schema.every((each) => each.name !== name),
  );
}
