import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openLog, openSqliteStore, verifyLog } from '../../../src/workflow/index.js';
import { temporaryDirectory } from '../../temporary-directory.js';
import { entry } from './entries.js';

const newFile = (name = 'log.db') => join(temporaryDirectory(), name);

describe('the file of a log', () => {
  it('is refused with the file, the problem and a cure if it is none', () => {
    const directory = temporaryDirectory();
    const at = (name: string, content?: string) => {
      if (content !== undefined) writeFileSync(join(directory, name), content);
      return join(directory, name);
    };
    const foreign = at('foreign.db');
    new Database(foreign).exec('CREATE TABLE t (a)');
    const newer = at('newer.db');
    openSqliteStore(newer).close();
    new Database(newer).exec('PRAGMA user_version = 3');
    mkdirSync(join(directory, 'folder'));
    for (const [file, message] of [
      [
        at(
          'text.db',
          'no database, but long enough to hold a header of a hundred bytes. '.repeat(3),
        ),
        'no SQLite file',
      ],
      [foreign, 'an SQLite database of another kind'],
      [newer, 'this log is of format 3'],
      [at('folder'), 'this is a directory'],
      [at('no/log.db'), 'directory does not exist'],
    ]) {
      expect(() => openSqliteStore(file)).toThrow(message);
      expect(() => openSqliteStore(file)).toThrow(`${file}: `);
    }
    expect(() => openLog(at('missing.db'))).toThrow('there is no such file');
    expect(() => openLog(foreign)).toThrow('another kind');
    expect(existsSync(at('missing.db'))).toBe(false);
  });

  it('may have any name, and is one file when it is closed', () => {
    const directory = temporaryDirectory();
    const file = join(directory, 'a b?%23#ü.db');
    const store = openSqliteStore(file, { synchronous: 'full' });
    store.append([entry('r'), entry('r')]);
    expect([...openLog(file).read({ runId: 'r' })]).toHaveLength(2);
    store.close();
    store.close();
    const copy = join(directory, 'copy.db');
    const other = openSqliteStore(copy);
    other.append([entry('r')]);
    other.close();
    expect(readdirSync(directory)).toContain('copy.db');
    expect(readdirSync(directory).some((name) => name.startsWith('copy.db-'))).toBe(false);
  });

  it('is append-only for every program that opens it', () => {
    const file = newFile();
    const store = openSqliteStore(file);
    store.append([entry('r'), entry('r')]);
    const database = new Database(file);
    for (const sql of [
      "UPDATE entries SET payload = '{}'",
      'DELETE FROM entries',
      "INSERT OR REPLACE INTO entries SELECT seq, run_id, version, ts, node_id, event_type, '1', correlation_id, hash FROM entries LIMIT 1",
      "INSERT OR REPLACE INTO entries SELECT seq, 'x', 0, ts, node_id, event_type, '1', correlation_id, hash FROM entries LIMIT 1",
      "INSERT INTO entries SELECT NULL, run_id, 5, ts, node_id, event_type, '1', correlation_id, hash FROM entries LIMIT 1",
    ]) {
      expect(() => database.exec(sql), sql).toThrow(/do not change|not deleted|in order/);
    }
    expect(verifyLog(store).valid).toBe(true);
  });

  it('is read while it is written, and the reader sees what is appended', () => {
    const file = newFile();
    const writer = openSqliteStore(file);
    writer.append([entry('r')]);
    const reader = openLog(file);
    writer.append([entry('r')]);
    expect([...reader.read({ runId: 'r' })]).toHaveLength(2);
    expect(() => reader.append([entry('r')])).toThrow('it can only be read');
  });

  it('refuses who appends to a run in which somebody else came first', () => {
    const file = newFile();
    const [first, second] = [openSqliteStore(file), openSqliteStore(file)];
    first.append([entry('r')]);
    expect([...second.read({ runId: 'r' })]).toHaveLength(1);
    first.append([entry('r')]);
    expect(() => second.append([entry('r'), entry('r')])).toThrow(/somebody else has appended/);
    second.append([entry('other')]);
    expect([...second.read({ runId: 'r' })]).toHaveLength(2);
    second.append([entry('r')]);
    expect(() => first.append([entry('r')])).toThrow(/somebody else has appended/);
    expect(verifyLog(first)).toMatchObject({ valid: true, runs: [{ entries: 3 }, { entries: 1 }] });
  });

  it('says when another process holds the lock for too long', () => {
    const file = newFile();
    const store = openSqliteStore(file, { busySeconds: 0.02 });
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    expect(() => store.append([entry('r')])).toThrow(/another process is writing to it; wait/);
    expect(() => store.append([entry('r'), entry('r')])).toThrow('another process');
    other.exec('ROLLBACK');
    expect(store.append([entry('r')])[0].version).toBe(0);
  });
});
