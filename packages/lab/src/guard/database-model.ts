import type { World, WorldCall } from './world.js';

/** Changes tables as SQLite says; false if the statement is refused. All tables have a number as key and a text. */
export function changeTables(tables: World['tables'], { input }: WorldCall): boolean {
  const table = String(input.table);
  const row = Number(input.row);
  const text = String(input.text);
  const rows = tables.get(table);
  if (input.statement === 'create') {
    if (rows === undefined) tables.set(table, new Map());
    return rows === undefined;
  }
  if (rows === undefined) return false;
  switch (input.statement) {
    case 'drop':
      return tables.delete(table);
    case 'insert':
      if (rows.has(row)) return false;
      rows.set(row, text);
      return true;
    case 'append':
      for (const [id, old] of [...rows]) if (id >= row) rows.set(id, old + text);
      return true;
    case 'delete':
      for (const id of [...rows.keys()]) if (id >= row) rows.delete(id);
      return true;
  }
  throw new Error(`the model does not know ${input.statement}`);
}

/** The text of a statement. */
export function sqlOf({ input: { statement, table, row, text } }: WorldCall): string {
  switch (statement) {
    case 'create':
      return `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`;
    case 'drop':
      return `DROP TABLE ${table}`;
    case 'insert':
      return `INSERT INTO ${table} VALUES (${row}, '${text}')`;
    case 'append':
      return `UPDATE ${table} SET text = text || '${text}' WHERE id >= ${row}`;
  }
  return `DELETE FROM ${table} WHERE id >= ${row}`;
}
