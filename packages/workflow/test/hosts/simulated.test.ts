import { describe, expect, test } from 'vitest';
import {
  createSimulation,
  type Registry,
  runWorkflow,
  type SimulatedFaults,
  type SimulatedProcess,
  toWorkflow,
} from '../../src/index.js';

const NOTHING = new Promise<never>(() => {});

describe('processes of a simulation', () => {
  test('sleep in the time of the world, which passes while all are asleep', async () => {
    const simulation = createSimulation({ seed: 1 });
    const order: string[] = [];
    const sleeper = (name: string, seconds: number) =>
      simulation.start(name, async ({ options: { clock } }) => {
        await clock.sleep(seconds * 1000);
        order.push(`${name} at ${clock.now()}`);
      });
    sleeper('slow', 90_000);
    sleeper('quick', 1);
    await simulation.run();
    expect(order).toEqual(['quick at 1000', 'slow at 90000000']);
  });

  test('that are killed never wake, write nothing, and are restarted', async () => {
    const simulation = createSimulation({ seed: 1, faults: { longestAbsence: 5 } });
    const lives: SimulatedProcess[] = [];
    let woken = 0;
    simulation.start('one', async (process) => {
      lives.push(process);
      await process.options.clock.sleep(10_000);
      woken++;
    });
    simulation.start('killer', async ({ options: { clock } }) => {
      await clock.sleep(1000);
      lives[0].kill();
    });
    await simulation.run();
    expect(woken).toBe(1);
    expect(lives).toHaveLength(2);
    expect(() => lives[0].store.append([])).toThrow(/was killed/);
    expect(simulation.story[0]).toBe('1.000 s: one/1 is killed');
  });

  test('see that another has ended if they are on its host, and never that it lives', async () => {
    let [seen, unseen] = [0, 0];
    for (let seed = 0; seed < 20; seed++) {
      const simulation = createSimulation({ seed, faults: { longestAbsence: 5 } });
      simulation.start('one', async (one) => {
        if (one.options.owner === 'one/1') {
          expect(one.options.isGone('one/1')).toBe(false);
          one.kill();
          await NOTHING;
        }
        if (one.options.isGone('one/1')) seen++;
        else unseen++;
      });
      await simulation.run();
    }
    expect([seen > 3, unseen > 3]).toEqual([true, true]);
  });
});

const FAULTS: Partial<SimulatedFaults> = {
  ...{ killEvery: 20, pauseEvery: 20, jumpEvery: 20, killAtAppend: 0.05 },
  ...{ appendLost: 0.05, appendUnheard: 0.05, slowCall: 0.5, hangingCall: 0.02 },
  ...{ failingCall: 0.05, deafCall: 0.5, doubleMessage: 0.5, longestTelling: 5 },
};

const saga = { compensation: { handler: 'undo', safeReinvoke: true }, timeout: { seconds: 30 } };
const task = (id: string) =>
  ({ id, type: 'task', handler: 'act', effect: 'compensable', policyRef: 'saga' }) as const;
const workflow = toWorkflow({
  schema: 'alas-jssp/workflow@1',
  name: 'story',
  nodes: [task('a'), task('b'), task('c')],
  edges: [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
  ],
  policies: { saga },
});

/** One run under all faults, and all there is to know of it. */
async function storyOf(seed: number) {
  const calls: string[] = [];
  const registry: Registry = {
    handlers: { act: { run: (_, { nodeId }) => void calls.push(nodeId) } },
    compensators: { undo: { run: (_, { nodeId }) => void calls.push(`undo ${nodeId}`) } },
  };
  const simulation = createSimulation({ seed, faults: FAULTS });
  simulation.start('one', ({ options, store, registry: simulated }) =>
    runWorkflow(
      workflow,
      {},
      { ...options, store, registry: simulated(registry), runId: 'run', unchecked: true },
    ),
  );
  await simulation.run();
  return { calls, story: simulation.story, entries: [...simulation.store.read({ runId: 'run' })] };
}

test('the same seed gives the same story, and another seed another one', async () => {
  const stories = [await storyOf(1), await storyOf(2), await storyOf(1), await storyOf(2)];
  expect(stories[2]).toEqual(stories[0]);
  expect(stories[3]).toEqual(stories[1]);
  expect(stories[1].entries).not.toEqual(stories[0].entries);
  expect(stories[0].story.length).toBeGreaterThan(0);
});
