import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import { createMemoryStore, type LogStore, resumeRun } from '../../src/index.js';
import { createWorld, effect, flow, plain, runIn, SAGA } from './world.js';

const LATE = { seconds: 7, before: true, deaf: true };

/** A store that breaks down when a node ends. */
function failingAtEndOf(store: LogStore, id: string): LogStore {
  return {
    ...store,
    append(entries, options) {
      if (entries.some(({ nodeId, eventType }) => nodeId === id && eventType === 'EndNode')) {
        throw new Error('disk full');
      }
      return store.append(entries, options);
    },
  };
}

test('a run that breaks off throws when its handlers have ended, and is resumed without them', async () => {
  const [store, world, clock] = [createMemoryStore(), createWorld(), virtualClock()];
  const workflow = flow({
    nodes: [effect('late', LATE), plain('breaks', { seconds: 1 })],
    policies: { saga: SAGA },
  });
  const broken = runIn(workflow, 0, { world, clock, store: failingAtEndOf(store, 'breaks') });
  await expect(broken).rejects.toThrow('disk full');
  expect(clock.now()).toBe(7000);
  expect([...world.standing.values()]).toEqual(['late']);
  const result = await resumeRun(store, 'run', { registry: world.registry, clock });
  expect(result.status).toBe('COMPLETED');
  expect([...world.made.values()]).toEqual([1]);
});

test('a handler that never ends holds up a run that broke off for ten seconds', async () => {
  const [store, world, clock] = [createMemoryStore(), createWorld(), virtualClock()];
  const workflow = flow({
    nodes: [effect('late', { ...LATE, seconds: 1e6 }), plain('breaks', { seconds: 1 })],
    policies: { saga: SAGA },
  });
  const broken = runIn(workflow, 0, { world, clock, store: failingAtEndOf(store, 'breaks') });
  await expect(broken).rejects.toThrow('disk full');
  expect(clock.now()).toBe(11_000);
});
