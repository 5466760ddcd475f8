import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import {
  type AuditableLog,
  createMemoryStore,
  openSqliteStore,
  verifyLog,
} from '../../src/index.js';
import { arbitraryEntry, entry } from './entries.js';

const stores: Record<string, () => AuditableLog> = {
  memory: () => createMemoryStore(),
  SQLite: () => openSqliteStore(join(temporaryDirectory(), 'log.db')),
};

describe.each(Object.entries(stores))('the %s store', (_, open) => {
  it('gives back what was appended, chained from version 0', () => {
    fc.assert(
      fc.property(fc.array(fc.array(arbitraryEntry(), { maxLength: 3 })), (batches) => {
        const store = open();
        const appended = batches.flatMap((batch) => store.append(batch));
        const read = [...store.read({ runId: 'run' })];
        expect(read).toEqual(JSON.parse(JSON.stringify(appended)));
        expect(read.map(({ version }) => version)).toEqual(read.map((_, i) => i));
        expect(verifyLog(store).valid).toBe(true);
        store.close();
      }),
      { numRuns: 25 },
    );
  });

  it('gives equal entries equal hashes, in any store', () => {
    const hashes = [open(), createMemoryStore()].map((store) =>
      store.append([entry('r', 'StartRun', { b: 1, a: [2] }), entry('r')]).map(({ hash }) => hash),
    );
    expect(hashes[0]).toEqual(hashes[1]);
    expect(hashes[0][1]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is not changed by what happens to a payload later', () => {
    const store = open();
    const payload = { list: [1] };
    store.append([entry('r', 'EndNode', payload)]);
    payload.list.push(2);
    expect([...store.read({ runId: 'r' })][0].payload).toEqual({ list: [1] });
    expect(verifyLog(store).valid).toBe(true);
  });

  it('reads any range, in both directions and by type', () => {
    const store = open();
    const all = Array.from({ length: 600 }, (_, i) =>
      entry('r', i % 100 === 0 ? 'Snapshot' : 'EndNode', { i }),
    );
    store.append(all);
    const versions = (query: object) =>
      [...store.read({ runId: 'r', ...query })].map(({ version }) => version);
    const whole = all.map((_, i) => i);
    expect(versions({})).toEqual(whole);
    expect(versions({ descending: true })).toEqual(whole.toReversed());
    expect(versions({ from: 3, to: 5 })).toEqual([3, 4, 5]);
    expect(versions({ from: 3, to: 5, descending: true })).toEqual([5, 4, 3]);
    expect(versions({ from: 598 })).toEqual([598, 599]);
    expect(versions({ from: 700 })).toEqual([]);
    expect(versions({ eventTypes: ['Snapshot'], from: 1, to: 300 })).toEqual([100, 200, 300]);
    expect([...store.read({ runId: 'other' })]).toEqual([]);
  });

  it('keeps runs apart, in the order in which they began', () => {
    const store = open();
    for (const run of ['b', 'a', 'b', 'c', 'a']) store.append([entry(run)]);
    expect(store.runs()).toEqual(['b', 'a', 'c']);
    expect([...store.read({ runId: 'a' })].map(({ version }) => version)).toEqual([0, 1]);
    expect([...store.rows()].map(({ runId }) => runId).join('')).toBe('babca');
  });

  it('appends all entries of a call or none', () => {
    const store = open();
    store.append([entry('r')]);
    for (const [bad, message] of [
      [entry('other'), 'runId'],
      [entry('r', 'EndNode', { x: Number.NaN }), '$.x'],
      [entry('r', 'Nonsense' as never), 'eventType'],
      [{ ...entry('r'), ts: 'today' }, 'ts'],
      [entry('r', 'EndNode', null, 'a\0b'), 'nodeId'],
      [{ ...entry('r'), correlationId: '\ud800' }, 'correlationId'],
    ] as const) {
      expect(() => store.append([entry('r'), bad])).toThrow(message);
    }
    expect(() => store.append([entry('')])).toThrow('runId');
    expect([...store.read({ runId: 'r' })]).toHaveLength(1);
    expect(store.append([])).toEqual([]);
    store.append([entry('r')]);
    expect(verifyLog(store)).toMatchObject({ valid: true, runs: [{ entries: 2 }] });
  });
});
