import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Instance, instanceFromJobs } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { sequenceDeviation } from '../../../src/lcrp/metrics/sequence-deviation.js';
import type { Times } from '../../../src/lcrp/task.js';
import { arbitraryInstance } from '../../arbitraries.js';

const all = () => true;

test('one operation at the other end moves all, and is as many inversions as it passes', () => {
  const queue = instanceFromJobs('queue', Array(4).fill([[0, 5]]), 2);
  const before = createSchedule(queue, Int32Array.of(0, 5, 10, 15));
  const after = createSchedule(queue, Int32Array.of(20, 5, 10, 15));
  expect(sequenceDeviation(queue, before, after, all)).toEqual({
    inversions: 3,
    kendall: 0.5,
    displacement: 6,
    footrule: 0.75,
    moved: Int32Array.of(0, 1, 2, 3),
  });
  expect(sequenceDeviation(queue, before, after, (op) => op > 0)).toEqual({
    inversions: 0,
    kendall: 0,
    displacement: 0,
    footrule: 0,
    moved: new Int32Array(),
  });
});

test('every queue backwards is the largest distance, by either measure', () => {
  const queues = instanceFromJobs('queues', Array(5).fill([[0, 1]]), 1);
  const before = createSchedule(queues, Int32Array.of(0, 1, 2, 3, 4));
  const after = createSchedule(queues, Int32Array.of(4, 3, 2, 1, 0));
  expect(sequenceDeviation(queues, before, after, all)).toMatchObject({
    inversions: 10,
    kendall: 1,
    displacement: 12,
    footrule: 1,
  });
});

const cases = arbitraryInstance({ maxMachines: 2 }).chain((instance) => {
  const starts = fc
    .array(fc.integer({ min: -1, max: 30 }), {
      minLength: instance.operations,
      maxLength: instance.operations,
    })
    .map((times) => createSchedule(instance, Int32Array.from(times)));
  return fc.tuple(fc.constant(instance), starts, starts, fc.func(fc.boolean()));
});

test('equals the definitions, pair by pair and place by place', () => {
  fc.assert(
    fc.property(cases, ([instance, before, after, isCompared]) => {
      const found = sequenceDeviation(instance, before, after, isCompared);
      expect(found).toMatchObject(byDefinition(instance, before, after, isCompared));
      expect(found.displacement).toBeGreaterThanOrEqual(found.inversions);
      expect(found.displacement).toBeLessThanOrEqual(2 * found.inversions);
      const back = sequenceDeviation(instance, after, before, isCompared);
      expect(back).toEqual(found);
    }),
    { numRuns: 400 },
  );
});

function byDefinition(
  { operations, machine, duration }: Instance,
  before: Times,
  after: Times,
  isCompared: (op: number) => boolean,
) {
  const compared = Array.from({ length: operations }, (_, op) => op).filter(
    (op) => duration[op] > 0 && isCompared(op) && before.start[op] >= 0 && after.start[op] >= 0,
  );
  const precedes = ({ start }: Times, a: number, b: number) =>
    start[a] < start[b] || (start[a] === start[b] && a < b);
  const rank = (times: Times, op: number) =>
    compared.filter((other) => machine[other] === machine[op] && precedes(times, other, op)).length;
  let inversions = 0;
  for (const a of compared) {
    for (const b of compared) {
      const isPair = a < b && machine[a] === machine[b];
      if (isPair && precedes(before, a, b) !== precedes(after, a, b)) inversions++;
    }
  }
  const shifts = compared.map((op) => Math.abs(rank(before, op) - rank(after, op)));
  return {
    inversions,
    displacement: shifts.reduce((a, b) => a + b, 0),
    moved: Int32Array.from(compared.filter((_, i) => shifts[i] > 0)),
  };
}
