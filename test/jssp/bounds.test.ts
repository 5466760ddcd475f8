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
import { createCalendar } from '../../src/jssp/calendar.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { tardinessLowerBound } from '../../src/jssp/tardiness-bounds.js';
import { semiActive } from '../../src/jssp/timing.js';
import { arbitraryInstance, arbitraryInstanceAndSequences } from '../arbitraries.js';
import { arbitraryTinyPinned } from '../search/arbitrary-pinned.js';
import { arbitraryTiny } from '../search/bounds/arbitrary-tiny.js';
import { optimum } from '../search/bounds/optimum.js';

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

/** All machines down at once. */
function shutDown(instance: Instance, from: number, to: number, resumable: boolean): Instance {
  const downtimes = Array.from({ length: instance.machines }, (_, machine) => ({
    machine,
    from,
    to,
    resumable,
  }));
  return replaceInstance(instance, { calendar: createCalendar(instance.machines, downtimes) });
}

const tinyShops = fc.oneof(
  arbitraryTiny({ downtimes: true }),
  arbitraryTinyPinned(),
  arbitraryTinyPinned({ deadlines: true }),
);

describe('lower bounds under downtimes and frozen starts', () => {
  it('never exceed the optimum that enumeration finds, nor does that on tardiness', () => {
    let raised = 0;
    fc.assert(
      fc.property(tinyShops, (instance) => {
        const least = optimum(instance);
        fc.pre(least < Infinity);
        for (const { value } of lowerBounds(instance)) expect(value).toBeLessThanOrEqual(least);
        const tardiness = optimum(instance, { objective: 'total-weighted-tardiness' });
        expect(tardinessLowerBound(instance)).toBeLessThanOrEqual(tardiness);
        const open = replaceInstance(instance, { calendar: null, frozen: null });
        expect(lowerBound(instance).value).toBeGreaterThanOrEqual(lowerBound(open).value);
        if (lowerBound(instance).value > lowerBound(open).value) raised++;
      }),
      { numRuns: 1000 },
    );
    expect(raised).toBeGreaterThan(300);
  });

  it('are those without, where nothing is down or frozen', () => {
    fc.assert(
      fc.property(arbitraryInstance(), (instance) => {
        const frozen = new Int32Array(instance.operations).fill(-1);
        expect(lowerBounds(replaceInstance(instance, { frozen }))).toEqual(lowerBounds(instance));
        const late = shutDown(instance, 100_000, 100_001, false);
        expect(lowerBounds(late)).toEqual(lowerBounds(instance));
      }),
    );
  });

  it('are the optimum of one machine whose work waits for nothing but resumable downtimes', () => {
    const work = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    const downtimes = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
      {
        maxLength: 3,
      },
    );
    fc.assert(
      fc.property(work, downtimes, (durations, gaps) => {
        let time = 0;
        const calendar = createCalendar(
          1,
          gaps.map(([gap, length]) => {
            const from = time + gap;
            time = from + length;
            return { machine: 0, from, to: time, resumable: true };
          }),
        );
        const shop = instanceFromJobs(
          'one machine',
          durations.map((d) => [[0, d]]),
        );
        const down = replaceInstance(shop, { calendar });
        expect(lowerBound(down).value).toBe(optimum(down));
      }),
    );
  });

  it('are the optimum of a job alone, whatever is down or frozen', () => {
    fc.assert(
      fc.property(
        fc.oneof(arbitraryTiny({ downtimes: true }), arbitraryTinyPinned()),
        (instance) => {
          const jobs = instance.jobOf;
          fc.pre(jobs.length > 0 && jobs.every((job) => job === jobs[0]));
          expect(lowerBound(instance).value).toBe(optimum(instance));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are the optimum as often with all machines down for a while as without', () => {
    const counts = { free: 0, down: 0, raised: 0 };
    fc.assert(
      fc.property(
        arbitraryTiny({ downtimes: false }),
        fc.integer({ min: 1, max: 15 }),
        fc.integer({ min: 1, max: 15 }),
        fc.boolean(),
        (instance, from, length, resumable) => {
          fc.pre(instance.operations >= 4);
          const down = shutDown(instance, from, from + length, resumable);
          const [free, least] = [optimum(instance), optimum(down)];
          fc.pre(least < Infinity && free < Infinity);
          if (lowerBound(instance).value === free) counts.free++;
          if (lowerBound(down).value === least) counts.down++;
          if (least > free) counts.raised++;
        },
      ),
      { numRuns: 1000 },
    );
    expect(counts.raised).toBeGreaterThan(300);
    expect(counts.free).toBeGreaterThan(600);
    expect(counts.down).toBeGreaterThan(0.95 * counts.free);
  });
});
