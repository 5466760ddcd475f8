import fc from 'fast-check';
import { completionTime } from '../../src/jssp/calendar.js';
import { type Instance, MAX_TIME, replaceInstance } from '../../src/jssp/instance.js';
import { type Plan, type PlanEntry, planFromSchedule } from '../../src/jssp/plan.js';
import { createSchedule, type Schedule } from '../../src/jssp/schedule.js';
import { arbitraryInstance } from '../arbitraries.js';
import { listSchedule } from './list-scheduler.js';

/** Instances with and without each of the rules beyond machines and durations. */
const arbitraryShape = fc
  .record({ releases: fc.boolean(), deadlines: fc.boolean(), downtimes: fc.boolean() })
  .chain(arbitraryInstance);

/** Schedules by {@link listSchedule}, some of whose starts may be frozen (perhaps elsewhere). */
export const arbitraryCase: fc.Arbitrary<{ instance: Instance; starts: Int32Array }> =
  arbitraryShape.chain((instance) =>
    fc
      .record({
        turns: fc.shuffledSubarray(Array.from(instance.jobOf), {
          minLength: instance.operations,
        }),
        isFrozen: fc.array(fc.nat(3), {
          minLength: instance.operations,
          maxLength: instance.operations,
        }),
        freezes: fc.boolean(),
      })
      .map(({ turns, isFrozen, freezes }) => {
        const starts = listSchedule(instance, turns);
        const frozen = freezes ? starts.map((s, op) => (isFrozen[op] === 0 ? s : -1)) : null;
        return { instance: replaceInstance(instance, { frozen }), starts };
      }),
  );

/** Start times from valid over slightly wrong to garbage; −1 and other unusable ones, too. */
export function arbitraryStarts(instance: Instance, valid: Int32Array): fc.Arbitrary<Int32Array> {
  const nudge = fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -12, max: 12 }) },
  );
  const same = { minLength: instance.operations, maxLength: instance.operations };
  const usable = fc.nat(80);
  const any = fc.oneof(
    { weight: 6, arbitrary: usable },
    fc.constantFrom(-1, -2, -7, -(2 ** 31), MAX_TIME - 3, MAX_TIME, MAX_TIME + 1, 2 ** 31 - 1),
  );
  return fc.oneof(
    fc.constant(valid),
    fc.nat(9).map((delay) => valid.map((start) => start + delay)),
    fc.array(nudge, same).map((nudges) => valid.map((start, op) => start + nudges[op])),
    fc.array(usable, same).map((starts) => Int32Array.from(starts)),
    fc.array(any, same).map((starts) => Int32Array.from(starts)),
  );
}

/** A schedule of any start times at all, also of such as `createSchedule` refuses. */
export function uncheckedSchedule(instance: Instance, start: Int32Array): Schedule {
  return { instance, mode: null, start, end: start, makespan: 0 };
}

const oddNumber = fc.constantFrom(
  -1,
  -4,
  0.5,
  -0.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e12,
  MAX_TIME,
  MAX_TIME + 1,
);
const anyNumber = fc.oneof({ weight: 4, arbitrary: fc.nat(60) }, oddNumber);

/** Plans made of start times, then damaged: entries changed, lost, repeated and out of order. */
export function arbitraryPlan(instance: Instance, valid: Int32Array): fc.Arbitrary<Plan> {
  const change = fc.record(
    {
      job: fc.oneof(fc.nat(7), oddNumber),
      step: fc.oneof(fc.nat(7), oddNumber),
      machine: fc.oneof(fc.nat(6), oddNumber),
      start: anyNumber,
      end: anyNumber,
    },
    { requiredKeys: [] },
  );
  return fc
    .record({
      starts: arbitraryStarts(instance, valid),
      changes: fc.array(fc.tuple(fc.nat(), fc.oneof(change, fc.constantFrom('drop', 'repeat'))), {
        maxLength: 4,
      }),
      makespan: fc.oneof(fc.constant('true' as const), fc.constant(undefined), anyNumber),
    })
    .map(({ starts, changes, makespan }) => {
      const entries = entriesOf(instance, starts);
      for (const [where, what] of changes) {
        if (entries.length === 0) continue;
        const index = where % entries.length;
        if (what === 'drop') entries.splice(index, 1);
        else if (what === 'repeat') entries.push({ ...entries[index], start: where % 50 });
        else entries[index] = { ...entries[index], ...(what as Partial<PlanEntry>) };
      }
      const latest = Math.max(0, ...entries.map(({ end }) => end));
      return { entries, makespan: makespan === 'true' ? latest : makespan };
    });
}

/** True entries for start times, whatever those are. */
function entriesOf(instance: Instance, starts: Int32Array): PlanEntry[] {
  const { entries } = planFromSchedule(
    createSchedule(instance, new Int32Array(instance.operations)),
  );
  return entries.map((entry, op) => ({
    ...entry,
    start: starts[op],
    end: starts[op] < 0 ? starts[op] : completionTime(instance, op, starts[op]),
  }));
}
