import { describe, expect, test } from 'vitest';
import { applyEvents } from '../../src/disruption/apply-events.js';
import type { EventInput } from '../../src/disruption/event.js';
import { formatEvent } from '../../src/disruption/event-text.js';
import { describeEvent } from '../../src/disruption/event-words.js';
import { completionTime, type Downtime, downtimesOf } from '../../src/jssp/calendar.js';
import { writeInstanceJson } from '../../src/jssp/formats/instance-json.js';
import { parseInstance } from '../../src/jssp/formats/read-instance.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { createSchedule, type Schedule } from '../../src/jssp/schedule.js';
import { affected } from '../../src/lcrp/baselines/affected.js';
import { findMethod } from '../../src/lcrp/baselines/find-method.js';
import { createRepairEngine, repair } from '../../src/lcrp/engine.js';
import { simulate } from '../../src/lcrp/simulation/simulate.js';

// Machine 0: job 1 [0, 40), job 2 [50, 90). Machine 1: job 2 [0, 50), job 1 [50, 60).
const shop = instanceFromJobs('shop', [
  [
    [0, 40],
    [1, 10],
  ],
  [
    [1, 50],
    [0, 40],
  ],
]);
const plan = createSchedule(shop, Int32Array.of(0, 50, 0, 50));
const open = { kind: 'breakdown', machine: 0, from: 10 } as const satisfies EventInput;
const restored = { kind: 'restored', machine: 0 } as const satisfies EventInput;

const downtimes = ({ calendar }: Instance): Downtime[] => downtimesOf(calendar, 0);
const follow = ({ instance }: { instance: Instance }): Schedule =>
  createSchedule(
    instance,
    plan.start.map((start, op) => (instance.frozen?.[op] === start ? start : 200)),
  );

describe('a breakdown without a known end', () => {
  const applied = applyEvents(plan, [open], 10);

  test('is planned with 5 % of the makespan, rounded up, or with the given estimate, and is marked as estimated', () => {
    expect(downtimes(applied.instance)).toEqual([
      { from: 10, to: 15, resumable: true, estimated: true },
    ]);
    expect(completionTime(applied.instance, 0, 0)).toBe(45);
    const [event] = applied.events;
    expect(event).toMatchObject({ to: 15, estimated: true });
    expect(formatEvent(event)).toBe(
      'breakdown:at=10,machine=0,from=10,to=15,resumable=true,estimated=true',
    );
    expect(describeEvent(event)).toBe('breakdown of machine 0, estimated to end at 15');
    const long = applyEvents(plan, [open], 10, { breakdownEstimate: 30 });
    expect(long.events[0]).toMatchObject({ to: 40, estimated: true });
  });

  test('stays one when the instance goes through a file', () => {
    const text = writeInstanceJson(applied.instance);
    const read = parseInstance(new TextEncoder().encode(text), { name: 'shop' });
    expect(read.calendar).toEqual(applied.instance.calendar);
  });

  test('ends when the machine is back', () => {
    const { instance } = applyEvents(follow(applied), [restored], 12);
    expect(downtimes(instance)).toEqual([{ from: 10, to: 12, resumable: true }]);
    expect(completionTime(instance, 0, 0)).toBe(42);
  });

  test('takes the end of a later breakdown of the machine, earlier or later', () => {
    const revised = (event: EventInput) =>
      downtimes(applyEvents(follow(applied), [event], 12).instance);
    const past = { from: 10, to: 12, resumable: true };
    for (const to of [13, 15, 40]) {
      expect(revised({ ...open, from: 12, to })).toEqual([past, { from: 12, to, resumable: true }]);
    }
    expect(revised({ ...open, from: 12 }).at(-1)).toMatchObject({ estimated: true });
    // The known end of a breakdown is not reverted.
    const known = follow(applyEvents(plan, [{ ...open, to: 30 }], 10));
    const { instance } = applyEvents(known, [{ ...open, from: 12, to: 13 }], 12);
    expect(downtimes(instance)).toEqual([{ from: 10, to: 30, resumable: true }]);
  });

  test('revises nothing that is known: a maintenance within it stays', () => {
    const maintained = replaceInstance(shop, {
      calendar: {
        offset: Int32Array.of(0, 1, 1),
        from: Int32Array.of(20),
        to: Int32Array.of(25),
        resumable: Uint8Array.of(1),
      },
    });
    const started = createSchedule(maintained, Int32Array.of(0, 50, 0, 55));
    const down = applyEvents(started, [open], 10, { breakdownEstimate: 30 });
    expect(downtimes(down.instance).map(({ from, to }) => [from, to])).toEqual([
      [10, 20],
      [20, 25],
      [25, 40],
    ]);
    const { instance } = applyEvents(follow(down), [restored], 12);
    expect(downtimes(instance).map(({ from, to }) => [from, to])).toEqual([
      [10, 12],
      [20, 25],
    ]);
  });

  test('ends with its estimate if nothing is reported; it may be reported again', () => {
    const late = applyEvents(follow(applied), [restored], 16, { tooLate: 'skip' });
    expect(late.skipped[0].reason.code).toBe('machine_up');
    const again = applyEvents(follow(applied), [{ ...open, from: 16, resumable: false }], 16);
    expect(Array.from(again.lost)).toEqual([0]);
    expect(downtimes(again.instance).at(-1)).toMatchObject({ from: 16, estimated: true });
  });
});

describe('through every interface', () => {
  const policy = { estimates: { breakdown: 25 } };

  test.each(['lcrp', 'affected'])(
    'with %s a breakdown takes what the policy says',
    async (name) => {
      const method = findMethod(name);
      const stateless = await repair({ schedule: plan, events: [open], now: 10 }, policy, {
        method,
      });
      expect(stateless.applied.events[0]).toMatchObject({ to: 35, estimated: true });
      const engine = createRepairEngine(plan, policy, { method });
      await engine.warmUp();
      const { schedule } = await engine.handle([open], 10);
      expect(schedule).toEqual(stateless.schedule);
      const back = await engine.handle([{ ...restored, at: 20 }], 20);
      const events = [
        { ...open, at: 10, resumable: true } as const,
        { ...restored, at: 20 } as const,
      ];
      const run = await simulate({ schedule: plan, events, method, policy });
      expect(run.steps.map(({ events: [event] }) => formatEvent(event))).toEqual([
        'breakdown:at=10,machine=0,from=10,to=35,resumable=true,estimated=true',
        'restored:at=20,machine=0',
      ]);
      expect(run.schedule).toEqual(back.schedule);
    },
  );

  test('an execution in which the machine is never restored continues when the estimate has passed', async () => {
    const events = [{ ...open, at: 10, resumable: true } as const];
    const run = await simulate({ schedule: plan, events, method: affected, policy });
    expect(run.finished).toBe(true);
    expect(run.schedule.end[0]).toBe(65);
  });
});
