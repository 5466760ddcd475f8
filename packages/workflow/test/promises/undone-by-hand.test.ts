import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compensateRun,
  createMemoryStore,
  type LogStore,
  type Registry,
  replayRun,
  resumeRun,
  settleEffect,
  verifyLog,
} from '../../src/index.js';
import {
  createOutside,
  fail,
  nodesThere,
  plainStep,
  program,
  runUnchecked as runWorkflow,
  step,
} from './outside.js';

/** The outside, where the effects of some nodes cannot be undone. */
function begin(stuck: ReadonlySet<string>) {
  const [store, clock, world] = [createMemoryStore(), virtualClock(), createOutside()];
  const undo = world.registry.compensators?.undo;
  const registry: Registry = {
    ...world.registry,
    compensators: {
      undo: {
        run: (effect, context) => {
          if (stuck.has(context.nodeId)) fail('Stuck');
          return undo?.run(effect, context);
        },
      },
    },
  };
  const byHand = (nodeId: string) => {
    for (const key of world.there.keys()) if (key.split('|')[1] === nodeId) world.there.delete(key);
  };
  return { store, clock, world, byHand, options: { store, clock, runId: 'run', registry } };
}

const chain = (count: number, edges?: readonly object[]) =>
  program(
    [
      ...Array.from({ length: count }, (_, k) => step(`s${k}`)),
      plainStep('breaks', { fail: 'Broken' }),
    ],
    edges && { edges },
  );

describe('an effect that could not be undone', () => {
  test('and that a person has undone by hand frees those on which it builds', async () => {
    const { store, clock, world, byHand, options } = begin(new Set(['s1']));
    const result = await runWorkflow(chain(3), 0, options);
    expect(result.status).toBe('COMPENSATION_FAILED');
    expect(result.remaining).toMatchObject([
      { nodeId: 's1', reason: 'failed' },
      { nodeId: 's0', reason: 'blocked' },
    ]);
    byHand('s1');
    const said = { happened: false, by: 'kim' };
    expect(settleEffect(store, 'run', 's1', said, clock).delivered).toBe(true);
    const last = await resumeRun(store, 'run', options);
    expect(last).toMatchObject({ status: 'COMPENSATED', remaining: [], inDoubt: [] });
    expect(last.error?.code).toBe('Broken');
    expect(nodesThere(world)).toEqual([]);
    const [entry] = store.read({ runId: 'run', eventTypes: ['Settle'] });
    expect(entry).toMatchObject({ nodeId: 's1', payload: said });
    const again = () => settleEffect(store, 'run', 's1', said, clock);
    expect(again).toThrow(expect.objectContaining({ code: 'no_doubt' }));
    // A further undo of the run does not call its compensator.
    const { length } = world.calls;
    await compensateRun(store, 'run', 'kim', options);
    expect(world.calls).toHaveLength(length);
    expect(verifyLog(store).valid).toBe(true);
    expect(await replayRun(store, 'run', options)).toMatchObject({ parity: true });
  });

  test('and of which a person says that it exists is still listed, and tried again on request', async () => {
    const stuck = new Set(['s0']);
    const { store, clock, world, options } = begin(stuck);
    await runWorkflow(chain(1), 0, options);
    settleEffect(store, 'run', 's0', { happened: true, by: 'kim' }, clock);
    expect(await resumeRun(store, 'run', options)).toMatchObject({
      status: 'COMPENSATION_FAILED',
      remaining: [{ nodeId: 's0', reason: 'failed' }],
    });
    stuck.clear();
    expect((await compensateRun(store, 'run', 'kim', options)).status).toBe('COMPENSATED');
    expect(nodesThere(world)).toEqual([]);
    expect(verifyLog(store).valid).toBe(true);
    expect(await replayRun(store, 'run', options)).toMatchObject({ parity: true });
  });

  test('and that appears after all is undone again', async () => {
    const stuck = new Set(['s0']);
    const { store, clock, world, byHand, options } = begin(stuck);
    const late = step('s0', { after: 100, deaf: true }, { policyRef: 'brief' });
    const policies = {
      brief: { compensation: { handler: 'undo', safeReinvoke: true }, timeout: { seconds: 1 } },
    };
    const first = await runWorkflow(program([late], { policies }), 0, options);
    expect(first.remaining).toMatchObject([{ nodeId: 's0', reason: 'failed' }]);
    byHand('s0');
    settleEffect(store, 'run', 's0', { happened: false, by: 'kim' }, clock);
    stuck.clear();
    expect((await resumeRun(store, 'run', options)).remaining).toEqual([]);
    await clock.sleep(200_000);
    expect(nodesThere(world)).toEqual(['s0']);
    expect(await resumeRun(store, 'run', options)).toMatchObject({ remaining: [], inDoubt: [] });
    expect(nodesThere(world)).toEqual([]);
    expect(verifyLog(store).valid).toBe(true);
  });
});

/** Steps that build on each other at random, and those that cannot be undone. */
const cases = fc.integer({ min: 1, max: 6 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    links: fc.array(fc.boolean(), { minLength: count * count, maxLength: count * count }),
    stuck: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    /** The append at which the store breaks down. */
    lasts: fc.nat(60),
  }),
);

test('what is undone by hand is settled in any order, wherever the run is broken off', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, links, stuck, order, lasts }) => {
      const ids = Array.from({ length: count }, (_, k) => `s${k}`);
      const edges = ids.flatMap((from, k) => [
        ...ids.flatMap((to, m) => (k < m && links[k * count + m] ? [{ from, to }] : [])),
        { from, to: 'breaks' },
      ]);
      const made = begin(new Set(ids.filter((_, k) => stuck[k])));
      const { store, clock, world, byHand, options } = made;
      let appends = 0;
      const append: LogStore['append'] = (...given) => {
        if (appends++ === lasts) throw new Error('power cut');
        return store.append(...given);
      };
      const fragile = { ...options, store: { ...store, append } };
      const goOn = async (act: (given: typeof options) => ReturnType<typeof resumeRun>) => {
        return act(fragile).catch((error) => {
          expect(error.message).toBe('power cut');
          return resumeRun(store, 'run', options);
        });
      };
      let result = await goOn((given) => runWorkflow(chain(count, edges), 0, given));
      for (let turn = 0; result.remaining.length > 0; turn++) {
        const failed = result.remaining.filter(({ reason }) => reason === 'failed');
        expect(failed).not.toEqual([]);
        const { nodeId } = failed[order[turn] % failed.length];
        byHand(nodeId);
        settleEffect(store, 'run', nodeId, { happened: false, by: 'kim' }, clock);
        result = await goOn((given) => resumeRun(given.store, 'run', given));
      }
      expect(result).toMatchObject({
        status: expect.stringMatching(/^(COMPENSATED|FAILED)$/),
        inDoubt: [],
      });
      expect(nodesThere(world)).toEqual([]);
      // A step is undone after all that build on it.
      const undone = world.calls.flatMap((call) => call.split('undo ')[1] ?? []);
      for (const { from, to } of edges) {
        const [on, by] = [undone.lastIndexOf(from), undone.indexOf(to)];
        if (on >= 0 && by >= 0) expect(on).toBeGreaterThan(by);
      }
      expect(verifyLog(store).valid).toBe(true);
      expect(await replayRun(store, 'run', options)).toMatchObject({ parity: true });
    }),
    { numRuns: 60 },
  );
});
