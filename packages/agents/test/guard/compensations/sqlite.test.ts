import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sqliteCompensation } from '../../../src/guard/compensations/sqlite/sqlite-compensation.js';
import { shippedRules } from '../../../src/guard/policies/shipped.js';
import { hasServers, type RealServer, serverCommands, startServer } from '../real-servers.js';

const scratch = mkdtempSync(join(tmpdir(), 'sqlite-'));
const template = join(scratch, 'template.db');
const file = join(scratch, 'data.db');
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const [serverProgram] = serverCommands.sqlite(file);
const python = (serverProgram as string).replace(/mcp-server-sqlite$/, 'python');

function runPython(script: string, database: string): string {
  return execFileSync(
    python,
    ['-c', `import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\n${script}`, database],
    {
      encoding: 'utf8',
    },
  );
}

/** The dump of the database by Python's own library, in an order of its own. */
function dump(): string[] {
  return runPython('print("\\n".join(c.iterdump()))', file).split('\n').sort();
}

const START = `
CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, born, made TEXT DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE notes (text, weight REAL);
CREATE TABLE pairs (a TEXT, b INTEGER, v BLOB, PRIMARY KEY (a, b)) WITHOUT ROWID;
CREATE TABLE log (entry TEXT);
CREATE INDEX by_born ON people (born);
CREATE VIEW old AS SELECT * FROM people WHERE born < 1900;
CREATE TRIGGER noted AFTER DELETE ON people BEGIN INSERT INTO log VALUES ('deleted ' || old.name); END;
INSERT INTO people (name, born, made) VALUES ('Ada', 1815, 'then'), ('Emmy', '1882', 'then'), ('Grace', 1906.5, 'then');
INSERT INTO notes VALUES ('one', 1), ('one', 1), (9007199254740993, 1e300), (x'0001ff', NULL);
INSERT INTO pairs VALUES ('x', 1, x'00'), ('x', 2, NULL);
`;

describe.skipIf(!hasServers)('a database of the real SQLite server', () => {
  let server: RealServer;
  const reset = () => copyFileSync(template, file);
  beforeAll(async () => {
    runPython(`c.executescript("""${START}""")`, template);
    reset();
    server = await startServer(serverCommands.sqlite(file));
  });
  afterAll(() => server.close());
  beforeEach(reset);
  const compensation = () => sqliteCompensation({ file });

  async function perform(query: string, { lost = false, tool = 'write_query' } = {}) {
    const call = server.guarded(tool, { query });
    const prepared = await compensation().prepare(call);
    const output = await server.call(tool, { query });
    const seen = await compensation().observe(call, prepared, lost ? undefined : output);
    return { output, seen, undo: () => compensation().undo(call, prepared, seen.after) };
  }

  const statements = fc.constantFrom(
    "INSERT INTO people (name, born, made) VALUES ('Alan', 1912, 'now')",
    "INSERT INTO people (name, born, made) VALUES ('Alan', 1912, 'now'), ('Ada', 1, 'now')",
    "UPDATE people SET id = id + 10, name = name || '!'",
    'DELETE FROM people WHERE born < 1900',
    'DELETE FROM people',
    "INSERT INTO notes VALUES ('two', 2), (NULL, NULL)",
    "DELETE FROM notes WHERE text = 'one'",
    'UPDATE notes SET weight = weight + 1',
    "UPDATE pairs SET b = b + 1, v = x'ff'",
    'DELETE FROM pairs WHERE b > 1',
    'ALTER TABLE notes ADD COLUMN more DEFAULT 7',
    'ALTER TABLE people RENAME COLUMN born TO year',
    'ALTER TABLE people RENAME TO persons',
    'DROP TABLE people',
    'DROP TABLE pairs',
    'DROP VIEW old',
    'CREATE INDEX by_weight ON notes (weight)',
    'CREATE TABLE fresh AS SELECT * FROM notes',
    "WITH n(x) AS (VALUES ('cte')) INSERT INTO notes SELECT x, 1 FROM n",
    "REPLACE INTO people (id, name, born, made) VALUES (1, 'Ada', 1816, 'now')",
    'INSERT INTO nowhere VALUES (1)',
    'DELETE FROM notes; DELETE FROM people',
  );

  it('is as before after any statements are taken back, last first, with or without their answers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(statements, fc.boolean()), { minLength: 1, maxLength: 5 }),
        async (list) => {
          reset();
          const before = dump();
          const undos: (() => Promise<{ state: string }>)[] = [];
          for (const [statement, lost] of list) {
            const earlier = dump();
            const { seen, undo } = await perform(statement, { lost });
            const isChanged = dump().join() !== earlier.join();
            expect([statement, seen.state]).toEqual([
              statement,
              isChanged ? 'done' : expect.stringMatching(/^(not-)?done$/),
            ]);
            undos.push(undo);
          }
          for (const undo of undos.reverse()) {
            expect((await undo()).state).toMatch(/^(undone|nothing-to-undo)$/);
            expect((await undo()).state).toBe('nothing-to-undo');
          }
          expect(dump()).toEqual(before);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('does not believe an answer that says done, nor one that hides a failure', async () => {
    // The server never commits it.
    const replaced = await perform("REPLACE INTO notes VALUES ('x', 1)");
    expect(replaced.output).toEqual({ text: '[]' });
    expect(replaced.seen.state).toBe('not-done');
    const failed = await perform('INSERT INTO nowhere VALUES (1)');
    expect(failed.output).toMatchObject({ text: expect.stringContaining('no such table') });
    expect(failed.seen.state).toBe('not-done');
  });

  it('gets back rows with times that the statement made itself', async () => {
    const before = dump();
    const made = await perform("INSERT INTO people (name, born) VALUES ('Kurt', random())");
    expect(made.seen.state).toBe('done');
    expect(dump()).not.toEqual(before);
    expect(await made.undo()).toMatchObject({ state: 'undone' });
    expect(dump()).toEqual(before);
    const lost = await perform("INSERT INTO people (name, born) VALUES ('Kurt', random())", {
      lost: true,
    });
    expect(lost.seen.state).toBe('unknown');
  });

  it('keeps what others have changed since', async () => {
    const update = await perform("UPDATE people SET born = 1 WHERE name = 'Ada'");
    await server.call('write_query', { query: "UPDATE people SET born = 2 WHERE name = 'Ada'" });
    const kept = dump();
    expect(await update.undo()).toMatchObject({ state: 'conflict' });
    expect(dump()).toEqual(kept);

    reset();
    const create = await perform('CREATE TABLE mine (x)', { tool: 'create_table' });
    await server.call('write_query', { query: 'INSERT INTO mine VALUES (1)' });
    expect(await create.undo()).toMatchObject({ state: 'conflict' });

    // Rows that others add beside it do not matter.
    reset();
    const insert = await perform("INSERT INTO people (name, made) VALUES ('Kurt', 'now')");
    await server.call('write_query', {
      query: "INSERT INTO people (name, made) VALUES ('Rozsa', 'now')",
    });
    expect(await insert.undo()).toMatchObject({ state: 'undone' });
    expect(dump().join()).toContain('Rozsa');
    expect(dump().join()).not.toContain('Kurt');
  });

  it('refuses what could not be taken back', async () => {
    const refused = (query: string) => expect(perform(query)).rejects;
    await refused('VACUUM').toThrow('how to undo VACUUM');
    await refused("ATTACH 'other.db' AS other").toThrow('how to undo ATTACH');
    await refused('-- a comment\nPRAGMA user_version = 3').toThrow('how to undo PRAGMA');
    await refused('CREATE VIRTUAL TABLE v USING fts5(x)').toThrow('virtual');
    const small = sqliteCompensation({ file, largest: 3 });
    const call = server.guarded('write_query', { query: 'DELETE FROM notes' });
    await expect(small.prepare(call)).rejects.toThrow('more than 3 rows');
  });

  it.each([
    'ALTER TABLE people RENAME COLUMN born TO year',
    'ALTER TABLE people RENAME TO persons',
    'DROP TABLE people',
  ])('leaves the number of the next row of a table without rows: %s', async (statement) => {
    runPython("c.execute('DELETE FROM people'); c.commit()", file);
    const before = dump();
    const altered = await perform(statement);
    expect(await altered.undo()).toMatchObject({ state: 'undone' });
    expect(dump()).toEqual(before);
  });

  it('leaves the numbers of the next rows as they were', async () => {
    await perform('UPDATE people SET id = id + 10');
    const before = dump();
    const deleted = await perform('DELETE FROM people WHERE id = 11');
    expect(await deleted.undo()).toMatchObject({ state: 'undone' });
    expect(dump()).toEqual(before);
  });

  it('refuses what the SQLite of the server may understand, and ours does not', async () => {
    const before = dump();
    for (const query of [
      'INSERT INTO notes VALUES ("in double quotes", 1)',
      'DELETE FROM notes ORDER BY weight LIMIT 1',
    ]) {
      await expect(perform(query)).rejects.toThrow('cannot be foreseen');
    }
    expect(dump()).toEqual(before);
  });

  it('does not know what a statement with random numbers has changed', async () => {
    runPython(
      "c.executemany('INSERT INTO log VALUES (?)', [(str(i),) for i in range(40)]); c.commit()",
      file,
    );
    const chosen = await perform('DELETE FROM log WHERE abs(random()) % 2 = 0');
    expect(chosen.seen.state).toBe('unknown');
    const maybe = await perform(
      'DELETE FROM log WHERE rowid = (SELECT rowid FROM log ORDER BY random() LIMIT 1)',
      { lost: true },
    );
    expect(maybe.seen.state).not.toBe('not-done');
  });

  it('is the subject of shipped rules if the command names it', () => {
    const facts = { identity: server.identity, directory: scratch };
    const command = ['mcp-server-sqlite', '--db-path', 'data.db'];
    const rules = shippedRules.get(server.identity)?.({ ...facts, command });
    expect(rules?.write_query?.compensation).toEqual({ name: 'sqlite', settings: { file } });
    expect(rules?.append_insight).toBeUndefined();
  });
});
