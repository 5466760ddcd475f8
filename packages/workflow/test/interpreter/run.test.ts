import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { describe, expect, test } from 'vitest';
import { createMemoryStore, runWorkflow } from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

describe('order and data', () => {
  test('a chain hands each output on to the next step', async () => {
    const workflow = flow({
      nodes: [plain('a'), plain('b', { add: 10 }), plain('c')],
      edges: chain('a', 'b', 'c'),
    });
    const { result, entries } = await runIn(workflow, 5);
    expect(result).toMatchObject({ status: 'COMPLETED', output: 17, remaining: [] });
    expect(result.versions).toBe(entries.length);
    expect(entryLines(entries, 'StartNode')).toEqual(['StartNode a', 'StartNode b', 'StartNode c']);
  });

  test('a step with several predecessors gets their outputs by id, and mappings name what they need', async () => {
    const workflow = flow({
      nodes: [
        plain('a'),
        plain('b', { add: 2 }),
        plain('both'),
        { ...plain('mapped'), input: { x: 'outputs.both.a', y: ['outputs.none', 'input'] } },
      ],
      edges: [
        { from: 'a', to: 'both' },
        { from: 'b', to: 'both' },
        { from: 'both', to: 'mapped' },
      ],
    });
    const { result } = await runIn(workflow, 0);
    expect(result.output).toEqual({ x: 1, y: 0 });
  });

  test('independent steps run at the same time, as many as are allowed', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const workflow = flow({ nodes: ids.map((id) => plain(id, { seconds: 10 })) });
    const clock = virtualClock();
    await runIn(workflow, 0, { clock });
    expect(clock.now()).toBe(10_000);
    const narrow = virtualClock();
    await runIn(workflow, 0, { clock: narrow, maxConcurrency: 2 });
    expect(narrow.now()).toBe(20_000);
  });

  test('nothing begins with a handler or a compensator missing, or under an id that is taken', async () => {
    const workflow = flow({ nodes: [effect('a')], policies: { saga: SAGA } });
    const { registry } = createWorld();
    const store = createMemoryStore();
    const options = { registry, store, runId: 'r', clock: virtualClock(), unchecked: true };
    const run = (parts: object) => runWorkflow(workflow, 0, { ...options, ...parts });
    await expect(run({ registry: { handlers: {} } })).rejects.toMatchObject({
      code: 'bad_registry',
    });
    await expect(run({ registry: { ...registry, compensators: {} } })).rejects.toThrow('undo');
    for (const [odd, message] of [
      [{ handlers: { effect: () => 1 } }, 'the handler effect has no function run'],
      [{ handlers: { effect: null } }, 'the handler effect has no function run'],
      [{ handlers: { effect: { run() {}, kind: 'Pure' } } }, 'the handler effect is of kind Pure'],
      [{ compensators: { undo: { run: 1 } } }, 'the compensator undo has no function run'],
    ] as const) {
      await expect(run({ registry: { ...registry, ...odd } })).rejects.toThrow(message);
    }
    expect(store.runs()).toEqual([]);
    const first = await run({});
    expect(await run({})).toMatchObject({ status: first.status, versions: first.versions });
    await expect(run({ attach: false })).rejects.toMatchObject({ code: 'run_exists' });
    const other = runWorkflow(workflow, 1, { registry, store, runId: 'r', unchecked: true });
    await expect(other).rejects.toMatchObject({ code: 'run_exists' });
  });

  test('an invariant that does not hold at the end undoes the run', async () => {
    const workflow = flow({
      nodes: [effect('a')],
      policies: { saga: SAGA },
      invariants: [{ name: 'small', holds: '$output < 5' }],
    });
    expect((await runIn(workflow, 0)).result.status).toBe('COMPLETED');
    const { result, world } = await runIn(workflow, 9);
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Invariant' } });
    expect(world.standing.size).toBe(0);
  });

  test('an output that JSON cannot hold is a failure of the step', async () => {
    const workflow = flow({ nodes: [{ id: 'a', type: 'task' }] });
    const registry = { handlers: { a: { run: () => Number.NaN } } };
    const { result } = await runIn(workflow, 0, { registry });
    expect(result).toMatchObject({ status: 'FAILED', error: { code: 'not_json', nodeId: 'a' } });
  });

  test('a workflow that was run cannot be changed: what was prepared would not follow', async () => {
    const workflow = flow({ nodes: [plain('a', { add: 2 })] });
    await runIn(workflow, 0);
    expect(() => Object.assign(workflow.nodes[0], { params: { add: 3 } })).toThrow(TypeError);
    const changed = {
      ...workflow,
      nodes: [...workflow.nodes, ...flow({ nodes: [plain('b')] }).nodes],
    };
    expect((await runIn(changed, 0)).result.output).toEqual({ a: 2, b: 1 });
  });
});

describe('choices', () => {
  const workflow = flow({
    nodes: [
      { id: 'pick', type: 'choice' },
      plain('low'),
      plain('lower'),
      plain('high', { add: 100 }),
      plain('join'),
    ],
    edges: [
      { from: 'pick', to: 'low', kind: 'branch', guard: '$input < 5' },
      { from: 'pick', to: 'high', kind: 'default' },
      ...chain('low', 'lower', 'join'),
      { from: 'high', to: 'join' },
    ],
  });

  test('goes on along the first edge that holds; what lies on no way is skipped; joins run once', async () => {
    const low = await runIn(workflow, 1);
    expect(low.result.output).toBe(4);
    expect(entryLines(low.entries, 'SkipNode')).toEqual(['SkipNode high']);
    const high = await runIn(workflow, 7);
    expect(high.result.output).toBe(108);
    expect(entryLines(high.entries, 'SkipNode')).toEqual(['SkipNode low', 'SkipNode lower']);
  });

  test('a choice fails without a way to go, and for guards that are neither true nor false', async () => {
    const only = (guard: string) =>
      flow({
        nodes: [{ id: 'pick', type: 'choice' }, plain('a')],
        edges: [{ from: 'pick', to: 'a', kind: 'branch', guard }],
      });
    expect((await runIn(only('$input > 5'), 1)).result.error?.code).toBe('NoBranch');
    expect((await runIn(only('$input + 5'), 1)).result.error?.code).toBe('bad_guard');
    expect((await runIn(only('$input'), 1)).result.error?.code).toBe('guard_failed');
  });
});

describe('branches and loops', () => {
  test('a parallel node runs its branches at once, and its output holds theirs by name', async () => {
    const body = (add: number) => ({ nodes: [plain('x', { add, seconds: 3 })], edges: [] });
    const workflow = flow({
      nodes: [{ id: 'par', type: 'parallel', branches: { one: body(1), 'two/2': body(2) } }],
    });
    const clock = virtualClock();
    const { result, entries } = await runIn(workflow, 0, { clock });
    expect(result.output).toEqual({ one: 1, 'two/2': 2 });
    expect(clock.now()).toBe(3000);
    expect(entryLines(entries, 'StartNode')).toContain('StartNode par/two%2F2/x');
  });

  const each = (parts: object, policy: object = {}) =>
    flow({
      nodes: [
        {
          id: 'each',
          type: 'map',
          items: 'input.list',
          policyRef: 'loop',
          body: { nodes: [plain('x', { seconds: 4 })], edges: [] },
          ...parts,
        },
      ],
      policies: { loop: { loopGuards: { maxIters: 5 }, ...policy } },
    });

  test('a map runs its body for each item, as many at once as it may', async () => {
    const clock = virtualClock();
    const { result } = await runIn(each({ maxConcurrency: 2 }), { list: [1, 2, 3] }, { clock });
    expect(result.output).toEqual([2, 3, 4]);
    expect(clock.now()).toBe(8000);
    expect((await runIn(each({}), { list: [] })).result.output).toEqual([]);
    expect((await runIn(each({}), { list: 3 })).result.error?.code).toBe('NoItems');
  });

  test('guards never drop items silently: the map fails', async () => {
    const list = [1, 2, 3, 4, 5, 6];
    expect((await runIn(each({}), { list })).result.error).toMatchObject({ code: 'LoopGuard' });
    const late = { loopGuards: { timeBudgetSeconds: 8 } };
    const slow = await runIn(each({ maxConcurrency: 1 }, late), { list });
    expect(slow.result.error).toMatchObject({ code: 'LoopGuard' });
    expect(entryLines(slow.entries, 'Iterate')).toHaveLength(2);
  });

  const until = (loopGuards: object) =>
    flow({
      nodes: [
        plain('first', { seconds: 10 }),
        {
          id: 'loop',
          type: 'map',
          until: '$output >= 4',
          policyRef: 'loop',
          body: { nodes: [plain('x', { seconds: 4 })], edges: [] },
        },
      ],
      edges: chain('first', 'loop'),
      policies: { loop: { loopGuards } },
    });

  test.each([
    [{ maxIters: 9 }, 4, 'until'],
    [{ maxIters: 2 }, 3, 'maxIters'],
    [{ timeBudgetSeconds: 8 }, 3, 'timeBudget'],
    [{ deadlineSeconds: 14 }, 2, 'deadline'],
  ])('a loop with the guards %j ends with %d because of %s', async (guards, output, end) => {
    const { result, entries } = await runIn(until(guards), 0);
    expect(result.output).toBe(output);
    const ends = entries.filter(({ eventType }) => eventType === 'Iterate').at(-1);
    expect(ends?.payload).toMatchObject({ end });
  });
});
