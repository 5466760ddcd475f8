import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Instance, instanceFromJobs, MAX_TIME } from '../../../src/jssp/instance.js';
import { machineNeighbours, semiActive } from '../../../src/jssp/timing.js';
import { createSolution, distance, orderByTime } from '../../../src/search/evolution/solution.js';
import { arbitraryInstanceAndSequences, arbitrarySequences } from '../../arbitraries.js';

/** Whether an order puts every operation after what must precede it on job and machine. */
function isTopological(instance: Instance, sequences: Int32Array, order: Int32Array): boolean {
  const place = new Int32Array(instance.operations);
  order.forEach((op, i) => {
    place[op] = i;
  });
  const { predecessor } = machineNeighbours(instance, sequences);
  return [...order.keys()].every((op) => {
    const inJob = op === instance.jobOffset[instance.jobOf[op]] || place[op - 1] < place[op];
    return inJob && (predecessor[op] < 0 || place[predecessor[op]] < place[op]);
  });
}

function solutionOf(instance: Instance, sequences: Int32Array) {
  const { start, makespan } = semiActive(instance, sequences);
  return createSolution(instance, makespan, orderByTime(start), start);
}

describe('orderByTime', () => {
  it('turns start times into a topological order', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences({ releases: true }), ([instance, sequences]) => {
        const { start } = semiActive(instance, sequences);
        expect(isTopological(instance, sequences, orderByTime(start))).toBe(true);
      }),
    );
  });

  it('loses no operation where there are many of them and times are large', () => {
    const operations = 1_000_000;
    const times = Float64Array.from({ length: operations }, (_, op) => MAX_TIME - op);
    const order = orderByTime(times);
    expect(order.every((op, i) => op === operations - 1 - i)).toBe(true);
  });

  it('keeps every precedence that two parents share, however they are weighted', () => {
    const pairs = arbitraryInstanceAndSequences().chain(([instance, one]) =>
      fc.tuple(fc.constant(instance), fc.constant(one), arbitrarySequences(instance)),
    );
    fc.assert(
      fc.property(pairs, fc.double({ min: 0, max: 1, noNaN: true }), ([instance, a, b], weight) => {
        const [one, other] = [a, b].map((sequences) => semiActive(instance, sequences));
        const order = orderByTime(
          Float64Array.from(one.start, (t, op) => weight * t + (1 - weight) * other.start[op]),
        );
        const place = new Int32Array(instance.operations);
        order.forEach((op, i) => {
          place[op] = i;
        });
        for (let p = 0; p < instance.operations; p++) {
          for (let q = 0; q < instance.operations; q++) {
            if (instance.duration[p] === 0) continue;
            if (one.end[p] <= one.start[q] && other.end[p] <= other.start[q]) {
              expect(place[p]).toBeLessThan(place[q]);
            }
          }
        }
      }),
    );
  });
});

describe('distance', () => {
  it('is 0 for equal orders, 1 for reversed ones, and the same both ways', () => {
    const shop = instanceFromJobs(
      'one machine',
      Array.from({ length: 4 }, () => [[0, 1]] as const),
    );
    const forwards = solutionOf(shop, Int32Array.of(0, 1, 2, 3));
    const backwards = solutionOf(shop, Int32Array.of(3, 2, 1, 0));
    const swapped = solutionOf(shop, Int32Array.of(1, 0, 2, 3));
    expect(distance(shop, forwards, forwards)).toBe(0);
    expect(distance(shop, forwards, backwards)).toBe(1);
    expect(distance(shop, forwards, swapped)).toBe(distance(shop, swapped, forwards));
    expect(distance(shop, forwards, swapped)).toBe(0.25);
  });
});
