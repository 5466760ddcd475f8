import { describe, expect, it } from 'vitest';
import { flexibleLowerBound } from '../../src/jssp/bounds.js';
import { createInstance } from '../../src/jssp/instance.js';
import { createMachineSets } from '../../src/jssp/machine-sets.js';

describe('numbers of sets of machines', () => {
  const numberOf = (sets: ReturnType<typeof createMachineSets>, machines: readonly number[]) =>
    machines.reduce((set, k) => sets.with(set, k), 0);

  it('are equal for equal sets in any order, and only for those', () => {
    const sets = createMachineSets(80, 100);
    const one = numberOf(sets, [3, 70, 5]);
    expect(numberOf(sets, [70, 5, 3, 70])).toBe(one);
    expect(numberOf(sets, [70, 5])).not.toBe(one);
    expect(sets.machinesOf(one)).toBe((1n << 3n) | (1n << 70n) | (1n << 5n));
  });

  it('end when there are too many, except for sets of one machine and those known', () => {
    const sets = createMachineSets(10, 1);
    const pair = numberOf(sets, [0, 1]);
    expect(numberOf(sets, [2, 3])).toBe(-1);
    expect(numberOf(sets, [2, 3, 0])).toBe(-1);
    expect(sets.machinesOf(numberOf(sets, [9]))).toBe(1n << 9n);
    expect(numberOf(sets, [1, 0])).toBe(pair);
  });

  it('that are too many leave the bounds of all machines and of each one', () => {
    // 4,000 operations of 3 on pairs of 100 machines, almost all of them different, and 50 that only machine 7 can do.
    const pairs = Array.from({ length: 4000 }, (_, op) => [op % 100, (op % 100) + 1 + (op % 37)]);
    const modes = [
      ...pairs.map((pair) => pair.map((k) => k % 100)),
      ...Array.from({ length: 50 }, () => [7]),
    ];
    const offset = new Int32Array(modes.length + 1);
    modes.forEach((machines, op) => {
      offset[op + 1] = offset[op] + machines.length;
    });
    const machine = Int32Array.from(modes.flat());
    const duration = new Int32Array(machine.length).fill(3);
    const chosen = offset.slice(0, modes.length);
    const shop = (long: number) =>
      createInstance({
        name: 'many sets',
        machines: 100,
        jobOffset: Int32Array.from([...modes.keys(), modes.length]),
        machine: chosen.map((at) => machine[at]),
        duration: chosen.map((at) => (at < offset[4000] ? duration[at] : long)),
        modes: {
          offset,
          machine,
          duration: duration.map((time, at) => (at < offset[4000] ? time : long)),
          chosen,
        },
      });
    expect(flexibleLowerBound(shop(1)).value).toBe(Math.ceil((4000 * 3 + 50) / 100));
    expect(flexibleLowerBound(shop(9)).value).toBe(450);
  });
});
