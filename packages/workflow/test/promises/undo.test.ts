import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import {
  compensateRun,
  createMemoryStore,
  type Registry,
  resumeRun,
  type Workflow,
} from '../../src/index.js';
import {
  createOutside,
  fail,
  nodesThere,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  SAGA,
  step,
} from './outside.js';

function begin() {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  return { store, clock, world, options: { store, clock, runId: 'run', registry: world.registry } };
}

/** So many effects in a loop, and then a failure. */
function many(): Workflow {
  const body = { nodes: [step('item')], edges: [] };
  return program(
    [
      { id: 'each', type: 'map', items: 'input', maxConcurrency: 1, body, policyRef: 'loop' },
      plainStep('breaks', { fail: 'Broken' }),
    ],
    { policies: { loop: { loopGuards: { maxIters: 1e6 } } } },
  );
}

describe('undoing costs as much as there is to undo', () => {
  /** Calls of the store, and the effects that are looked at, of a run that is undone. */
  async function costsOf(effects: number) {
    const { store, world, options } = begin();
    const costs = { appends: 0, reads: 0 };
    const counting = {
      ...store,
      append: (...given: Parameters<typeof store.append>) => {
        costs.appends++;
        return store.append(...given);
      },
      read: (query: Parameters<typeof store.read>[0]) => {
        costs.reads++;
        return store.read(query);
      },
    };
    const items = Array.from({ length: effects }, (_, k) => k);
    const result = await runWorkflow(many(), items, { ...options, store: counting });
    expect(result.status).toBe('COMPENSATED');
    expect(world.there.size).toBe(0);
    return costs;
  }

  test('2,000 effects: as many appends and reads for each as of 200', async () => {
    const [few, more] = [await costsOf(200), await costsOf(2000)];
    expect(more.appends).toBeLessThan(few.appends * 10.5);
    expect(more.reads).toBeLessThanOrEqual(Math.max(few.reads * 10, 50));
  });
});

test('a compensator that hangs ends with its default timeout, and its effect is listed', async () => {
  const { clock, world, options } = begin();
  const workflow = program([
    step('a', { undoAfter: 1e9, deaf: true }),
    step('b', { fail: 'Broken' }),
  ]);
  const result = await runWorkflow(workflow, 0, options);
  expect(result.status).toBe('COMPENSATION_FAILED');
  expect(result.remaining).toMatchObject([{ nodeId: 'a', reason: 'failed' }]);
  expect(result.remaining[0].detail).toMatch(/longer than/);
  expect(clock.now()).toBeLessThan(3_600_000);
  expect(nodesThere(world)).toEqual(['a']);
});

test('a validator that hangs ends with a timeout', async () => {
  const { clock, world, options } = begin();
  const registry: Registry = {
    ...world.registry,
    validators: { a: () => new Promise(() => {}) },
  };
  const workflow = program([step('a', {}, { policyRef: 'short' })], {
    policies: { short: { ...SAGA, timeout: { seconds: 5 } } },
  });
  const result = await runWorkflow(workflow, 0, { ...options, registry });
  expect(result.status).toBe('COMPENSATED');
  expect(clock.now()).toBeLessThanOrEqual(60_000);
  expect(nodesThere(world)).toEqual([]);
});

test('a validator that hangs is left when the run is cancelled', async () => {
  const { clock, world, options } = begin();
  const registry: Registry = { ...world.registry, validators: { a: () => new Promise(() => {}) } };
  const controller = new AbortController();
  const running = runWorkflow(program([step('a')]), 0, {
    ...options,
    registry,
    signal: controller.signal,
  });
  await clock.sleep(1000);
  controller.abort('enough');
  expect((await running).status).toBe('COMPENSATED');
  expect(nodesThere(world)).toEqual([]);
});

test('COMPENSATION_FAILED calls the alert hook with what is left', async () => {
  const { world, options } = begin();
  const registry: Registry = {
    ...world.registry,
    compensators: { undo: { run: () => fail('Stuck') } },
  };
  const alerts: unknown[] = [];
  const workflow = program([step('a'), step('b', { fail: 'Broken' })]);
  const result = await runWorkflow(workflow, 0, {
    ...options,
    registry,
    onAlert: (alert: unknown) => void alerts.push(alert),
  });
  expect(result.status).toBe('COMPENSATION_FAILED');
  expect(alerts).toHaveLength(1);
  expect(JSON.stringify(alerts[0])).toContain('Stuck as requested');
});

test('an effect that verifyUndone finds still there is not undone', async () => {
  const { world, options } = begin();
  const registry: Registry = {
    ...world.registry,
    compensators: {
      // It says that all is well, and does nothing.
      undo: {
        run: () => {},
        verifyUndone: ({ idempotencyKey }) =>
          world.there.has(idempotencyKey) ? 'the booking is still there' : undefined,
      },
    },
  };
  const workflow = program([step('a'), plainStep('b', { fail: 'Broken' })]);
  const result = await runWorkflow(workflow, 0, { ...options, registry });
  expect(result).toMatchObject({
    status: 'COMPENSATION_FAILED',
    remaining: [{ nodeId: 'a', detail: expect.stringContaining('still there') }],
  });
});

test('a run goes back to a save point and on from there', async () => {
  const { world, options } = begin();
  const workflow = program(
    [step('a'), step('b'), { ...plainStep('c'), policyRef: 'again', handler: 'shaky' }],
    { policies: { again: { catch: [{ errors: ['Broken'], backTo: 'a', times: 2 }] } } },
  );
  let calls = 0;
  const shaky = { run: (input: unknown) => (++calls < 3 ? fail('Broken') : input) };
  const registry = {
    ...world.registry,
    handlers: { ...world.registry.handlers, shaky },
  } as Registry;
  const result = await runWorkflow(workflow, 0, { ...options, registry });
  expect(result.status).toBe('COMPLETED');
  expect(world.calls).toEqual(['a', 'b', 'undo b', 'b', 'undo b', 'b']);
  expect(nodesThere(world)).toEqual(['a', 'b']);
});

test('a run goes back from a step whose own effect was answered with an error', async () => {
  const { world, options } = begin();
  const workflow = program(
    [plainStep('a'), step('b'), { ...step('c', { fail: 'Busy' }), policyRef: 'again' }],
    { policies: { again: { ...SAGA, catch: [{ errors: ['Busy'], backTo: 'a' }] } } },
  );
  const result = await runWorkflow(workflow, 0, options);
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Busy' } });
  const once = ['b', 'c', 'undo c', 'undo b'];
  expect(world.calls).toEqual(['a', ...once, ...once]);
});

test('a person takes a run back to a save point, from which it goes on', async () => {
  const { store, world, options } = begin();
  const workflow = program([step('a'), step('b'), step('c', {}, { approval: 'go' })]);
  expect((await runWorkflow(workflow, 0, options)).status).toBe('WAITING');
  await compensateRun(store, 'run', 'Ann', { ...options, backTo: 'a' });
  expect(world.calls).toEqual(['a', 'b', 'undo b', 'b']);
  const last = await resumeRun(store, 'run', { ...options, approvals: { go: 'Ann' } });
  expect(last.status).toBe('COMPLETED');
  expect(nodesThere(world)).toEqual(['a', 'b', 'c']);
});

test('a run does not go back to what a compensator may have undone, even in vain', async () => {
  const { store, world, options } = begin();
  const workflow = program([step('a'), step('b', { fail: 'Broken' })]);
  const { undo } = world.registry.compensators ?? {};
  let calls = 0;
  const compensators: Registry['compensators'] = {
    undo: {
      // It undoes `a`, and does not say so.
      run: async (effect, context) => {
        await undo.run(effect, context);
        if (context.nodeId === 'a' && ++calls === 1) fail('Unheard');
      },
    },
  };
  const registry = { ...world.registry, compensators };
  const first = await runWorkflow(workflow, 0, { ...options, registry });
  expect(first.status).toBe('COMPENSATION_FAILED');
  const fixed = { ...registry.handlers, act: { run: (input: unknown) => input } } as never;
  const last = await compensateRun(store, 'run', 'Ann', {
    ...options,
    registry: { ...registry, handlers: fixed },
    backTo: 'a',
  });
  expect(last).toMatchObject({ status: 'COMPENSATED', committed: [], remaining: [] });
  expect(nodesThere(world)).toEqual([]);
});

test('a child run that has completed is undone with its parent', async () => {
  const { store, clock, world } = begin();
  const child = program([step('x'), step('y')]);
  const registry: Registry = {
    handlers: {
      ...world.registry.handlers,
      child: {
        run: async (input, { idempotencyKey }) => {
          const options = { store, clock, registry: world.registry, runId: idempotencyKey };
          return (await runWorkflow(child, input, options)).status;
        },
      },
    },
    compensators: {
      ...world.registry.compensators,
      undoChild: {
        run: async ({ idempotencyKey }) => {
          const options = { clock, registry: world.registry, evenCommitted: true };
          const { status } = await compensateRun(store, idempotencyKey, 'its parent', options);
          if (status !== 'COMPENSATED') fail('ChildStands');
        },
      },
    },
  };
  const parent = program(
    [
      step('runs', {}, { handler: 'child', policyRef: 'child' }),
      plainStep('breaks', { fail: 'Broken' }),
    ],
    { policies: { child: { compensation: { handler: 'undoChild', safeReinvoke: true } } } },
  );
  const result = await runWorkflow(parent, 0, { store, clock, registry, runId: 'parent' });
  expect(result.status).toBe('COMPENSATED');
  expect(world.calls).toEqual(['x', 'y', 'breaks', 'undo y', 'undo x']);
  expect(world.there.size).toBe(0);
});
