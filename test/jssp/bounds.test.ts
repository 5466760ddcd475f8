import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jobHeadsAndTails,
  jobLengthBound,
  lowerBound,
  lowerBounds,
  machineHeadTailBound,
  machineLoadBound,
  preemptiveBound,
  simpleBound,
} from '../../src/jssp/bounds.js';
import { type Instance, instanceFromJobs } from '../../src/jssp/instance.js';
import { semiActive } from '../../src/jssp/timing.js';
import { arbitraryInstance, arbitraryInstanceAndSequences } from '../arbitraries.js';

/** Jackson's preemptive schedule, one time unit after the other. */
function preemptiveByUnits(instance: Instance): number {
  const { head, tail } = jobHeadsAndTails(instance);
  let latest = 0;
  for (let k = 0; k < instance.machines; k++) {
    const left = Int32Array.from(instance.duration, (d, op) =>
      instance.machine[op] === k ? d : 0,
    );
    for (let time = 0; left.some((units) => units > 0); time++) {
      const ready = [...left.keys()].filter((op) => left[op] > 0 && head[op] <= time);
      const op = ready.sort((a, b) => tail[b] - tail[a])[0];
      if (op !== undefined && --left[op] === 0) latest = Math.max(latest, time + 1 + tail[op]);
    }
  }
  return latest;
}

describe('lower bounds', () => {
  it('are right on a shop worked out by hand', () => {
    const instance = instanceFromJobs('hand', [
      [
        [0, 4],
        [1, 3],
      ],
      [
        [0, 4],
        [1, 1],
      ],
      [[0, 4]],
    ]);
    expect(jobLengthBound(instance)).toBe(7);
    expect(machineLoadBound(instance)).toBe(12);
    expect(machineHeadTailBound(instance)).toBe(12);
    expect(preemptiveBound(instance)).toBe(12);
    expect(lowerBound(instance)).toEqual({ value: 12, source: 'machine load' });
    expect(simpleBound(instance)).toEqual({ value: 12, source: 'machine load' });
    expect(lowerBounds(instance).map(({ value }) => value)).toEqual([7, 12, 12, 12]);
  });

  it('never exceed the makespan of any schedule, also with releases and downtimes', () => {
    const shape = { releases: true, downtimes: true };
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(shape), ([instance, sequences]) => {
        expect(lowerBound(instance).value).toBeLessThanOrEqual(
          semiActive(instance, sequences).makespan,
        );
      }),
      { numRuns: 500 },
    );
  });

  it("equal a simulation of Jackson's preemptive schedule, and it dominates heads and tails", () => {
    fc.assert(
      fc.property(arbitraryInstance({ releases: true }), (instance) => {
        expect(preemptiveBound(instance)).toBe(preemptiveByUnits(instance));
        expect(preemptiveBound(instance)).toBeGreaterThanOrEqual(machineHeadTailBound(instance));
        expect(machineHeadTailBound(instance)).toBeGreaterThanOrEqual(machineLoadBound(instance));
      }),
    );
  });
});
