import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import type { Instance } from '../../src/jssp/instance.js';
import { createSchedule, machineSequences } from '../../src/jssp/schedule.js';
import { headsAndTails, semiActive } from '../../src/jssp/timing.js';
import { createKernel, type Kernel } from '../../src/search/kernel.js';
import { orderByTime } from '../../src/search/solution.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';

/** A kernel at work on given machine orders. */
function load(instance: Instance, sequences: Int32Array): Kernel {
  const kernel = createKernel(instance);
  kernel.load(orderByTime(semiActive(instance, sequences).start));
  return kernel;
}

/** The place of each operation in the kernel's order. */
function placesOf({ instance, arrays, number }: Kernel): Int32Array {
  const place = new Int32Array(instance.operations);
  arrays.order.forEach((op, i) => {
    place[op] = i;
  });
  return number.map((op) => place[op]);
}

/** The machine sequences that a kernel's order implies. */
function sequencesOf(kernel: Kernel): Int32Array {
  return machineSequences(createSchedule(kernel.instance, placesOf(kernel)));
}

/** Makes the kernel prove that its heads, tails and makespan are those of its machine orders. */
function expectExact(kernel: Kernel): void {
  const { instance, arrays, number, exports } = kernel;
  const { duration } = instance;
  const sequences = sequencesOf(kernel);
  const schedule = semiActive(instance, sequences);
  const { tail } = headsAndTails(instance, sequences);
  expect([...number.map((op) => arrays.end[op])]).toEqual([...schedule.end]);
  expect([...number.map((op) => arrays.rest[op])]).toEqual([
    ...tail.map((t, op) => t + duration[op]),
  ]);
  expect(exports.makespan()).toBe(schedule.makespan);
}

/** Two operations of one machine that occupy it, the earlier one first; null if there are none. */
function drawPair(kernel: Kernel, random: ReturnType<typeof createRandom>) {
  const { instance } = kernel;
  const place = placesOf(kernel);
  const { machineOffset, machineOperations, machines, duration } = instance;
  const k = random.integer(0, machines - 1);
  const ops = [...machineOperations.subarray(machineOffset[k], machineOffset[k + 1])]
    .filter((op) => duration[op] > 0)
    .sort((a, b) => place[a] - place[b]);
  if (ops.length < 2) return null;
  const first = random.integer(0, ops.length - 2);
  return [ops[first], ops[random.integer(first + 1, ops.length - 1)]] as const;
}

const shapes = [{}, { releases: true }, { releases: true, downtimes: true }];

describe.each(shapes)('the kernel on random instances %j', (shape) => {
  const cases = fc.tuple(arbitraryInstanceAndSequences(shape), fc.nat());

  it('keeps heads, tails and order exact over any moves, and refuses those that close a cycle', () => {
    let made = 0;
    let refused = 0;
    fc.assert(
      fc.property(cases, ([[instance, sequences], seed]) => {
        const kernel = load(instance, sequences);
        expectExact(kernel);
        const random = createRandom(seed);
        for (let move = 0; move < 30; move++) {
          const pair = drawPair(kernel, random);
          if (pair === null) continue;
          const [u, v] = pair.map((op) => kernel.number[op]);
          const before = kernel.arrays.order.slice();
          const { moveAfter, moveBefore } = kernel.exports;
          const done = random.next() < 0.5 ? moveAfter(u, v) : moveBefore(v, u);
          if (done) made++;
          else {
            refused++;
            expect(kernel.arrays.order).toEqual(before);
          }
          expectExact(kernel);
        }
      }),
      { numRuns: 100 },
    );
    expect(made).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(20);
  });
});

describe('the estimates of the kernel', () => {
  it('never exceed the makespan after a swap of neighbours on a machine', () => {
    let swaps = 0;
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences({ releases: true }),
        fc.nat(),
        ([instance, sequences], seed) => {
          const kernel = load(instance, sequences);
          const random = createRandom(seed);
          for (let i = 0; i < 20; i++) {
            const pair = drawPair(kernel, random);
            const current = sequencesOf(kernel);
            if (pair === null || current.indexOf(pair[1]) !== current.indexOf(pair[0]) + 1)
              continue;
            const [u, v] = pair.map((op) => kernel.number[op]);
            const { estimateAfter, estimateBefore, moveAfter, makespan } = kernel.exports;
            const estimate = estimateAfter(u, v);
            expect(estimateBefore(v, u)).toBe(estimate);
            if (!moveAfter(u, v)) continue;
            swaps++;
            expect(estimate).toBeLessThanOrEqual(makespan());
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(swaps).toBeGreaterThan(300);
  });
});

describe('the search of the kernel', () => {
  it('repeats itself for equal seeds, and its best order has the makespan that it reports', () => {
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences({ releases: true, downtimes: true }),
        fc.integer({ min: 1, max: 999 }),
        ([instance, sequences], seed) => {
          const run = () => {
            const kernel = load(instance, sequences);
            kernel.exports.configure(6, 5, 3, false);
            kernel.exports.seedRandom(seed);
            kernel.exports.start();
            kernel.exports.search(200, 100, 0);
            const best = kernel.exports.bestCost();
            const order = kernel.bestOrder();
            kernel.load(order);
            expectExact(kernel);
            expect(kernel.exports.makespan()).toBe(best);
            return [...order];
          };
          expect(run()).toEqual(run());
        },
      ),
      { numRuns: 100 },
    );
  });
});
