import { virtualClock } from '@alas-jssp/core/virtual-clock';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AuditableLog,
  createMemoryStore,
  type LogStore,
  type RunResult,
  replayRun,
  resumeRun,
  stateOfRun,
  verifyLog,
  type Workflow,
} from '../../src/index.js';
import { arbitraryWorkflow } from './arbitrary-workflow.js';
import { createWorld, runIn, type World } from './world.js';

const INPUT = { list: [1, 2] };

/** A store that breaks down after so many entries were appended by this process. */
function fragile(store: LogStore, appends: number): LogStore {
  let left = appends;
  return {
    ...store,
    append(entries, options) {
      if (left-- <= 0) throw new Error('power cut');
      return store.append(entries, options);
    },
  };
}

/** What of a run must not depend on whether it was broken off: where it ended and what stands. */
function endOf(result: { status: string; output: unknown }, world: World) {
  // Which of several failures came first may depend on when the run was broken off.
  const text = JSON.stringify(result.output, (key, value) => (key === 'error' ? true : value));
  const output = JSON.parse(text) as unknown;
  return { status: result.status, output, standing: [...world.standing.values()].sort() };
}

/** Whether all is done, or all is undone, or what is left is listed exactly. */
function expectSound(result: RunResult, world: World, store: AuditableLog): void {
  const standing = [...world.standing.keys()].sort();
  const left = result.remaining.map(({ idempotencyKey }) => idempotencyKey).sort();
  if (result.status === 'COMPLETED') {
    const { effects } = stateOfRun(store, 'run');
    const held = [...effects.values()].filter(({ status }) => status === 'held');
    expect(standing).toEqual(held.map(({ key }) => key).sort());
  } else if (result.status === 'COMPENSATION_FAILED') {
    expect(left.length).toBeGreaterThan(0);
    expect(left).toEqual(expect.arrayContaining(standing));
  } else {
    expect([standing, left]).toEqual([[], []]);
  }
  for (const count of world.made.values()) expect(count).toBe(1);
}

describe('random workflows', () => {
  test('all is done, or all is undone, or what is left is listed exactly; and a replay agrees', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(arbitraryWorkflow, async (workflow) => {
        const { result, world, store } = await runIn(workflow, INPUT);
        seen.add(result.status);
        expectSound(result, world, store);
        expect(verifyLog(store).valid).toBe(true);
        expect(await replayRun(store, 'run', world)).toMatchObject({ parity: true });
      }),
      { numRuns: 150 },
    );
    expect([...seen].sort()).toEqual(['COMPENSATED', 'COMPENSATION_FAILED', 'COMPLETED', 'FAILED']);
  });

  test('a run that is broken off after any entry and resumed ends like one that was not', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryWorkflow, fc.nat(99), async (workflow, first) => {
        const whole = await runIn(workflow, INPUT);
        const appends = whole.entries.length;
        // Of long runs a sample: every one is broken off and looked through as a whole.
        const step = Math.ceil(appends / 40);
        for (let k = 1 + (first % step); k < appends; k += step) {
          const { result, world, store } = await runBroken(workflow, k);
          expectSound(result, world, store);
          if (whole.result.status !== 'COMPLETED' || dependsOnTiming(workflow)) continue;
          expect(endOf(result, world)).toEqual(endOf(whole.result, whole.world));
        }
      }),
      { numRuns: 30 },
    );
  });
});

/**
 * Whether the end may depend on what else was in flight when the run broke off: an answer that came
 * after its time was up is used if that is not in the log, and what began at another moment may be
 * what cannot be undone.
 */
function dependsOnTiming({ nodes }: Pick<Workflow, 'nodes'>): boolean {
  return nodes.some((node) => {
    if (node.type === 'parallel') return Object.values(node.branches).some(dependsOnTiming);
    if (node.type === 'map') return dependsOnTiming(node.body);
    const { deaf, seconds, undoFailsUpTo } = node.params ?? {};
    return undoFailsUpTo !== undefined || (deaf === true && Number(seconds ?? 0) >= 5);
  });
}

/** Runs a workflow whose store fails after k appends, and resumes it with the world as it is then. */
async function runBroken(workflow: Workflow, k: number) {
  const store = createMemoryStore();
  const world = createWorld();
  const clock = virtualClock();
  try {
    const { result } = await runIn(workflow, INPUT, { world, clock, store: fragile(store, k) });
    return { result, world, store };
  } catch (error) {
    expect((error as Error).message).toBe('power cut');
  }
  const result = await resumeRun(store, 'run', { registry: world.registry, clock });
  return { result, world, store };
}
