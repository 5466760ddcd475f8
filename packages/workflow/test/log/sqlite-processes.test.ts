import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.js';
import { openLog, openSqliteStore, verifyLog } from '../../src/index.js';
import { entry } from './entries.js';
import { runProcesses } from './processes.js';

const newFile = () => join(temporaryDirectory(), 'log.db');
const ALL = ['a', 'b', 'c'];

describe('processes that share a file', () => {
  it('write runs of their own without loss, be the file new or not', async () => {
    const file = newFile();
    const program = `
      const store = openSqliteStore(file);
      const { lease } = store.acquire({ runId: name, owner: name, now: 0, until: 9e15,
        isGone: () => false, first: () => [entry(name, 'StartRun')] });
      for (let i = 0; i < 100; i++) store.append([entry(name)], { token: lease.token });
      for (let i = 0; i < 50; i++) store.append([entry(name), entry(name)], { token: lease.token });
      store.close();
      print(lease.token);`;
    await runProcesses(program, file, ALL);
    const { valid, runs } = verifyLog(openLog(file));
    expect(valid).toBe(true);
    expect(runs.map(({ entries }) => entries)).toEqual([201, 201, 201]);
  });

  it('begin a run once', async () => {
    const program = `
      const store = openSqliteStore(file);
      const answers = [];
      for (let i = 0; i < 50; i++) {
        const { status } = store.acquire({ runId: 'r' + i, owner: name, now: 0, until: 9e15,
          isGone: () => false, first: () => [entry('r' + i, 'StartRun', { name })] });
        answers.push(status);
      }
      store.close();
      print(answers);`;
    const answers = (await runProcesses(program, newFile(), ALL)) as string[][];
    for (let i = 0; i < 50; i++) {
      expect(answers.map((all) => all[i]).toSorted()).toEqual(['exists', 'exists', 'owned']);
    }
  });

  it('hand a run on: each appends after the other, and none with an old token', async () => {
    const file = newFile();
    openSqliteStore(file).append([entry('r', 'StartRun')]);
    // The lease ends at once: the next request takes the run over.
    const program = `
      const store = openSqliteStore(file);
      let appended = 0;
      for (let i = 0; i < 60; i++) {
        const { lease } = store.acquire({ runId: 'r', owner: name, now: 1, until: 0, isGone: () => false });
        try {
          store.append([entry('r', 'Retry', { token: lease.token })], { token: lease.token });
          appended++;
        } catch (error) {
          if (error.code !== 'not_owner') throw error;
        }
      }
      store.close();
      print(appended);`;
    const counts = (await runProcesses(program, file, ALL)) as number[];
    const log = openLog(file);
    const tokens = [...log.read({ runId: 'r', from: 1 })].map(
      ({ payload }) => (payload as { token: number }).token,
    );
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens).toHaveLength(counts.reduce((sum, count) => sum + count));
    expect(log.leaseOf('r')?.token).toBe(180);
    expect(verifyLog(log).valid).toBe(true);
  });

  it('are notified of messages that another one posts', async () => {
    const file = newFile();
    const store = openSqliteStore(file);
    const notified = new Promise<void>((resolve) => store.watch('r', resolve));
    const alive = setInterval(() => {}, 1000);
    const program = `
      const store = openSqliteStore(file);
      print(store.post({ runId: 'r', ts: '', kind: 'signal', data: { name } }));
      store.close();`;
    const ids = await runProcesses(program, file, ALL);
    await notified;
    clearInterval(alive);
    const messages = store.messages('r', 0);
    expect(messages.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(ids.toSorted()).toEqual([1, 2, 3]);
    store.close();
  });
});
