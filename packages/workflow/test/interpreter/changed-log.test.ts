import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import {
  type AuditableLog,
  approve,
  compensateRun,
  createMemoryStore,
  type LogStore,
  resumeRun,
  runWorkflow,
  type StoredRow,
} from '../../src/index.js';
import { chain, createWorld, effect, flow, plain, SAGA } from './world.js';

const workflow = flow({
  nodes: [effect('a'), { ...plain('gate'), approval: 'kim' }, effect('b')],
  edges: chain('a', 'gate', 'b'),
  policies: { saga: SAGA },
});

/** A log of two runs that wait, one of them with changed rows. */
async function waiting(change: (row: StoredRow) => StoredRow | undefined) {
  const world = createWorld();
  const options = { registry: world.registry, clock: virtualClock() };
  const store = createMemoryStore();
  for (const runId of ['run', 'other'])
    await runWorkflow(workflow, 1, { ...options, store, runId, unchecked: true });
  const rows = [...store.rows()].flatMap((row) =>
    row.runId === 'run' ? (change(row) ?? []) : row,
  );
  const calls = world.calls.length;
  return { log: createMemoryStore(rows), options, called: () => world.calls.slice(calls) };
}

/** The same log as one that shows its entries only. */
function withoutRows({ rows: _, faults: __, ...store }: AuditableLog): LogStore {
  return store;
}

const CHANGES: Record<string, (row: StoredRow) => StoredRow | undefined> = {
  'another input': (row) => ({
    ...row,
    payload: row.payload?.replace('"input":1', '"input":2') ?? null,
  }),
  'another node': (row) => ({ ...row, nodeId: row.nodeId === 'a' ? 'b' : row.nodeId }),
  'another time': (row) => ({
    ...row,
    ts: row.version === 2 ? '2001-01-01T00:00:00.000Z' : row.ts,
  }),
  'an entry less': (row) => (row.version === 2 ? undefined : row),
};

test.each(Object.entries(CHANGES))('no run resumes from a log that has %s', async (_, change) => {
  for (const see of [(log: AuditableLog) => log, withoutRows]) {
    const { log, options, called } = await waiting(change);
    const store = see(log);
    const rows = JSON.stringify([...log.rows()]);
    const refused = { code: 'changed_log' };
    await expect(resumeRun(store, 'run', options)).rejects.toMatchObject(refused);
    await expect(compensateRun(store, 'run', 'kim', options)).rejects.toMatchObject(refused);
    expect(() => approve(store, 'run', 'kim', 'kim')).toThrow(expect.objectContaining(refused));
    expect(called()).toEqual([]);
    expect(JSON.stringify([...log.rows()])).toBe(rows);

    // What was done to one run is nothing to the others.
    approve(store, 'other', 'kim', 'kim');
    expect((await resumeRun(store, 'other', options)).status).toBe('COMPLETED');
  }
});
