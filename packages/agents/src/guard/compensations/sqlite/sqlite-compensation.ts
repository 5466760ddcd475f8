import { errorLine } from '@alas-jssp/core/errors';
import type { Json } from '@alas-jssp/workflow';
import * as z from 'zod';
import type {
  Compensation,
  GuardedCall,
  ObservedEffect,
  UndoneEffect,
} from '../../compensation.js';
import { cannotUndo, fromStored, readSettings, requireText } from '../settings.js';
import { presenceOf, rowsNow } from './change-state.js';
import { changeBetween, type DatabaseChange, isEmptyChange, isSameRow } from './database-change.js';
import {
  type DatabaseImage,
  openDatabase,
  readDatabase,
  type SqliteConnection,
} from './database-image.js';
import { digestOfOthers, type ForeseenChange, isRandom } from './random-change.js';
import { restoreChange } from './restore-change.js';

const name = z.string('give a name').min(1, 'give a name');

const sqliteSettings = z.strictObject({
  /** The file of the database. */
  file: z.string('give the file of the database').min(1, 'give the file of the database'),
  /** Databases with more rows than this are refused. */
  largest: z.int('give a number of rows').positive('give a number above 0').default(100_000),
  /** The argument with the statement, by tool. Default: the tools of `mcp-server-sqlite`. */
  tools: z.record(name, name).default({ write_query: 'query', create_table: 'query' }),
});

/** Statements that change rows or the schema, in one transaction. All others are refused. */
const CHANGES = /^(INSERT|REPLACE|UPDATE|DELETE|WITH|CREATE|DROP|ALTER)\b/i;

/** Leading blanks and comments of a statement. */
const BLANKS = /^(\s|--[^\n]*(\n|$)|\/\*[\s\S]*?(\*\/|$))+/;

/** Texts by which the server answers that a statement failed; it does not mark such answers as errors. */
const FAILURE = /^(Database error|Error): /;

/**
 * Takes back statements on a SQLite database by the rows and definitions that they change, which it learns from a
 * statement that is rolled back before the call.
 *
 * @throws InputError `bad_compensation` for wrong settings; `prepare` throws `cannot_undo`
 */
export function sqliteCompensation(settings: Json): Compensation {
  const { file, largest, tools } = readSettings('sqlite', sqliteSettings, settings);
  const withDatabase = <T>(act: (database: SqliteConnection) => T): T => {
    const database = openDatabase(file);
    try {
      return act(database);
    } finally {
      database.close();
    }
  };
  const changeOf = async ({ blobs }: GuardedCall, digest: Json): Promise<ForeseenChange> =>
    JSON.parse(Buffer.from(await blobs.get(String(digest))).toString('utf8'));
  return {
    name: 'sqlite',
    async prepare(call) {
      const argument = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined;
      if (argument === undefined) {
        const problem = `the compensation sqlite does not know the tool ${call.tool}`;
        throw cannotUndo(problem, `it knows ${Object.keys(tools).join(', ')}`, call.tool);
      }
      const statement = requireChange(requireText(call.input, argument));
      const change = withDatabase((database) => foresee(database, statement, largest));
      return call.blobs.put(Buffer.from(JSON.stringify(change)));
    },
    async observe(call, prepared, output) {
      const change = await changeOf(call, prepared);
      return withDatabase((database) => {
        const isElsewhere =
          change.others !== undefined &&
          digestOfOthers(readDatabase(database, largest), change) !== change.others;
        // What the statement chose at random is unknown, or somebody else has changed something.
        if (isElsewhere) return { state: 'unknown', after: null };
        return observeChange(database, change, isSuccess(output));
      });
    },
    async undo(call, prepared, after) {
      const foreseen = await changeOf(call, prepared);
      const change = fromStored<DatabaseChange | null>(after) ?? foreseen;
      return withDatabase((database) => undoChange(database, change));
    },
  };
}

function requireChange(text: string): string {
  const statement = text.replace(BLANKS, '');
  if (!CHANGES.test(statement)) {
    const word = statement.split(/\s/)[0] ?? '';
    const hint = 'use INSERT, UPDATE, DELETE, CREATE, DROP or ALTER';
    throw cannotUndo(`it is unknown how to undo ${word}`, hint, text);
  }
  if (/^CREATE\s+VIRTUAL\b/i.test(statement)) {
    throw cannotUndo('it makes a virtual table', 'make an ordinary one', text);
  }
  return text;
}

/** Failures of what the server's SQLite may have been built to understand. */
const OF_DIALECT = /syntax error|no such function|wrong number of arguments|misuse of/i;

/** The difference that a statement makes, found by executing it and rolling it back. Empty if it fails. */
function foresee(database: SqliteConnection, statement: string, largest: number): ForeseenChange {
  database.exec('BEGIN IMMEDIATE');
  try {
    const before = readDatabase(database, largest);
    const failure = tryStatement(database, statement);
    if (failure !== undefined && isOfDialect(failure, [statement, ...sqlOf(before)])) {
      const hint = 'use plain SQL, with texts in single quotes';
      throw cannotUndo(`its effect cannot be foreseen: ${failure}`, hint, statement);
    }
    const after = failure === undefined ? readDatabase(database, largest) : before;
    const change = changeBetween(before, after);
    const isSure = failure === undefined && !isRandom([statement, ...sqlOf(before)]);
    if (isSure) return change;
    return { ...change, others: digestOfOthers(before, change) };
  } finally {
    database.exec('ROLLBACK');
  }
}

function sqlOf({ objects }: DatabaseImage): readonly string[] {
  return objects.map(({ sql }) => sql);
}

/** Whether the server's SQLite may succeed where ours fails: it may take a name in double quotes as a text. */
function isOfDialect(failure: string, texts: readonly string[]): boolean {
  const [, column] = /no such column: (.+)$/.exec(failure) ?? [];
  const isText = column !== undefined && texts.some((text) => text.includes(`"${column}"`));
  return isText || OF_DIALECT.test(failure);
}

/** Executes a statement; returns the reason for which it failed. */
function tryStatement(database: SqliteConnection, statement: string): string | undefined {
  try {
    const prepared = database.prepare(statement);
    if ((prepared as unknown as { reader: boolean }).reader) prepared.all();
    else prepared.run();
    return undefined;
  } catch (error) {
    return errorLine(error);
  }
}

function isSuccess(output: Json | undefined): boolean {
  if (output === undefined) return false;
  const { text } = Object(output) as { text?: unknown };
  return typeof text !== 'string' || !FAILURE.test(text);
}

/** Whether the database has the change. */
function observeChange(
  database: SqliteConnection,
  change: DatabaseChange,
  isAnswered: boolean,
): ObservedEffect {
  if (isEmptyChange(change)) return { state: isAnswered ? 'done' : 'not-done', after: null };
  const presence = presenceOf(database, change);
  if (presence === 'applied') return { state: 'done', after: null };
  if (presence === 'reverted') return { state: 'not-done', after: null };
  // The time or a random number in a row is not that of the rolled back statement: the answer vouches for the rows.
  const actual = isAnswered ? actualChange(database, change) : undefined;
  if (actual === undefined) return { state: 'unknown', after: null };
  return { state: 'done', after: JSON.parse(JSON.stringify(actual)) };
}

/** The change with the rows as they are; undefined if others than the foreseen rows exist or were kept. */
function actualChange(
  database: SqliteConnection,
  change: DatabaseChange,
): DatabaseChange | undefined {
  if (change.dropped.objects.length + change.created.objects.length > 0) return undefined;
  const tables = change.tables.map((table) => {
    const now = rowsNow(database, table.name, table.sql) ?? {};
    return { ...table, rows: table.rows.map((row) => ({ ...row, after: now[row.key] ?? null })) };
  });
  const isForeseen = tables.every(({ rows }, i) =>
    rows.every(({ before, after }, j) => {
      const expected = change.tables[i]?.rows[j]?.after ?? null;
      return (after === null) === (expected === null) && !isSameRow(before, after);
    }),
  );
  return isForeseen ? { ...change, tables } : undefined;
}

function undoChange(database: SqliteConnection, change: DatabaseChange): UndoneEffect {
  if (isEmptyChange(change)) {
    return { state: 'nothing-to-undo', message: 'the statement has changed nothing' };
  }
  const found = restoreChange(database, change);
  if (found === 'reverted') {
    return { state: 'nothing-to-undo', message: 'the database does not have the change' };
  }
  if (found === 'applied') return { state: 'undone', message: 'the database is as it was' };
  return { state: 'conflict', message: 'the same rows or tables have been changed since' };
}
