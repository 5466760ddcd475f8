import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import { childRun, createMemoryStore, type Json, verifyLog } from '../../src/index.js';
import { chain, createWorld, effect, flow, plain, runIn, SAGA } from '../interpreter/world.js';

const KEYED = { ...SAGA, idempotencyKey: {} };

/** A parent whose first step is a run of two effects, and whose last fails on request. */
function family(params: Record<string, Json>, child: Record<string, Json> = {}) {
  const inner = flow({
    name: 'child',
    nodes: [effect('x'), effect('y', child)],
    edges: chain('x', 'y'),
    policies: { saga: SAGA },
  });
  const outer = flow({
    nodes: [
      { id: 'inner', type: 'task', effect: 'compensable', policyRef: 'inner' },
      plain('end', params),
    ],
    edges: chain('inner', 'end'),
    policies: { inner: { ...KEYED, compensation: { ...SAGA.compensation, handler: 'inner' } } },
  });
  const world = createWorld();
  const store = createMemoryStore();
  const { handlers, compensators } = world.registry;
  const options = { store, registry: world.registry, unchecked: true };
  const { handler, compensator } = childRun(inner, options);
  const registry = {
    handlers: { ...handlers, inner: handler },
    compensators: { ...compensators, inner: compensator },
  };
  return { outer, world, store, registry };
}

describe('runs within runs', () => {
  test('the child is a run of its own, whose output is that of the step', async () => {
    const { outer, world, store, registry } = family({});
    const { result } = await runIn(outer, 1, { world, log: store, registry });
    expect(result).toMatchObject({ status: 'COMPLETED', output: 4 });
    expect(store.runs()).toEqual(['run', 'run/inner']);
    expect([...world.standing.values()].sort()).toEqual(['x', 'y']);
    expect(verifyLog(store).valid).toBe(true);
  });

  test('a child that has completed is undone with its parent', async () => {
    const { outer, world, store, registry } = family({ fail: 'Broken' });
    const { result } = await runIn(outer, 1, { world, log: store, registry });
    expect(result).toMatchObject({ status: 'COMPENSATED', remaining: [], inDoubt: [] });
    expect(world.standing.size).toBe(0);
    expect(world.calls.filter((call) => call.startsWith('undo'))).toEqual(['undo y', 'undo x']);
    expect(verifyLog(store).valid).toBe(true);
  });

  test('a parent does not end undone while something of its child is left', async () => {
    const { outer, world, store, registry } = family({ fail: 'Broken' }, { undoFails: 9 });
    const { result } = await runIn(outer, 1, {
      world,
      log: store,
      registry,
      clock: virtualClock(),
    });
    expect(result.status).toBe('COMPENSATION_FAILED');
    expect(result.remaining).toMatchObject([{ nodeId: 'inner', reason: 'failed' }]);
    expect([...world.standing.values()].sort()).toEqual(['x', 'y']);
  });

  test('the step fails with the status of its child', async () => {
    const { outer, world, store, registry } = family({}, { fail: 'Full', before: true });
    const { result } = await runIn(outer, 1, { world, log: store, registry });
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'COMPENSATED' } });
    expect(world.standing.size).toBe(0);
  });
});
