import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeEvents } from '../../src/disruption/apply-events.js';
import type { DisruptionEvent, EventInput } from '../../src/disruption/index.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule, type Schedule } from '../../src/jssp/schedule.js';
import { rightShift } from '../../src/lcrp/baselines/right-shift.js';
import { createRepairEngine, repair } from '../../src/lcrp/engine.js';
import { lcrp } from '../../src/lcrp/lcrp.js';
import { policy } from '../../src/lcrp/policy/make-policy.js';
import { type RepairPolicy, withoutStalePins } from '../../src/lcrp/policy/policy.js';
import type { RepairResult } from '../../src/lcrp/repair-result.js';
import { simulate } from '../../src/lcrp/simulation/simulate.js';
import { eventsFor } from '../disruption/arbitraries.js';
import {
  arbitraryPolicy,
  arbitrarySchedule,
  arbitrarySteps,
  cases,
  fittingPolicy,
} from './arbitrary-repair.js';

/** Everything that a result says, read out now. */
function contents(result: RepairResult) {
  const {
    task,
    before,
    previous,
    applied,
    judgement,
    edits,
    schedule,
    compensated,
    policy,
    ...rest
  } = result;
  const { skipped, ...known } = applied;
  const { start, end } = before;
  return {
    ...{
      previous,
      task: { ...task },
      before: { start, end },
      judgement,
      edits,
      schedule,
      compensated,
    },
    ...{ rest, applied: { ...known }, skipped: skipped.map(({ reason }) => reason.message) },
  };
}

const attempt = (work: Promise<RepairResult>) =>
  work.then(
    (result) => ({ result, error: undefined }),
    (error: { code: string; message: string }) => ({ result: undefined, error }),
  );

const policies: fc.Arbitrary<RepairPolicy> = fc.oneof(
  fc.constant(policy({ objective: 'makespan', budget: { passes: 0 } })),
  arbitraryPolicy,
);

test('an engine gives the results of the stateless repair for any events, and its results stay valid', async () => {
  let inPlace = 0;
  let edited = 0;
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(
      arbitrarySchedule,
      arbitrarySteps,
      policies,
      fc.constantFrom('skip' as const, 'refuse' as const),
      fc.boolean(),
      async (schedule, steps, any, tooLate, reads) => {
        let rules = fittingPolicy(schedule.instance, any);
        const engine = createRepairEngine(schedule, rules, { seed: 7, tooLate });
        const made: { result: RepairResult; wanted: ReturnType<typeof contents> }[] = [];
        let followed: Schedule = schedule;
        let now = 0;
        for (const { later, choices } of steps) {
          now += later;
          const events = eventsFor(followed, now, choices);
          const execution = { schedule: followed, events, now };
          const wanted = await attempt(repair(execution, rules, { seed: 7, tooLate }));
          const found = await attempt(engine.handle(events, now));
          expect(found.error?.message).toBe(wanted.error?.message);
          if (wanted.result === undefined || found.result === undefined) {
            failed++;
            continue;
          }
          const { result } = wanted;
          if (isLazy(found.result)) inPlace++;
          edited += result.edits.operation.length;
          made.push({ result: found.result, wanted: contents(result) });
          if (reads) expect(contents(found.result)).toEqual(made.at(-1)?.wanted);
          followed = result.schedule;
          // The engine forgets pins of what is cancelled; the stateless repair refuses them.
          rules = fittingPolicy(result.schedule.instance, rules);
        }
        for (const { result, wanted } of made) expect(contents(result)).toEqual(wanted);
        expect(engine.schedule).toEqual(followed);
      },
    ),
    { numRuns: 2 * cases },
  );
  expect(inPlace).toBeGreaterThan(cases / 2);
  expect(edited).toBeGreaterThan(cases);
  expect(failed).toBeGreaterThan(cases / 20);
});

test('repairs one by one, an engine and a simulation give the same with the same seed', async () => {
  let repairs = 0;
  let reordered = 0;
  await fc.assert(
    fc.asyncProperty(arbitrarySchedule, arbitrarySteps, policies, async (schedule, steps, any) => {
      const rules = fittingPolicy(schedule.instance, any);
      const options = { seed: 7, tooLate: 'skip' } as const;
      const engine = createRepairEngine(schedule, rules, options);
      const all: DisruptionEvent[] = [];
      let followed = schedule;
      let now = 0;
      let made = 0;
      for (const { later, choices } of steps) {
        now += 1 + later;
        const events = completeEvents(eventsFor(followed, now, choices), now);
        const known = events.map((event) => ({ ...event, at: now }));
        all.push(...known);
        const execution = { schedule: followed, events: known, now };
        const pinned = withoutStalePins(rules, followed.instance);
        const single = await repair(execution, pinned, options);
        const proposed = await engine.propose(known, now);
        expect(contents(proposed)).toEqual(contents(single));
        if (single.applied.events.length === 0) continue;
        engine.follow(proposed);
        followed = single.schedule;
        made++;
        if (single.evaluations > 0) reordered++;
      }
      const run = await simulate({ schedule, events: all, method: lcrp, policy: rules, seed: 7 });
      expect(run.schedule).toEqual(followed);
      expect(engine.schedule).toEqual(followed);
      expect(run.steps).toHaveLength(made);
      repairs += made;
    }),
    { numRuns: cases },
  );
  expect(repairs).toBeGreaterThan(cases);
  expect(reordered).toBeGreaterThan(cases / 10);
});

/** Whether a result was made in place. */
function isLazy(result: RepairResult): boolean {
  return Object.getOwnPropertyDescriptor(result, 'schedule')?.get !== undefined;
}

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [
    [1, 4],
    [0, 3],
  ],
]);
const plan = createSchedule(shop, Int32Array.of(0, 4, 0, 4));
const breakdown: EventInput = { kind: 'breakdown', machine: 0, from: 1, to: 3 };

test('edits list operations that start at another time; the clock does not go back', async () => {
  const engine = createRepairEngine(plan);
  const { edits, phase } = await engine.handle([breakdown], 1);
  expect(phase).toBe('compensation');
  expect(edits).toEqual({ operation: Int32Array.of(1, 3), start: Int32Array.of(5, 5) });
  await engine.handle([], 6);
  await expect(engine.handle([], 4)).rejects.toMatchObject({ code: 'bad_now' });
  await expect(engine.handle([], 6.5)).rejects.toMatchObject({ code: 'bad_now' });
  expect(engine.now).toBe(6);
  expect(engine.instance.frozen).toEqual(Int32Array.of(0, 5, 0, 5));
});

test('a repair in place never asks for the whole schedule that it begins with', async () => {
  const engine = createRepairEngine(plan, { budget: { passes: 0 } });
  await engine.warmUp();
  const first = await engine.handle([breakdown], 1);
  const make = Object.getOwnPropertyDescriptor(first, 'schedule')?.get as () => Schedule;
  let made = 0;
  Object.defineProperty(first, 'schedule', {
    get: () => {
      made++;
      return make.call(first);
    },
  });
  const second = await engine.handle([{ ...breakdown, from: 3, to: 4 }], 3);
  expect(isLazy(second)).toBe(true);
  expect(made).toBe(0);
});

test('an engine that repairs in place adopts a new alternative of an operation', async () => {
  const engine = createRepairEngine(plan, { budget: { passes: 0 } });
  // The first repair is never in place.
  await engine.handle([], 0);
  const { schedule } = engine;
  const events: EventInput[] = [{ kind: 'alternative', job: 0, step: 1, machine: 0, duration: 9 }];
  const expected = await repair({ schedule, events, now: 1 }, { budget: { passes: 0 } });
  await engine.handle(events, 1);
  expect(engine.instance.modes).toEqual(expected.schedule.instance.modes);
  expect(engine.instance.modes).not.toBeNull();
});

test('an event that is refused leaves the engine as it was, and so do those before it', async () => {
  const engine = createRepairEngine(plan);
  const late: EventInput = { kind: 'duration', job: 0, step: 0, duration: 9 };
  await expect(engine.handle([{ ...breakdown, from: 4, to: 6 }, late], 3)).rejects.toMatchObject({
    code: 'operation_finished',
  });
  expect(engine.schedule).toBe(plan);
  expect(engine.now).toBe(0);
  expect((await engine.handle([], 3)).schedule.instance.calendar).toBeNull();
});

test('schedules whose start times are no Int32Array are refused', async () => {
  const instance = instanceFromJobs('one', [[[0, 3]]]);
  const start = Float64Array.of(0.5) as unknown as Int32Array;
  const schedule = { ...createSchedule(instance, Int32Array.of(0)), start };
  const refusal = 'the start times are a Float64Array';
  expect(() => createRepairEngine(schedule)).toThrow(refusal);
  await expect(repair({ schedule, events: [], now: 0 })).rejects.toThrow(refusal);
});

test('calls that do not wait for each other are handled one after the other', async () => {
  const arrival = (duration: number): EventInput => ({
    kind: 'arrival',
    job: { operations: [{ machine: 0, duration }] },
  });
  const engine = createRepairEngine(plan);
  const [first, second, refused, last] = await Promise.allSettled([
    engine.handle([arrival(1)], 1),
    engine.handle([arrival(2)], 2),
    engine.handle([arrival(3)], 0),
    engine.handle([breakdown], 3).catch(() => engine.handle([arrival(4)], 4)),
  ]);
  expect([first, second, refused, last].map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(engine.instance.jobs).toBe(5);
  expect([...engine.instance.duration.subarray(4)]).toEqual([1, 2, 4]);
});

test('a proposal changes nothing until it is followed, and others may be tried before', async () => {
  const engine = createRepairEngine(plan);
  await engine.warmUp();
  const local = await engine.propose([breakdown], 1);
  const shifted = await engine.propose([breakdown], 1, { method: rightShift });
  const again = await engine.propose([breakdown], 1);
  expect([engine.schedule, engine.now]).toEqual([plan, 0]);
  expect(contents(again)).toEqual(contents(local));
  expect(shifted.method).toBe(rightShift);
  engine.follow(local);
  expect([engine.schedule, engine.now]).toEqual([local.schedule, 1]);
  for (const stale of [local, shifted, again]) {
    expect(() => engine.follow(stale)).toThrow(expect.objectContaining({ code: 'stale_proposal' }));
  }
  const other = await createRepairEngine(plan).propose([], 2);
  expect(() => engine.follow(other)).toThrow(expect.objectContaining({ code: 'stale_proposal' }));
  await engine.handle([], 3);
  expect(contents(again)).toEqual(contents(local));
});

test('a changed policy holds from the next call on; a change that is refused leaves it as it was', async () => {
  const engine = createRepairEngine(plan);
  const before = engine.propose([breakdown], 1);
  engine.changePolicy({ objective: 'total-weighted-tardiness', target: 0.5 });
  const changed = engine.policy;
  expect(changed).toEqual(policy({ objective: 'total-weighted-tardiness', target: 0.5 }));
  expect(() => engine.changePolicy({ target: 2 })).toThrow('$.policy.target: this is 2');
  expect(() => engine.changePolicy({ limits: { pinned: [{ job: 7, step: 0 }] } })).toThrow(
    'this is 7, which does not exist',
  );
  expect(engine.policy).toBe(changed);
  expect((await before).policy.objective).toBe('makespan');
  expect((await engine.propose([breakdown], 1)).policy).toBe(changed);
  const once = await engine.propose([breakdown], 1, { policy: { budget: { passes: 0 } }, seed: 3 });
  expect([once.policy.budget.passes, once.policy.target, once.seed]).toEqual([0, 0.5, 3]);
  expect(engine.policy).toBe(changed);
});

test('pins of cancelled jobs do not block other changes', async () => {
  const engine = createRepairEngine(plan, { limits: { pinned: [{ job: 0, step: 1 }] } });
  await engine.handle([{ kind: 'cancellation', job: 0 }], 1);
  engine.changePolicy({ ...engine.policy, target: 0.5 });
  expect(engine.policy.target).toBe(0.5);
});
