import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import {
  type AuditableLog,
  createMemoryStore,
  openLog,
  openSqliteStore,
  type StoredRow,
  verifyLog,
} from '../../src/index.js';
import { entry } from './entries.js';

const LENGTH = 8;

function fill(store: AuditableLog): AuditableLog {
  for (let i = 0; i < LENGTH; i++) {
    const type = i === LENGTH - 1 ? 'EndRun' : 'EndNode';
    store.append([entry('run', type, { output: { i, text: 'ä'.repeat(i) } }, `n${i}`)]);
    if (i % 3 === 0) store.append([entry('other', 'Retry', { i })]);
  }
  return store;
}

const rows = [...fill(createMemoryStore()).rows()].filter(({ runId }) => runId === 'run');
const verifyRows = (changed: readonly StoredRow[], head?: string) =>
  verifyLog(createMemoryStore(changed), { head });
const problemsOf = (changed: readonly StoredRow[]) =>
  verifyRows(changed).runs.flatMap(({ problems }) => problems);

describe('the verification of a log', () => {
  it('accepts a whole one, and says where its chains end', () => {
    const found = verifyRows(rows);
    expect(found).toMatchObject({ valid: true, faults: [] });
    expect(found.runs).toEqual([
      { runId: 'run', entries: LENGTH, head: rows[LENGTH - 1].hash, ended: true, problems: [] },
    ]);
  });

  it('names the entry of which any character of any column was changed', () => {
    const columns = ['ts', 'nodeId', 'eventType', 'payload', 'correlationId', 'hash'] as const;
    fc.assert(
      fc.property(
        fc.nat(LENGTH - 1),
        fc.constantFrom(...columns),
        fc.nat(),
        fc.constantFrom('0', 'x', ' ', '"', '}'),
        (version, column, place, character) => {
          const text = rows[version][column] as string;
          const at = place % text.length;
          fc.pre(text[at] !== character);
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          const found = problemsOf(rows.with(version, { ...rows[version], [column]: changed }));
          expect(found).toMatchObject([{ runId: 'run', version, code: 'changed' }]);
          const last = version === LENGTH - 1;
          expect(found[0].message).toContain(
            last ? 'one of them was' : column === 'hash' ? 'its hash was' : 'it was changed',
          );
        },
      ),
    );
  });

  it('names what was removed, put in, put elsewhere, renumbered or made unreadable', () => {
    const messages = (changed: readonly StoredRow[]) =>
      problemsOf(changed).map(({ message }) => message.replace('run "run", ', ''));
    expect(messages(rows.toSpliced(3, 2))).toEqual(['entry 3: entries 3 to 4 are missing']);
    expect(messages(rows.slice(1))).toEqual(['entry 0: it is missing']);
    expect(messages(rows.with(4, { ...rows[4], version: 9 }))).toEqual([
      'entry 4: its version was changed to 9',
    ]);
    expect(messages(rows.with(4, { ...rows[4], payload: null }))).toEqual([
      'entry 4: this cannot be read: payload',
    ]);
    expect(messages(rows.toSpliced(3, 0, rows[1]))).toEqual([
      'entry 1: it is in the place of entry 3',
    ]);
    const swapped = rows.with(2, rows[3]).with(3, rows[2]);
    expect(messages(swapped)).toEqual([
      'entry 2: it is missing',
      'entry 2: it is in the place of entry 4',
    ]);
    const renumbered = rows.toSpliced(2, 1).map((row, version) => ({ ...row, version }));
    expect(messages(renumbered).map((message) => message.slice(0, 8))).toEqual(
      [2, 3, 4, 5, 6].map((version) => `entry ${version}:`),
    );
  });

  it('finds a cut or rewritten log by an anchor outside of it', () => {
    const head = rows[LENGTH - 1].hash as string;
    expect(verifyRows(rows, head.slice(0, 8)).valid).toBe(true);
    expect(verifyRows(rows, rows[2].hash as string).valid).toBe(true);
    const cut = verifyRows(rows.slice(0, -1), head);
    expect(cut.runs[0].problems).toMatchObject([{ code: 'head', version: LENGTH - 1 }]);
    expect(verifyRows([], head).valid).toBe(false);
    expect(verifyLog(createMemoryStore(rows), { runId: 'none' }).faults).toHaveLength(1);
  });
});

/** A file and the rows in it; `open` leaves the write-ahead log beside it. */
function sampleFile(open: boolean): { file: string; content: string } {
  const file = join(temporaryDirectory(), 'log.db');
  const store = fill(openSqliteStore(file));
  const content = JSON.stringify([...store.rows()]);
  if (!open) store.close();
  return { file, content };
}

/** The verification of a file in which one byte was changed. */
function outcomeOf(file: string, content: string): 'refused' | 'found' | 'unused' | 'MISSED' {
  try {
    const log = openLog(file);
    const { valid } = verifyLog(log);
    const same = valid && JSON.stringify([...log.rows()]) === content;
    log.close();
    return valid ? (same ? 'unused' : 'MISSED') : 'found';
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return 'refused';
  }
}

describe('a changed byte in the file', () => {
  it.each([
    ['the file itself', ''],
    ['its write-ahead log', '-wal'],
  ])('is found or was unused: %s', (_, ending) => {
    const { file, content } = sampleFile(ending !== '');
    const original = readFileSync(file + ending);
    const copy = join(temporaryDirectory(), 'copy.db');
    const seen = new Set<string>();
    let run = 0;
    fc.assert(
      fc.property(fc.nat(original.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const target = `${copy}${run++}`;
        const bytes = Buffer.from(original);
        bytes[at] ^= mask;
        copyFileSync(file, target);
        writeFileSync(target + ending, bytes);
        const outcome = outcomeOf(target, content);
        seen.add(outcome);
        expect(outcome).not.toBe('MISSED');
      }),
      { numRuns: 150 },
    );
    expect(seen).toContain('found');
  });

  it('is found in the header of the last frame of the write-ahead log', () => {
    const { file, content } = sampleFile(true);
    const original = readFileSync(`${file}-wal`);
    const copy = join(temporaryDirectory(), 'copy.db');
    for (let back = 4120; back > 4096; back--) {
      const bytes = Buffer.from(original);
      bytes[original.length - back] ^= 1;
      copyFileSync(file, `${copy}${back}`);
      writeFileSync(`${copy}${back}-wal`, bytes);
      expect(outcomeOf(`${copy}${back}`, content), String(back)).toBe('found');
    }
  });

  it('is found where the write-ahead log ends within a frame, before anything is done again', () => {
    const { file, content } = sampleFile(true);
    const [wal, shm] = ['-wal', '-shm'].map((ending) => readFileSync(file + ending));
    const copyOf = (name: string, bytes: Buffer, index: Buffer | undefined) => {
      const copy = join(temporaryDirectory(), name);
      copyFileSync(file, copy);
      writeFileSync(`${copy}-wal`, bytes);
      if (index !== undefined) writeFileSync(`${copy}-shm`, index);
      return copy;
    };
    for (const share of [0.3, 0.9]) {
      const cut = wal.subarray(0, Math.floor((wal.length * share) / 8) * 8 + 4);
      for (const index of [shm, undefined]) {
        const again = expect.objectContaining({ code: 'cut_log' });
        expect(() => openSqliteStore(copyOf('again.db', cut, index))).toThrow(again);
        expect(outcomeOf(copyOf('read.db', cut, index), content)).toBe('found');
      }
    }
    // A process that was killed while it appended: all that was committed is there.
    const killed = copyOf('killed.db', Buffer.concat([wal, wal.subarray(32, 200)]), shm);
    openSqliteStore(killed).close();
    expect(outcomeOf(killed, content)).toBe('unused');
  });

  it('is found in every column, and so are rows that were removed behind the triggers', () => {
    const { file } = sampleFile(false);
    const tampered = (sql: string) => {
      const copy = join(temporaryDirectory(), 'copy.db');
      copyFileSync(file, copy);
      const database = new Database(copy);
      const triggers = database
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .all() as { name: string; sql: string }[];
      for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
      const dropped = verifyLog(openLog(copy)).faults;
      expect(dropped).toHaveLength(5);
      expect(dropped.join()).toContain('TRIGGER entries_not_changed');
      database.exec(sql);
      for (const trigger of triggers) database.exec(trigger.sql);
      const { faults, runs } = verifyLog(openLog(copy));
      return [...faults, ...runs.flatMap(({ problems }) => problems.map((p) => p.message))];
    };
    for (const column of ['ts', 'node_id', 'event_type', 'payload', 'correlation_id', 'hash']) {
      const sql = `UPDATE entries SET ${column} = ${column} || ' ' WHERE run_id = 'run' AND version = 3`;
      expect(tampered(sql)).toMatchObject([expect.stringContaining('run "run", entry 3: ')]);
    }
    expect(
      tampered("UPDATE entries SET run_id = 'x' WHERE run_id = 'run' AND version = 3"),
    ).toEqual(
      expect.arrayContaining([expect.stringContaining('run "run", entry 3: it is missing')]),
    );
    expect(tampered("DELETE FROM entries WHERE run_id = 'other'")).toEqual([
      '3 entries are missing from the file',
    ]);
    expect(
      tampered("UPDATE entries SET payload = CAST(x'ff' AS TEXT) WHERE seq = 1"),
    ).toMatchObject([expect.stringContaining('this cannot be read: payload')]);
  });
});
