import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { openLog, openSqliteStore, verifyLog } from '../../../src/workflow/index.js';
import { temporaryDirectory } from '../../temporary-directory.js';
import { entry } from './entries.js';
import { runProcesses } from './processes.js';

/** A file as format 1 was: one run has ended, one has not, and one is no run of a workflow. */
function fileOfFormat1(): string {
  const file = join(temporaryDirectory(), 'old.db');
  const store = openSqliteStore(file);
  const step = (key: string) =>
    entry('done', 'StartNode', { handler: 'book', input: 'ab', key: `resource|${key}` }, key);
  store.append([entry('done', 'StartRun'), step('room'), step('car')]);
  store.append([entry('done', 'Compensated', {}, 'car')]);
  store.append([entry('done', 'EndRun', { status: 'COMPLETED' })]);
  store.append([entry('open', 'StartRun'), entry('open', 'StartNode')]);
  store.append([entry('other', 'Retry')]);
  store.close();
  const database = new Database(file);
  for (const [type, name] of [
    ...['blobs', 'inbox', 'claims', 'leases'].map((table) => ['TABLE', table]),
    ...['entries_first', 'entries_rare'].map((index) => ['INDEX', index]),
  ]) {
    database.exec(`DROP ${type} ${name}`);
  }
  database.exec('PRAGMA user_version = 1; PRAGMA journal_mode = DELETE');
  database.close();
  return file;
}

const DUE = { runId: 'open', owner: null, token: 0, until: 0, wakeAt: 0, taken: 0, quiet: true };

describe('a file of format 1', () => {
  it('is read as it is, and shows runs that have not ended as due', () => {
    const file = fileOfFormat1();
    const before = readFileSync(file);
    const log = openLog(file);
    expect(log.runs()).toEqual(['done', 'open', 'other']);
    expect([...log.read({ runId: 'done', eventTypes: ['EndRun'] })]).toHaveLength(1);
    expect(verifyLog(log)).toMatchObject({ valid: true, faults: [] });
    expect(log.leases()).toEqual([DUE]);
    expect(log.leaseOf('done')).toBeUndefined();
    expect(log.claimOf('resource|room')).toBeUndefined();
    expect(log.messages('open', 0)).toEqual([]);
    expect(log.lastMessages().size).toBe(0);
    expect(() => log.post({ runId: 'open', ts: '', kind: 'signal', data: {} })).toThrow(
      'only be read',
    );
    log.close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('becomes one of format 2 when it is opened to be written', () => {
    const file = fileOfFormat1();
    const before = [...openLog(file).rows()];
    const store = openSqliteStore(file);
    expect([...store.rows()]).toEqual(before);
    expect(store.leases()).toEqual([DUE]);
    expect(store.claimOf('resource|room')).toEqual({
      ...{ key: 'resource|room', runId: 'done', nodeId: 'room', handler: 'book' },
      ...{ inputHash: 'ab', committed: true },
    });
    expect(store.claimOf('resource|car')).toBeUndefined();
    const taken = store.acquire({
      ...{ runId: 'open', owner: 'a', now: 1, until: 2 },
      isGone: () => false,
    });
    expect(taken).toMatchObject({ status: 'owned', lease: { token: 1 }, before: DUE });
    store.close();
    expect(verifyLog(openLog(file))).toMatchObject({ valid: true, faults: [] });
  });

  it('is migrated once by processes that open it at once', async () => {
    const file = fileOfFormat1();
    for (let i = 0; i < 3; i++) {
      const copy = `${file}${i}`;
      copyFileSync(file, copy);
      const program = `
        const store = openSqliteStore(file);
        print(store.leases().length);
        store.append([entry(name), entry(name)]);
        store.close();`;
      expect(await runProcesses(program, copy, ['a', 'b', 'c'])).toEqual([1, 1, 1]);
      const { valid, runs } = verifyLog(openLog(copy));
      expect(valid).toBe(true);
      expect(runs).toHaveLength(6);
    }
  });
});
