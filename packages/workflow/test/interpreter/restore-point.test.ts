import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AuditableLog,
  createMemoryStore,
  foldLog,
  lastSnapshot,
  redacting,
  replayRun,
  resumeRun,
  sliceLog,
  stateOfRun,
  writeSnapshot,
} from '../../src/index.js';
import { arbitraryWorkflow } from './arbitrary-workflow.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from './world.js';

const workflow = flow({
  nodes: [plain('a'), effect('b'), effect('c'), plain('d')],
  edges: chain('a', 'b', 'c', 'd'),
  policies: { saga: SAGA },
});

const restorePoints = (log: AuditableLog) => [
  ...log.read({ runId: 'run', eventTypes: ['Snapshot'] }),
];

describe('restore points', () => {
  test('with what came after them give the state that all entries give, at every version', async () => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(
        arbitraryWorkflow,
        fc.integer({ min: 1, max: 12 }),
        async (random, snapshotEvery) => {
          const { store, world, entries } = await runIn(
            random,
            { list: [1, 2] },
            { snapshotEvery },
          );
          written += restorePoints(store).length;
          entries.forEach((_, version) => {
            const whole = foldLog('run', entries.slice(0, version + 1));
            expect(stateOfRun(store, 'run', version)).toEqual(whole);
          });
          expect(entries.at(-1)?.eventType).toBe('EndRun');
          expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
        },
      ),
      { numRuns: 30 },
    );
    expect(written).toBeGreaterThan(30);
  });

  test('are where a resumed run begins: what stands before them is not read', async () => {
    const log = createMemoryStore();
    const world = createWorld();
    const faults = {
      schema: 'alas-jssp/faults@1',
      rules: [{ label: 'cut', node: 'd', kind: 'crash' }],
    };
    const crash = runIn(workflow, 0, { world, log, snapshotEvery: 4, inject: faults as never });
    await expect(crash).rejects.toThrow('cut');
    const point = lastSnapshot(log, 'run')?.version ?? 0;
    expect(point).toBeGreaterThan(3);
    const read: number[] = [];
    const watched: AuditableLog = {
      ...log,
      *read(query) {
        for (const entry of log.read(query)) {
          read.push(entry.version);
          yield entry;
        }
      },
    };
    const { status } = await resumeRun(watched, 'run', { ...world, clock: virtualClock() });
    expect(status).toBe('COMPLETED');
    expect(read.filter((version) => version > 0 && version < point)).toEqual([]);
  });

  test('of others, or of another version, are passed over', async () => {
    const { store, entries } = await runIn(workflow);
    writeSnapshot(store, { runId: 'run', ts: entries[0].ts, state: { nodes: [] } });
    expect(stateOfRun(store, 'run').nodes.size).toBe(4);
  });

  test('that were made up are found by a replay', async () => {
    const { store, world } = await runIn(workflow, 0, { snapshotEvery: 3 });
    const forged = createMemoryStore();
    for (const { version: _, hash: __, ...entry } of store.read({ runId: 'run' })) {
      const { state } = entry.payload as { state: object };
      const hit = entry.eventType === 'Snapshot' && !forged.runs().includes('done');
      forged.append([hit ? { ...entry, payload: { state: { ...state, nodes: [] } } } : entry]);
    }
    const { parity, divergence } = await replayRun(forged, 'run', world);
    expect([parity, divergence?.cause]).toEqual([false, 'data']);
    expect(divergence?.message).toContain('restore point');
  });

  test('hold no secrets that the log does not hold', async () => {
    const log = createMemoryStore();
    const world = createWorld();
    const store = redacting(log, {});
    const input = { password: 'hunter2hunter2', text: 'hunter2hunter2' };
    await runIn(workflow, input, { world, store, log, snapshotEvery: 2 });
    expect(restorePoints(log).length).toBeGreaterThan(2);
    expect(JSON.stringify([...log.rows()])).not.toContain('hunter2');
    expect(stateOfRun(log, 'run')).toEqual(foldLog('run', log.read({ runId: 'run' })));
  });

  test('are no part of what validators see', async () => {
    const { store, entries } = await runIn(workflow, 0, { snapshotEvery: 2 });
    expect(entries.map(({ eventType }) => eventType)).toContain('Snapshot');
    expect(sliceLog(store, 'run').map(({ eventType }) => eventType)).not.toContain('Snapshot');
  });
});
