import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instance, instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule, machineSequences } from '../../src/jssp/schedule.js';
import { headsAndTails, semiActive } from '../../src/jssp/timing.js';
import { orderByTime } from '../../src/search/evolution/solution.js';
import { createKernel, type Kernel, startsOf } from '../../src/search/kernel.js';
import { arbitraryInstanceAndSequences } from '../arbitraries.js';

/** A search that begins with given machine orders. */
function startFrom(instance: Instance, sequences: Int32Array): Kernel {
  const kernel = createKernel(instance);
  kernel.load(orderByTime(semiActive(instance, sequences).start));
  kernel.exports.configure(6, 3, 2, false);
  kernel.exports.start();
  return kernel;
}

/** Heads, and durations with tails, of the machine orders that the order of the kernel implies, from nothing. */
function timedFromNothing({ instance, arrays, number }: Kernel) {
  const place = new Int32Array(instance.operations);
  arrays.order.forEach((op, i) => {
    place[op] = i;
  });
  const sequences = machineSequences(
    createSchedule(
      instance,
      number.map((op) => place[op]),
    ),
  );
  const { start, makespan } = semiActive(instance, sequences);
  const { tail } = headsAndTails(instance, sequences);
  return { start, rest: tail.map((t, op) => t + instance.duration[op]), makespan };
}

const cases = fc.tuple(
  arbitraryInstanceAndSequences({ releases: true }),
  fc.nat(),
  fc.nat(),
  fc.integer({ min: 1, max: 30 }),
  fc.nat({ max: 20 }),
);

describe('a search in a window of the order', () => {
  it('knows the makespan of every solution that it comes to, and moves nothing outside', () => {
    fc.assert(
      fc.property(cases, ([[instance, sequences], one, other, steps, slack]) => {
        fc.pre(instance.operations > 0);
        const kernel = startFrom(instance, sequences);
        const { exports, arrays } = kernel;
        const from = Math.min(one % (instance.operations + 1), other % (instance.operations + 1));
        const to = Math.max(one % (instance.operations + 1), other % (instance.operations + 1));
        const before = [...arrays.order];
        let best = exports.bestCost();
        expect(best).toBe(timedFromNothing(kernel).makespan);
        const first = best;
        let last = best;
        let goesOn = exports.openWindow(from, to, first + slack) !== 0;
        for (let step = 0; goesOn && step < steps; step++) {
          goesOn = exports.search(1, 1000, 0) !== 0;
          const timed = timedFromNothing(kernel);
          best = Math.min(best, timed.makespan);
          if (timed.makespan <= (best < first ? best : first + slack)) last = timed.makespan;
          expect(exports.bestCost()).toBe(best);
          const order = [...arrays.order];
          expect(order.slice(0, from)).toEqual(before.slice(0, from));
          expect(order.slice(to)).toEqual(before.slice(to));
          const starts = startsOf(kernel);
          const rests = kernel.number.map((op) => arrays.rest[op]);
          const position = kernel.number.map((op) => order.indexOf(op));
          for (let op = 0; op < instance.operations; op++) {
            if (position[op] < to) expect(starts[op]).toBe(timed.start[op]);
            if (position[op] >= from) expect(rests[op]).toBe(timed.rest[op]);
          }
        }
        exports.closeWindow();
        expect(exports.bestCost()).toBe(last);
        exports.settle();
        expect(exports.makespan()).toBe(last);
        const timed = timedFromNothing(kernel);
        expect(timed.makespan).toBe(last);
        expect([...startsOf(kernel)]).toEqual([...timed.start]);
        expect([...kernel.number.map((op) => arrays.rest[op])]).toEqual([...timed.rest]);
      }),
    );
  });

  it('lets the search continue as before after it is closed', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences({}), fc.nat(), ([instance, sequences], at) => {
        fc.pre(instance.operations > 0);
        const kernel = startFrom(instance, sequences);
        const from = at % instance.operations;
        kernel.exports.openWindow(from, instance.operations, 0);
        kernel.exports.search(10, 1000, 0);
        kernel.exports.closeWindow();
        kernel.exports.settle();
        kernel.exports.search(10, 1000, 0);
        expect(kernel.exports.makespan()).toBe(timedFromNothing(kernel).makespan);
      }),
    );
  });

  it('leaves times to windows after it, which know every makespan, too', () => {
    const windows = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(
        arbitraryInstanceAndSequences({ releases: true }),
        windows,
        fc.nat({ max: 20 }),
        ([instance, sequences], places, slack) => {
          fc.pre(instance.operations > 0);
          const kernel = startFrom(instance, sequences);
          const { exports, arrays } = kernel;
          for (const [one, other] of places) {
            const ends = [one, other].map((at) => at % (instance.operations + 1));
            const opens = exports.openWindow(
              Math.min(...ends),
              Math.max(...ends),
              exports.bestCost() + slack,
            );
            if (opens !== 0) exports.search(10, 1000, 0);
            exports.closeWindow();
            expect(exports.bestCost()).toBe(timedFromNothing(kernel).makespan);
          }
          exports.settle();
          const timed = timedFromNothing(kernel);
          expect([...startsOf(kernel)]).toEqual([...timed.start]);
          expect([...kernel.number.map((op) => arrays.rest[op])]).toEqual([...timed.rest]);
        },
      ),
    );
  });

  it('has nothing to gain where a longest path avoids the window', () => {
    const instance = instanceFromJobs('around', [
      [
        [0, 10],
        [1, 10],
      ],
      [
        [2, 1],
        [3, 1],
      ],
    ]);
    const { exports } = startFrom(instance, Int32Array.from([0, 1, 2, 3]));
    expect(exports.openWindow(2, 3, 0)).toBe(0);
    exports.closeWindow();
    expect(exports.openWindow(0, 4, 0)).not.toBe(0);
  });
});
