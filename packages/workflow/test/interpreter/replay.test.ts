import { expect, test } from 'vitest';
import {
  createMemoryStore,
  type Handler,
  type Json,
  type LogStore,
  type Registry,
  replayRun,
  type Verdict,
} from '../../src/index.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from './world.js';

const workflow = flow({
  nodes: [effect('a'), { id: 'pick', type: 'choice' }, plain('b'), plain('c', { add: 5 })],
  edges: [
    ...chain('a', 'pick'),
    { from: 'pick', to: 'b', kind: 'branch', guard: '$input > 5' },
    { from: 'pick', to: 'c', kind: 'default' },
  ],
  policies: { saga: SAGA },
});

const PASS: Verdict = { outcome: 'pass' };

const withHandler = (registry: Registry, name: string, handler: Handler): Registry => ({
  ...registry,
  handlers: { ...registry.handlers, [name]: handler },
});

/** The log of a run with one payload changed, as if it had always been so. */
function forged(log: LogStore, type: string, nodeId: string, change: (payload: never) => Json) {
  const forgery = createMemoryStore();
  for (const { version: _, hash: __, ...entry } of log.read({ runId: 'run' })) {
    const hit = entry.eventType === type && entry.nodeId === nodeId;
    forgery.append([hit ? { ...entry, payload: change(entry.payload as never) } : entry]);
  }
  return forgery;
}

test('a replay calls nothing outside and comes to the same', async () => {
  const { store, world, entries } = await runIn(workflow, 1);
  world.calls.length = 0;
  const replay = await replayRun(store, 'run', world);
  expect(replay).toEqual({ parity: true, entries: entries.length, rerun: 1, decisions: 4 });
  expect(world.calls).toEqual(['c']);
});

test('a pure step whose code changed is found', async () => {
  const { store, world } = await runIn(workflow, 1);
  const registry = withHandler(world.registry, 'plain', { kind: 'pure', run: () => 3 });
  const { parity, divergence } = await replayRun(store, 'run', { registry });
  expect(parity).toBe(false);
  expect(divergence).toMatchObject({ cause: 'code', nodeId: 'c' });
});

test('nothing is said of a run whose handlers are not all there', async () => {
  const { store } = await runIn(workflow, 1);
  const replay = replayRun(store, 'run', { registry: { handlers: {} } });
  await expect(replay).rejects.toMatchObject({ code: 'bad_registry' });
});

test('a step that read the clock is distinguished', async () => {
  let ticks = 0;
  const asking: Handler = { kind: 'pure', run: (_, { clock }) => clock.now() + ticks++ };
  const { store, world } = await runIn(workflow, 1);
  const registry = withHandler(world.registry, 'plain', asking);
  const again = await runIn(workflow, 1, { registry });
  expect((await replayRun(store, 'run', { registry })).divergence?.cause).toBe('clock');
  const found = await replayRun(again.store, 'run', { registry });
  expect(found.divergence).toMatchObject({ cause: 'clock', nodeId: 'c' });
});

test('inputs that are not those of the log, and orders that cannot be, are found', async () => {
  const { store, world } = await runIn(workflow, 1);
  const causes = async (log: LogStore) => (await replayRun(log, 'run', world)).divergence;
  const input = forged(store, 'StartRun', '', (payload: object) => ({ ...payload, input: 2 }));
  expect(await causes(input)).toMatchObject({ cause: 'data', nodeId: 'a' });
  const output = forged(store, 'EndRun', '', (payload: object) => ({ ...payload, output: 2 }));
  expect(await causes(output)).toMatchObject({ cause: 'data', nodeId: '' });
  const guard = forged(store, 'EndNode', 'a', () => ({ output: 7 }));
  expect(await causes(guard)).toMatchObject({ cause: 'code', nodeId: 'pick' });
  const late = createMemoryStore();
  for (const { version, hash: _, ...entry } of store.read({ runId: 'run' })) {
    if (version !== 3) late.append([entry]);
  }
  expect(await causes(late)).toMatchObject({ cause: 'data' });
});

test('a codec that no longer gives back what the log holds is found', async () => {
  const codec = (shift: number) => ({
    encode: (value: Int32Array) => [...value].map((x) => x + shift),
    decode: (json: Json) => Int32Array.from(json as number[]),
  });
  const tasks = flow({
    nodes: [
      { id: 'make', type: 'task' },
      { id: 'sum', type: 'task' },
    ],
    edges: chain('make', 'sum'),
  });
  const registry = (shift: number): Registry => ({
    handlers: {
      make: { kind: 'pure', run: () => Int32Array.of(1, 2, 3), output: codec(shift) },
      sum: {
        kind: 'pure',
        run: (input: Int32Array) => {
          expect(input).toBeInstanceOf(Int32Array);
          return input.reduce((a, b) => a + b, 0);
        },
      },
    },
  });
  const { store, result } = await runIn(tasks, null, { registry: registry(0) });
  expect(result.output).toBe(6);
  expect(await replayRun(store, 'run', { registry: registry(0) })).toMatchObject({ rerun: 2 });
  const changed = await replayRun(store, 'run', { registry: registry(1) });
  expect(changed.divergence).toMatchObject({ cause: 'data', nodeId: 'make' });
});

test.each<[string, Verdict]>([
  ['refused', { outcome: 'reject', errors: ['too much'] }],
  ['corrected', { outcome: 'augment', value: 1, corrections: ['rounded'] }],
])('a validator that judges a %s output otherwise now is found', async (_, verdict) => {
  const world = createWorld();
  const judging = (now: Verdict): Registry => {
    return { ...world.registry, validators: { b: ({ value }) => (value === 2 ? now : PASS) } };
  };
  const one = flow({ nodes: [plain('b')] });
  const { store } = await runIn(one, 1, { world, registry: judging(verdict) });
  expect(await replayRun(store, 'run', { registry: judging(verdict) })).toMatchObject({
    parity: true,
  });
  const { divergence } = await replayRun(store, 'run', { registry: judging(PASS) });
  expect(divergence).toMatchObject({
    cause: 'code',
    nodeId: 'b',
    message: `the validator now says pass, not ${verdict.outcome}`,
  });
});
