import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import {
  type AuditableLog,
  createMemoryStore,
  openSqliteStore,
  verifyLog,
} from '../../src/index.js';
import type { LeaseRequest } from '../../src/log/tables.js';
import { entry } from './entries.js';

const stores: Record<string, (maxBytes?: number) => AuditableLog> = {
  memory: (maxBytes) => createMemoryStore([], undefined, maxBytes),
  SQLite: (maxBytes) => openSqliteStore(join(temporaryDirectory(), 'log.db'), { maxBytes }),
};

const ask = (runId: string, owner: string, more: Partial<LeaseRequest> = {}): LeaseRequest => ({
  runId,
  owner,
  now: 1000,
  until: 2000,
  isGone: () => false,
  ...more,
});
const first = (runId: string) => ({ first: () => [entry(runId, 'StartRun')] });

/** Takes a free run. */
function own(store: AuditableLog, request: LeaseRequest) {
  const answer = store.acquire(request);
  if (answer.status !== 'owned') throw new Error(`the answer is ${answer.status}`);
  return answer;
}

describe.each(Object.entries(stores))('the tables of the %s store', (_, open) => {
  it('give a new run to one owner, with its first entries', () => {
    const store = open();
    const begun = own(
      store,
      ask('r', 'a', { first: (token) => [entry('r', 'StartRun', { token })] }),
    );
    expect(begun.before).toBeUndefined();
    expect(begun.entries).toMatchObject([{ version: 0, payload: { token: begun.lease.token } }]);
    expect(store.acquire(ask('r', 'b', first('r')))).toEqual({ status: 'exists' });
    expect(store.acquire(ask('none', 'b'))).toEqual({ status: 'missing' });
    expect(store.acquire(ask('r', 'b'))).toEqual({ status: 'held', lease: begun.lease });
    expect(store.leaseOf('r')).toEqual(begun.lease);
    expect(store.leaseOf('none')).toBeUndefined();
    expect(store.runs()).toEqual(['r']);
    store.close();
  });

  it('begin no run whose first entries are refused', () => {
    const store = open();
    const wrong = () => [entry('r', 'Nonsense' as never)];
    expect(() => store.acquire(ask('r', 'a', { first: wrong }))).toThrow('eventType');
    expect(store.leaseOf('r')).toBeUndefined();
    expect(own(store, ask('r', 'b', first('r'))).entries).toHaveLength(1);
  });

  it('reject entries of processes that do not own the run, and let a run change its owner', () => {
    const store = open();
    const { token } = own(store, ask('r', 'a', first('r'))).lease;
    store.append([entry('r')], { token });
    expect(() => store.append([entry('r')])).toThrow(/not ours: it belongs to a until 1970-/);
    expect(() => store.append([entry('r'), entry('r')], { token: token + 1 })).toThrow('not ours');
    expect(store.renew('r', token, 5000)).toBe(true);
    expect(store.acquire(ask('r', 'b', { now: 4999 })).status).toBe('held');

    const taken = own(store, ask('r', 'b', { now: 5000, until: 9000 }));
    expect(taken.before).toMatchObject({ owner: 'a', token, quiet: true });
    expect(taken.lease.token).toBeGreaterThan(token);
    // It is unknown whether a has ended.
    expect(taken.lease.quiet).toBe(false);
    expect(() => store.append([entry('r')], { token })).toThrow('it belongs to b');
    expect(store.renew('r', token, 99_999)).toBe(false);
    store.release('r', token, { wakeAt: 1, taken: 9, quiet: true });
    expect(store.leaseOf('r')).toEqual(taken.lease);
    store.append([entry('r')], { token: taken.lease.token });
    expect([...store.read({ runId: 'r' })]).toHaveLength(3);
    expect(verifyLog(store).valid).toBe(true);
  });

  it('give the run of a process that is gone to the next at once', () => {
    const store = open();
    own(store, ask('r', 'a', first('r')));
    expect(store.acquire(ask('r', 'b', { isGone: (owner) => owner === 'c' })).status).toBe('held');
    const next = own(store, ask('r', 'b', { isGone: (owner) => owner === 'a' }));
    expect(next.lease.quiet).toBe(true);
  });

  it('know that an owner before the last may be at work, though the last has ended', () => {
    const store = open();
    own(store, ask('r', 'a', first('r')));
    own(store, ask('r', 'b', { now: 1e9, until: 2e9 }));
    const last = own(store, ask('r', 'c', { now: 1e9, isGone: (owner) => owner === 'b' }));
    expect(last.lease.quiet).toBe(false);
  });

  it('give a run back, alone or with its last entries', () => {
    const store = open();
    const { token } = own(store, ask('r', 'a', first('r'))).lease;
    const release = { wakeAt: 7000.5, taken: 3, quiet: true };
    store.append([entry('r', 'EndRun')], { token, release });
    expect(store.leaseOf('r')).toEqual({ runId: 'r', owner: null, token, until: 0, ...release });
    expect(store.renew('r', token, 9999)).toBe(false);
    store.append([entry('r')]);
    const again = own(store, ask('r', 'b'));
    expect(again.lease).toMatchObject({ taken: 3, wakeAt: null, quiet: true });
    store.append([entry('r')], { token: again.lease.token });
    store.release('r', again.lease.token, { ...release, wakeAt: null });
    own(store, ask('q', 'b', first('q')));
    expect(store.leases()).toMatchObject([
      { runId: 'r', owner: null, wakeAt: null },
      { runId: 'q', owner: 'b' },
    ]);
  });

  it('claim keys for one run at a time, with the entries or not at all', () => {
    const store = open();
    const tokens = new Map(
      ['r', 'q'].map((run) => [run, own(store, ask(run, 'a', first(run))).lease.token]),
    );
    const claim = { key: 'room 5', nodeId: 'book', handler: 'book', inputHash: 'ab' };
    const append = (run: string, more: object) =>
      store.append([entry(run)], { token: tokens.get(run), ...more });
    append('r', { claim });
    expect(store.claimOf('room 5')).toEqual({ ...claim, runId: 'r', committed: false });
    expect(store.claimOf('room 6')).toBeUndefined();
    expect(() => append('q', { claim })).toThrow('claimed by book of run "r"');
    expect([...store.read({ runId: 'q' })]).toHaveLength(1);
    append('q', { dropClaims: ['room 5'] });
    expect(store.claimOf('room 5')?.runId).toBe('r');
    append('r', { dropClaims: ['room 5', 'room 6'] });
    append('q', { claim });
    append('r', { commitClaims: true });
    expect(store.claimOf('room 5')).toMatchObject({ runId: 'q', committed: false });
    append('q', { commitClaims: true });
    expect(store.claimOf('room 5')).toMatchObject({ runId: 'q', committed: true });
    expect(() => store.append([entry('q')], { token: 77, claim: { ...claim, key: 'x' } })).toThrow(
      'not ours',
    );
    expect(store.claimOf('x')).toBeUndefined();
  });

  it('keep messages in their order, for each run', () => {
    const store = open();
    const post = (runId: string, data: string) =>
      store.post({ runId, ts: '2026-01-01T00:00:00Z', kind: 'signal', data: { data } });
    const ids = [post('r', 'a'), post('q', 'b'), post('r', 'c')];
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(store.messages('r', 0)).toEqual([
      { id: ids[0], runId: 'r', ts: '2026-01-01T00:00:00Z', kind: 'signal', data: { data: 'a' } },
      { id: ids[2], runId: 'r', ts: '2026-01-01T00:00:00Z', kind: 'signal', data: { data: 'c' } },
    ]);
    expect(store.messages('r', ids[0]).map(({ id }) => id)).toEqual([ids[2]]);
    expect(store.lastMessages()).toEqual(
      new Map([
        ['r', ids[2]],
        ['q', ids[1]],
      ]),
    );
  });

  it('notify the watchers of a run of its messages, until they stop', async () => {
    const store = open();
    const notified: string[] = [];
    const stop = store.watch('r', () => notified.push('r'));
    const stopOther = store.watch('q', () => notified.push('q'));
    const post = (runId: string) => store.post({ runId, ts: '', kind: 'signal', data: null });
    post('r');
    await sleep(0);
    expect(notified).toEqual(['r']);
    stop();
    post('r');
    post('q');
    await sleep(0);
    expect(notified).toEqual(['r', 'q']);
    stopOther();
    store.close();
  });

  it('refuse a payload over the limit, and append nothing', () => {
    const limited = open(100);
    const large = entry('r', 'EndNode', { output: 'ä'.repeat(60) }, 'report');
    expect(() => limited.append([entry('r'), large])).toThrow(
      /EndNode of report .* too large for the log: 133 bytes, at most 100/,
    );
    expect(limited.runs()).toEqual([]);
    limited.append([entry('r', 'EndNode', { output: 'a'.repeat(80) })]);
  });
});
