import { CycleError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionTime, meetsDowntime } from '../../src/jssp/calendar.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { machineSequences } from '../../src/jssp/schedule.js';
import {
  criticalBlocks,
  criticalPath,
  headsAndTails,
  machineNeighbours,
  semiActive,
} from '../../src/jssp/timing.js';
import { arbitraryInstance, arbitraryInstanceAndSequences } from '../arbitraries.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 1],
  ],
  [
    [0, 2],
    [1, 0],
    [0, 5],
  ],
]);
// Machine 0: job 1, job 3, job 2, job 3; machine 1: job 2, job 1 and an operation of no duration.
const orders = Int32Array.of(0, 4, 3, 6, 2, 1, 5);

/** Everything that must lie before an operation starts, by brute force over the sequences. */
function latestEndBefore(instance: Instance, sequences: Int32Array, end: Int32Array, op: number) {
  const { predecessor } = machineNeighbours(instance, sequences);
  const inJob = op > instance.jobOffset[instance.jobOf[op]] ? end[op - 1] : 0;
  return Math.max(inJob, predecessor[op] < 0 ? 0 : end[predecessor[op]]);
}

describe('semiActive', () => {
  it('times a shop worked out by hand', () => {
    const { start, end, makespan } = semiActive(shop, orders);
    expect([...start]).toEqual([0, 4, 0, 5, 3, 5, 6]);
    expect([...end]).toEqual([3, 6, 4, 6, 5, 5, 11]);
    expect(makespan).toBe(11);
  });

  it('starts nothing before it is allowed and nothing later than it must be', () => {
    const shape = { releases: true, downtimes: true };
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(shape), ([instance, sequences]) => {
        const { start, end } = semiActive(instance, sequences);
        for (let op = 0; op < instance.operations; op++) {
          const ready = Math.max(
            latestEndBefore(instance, sequences, end, op),
            instance.release?.[op] ?? 0,
          );
          expect(start[op]).toBeGreaterThanOrEqual(ready);
          expect(meetsDowntime(instance, op, start[op])).toBe(-1);
          expect(end[op]).toBe(completionTime(instance, op, start[op]));
          for (let time = ready; time < start[op]; time++) {
            expect(meetsDowntime(instance, op, time)).toBeGreaterThanOrEqual(0);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reproduces itself from the machine sequences of its own schedule', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences({ downtimes: true }), ([instance, sequences]) => {
        const schedule = semiActive(instance, sequences);
        expect(semiActive(instance, machineSequences(schedule)).start).toEqual(schedule.start);
      }),
    );
  });

  it('keeps frozen starts and refuses those that cannot be reached', () => {
    const late = replaceInstance(shop, { frozen: Int32Array.of(2, -1, -1, -1, -1, -1, -1) });
    expect([...semiActive(late, orders).start]).toEqual([2, 5, 0, 7, 5, 7, 8]);
    const early = replaceInstance(shop, { frozen: Int32Array.of(-1, 3, -1, -1, -1, -1, -1) });
    expect(() => semiActive(early, orders)).toThrow(
      'job 1, step 2 started at 3, but in these machine orders it is not ready before 4',
    );
  });

  it('names a cycle, operation by operation', () => {
    const cyclic = instanceFromJobs('cyclic', [
      [
        [0, 1],
        [1, 1],
      ],
      [
        [1, 1],
        [0, 1],
      ],
      [
        [0, 1],
        [1, 1],
      ],
    ]);
    const attempt = () => semiActive(cyclic, Int32Array.of(4, 3, 0, 1, 2, 5));
    expect(attempt).toThrow(CycleError);
    expect(attempt).toThrow(
      'the machine orders form a cycle with the job orders: job 1, step 2 (machine 1) before job 2, step 1 (machine 1) before job 2, step 2 (machine 0) before job 1, step 1 (machine 0) before job 1, step 2 (machine 1)',
    );
  });

  it('reports cycles that are cycles, whenever random orders have one', () => {
    const shuffled = arbitraryInstance().chain((instance) =>
      fc.tuple(
        fc.constant(instance),
        fc.tuple(
          ...Array.from({ length: instance.machines }, (_, k) => {
            const [first, last] = [instance.machineOffset[k], instance.machineOffset[k + 1]];
            const ops = [...instance.machineOperations.subarray(first, last)];
            return fc.shuffledSubarray(ops, { minLength: ops.length });
          }),
        ),
      ),
    );
    let cycles = 0;
    fc.assert(
      fc.property(shuffled, ([instance, perMachine]) => {
        const sequences = Int32Array.from(perMachine.flat());
        const { predecessor } = machineNeighbours(instance, sequences);
        try {
          const { start, end } = semiActive(instance, sequences);
          start.forEach((time, op) => {
            expect(time).toBe(latestEndBefore(instance, sequences, end, op));
          });
        } catch (error) {
          if (!(error instanceof CycleError)) throw error;
          cycles++;
          error.cycle.forEach((op, i) => {
            const next = error.cycle[(i + 1) % error.cycle.length];
            const inJob = next === op + 1 && instance.jobOf[next] === instance.jobOf[op];
            expect(inJob || predecessor[next] === op).toBe(true);
          });
        }
      }),
      { numRuns: 500 },
    );
    expect(cycles).toBeGreaterThan(50);
  });

  it.each([
    [Int32Array.of(0, 1), '2 entries for 7 operations'],
    [Int32Array.of(0, 4, 3, 3, 2, 1, 5), 'operation 3 comes twice on machine 0'],
    [Int32Array.of(0, 4, 3, 1, 2, 6, 5), 'operation 1 is not of machine 0'],
  ])('refuses sequences that are not an order of each machine: %s', (sequences, message) => {
    expect(() => semiActive(shop, sequences)).toThrow(message);
  });
});

describe('headsAndTails', () => {
  it('gives the longest path through every operation', () => {
    const { head, tail, makespan } = headsAndTails(shop, orders);
    expect([...head]).toEqual([0, 4, 0, 5, 3, 5, 6]);
    expect([...tail]).toEqual([8, 0, 6, 5, 6, 5, 0]);
    expect(makespan).toBe(11);
  });

  it('never exceeds the makespan through any operation and meets it through some', () => {
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(), ([instance, sequences]) => {
        const { head, tail, makespan, order } = headsAndTails(instance, sequences);
        const lengths = Array.from(head, (h, op) => h + instance.duration[op] + tail[op]);
        expect(Math.max(0, ...lengths)).toBe(makespan);
        expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
      }),
    );
  });
});

describe('criticalPath', () => {
  it('begins where an operation waits for its release or a downtime and not for another one', () => {
    const chain = instanceFromJobs('chain', [
      [
        [0, 10],
        [1, 5],
      ],
    ]);
    const released = replaceInstance(chain, { release: Int32Array.of(0, 100) });
    expect([...criticalPath(semiActive(released, Int32Array.of(0, 1)))]).toEqual([1]);
    const down = (from: number, to: number) =>
      replaceInstance(chain, {
        calendar: {
          offset: Int32Array.of(0, 0, 1),
          from: Int32Array.of(from),
          to: Int32Array.of(to),
          resumable: Uint8Array.of(1),
        },
      });
    expect([...criticalPath(semiActive(down(8, 20), Int32Array.of(0, 1)))]).toEqual([1]);
    expect([...criticalPath(semiActive(down(10, 20), Int32Array.of(0, 1)))]).toEqual([0, 1]);
    const frozen = replaceInstance(chain, { frozen: Int32Array.of(0, 10) });
    expect([...criticalPath(semiActive(frozen, Int32Array.of(0, 1)))]).toEqual([1]);
  });

  it('is held together by waiting, also with releases and downtimes', () => {
    const shape = { releases: true, downtimes: true };
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(shape), ([instance, sequences]) => {
        const schedule = semiActive(instance, sequences);
        const { start, end, makespan } = schedule;
        const path = criticalPath(schedule, sequences);
        expect(path.length === 0).toBe(makespan === 0);
        if (makespan > 0) expect(end[path[path.length - 1]]).toBe(makespan);
        const couldStart = (op: number, time: number) =>
          time >= (instance.release?.[op] ?? 0) && meetsDowntime(instance, op, time) < 0;
        path.forEach((op, i) => {
          const ready = latestEndBefore(instance, sequences, end, op);
          let earlier = Math.max(0, ready - 1);
          while (!couldStart(op, earlier)) earlier++;
          expect(earlier < start[op]).toBe(i > 0);
          if (i > 0) expect(end[path[i - 1]]).toBe(ready);
        });
      }),
      { numRuns: 500 },
    );
  });

  it('leads from the start to the makespan without a gap, in blocks of one machine each', () => {
    expect([...criticalPath(semiActive(shop, orders))]).toEqual([0, 4, 3, 6]);
    fc.assert(
      fc.property(arbitraryInstanceAndSequences(), ([instance, sequences]) => {
        const schedule = semiActive(instance, sequences);
        const { start, end, makespan } = schedule;
        const path = criticalPath(schedule, sequences);
        const work = path.reduce((sum, op) => sum + instance.duration[op], 0);
        expect(work).toBe(makespan);
        path.forEach((op, i) => {
          expect(start[op]).toBe(i === 0 ? 0 : end[path[i - 1]]);
        });
        const blocks = criticalBlocks(instance, path);
        expect(blocks.flatMap((block) => [...block])).toEqual([...path]);
        blocks.forEach((block, i) => {
          expect(new Set(block.map((op) => instance.machine[op])).size).toBe(1);
          if (i > 0) {
            expect(instance.machine[block[0]]).not.toBe(instance.machine[blocks[i - 1][0]]);
          }
        });
      }),
    );
  });
});
