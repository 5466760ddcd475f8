import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInstance } from '../../src/jssp/instance.js';
import { layOutTabuTable } from '../../src/search/kernel.js';
import { arbitraryInstance } from '../arbitraries.js';

test('every ordered pair of operations of one machine has an entry of its own', () => {
  fc.assert(
    fc.property(arbitraryInstance({ maxJobs: 8 }), (instance) => {
      const { row, column, size } = layOutTabuTable(instance);
      const entries = [];
      for (let a = 0; a < instance.operations; a++) {
        for (let b = 0; b < instance.operations; b++) {
          if (instance.machine[a] === instance.machine[b]) entries.push(row[a] + column[b]);
        }
      }
      expect(new Set(entries).size).toBe(entries.length);
      expect(entries.every((entry) => entry >= 0 && entry < size)).toBe(true);
      expect(size).toBe(entries.length);
    }),
  );
});

test('beyond 2^24 pairs entries are shared, but none lies outside the table', () => {
  const width = 5000;
  const instance = createInstance({
    name: 'one wide machine',
    machines: 1,
    jobOffset: Int32Array.from({ length: width + 1 }, (_, job) => job),
    machine: new Int32Array(width),
    duration: new Int32Array(width).fill(1),
  });
  const { row, column, size } = layOutTabuTable(instance);
  const highest = (places: Int32Array) => places.reduce((a, b) => Math.max(a, b));
  expect(size).toBeLessThan(width * width);
  expect(highest(row) + highest(column)).toBeLessThan(size);
});
