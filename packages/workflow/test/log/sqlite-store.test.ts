import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import {
  type AuditableLog,
  createMemoryStore,
  exportLog,
  openLog,
  openSqliteStore,
  verifyLog,
} from '../../src/index.js';
import { entry } from './entries.js';

const newFile = (name = 'log.db') => join(temporaryDirectory(), name);

describe('the file of a log', () => {
  it('is refused with the file, the problem and a hint if it is none', () => {
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
        'not an SQLite file',
      ],
      [foreign, 'another SQLite database'],
      [newer, 'this log is of format 3; this version of alas-jssp reads format 1'],
      [at('folder'), 'this is a directory'],
      [at('no/log.db'), 'directory does not exist'],
    ]) {
      expect(() => openSqliteStore(file)).toThrow(message);
      expect(() => openSqliteStore(file)).toThrow(`${file}: `);
    }
    expect(() => openLog(at('missing.db'))).toThrow('the file does not exist');
    expect(() => openLog(foreign)).toThrow('another SQLite database');
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
    expect(() => reader.append([entry('r')])).toThrow('it is read-only');
  });

  it('rejects an append to a run to which another process has appended', () => {
    const file = newFile();
    const [first, second] = [openSqliteStore(file), openSqliteStore(file)];
    first.append([entry('r')]);
    expect([...second.read({ runId: 'r' })]).toHaveLength(1);
    first.append([entry('r')]);
    expect(() => second.append([entry('r'), entry('r')])).toThrow(/another process has appended/);
    second.append([entry('other')]);
    expect([...second.read({ runId: 'r' })]).toHaveLength(2);
    second.append([entry('r')]);
    expect(() => first.append([entry('r')])).toThrow(/another process has appended/);
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

  it('is refused where it would be no file at all', () => {
    expect(() => openSqliteStore(':memory:')).toThrow('use createMemoryStore');
    expect(existsSync(':memory:')).toBe(false);
  });

  const isPosix = process.platform !== 'win32';
  it.runIf(isPosix)('says so when the disk takes no more, and keeps what was appended', () => {
    const file = newFile();
    const program = `
      import { openSqliteStore } from '@alas-jssp/workflow';
      const store = openSqliteStore(${JSON.stringify(file)});
      const payload = { text: 'x'.repeat(500) };
      const entry = { runId: 'r', ts: '2026-01-01T00:00:00Z', nodeId: '', eventType: 'Retry', payload, correlationId: '' };
      let count = 0;
      try {
        for (;;) { store.append([entry]); count++; }
      } catch ({ name, code, message }) {
        console.log(JSON.stringify({ name, code, message, count }));
        process.exit();
      }`;
    const limited = 'trap "" XFSZ; ulimit -f 300 && exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync('sh', ['-c', limited, process.execPath, program]);
    const { count, ...error } = JSON.parse(String(stdout));
    expect(error).toMatchObject({ name: 'InputError', code: 'unwritable_file' });
    expect(error.message).toMatch(`${file}: the disk `);
    const { valid, runs } = verifyLog(openLog(file));
    expect(valid).toBe(true);
    expect(runs[0].entries).toBe(count);
    expect(count).toBeGreaterThan(10);
  });
});

describe('large payloads', () => {
  const open = (file: string) => openSqliteStore(file, { blobBytes: 100 });
  const large = (text: string) => entry('r', 'EndNode', { output: text.repeat(200) });

  it('stand apart, once, and are read, hashed and exported as others', () => {
    const file = newFile();
    const store = open(file);
    const all = [large('a'), large('b'), large('a'), entry('r')];
    const memory = createMemoryStore();
    for (const one of all) store.append([one]);
    store.append(all);
    memory.append([...all, ...all]);
    expect([...store.rows('r')]).toEqual([...memory.rows('r')]);
    expect([...store.read({ runId: 'r' })]).toEqual([...memory.read({ runId: 'r' })]);
    expect([...exportLog(store)]).toEqual([...exportLog(memory)]);
    expect(verifyLog(store)).toEqual(verifyLog(memory));
    store.close();
    const database = new Database(file);
    const count = (sql: string) => database.prepare(sql).raw().get();
    expect(count('SELECT count(*) FROM blobs')).toEqual([2]);
    expect(count('SELECT max(length(payload)) FROM entries')).toEqual(['blob:'.length + 64]);
  });

  it('are missed by the verification if they are damaged or gone', () => {
    const file = newFile();
    const store = open(file);
    store.append([entry('r'), large('a'), entry('r')]);
    store.close();
    const problems = (sql: string) => {
      const copy = newFile();
      copyFileSync(file, copy);
      const database = new Database(copy);
      expect(() => database.exec(sql)).toThrow(/blobs (do not change|are not deleted)/);
      for (const trigger of ['blobs_not_changed', 'blobs_not_deleted']) {
        database.exec(`DROP TRIGGER ${trigger}`);
      }
      database.exec(sql);
      const { runs } = verifyLog(openLog(copy));
      return runs[0].problems.map(({ message }) => message);
    };
    expect(problems("UPDATE blobs SET content = x'7b7d'")).toEqual([
      'run "r", entry 1: it does not match its hash: it was changed',
    ]);
    expect(problems('DELETE FROM blobs')).toEqual([
      'run "r", entry 1: this cannot be read: payload',
    ]);
  });
});

describe('a damaged page', () => {
  it('gives one line that names the file, whatever is asked of the log', () => {
    const file = newFile();
    const store = openSqliteStore(file, { blobBytes: 9000 });
    for (let i = 0; i < 300; i++) {
      for (const run of ['a', 'b']) store.append([entry(run, 'EndNode', { i, x: 'x'.repeat(i) })]);
    }
    store.append([entry('a', 'EndNode', { output: 'x'.repeat(20_000) })]);
    store.close();
    const original = readFileSync(file);
    const uses: readonly ((log: AuditableLog) => unknown)[] = [
      (log) => log.runs(),
      (log) => [...log.read({ runId: 'a' })],
      (log) => [...log.read({ runId: 'b', descending: true })],
      (log) => [...log.read({ runId: 'b', eventTypes: ['Snapshot'] })],
      (log) => [...exportLog(log)],
      (log) => verifyLog(log),
      (log) => [log.leases(), log.claimOf('x'), log.messages('a', 0), log.lastMessages()],
    ];
    const damages: readonly ((bytes: Buffer, at: number) => Buffer)[] = [
      (bytes, at) => bytes.fill(0, at, at + 4096),
      (bytes, at) => bytes.fill(0x41, at + 100, at + 2000),
      (bytes, at) => bytes.fill(0xff, at, at + 20),
      (bytes, at) => bytes.subarray(0, at + 1000),
    ];
    const seen = new Set<string>();
    for (let at = 4096; at < original.length; at += 4096) {
      const copy = newFile();
      writeFileSync(copy, damages[(at / 4096) % damages.length](Buffer.from(original), at));
      for (const use of uses) {
        try {
          const log = openLog(copy);
          use(log);
          log.close();
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
          expect((error as InputError).message).toMatch(`${copy}: `);
          seen.add((error as InputError).code);
        }
      }
    }
    expect([...seen]).toEqual(['damaged_log']);
  });
});
