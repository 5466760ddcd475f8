import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listDowntimes } from '../../../src/jssp/calendar.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { unpin } from '../../../src/search/construct/pinned.js';
import { isFeasible, validate } from '../../../src/validator/index.js';
import { arbitraryExecution } from '../arbitrary-execution.js';
import { arbitraryPinned } from '../arbitrary-pinned.js';

/** A schedule of the unpinned instance by a random rule, and its starts in the given instance. */
function schedulePinned(given: Instance, seed: number) {
  const { instance, pinned } = unpin(given);
  const { start } = dispatch(instance, { rule: 'random', seed });
  const restored = start.slice();
  for (const op of pinned) restored[op] = given.frozen?.[op] ?? -1;
  // In time means: what precedes a pinned operation in its job is done by its start.
  const { end } = createSchedule(given, restored);
  const isInTime = pinned.every((op) => {
    const isFirst = op === given.jobOffset[given.jobOf[op]];
    return isFirst || end[op - 1] <= restored[op];
  });
  return { instance, start, restored, isInTime };
}

describe('an instance without its pinned operations', () => {
  it('has schedules that are those of the given one just when what is pinned is not late', () => {
    const seen = { inTime: 0, late: 0 };
    fc.assert(
      fc.property(arbitraryPinned(), fc.nat(), ([given], seed) => {
        const { instance, start, restored, isInTime } = schedulePinned(given, seed);
        expect(validate(instance, createSchedule(instance, start)).violations).toEqual([]);
        const { violations } = validate(given, createSchedule(given, restored));
        expect(violations.length === 0).toBe(isInTime);
        // Nothing else goes wrong, and only for what is pinned, but that the whole is too short then.
        for (const { code, scope } of violations) {
          if (code === 'below_lower_bound') continue;
          expect(code).toBe('job_precedence');
          expect(given.frozen?.[scope.op ?? -1]).toBeGreaterThanOrEqual(0);
        }
        seen[isInTime ? 'inTime' : 'late']++;
      }),
      { numRuns: 500 },
    );
    expect(seen.inTime).toBeGreaterThan(50);
    expect(seen.late).toBeGreaterThan(20);
  });

  it('has the schedule of the given one, with what is pinned at its end', () => {
    let count = 0;
    fc.assert(
      fc.property(arbitraryPinned(), ([given, start]) => {
        const { instance, pinned } = unpin(given);
        const { end } = createSchedule(given, start);
        const moved = start.slice();
        for (const op of pinned) moved[op] = end[op];
        expect(isFeasible(given, start)).toBe(true);
        expect(isFeasible(instance, moved)).toBe(true);
        count += pinned.length;
      }),
      { numRuns: 300 },
    );
    expect(count).toBeGreaterThan(100);
  });

  it('is the given one where nothing free can start before what is frozen', () => {
    fc.assert(
      fc.property(arbitraryExecution({ downtimes: true }), (given) => {
        const { frozen } = given;
        const now = frozen?.reduce((a, b) => Math.max(a, b)) ?? 0;
        const release = Int32Array.from(given.jobOf, () => now);
        const begun = replaceInstance(given, { release });
        expect(unpin(begun)).toEqual({ instance: begun, pinned: [] });
      }),
    );
    const free = instanceFromJobs('free', [[[0, 1]]]);
    expect(unpin(free).instance).toBe(free);
  });

  it('has a downtime that nothing meets in the place of what is pinned, and what is left of others', () => {
    const shop = instanceFromJobs('shop', [[[0, 4]], [[0, 2]]]);
    const given = replaceInstance(shop, {
      frozen: Int32Array.of(10, -1),
      calendar: {
        offset: Int32Array.of(0, 2),
        from: Int32Array.of(3, 12),
        to: Int32Array.of(5, 15),
        resumable: Uint8Array.of(0, 1),
      },
    });
    const { instance, pinned } = unpin(given);
    expect(pinned).toEqual([0]);
    expect([...instance.duration]).toEqual([0, 2]);
    // The downtime from 12 to 15 interrupts it, and ends within it.
    expect([...(instance.release ?? [])]).toEqual([17, 0]);
    expect(instance.frozen).toBeNull();
    expect(listDowntimes(instance.calendar as NonNullable<typeof instance.calendar>)).toEqual([
      { machine: 0, from: 3, to: 5, resumable: false },
      { machine: 0, from: 10, to: 17, resumable: false },
    ]);
  });

  it('pins what others could start before, and what follows that in its job', () => {
    const shop = instanceFromJobs('shop', [
      [
        [0, 3],
        [1, 2],
      ],
      [
        [0, 5],
        [1, 1],
      ],
      [[2, 4]],
    ]);
    // Machine 0 has started with job 0; job 1 follows at 20, and no operation is before it on 1.
    const frozen = Int32Array.of(0, -1, 20, 30, 9);
    expect(unpin(replaceInstance(shop, { frozen })).pinned).toEqual([3]);
    const later = Int32Array.of(-1, -1, 20, 30, 9);
    expect(unpin(replaceInstance(shop, { frozen: later })).pinned).toEqual([2, 3]);
  });
});
