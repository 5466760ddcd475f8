import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instanceFromJobs, isFree } from '../../../src/jssp/instance.js';
import { operationAt } from '../../../src/jssp/plan.js';
import { createSchedule, type Schedule } from '../../../src/jssp/schedule.js';
import { recompute } from '../../../src/lcrp/baselines/recompute.js';
import { rightShift } from '../../../src/lcrp/baselines/right-shift.js';
import { createRepairEngine, repair } from '../../../src/lcrp/engine.js';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { cascade } from '../../../src/lcrp/phases/cascade.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { RepairLimits } from '../../../src/lcrp/policy/policy.js';
import type { RepairResult } from '../../../src/lcrp/repair-result.js';
import { dispatch } from '../../../src/search/construct/dispatch.js';
import { orderByTime } from '../../../src/search/evolution/solution.js';
import { arbitraryInstance } from '../../arbitraries.js';
import { arbitraryChoices, eventsFor } from '../../disruption/arbitraries.js';
import { faults } from '../../search/oracle.js';
import { canKeep, fewestLost } from './enumerated-pins.js';

const cases = Number(process.env.ALAS_JSSP_LCRP_CASES ?? 300);

/** Two jobs on two machines, planned at 0, 30 and 10, 20; machine 0 breaks down from 10 to 18. */
function disturbed(): { schedule: Schedule; events: object[]; now: number } {
  const shop = instanceFromJobs('two', [
    [
      [0, 10],
      [1, 10],
    ],
    [
      [0, 10],
      [1, 10],
    ],
  ]);
  const schedule = createSchedule(shop, Int32Array.of(0, 30, 10, 20));
  return { schedule, events: [{ kind: 'breakdown', machine: 0, from: 10, to: 18 }], now: 5 };
}

const pinned = { limits: { pinned: [{ job: 0, step: 1 }] } };

test.each([lcrp, recompute])(
  'a pinned operation keeps its start where that is possible: %#',
  async (method) => {
    const { schedule, lostPins } = await repair(disturbed() as never, pinned, { method });
    expect([...schedule.start]).toEqual([0, 30, 18, 40]);
    expect(lostPins).toEqual([]);
  },
);

test('an engine that follows in place keeps a pin as well', async () => {
  const { schedule, events, now } = disturbed();
  const engine = createRepairEngine(schedule, { ...pinned, budget: { passes: 0 } });
  await engine.warmUp();
  const result = await engine.handle(events as never, now);
  expect([...result.schedule.start]).toEqual([0, 30, 18, 40]);
});

test('a frozen horizon keeps starts, not only places', async () => {
  const shop = disturbed() as never;
  const { schedule, lostPins } = await repair(shop, { limits: { notBefore: 35 } });
  expect(schedule.start[1]).toBe(30);
  expect(lostPins).toEqual([
    { operation: 2, reason: 'earliest', earliest: 18, with: [] },
    { operation: 3, reason: 'earliest', earliest: 28, with: [] },
  ]);
});

test('a pin that an event makes impossible is reported with the earliest start', async () => {
  const limits = { pinned: [{ job: 1, step: 1 }] };
  const { schedule, lostPins } = await repair(disturbed() as never, { limits });
  expect(lostPins).toEqual([{ operation: 3, reason: 'earliest', earliest: 28, with: [] }]);
  expect(schedule.start[3]).toBe(28);
});

test('a method that ignores pins reports those that it moves', async () => {
  const { lostPins } = await repair(disturbed() as never, pinned, { method: rightShift });
  expect(lostPins).toEqual([{ operation: 1, reason: 'method', earliest: null, with: [] }]);
});

test('an untouchable machine keeps its queue, and a pin is lost to it', async () => {
  const limits = { ...pinned.limits, untouchableMachines: [1] };
  const { schedule, lostPins } = await repair(disturbed() as never, { limits });
  expect(lostPins).toEqual([{ operation: 1, reason: 'queue', earliest: null, with: [] }]);
  expect([...schedule.start]).toEqual([0, 38, 18, 28]);
});

const arbitraryShop = fc.oneof(
  arbitraryInstance({ maxJobs: 3, maxMachines: 2, maxLength: 3 }),
  arbitraryInstance({ maxJobs: 4, maxMachines: 2, maxLength: 2, dueDates: true }),
  arbitraryInstance({ maxJobs: 3, maxMachines: 2, maxLength: 3, downtimes: true, deadlines: true }),
  arbitraryInstance({ maxJobs: 3, maxMachines: 3, maxLength: 3, downtimes: true, releases: true }),
);

const arbitraryCase = fc.record({
  shop: arbitraryShop,
  now: fc.nat(12),
  choices: arbitraryChoices,
  late: fc.array(fc.nat(8), { minLength: 9, maxLength: 9 }),
  pinned: fc.array(fc.nat(8), { minLength: 1, maxLength: 5 }),
  horizon: fc.constantFrom(null, null, 10, 30),
  untouchable: fc.constantFrom([], [], [], [0], [1]),
  mostChanged: fc.constantFrom(null, null, 2),
  passes: fc.nat(3),
  fallback: fc.constantFrom(null, { degradation: 0, iterations: 50 }),
  movedEarlier: fc.constantFrom(0, 0.01),
});

/** The operations that a policy holds, and whether a repair keeps as many as any schedule does. */
function expectPinsKept(result: RepairResult, limits: RepairLimits): void {
  const { task, schedule, lostPins } = result;
  const { instance, planned } = task;
  const { untouchableMachines: untouchable } = limits;
  const asked = limits.pinned.map(({ job, step }) => operationAt(instance, job, step));
  const held = Array.from(planned.keys()).filter(
    (op) =>
      isFree(instance, op) &&
      planned[op] >= 0 &&
      (asked.includes(op) || planned[op] < (limits.notBefore ?? 0)),
  );
  const moved = held.filter((op) => schedule.start[op] !== planned[op]);
  expect(lostPins.map(({ operation }) => operation)).toEqual(moved);
  expect(moved.length).toBe(fewestLost(instance, planned, held, untouchable));
  for (const { operation, reason, earliest, with: others } of lostPins) {
    const with_ = [...others, operation];
    expect(others.some((op) => moved.includes(op))).toBe(false);
    expect(reason).not.toBe('not-found');
    expect(canKeep(instance, planned, new Set(with_), untouchable)).toBe(false);
    expect(canKeep(instance, planned, new Set(others), untouchable)).toBe(true);
    if (reason === 'earliest') {
      const at = (time: number) => planned.map((was, op) => (op === operation ? time : was));
      expect(canKeep(instance, at(earliest ?? -1), new Set([operation]), [])).toBe(true);
      expect(canKeep(instance, at((earliest ?? 0) - 1), new Set([operation]), [])).toBe(false);
    }
  }
}

test('pins and a frozen horizon are kept where any schedule keeps them, and as few as possible are lost', async () => {
  let lost = 0;
  let others = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryCase, fc.constantFrom(lcrp, lcrp, recompute), async (one, method) => {
      const plan = dispatch(one.shop, { rule: 'mwkr' });
      // Slack, in which something can start earlier.
      const later = plan.start.map((time, op) => time + one.late[op % one.late.length]);
      const start = cascade(one.shop, orderByTime(plan.start), later);
      const schedule = createSchedule(one.shop, start);
      const events = eventsFor(schedule, one.now, one.choices);
      const limits = {
        pinned: [...new Set(one.pinned)]
          .filter((op) => op < one.shop.operations)
          .map((op) => ({
            job: one.shop.jobOf[op],
            step: op - one.shop.jobOffset[one.shop.jobOf[op]],
          })),
        notBefore: one.horizon,
        untouchableMachines: one.untouchable.filter((k) => k < one.shop.machines),
        mostChanged: one.mostChanged,
        mostEdited: null,
      };
      const rules = policy({
        limits,
        budget: { passes: one.passes, evaluations: 300 },
        fallback: one.fallback,
        cost: { movedEarlier: one.movedEarlier },
      });
      const result = await repair({ schedule, events, now: one.now }, rules, {
        method,
        tooLate: 'skip',
      });
      fc.pre(
        result.schedule.start.length -
          (result.task.instance.frozen?.filter((time) => time >= 0).length ?? 0) <=
          7,
      );
      const found = faults(result.schedule.instance, result.schedule.start);
      if (!result.judgement.executable) throw new Error(found.join());
      expectPinsKept(result, limits);
      lost += result.lostPins.length;
      others += result.lostPins.filter(({ reason }) => reason === 'conflict').length;
    }),
    { numRuns: cases, seed: 1 },
  );
  expect(lost).toBeGreaterThan(0);
  expect(others).toBeGreaterThan(0);
}, 120_000);
