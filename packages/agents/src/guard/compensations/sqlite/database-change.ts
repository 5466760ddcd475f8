import type { Cell, DatabaseImage, DatabaseObject, TableImage } from './database-image.js';

/** A row before and after a statement; null if it does not exist. */
interface RowChange {
  readonly key: string;
  readonly before: readonly Cell[] | null;
  readonly after: readonly Cell[] | null;
}

/** The changed rows of a table that keeps its definition. */
export interface TableChange extends Omit<TableImage, 'rows'> {
  readonly rows: readonly RowChange[];
}

/** The difference that a statement makes to a database. */
export interface DatabaseChange {
  readonly tables: readonly TableChange[];
  /** Objects that only exist, or are defined so, before and after it, and the whole tables among them. */
  readonly dropped: DatabasePart;
  readonly created: DatabasePart;
}

/** Objects of a schema with the contents of its tables. */
export interface DatabasePart {
  readonly objects: readonly DatabaseObject[];
  readonly tables: readonly TableImage[];
}

/** The numbers of the last rows of tables, which SQLite keeps; rows that others add change them, too. */
export const SEQUENCE = 'sqlite_sequence';

/** The difference between two states of a database. */
export function changeBetween(before: DatabaseImage, after: DatabaseImage): DatabaseChange {
  const tables: TableChange[] = [];
  const isInBoth = (name: string) => before.tables.get(name)?.sql === after.tables.get(name)?.sql;
  for (const [name, { rows, ...table }] of before.tables) {
    if (!isInBoth(name)) continue;
    const others = after.tables.get(name)?.rows ?? {};
    const keys = [...new Set([...Object.keys(rows), ...Object.keys(others)])];
    const changed = keys
      .map((key) => ({ key, before: rows[key] ?? null, after: others[key] ?? null }))
      .filter((row) => !isSameRow(row.before, row.after));
    if (changed.length > 0) tables.push({ ...table, rows: changed });
  }
  return { tables, dropped: partOf(before, after), created: partOf(after, before) };
}

/** The objects of one state that the other one does not have, except for the table of sequences. */
function partOf(image: DatabaseImage, other: DatabaseImage): DatabasePart {
  const known = new Set(other.objects.map(({ type, name, sql }) => `${type} ${name} ${sql}`));
  const objects = image.objects.filter(
    ({ type, name, sql }) => name !== SEQUENCE && !known.has(`${type} ${name} ${sql}`),
  );
  const tables = objects.flatMap(({ type, name }) => {
    const table = image.tables.get(name);
    return type === 'table' && table !== undefined ? [table] : [];
  });
  return { objects, tables };
}

/** Whether two rows are equal, value by value and class by class. */
export function isSameRow(a: readonly Cell[] | null, b: readonly Cell[] | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a statement changes nothing. */
export function isEmptyChange({ tables, dropped, created }: DatabaseChange): boolean {
  return tables.length + dropped.objects.length + created.objects.length === 0;
}
