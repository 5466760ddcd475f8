import { virtualClock } from '@alas-jssp/core/virtual-clock';
import { expect, test } from 'vitest';
import { createMemoryStore } from '../../src/index.js';
import {
  createOutside,
  nodesThere,
  program,
  runUnchecked as runWorkflow,
  step,
} from './outside.js';

const reading = (holds: string) =>
  program([step('a'), step('b'), step('c')], { invariants: [{ name: 'bounded', holds }] });

function begin() {
  const world = createOutside();
  const store = createMemoryStore();
  return {
    world,
    options: { store, clock: virtualClock(), registry: world.registry, runId: 'run' },
  };
}

test('an invariant that a commit breaks stops the run there, and not at its end', async () => {
  const { world, options } = begin();
  const holds = '$not($exists($outputs.b)) or $outputs.b.made = "a"';
  const result = await runWorkflow(reading(holds), 0, options);
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Invariant' } });
  expect(world.calls).toEqual(['a', 'b', 'undo b', 'undo a']);
  expect(nodesThere(world)).toEqual([]);
});

test('an invariant that every commit keeps stops nothing', async () => {
  const { world, options } = begin();
  const holds = '$not($exists($outputs.b)) or $outputs.b.made = "b"';
  const result = await runWorkflow(reading(holds), 0, options);
  expect(result.status).toBe('COMPLETED');
  expect(world.calls).toEqual(['a', 'b', 'c']);
});

test('an invariant over the output holds at the end', async () => {
  const { world, options } = begin();
  const result = await runWorkflow(reading('$output.made = "b"'), 0, options);
  expect(result).toMatchObject({ status: 'COMPENSATED', error: { code: 'Invariant' } });
  expect(world.calls.slice(0, 3)).toEqual(['a', 'b', 'c']);
});
