import { expect, test } from 'vitest';
import { LOST } from '../../src/hosts/call-registered.js';
import { type Registry, replayRun, type StepContext, verifyLog } from '../../src/index.js';
import { chain, createWorld, effect, entryLines, flow, plain, runIn, SAGA } from './world.js';

/** The process of the attempts up to a number is lost: before it acts, or after. */
function losing(upTo: number, when: 'before' | 'after', only?: string) {
  const world = createWorld();
  const { handlers } = world.registry;
  const run = async (input: never, context: StepContext) => {
    const lost = context.attempt <= upTo && (only === undefined || context.nodeId === only);
    if (lost && when === 'before') throw LOST;
    const output = await handlers.effect.run(input, context);
    if (lost) throw LOST;
    return output;
  };
  const registry: Registry = {
    ...world.registry,
    handlers: { ...handlers, effect: { ...handlers.effect, run } },
  };
  return { ...world, registry };
}

const policies = { saga: SAGA, twice: { ...SAGA, retry: { maxAttempts: 2, retryOn: ['*'] } } };

for (const when of ['before', 'after'] as const) {
  test(`an attempt that is lost ${when} it acts is made again under its key`, async () => {
    const workflow = flow({ nodes: [effect('a'), plain('b')], edges: chain('a', 'b'), policies });
    const { result, entries, world, store } = await runIn(workflow, 1, { world: losing(1, when) });
    expect(result).toMatchObject({ status: 'COMPLETED', inDoubt: [] });
    expect(entryLines(entries, 'StartNode', 'Answer', 'EndNode', 'FailNode')).toEqual([
      ...['StartNode a', 'Answer a', 'StartNode a', 'EndNode a', 'StartNode b', 'EndNode b'],
    ]);
    expect([...world.made.values()]).toEqual([1]);
    expect(verifyLog(store).valid).toBe(true);
    expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
  });

  test(`it counts, and its effect is undone, though it was lost ${when} that`, async () => {
    const a = { ...effect('a'), policyRef: 'twice' };
    const world = losing(9, when);
    const { result, store } = await runIn(flow({ nodes: [a], policies }), 1, { world });
    expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Interrupted' } });
    expect(result.inDoubt).toEqual([]);
    expect([...world.standing]).toEqual([]);
    expect(world.calls.filter((call) => call === 'undo a')).toHaveLength(1);
    expect(verifyLog(store).valid).toBe(true);
  });

  test(`what cannot be undone is in doubt when it is lost ${when} it acts`, async () => {
    const a = { ...effect('a'), effect: 'irreversible' };
    const { result } = await runIn(flow({ nodes: [a], policies: { saga: {} } }), 1, {
      world: losing(1, when),
    });
    expect(result).toMatchObject({ status: 'IN_DOUBT', inDoubt: [{ nodeId: 'a', attempts: [] }] });
  });
}

test('a step without an effect is made again', async () => {
  const b = { ...effect('b'), effect: 'none', policyRef: undefined };
  const { result, entries, store } = await runIn(flow({ nodes: [b], policies }), 1, {
    world: losing(2, 'before'),
  });
  expect(result.status).toBe('COMPLETED');
  expect(entryLines(entries, 'StartNode', 'Answer')).toEqual([
    'StartNode b',
    'StartNode b',
    'StartNode b',
  ]);
  expect(verifyLog(store).valid).toBe(true);
});

test.each([true, false])(
  'a compensator that is lost is called again only if it may: %s',
  async (safe) => {
    const world = createWorld();
    const { undo } = world.registry.compensators ?? {};
    const registry: Registry = {
      ...world.registry,
      compensators: {
        undo: {
          run: async (done, context) => {
            if (context.attempt === 1) throw LOST;
            return undo.run(done, context);
          },
        },
      },
    };
    const saga = { compensation: { handler: 'undo', safeReinvoke: safe } };
    const workflow = flow({
      nodes: [effect('a'), plain('b', { fail: 'Broken' })],
      edges: chain('a', 'b'),
      policies: { saga },
    });
    const { result, store } = await runIn(workflow, 1, { world: { ...world, registry } });
    expect(result.status).toBe(safe ? 'COMPENSATED' : 'COMPENSATION_FAILED');
    expect(verifyLog(store).valid).toBe(true);
  },
);
