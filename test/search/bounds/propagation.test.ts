import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobHeadsAndTails } from '../../../src/jssp/bounds.js';
import { instanceFromJobs } from '../../../src/jssp/instance.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import {
  createNumberQueue,
  createPropagation,
  savedLength,
} from '../../../src/search/bounds/propagation.js';

const never = () => false;

test('a change on one machine goes along the job to the others', () => {
  const instance = instanceFromJobs('two', [
    [
      [0, 5],
      [1, 2],
    ],
    [
      [0, 4],
      [1, 9],
    ],
  ]);
  const known = createPropagation(instance, never);
  // Within 15, job 1 must come first on both machines: 5 + 4 + 9 is too long.
  expect(known.reset(15)).toBe(true);
  expect([...known.head]).toEqual([4, 13, 0, 4]);
  expect([...known.tail]).toEqual([2, 0, 11, 2]);
  expect(known.reset(14)).toBe(false);
  expect(known.contradictions.reduce((a, b) => a + b)).toBe(1);
});

test('a frozen operation has no room to move', () => {
  const instance = instanceFromJobs('pinned', [[[0, 3]], [[0, 4]]]);
  const known = createPropagation({ ...instance, frozen: Int32Array.of(5, -1) }, never);
  expect(known.reset(20)).toBe(true);
  expect([...known.head]).toEqual([5, 0]);
  expect([...known.tail]).toEqual([12, 0]);
  expect(known.reset(7)).toBe(false);
});

test('a smaller makespan, or an order, leaves no more room; restoring gives all of it back', () => {
  const instance = resolveSource('la01').load();
  const known = createPropagation(instance, never);
  const along = jobHeadsAndTails(instance);
  const saved = new Int32Array(savedLength(instance));
  const atLeast = (times: Int32Array, others: Int32Array) =>
    times.every((time, op) => time >= others[op]);
  fc.assert(
    fc.property(
      fc.integer({ min: 660, max: 900 }),
      fc.array(fc.nat(), { maxLength: 20 }),
      (makespan, choices) => {
        if (!known.reset(makespan)) return;
        known.save(saved);
        const [head, tail] = [known.head.slice(), known.tail.slice()];
        expect(atLeast(head, along.head) && atLeast(tail, along.tail)).toBe(true);
        const { members, offset, width } = known.orders;
        const holds = choices.every((choice) => {
          const k = choice % instance.machines;
          const a = (choice >> 4) % width(k);
          const b = (a + 1 + ((choice >> 10) % (width(k) - 1))) % width(k);
          return known.precede(members[offset[k] + a], members[offset[k] + b]);
        });
        if (holds) expect(atLeast(known.head, head) && atLeast(known.tail, tail)).toBe(true);
        known.restore(saved);
        expect([known.head, known.tail, known.orders.count()]).toEqual([head, tail, 0]);
      },
    ),
  );
});

test('propagation that is over draws no more conclusions, and none that is wrong', () => {
  const instance = resolveSource('ft10').load();
  const full = createPropagation(instance, never);
  expect(full.reset(870)).toBe(true);
  let asked = 0;
  const cut = createPropagation(instance, () => ++asked > 5);
  expect(cut.reset(870)).toBe(true);
  expect(cut.head.every((time, op) => time <= full.head[op])).toBe(true);
  expect(cut.head).not.toEqual(full.head);
});

test('numbers leave in the order they came, none of them twice at a time', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(4))), (steps) => {
      const queue = createNumberQueue(5);
      let model: number[] = [];
      for (const number of steps) {
        if (number === null) {
          if (model.length > 0) expect(queue.shift()).toBe(model[0]);
          model = model.slice(1);
        } else {
          queue.push(number);
          if (!model.includes(number)) model.push(number);
        }
        expect(queue.size()).toBe(model.length);
      }
      queue.clear();
      expect(queue.size()).toBe(0);
      queue.push(3);
      expect(queue.shift()).toBe(3);
    }),
  );
});
