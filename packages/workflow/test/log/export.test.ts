import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import {
  createMemoryStore,
  exportLog,
  importLog,
  openLog,
  openSqliteStore,
  verifyLog,
} from '../../src/index.js';
import { arbitraryEntry, entry } from './entries.js';

function exported(lines: Iterable<string>, name = 'log.jsonl'): string {
  const file = join(temporaryDirectory(), name);
  const text = [...lines].join('');
  writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
  return file;
}

describe('an exported log', () => {
  it('holds the same entries, verifies, and comes back with the same hashes', () => {
    fc.assert(
      fc.property(fc.array(arbitraryEntry()), fc.array(arbitraryEntry('b')), (a, b) => {
        const store = createMemoryStore();
        store.append(a);
        store.append(b);
        const log = openLog(exported(exportLog(store)));
        expect([...log.rows()]).toEqual([...store.rows()]);
        expect(verifyLog(log).valid).toBe(true);
        const copy = createMemoryStore();
        expect(importLog(log, copy)).toBe(a.length + b.length);
        expect([...copy.rows()]).toEqual([...store.rows()]);
      }),
      { numRuns: 30 },
    );
  });

  it('may hold some of the runs, compressed, and go into a new file', () => {
    const store = createMemoryStore();
    store.append([entry('a'), entry('a')]);
    store.append(Array.from({ length: 1200 }, () => entry('b')));
    const log = openLog(exported(exportLog(store, ['b']), 'log.jsonl.gz'));
    expect(log.runs()).toEqual(['b']);
    const file = join(temporaryDirectory(), 'copy.db');
    const copy = openSqliteStore(file);
    expect(importLog(log, copy)).toBe(1200);
    expect(() => importLog(log, copy)).toThrow('run "b" exists already');
    copy.close();
    expect(verifyLog(openLog(file))).toEqual(verifyLog(log));
  });

  it('is refused with file and line if it cannot be read, and if it was changed', () => {
    const store = createMemoryStore();
    store.append([entry('a', 'EndNode', { x: 1 }), entry('a')]);
    const text = readFileSync(exported(exportLog(store)), 'utf8');
    const opened = (changed: string) => openLog(exported([changed]));
    expect(() => opened(text.replace('log@1', 'log@2'))).toThrow(
      'this log is of format alas-jssp/log@2',
    );
    expect(() => opened('{"a":1}\n')).toThrow(/log.jsonl:1: this is not an exported log/);
    expect(() => opened(`${text}nonsense\n`)).toThrow(
      /log.jsonl:4: this is not a valid entry of a log/,
    );
    const changed = opened(text.replace('"x":1', '"x":2'));
    expect(verifyLog(changed).runs[0].problems).toMatchObject([{ version: 0, code: 'changed' }]);
    expect(() => importLog(changed, createMemoryStore())).toThrow('run "a", entry 0');
    const unreadable = opened(text.replace('"nodeId":"plan",', ''));
    expect(verifyLog(unreadable).runs[0].problems).toMatchObject([{ code: 'unreadable' }]);
    expect(() => [...unreadable.read({ runId: 'a' })]).toThrow('log.jsonl: entry 0 of run "a"');
  });

  it('is noticed if it was cut, wherever that was', () => {
    const store = createMemoryStore();
    store.append([entry('a'), entry('a'), entry('a')]);
    store.append([entry('b'), entry('b')]);
    const lines = [...exportLog(store)];
    const opened = (some: readonly string[]) => openLog(exported(some));
    expect(verifyLog(opened(lines)).valid).toBe(true);
    for (let length = 1; length < lines.length; length++) {
      expect(() => opened(lines.slice(0, length)), String(length)).toThrow(
        /log.jsonl: this export was cut/,
      );
    }
    expect(() => opened(lines.slice(0, 3))).toThrow('2 of the 3 entries of run "a"');
    expect(() => opened(lines.toSpliced(2, 1))).toThrow('2 of the 3 entries of run "a"');
    const compressed = gzipSync(lines.join(''));
    const file = join(temporaryDirectory(), 'log.jsonl.gz');
    writeFileSync(file, compressed.subarray(0, -20));
    expect(() => openLog(file)).toThrow(/log.jsonl.gz: its compressed content is damaged or cut/);
  });

  it('is detected if its entries differ from its header', () => {
    const store = createMemoryStore();
    store.append([entry('a'), entry('a')]);
    const lines = [...exportLog(store)];
    store.append([entry('a')]);
    store.append([entry('b')]);
    const more = [...exportLog(store)];
    const { faults } = verifyLog(openLog(exported([lines[0], ...more.slice(1)])));
    expect(faults).toEqual([
      'the header has another end of run "a"',
      'the header does not name run "b"',
    ]);
  });

  it('leaves out what is appended while it is written', () => {
    const store = createMemoryStore();
    store.append([entry('a'), entry('a')]);
    const lines: string[] = [];
    for (const line of exportLog(store)) {
      lines.push(line);
      store.append([entry('a')]);
    }
    expect(verifyLog(openLog(exported(lines)))).toMatchObject({
      valid: true,
      runs: [{ entries: 2 }],
    });
  });
});
