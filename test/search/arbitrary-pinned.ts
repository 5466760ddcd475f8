import fc from 'fast-check';
import { type Instance, replaceInstance } from '../../src/jssp/instance.js';
import { semiActive } from '../../src/jssp/timing.js';
import { arbitraryInstanceAndSequences, type InstanceShape } from '../arbitraries.js';

/**
 * Random instances in execution with a feasible schedule of each: what it starts before some time
 * is frozen, and some of what comes later, which makes most of that pinned. Deadlines, if there are
 * any, may be missed by it.
 */
export function arbitraryPinned(shape: InstanceShape = {}): fc.Arbitrary<[Instance, Int32Array]> {
  return fc
    .tuple(
      arbitraryInstanceAndSequences({ releases: true, downtimes: true, ...shape }),
      fc.nat(40),
      fc.infiniteStream(fc.nat(3)),
    )
    .map(([[free, sequences], now, dice]) => {
      const { start } = semiActive(free, sequences);
      const frozen = start.map((time) => (time < now || dice.next().value === 0 ? time : -1));
      return [replaceInstance(free, { frozen }), start];
    });
}

/**
 * The same, small enough to enumerate, with due dates, and deadlines if there are any, that are
 * tight enough to matter.
 */
export function arbitraryTinyPinned(shape: InstanceShape = {}): fc.Arbitrary<Instance> {
  const size = { maxJobs: 4, maxMachines: 3, maxLength: 3 };
  const tight = (times: Int32Array | null, least: number) =>
    times?.map((time) => (time < 0 ? time : least + (time % 40))) ?? null;
  return arbitraryPinned({ ...size, dueDates: true, weights: true, ...shape })
    .filter(([{ operations }]) => operations >= 4 && operations <= 9)
    .map(([instance]) =>
      replaceInstance(instance, {
        due: tight(instance.due, 0),
        deadline: tight(instance.deadline, 40),
      }),
    );
}
