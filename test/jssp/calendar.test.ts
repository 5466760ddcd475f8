import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  completionTime,
  earliestStart,
  latestStart,
  meetsDowntime,
} from '../../src/jssp/calendar.js';
import type { Instance } from '../../src/jssp/instance.js';
import { arbitraryInstance } from '../arbitraries.js';

/** Runs an operation unit by unit; undefined where a downtime forbids the start. */
function simulate(instance: Instance, op: number, start: number): number | undefined {
  const { calendar, machine, duration } = instance;
  const downAt = (time: number): number => {
    if (calendar === null) return -1;
    for (let i = calendar.offset[machine[op]]; i < calendar.offset[machine[op] + 1]; i++) {
      if (calendar.from[i] <= time && time < calendar.to[i]) return i;
    }
    return -1;
  };
  let time = start;
  for (let left = duration[op]; left > 0; time++) {
    const downtime = downAt(time);
    if (downtime < 0) left--;
    else if (time === start || calendar?.resumable[downtime] === 0) return undefined;
  }
  return time;
}

const arbitraryStart = arbitraryInstance({ downtimes: true, releases: true })
  .filter(({ operations }) => operations > 0)
  .chain((instance) =>
    fc.tuple(fc.constant(instance), fc.nat(instance.operations - 1), fc.nat(60)),
  );

describe('the calendar', () => {
  it('agrees with a simulation by time units on what may start when and ends when', () => {
    fc.assert(
      fc.property(arbitraryStart, ([instance, op, start]) => {
        const end = simulate(instance, op, start);
        expect(meetsDowntime(instance, op, start) < 0).toBe(end !== undefined);
        if (end !== undefined) expect(completionTime(instance, op, start)).toBe(end);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the first start that is allowed, and none before it is', () => {
    fc.assert(
      fc.property(arbitraryStart, ([instance, op, from]) => {
        const start = earliestStart(instance, op, from);
        const first = Math.max(from, instance.release?.[op] ?? 0);
        for (let time = first; time < start; time++) {
          expect(simulate(instance, op, time)).toBeUndefined();
        }
        expect(simulate(instance, op, start)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the latest start that is done by a time', () => {
    fc.assert(
      fc.property(arbitraryStart, ([instance, op, by]) => {
        let latest = by;
        while (latest >= 0) {
          const end = simulate(instance, op, latest);
          if (end !== undefined && end <= by) break;
          latest--;
        }
        const found = latestStart(instance, op, by);
        if (latest < 0) expect(found).toBeLessThan(0);
        else expect(found).toBe(latest);
      }),
      { numRuns: 1000 },
    );
  });
});
