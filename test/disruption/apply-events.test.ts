import { describe, expect, test } from 'vitest';
import { applyEvents, carrySchedule } from '../../src/disruption/apply-events.js';
import type { EventInput } from '../../src/disruption/event.js';
import { completionTime } from '../../src/jssp/calendar.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { messageOf } from '../jssp/formats/refusal.js';

// machine 0: op 0 [0, 10), op 3 [10, 16); machine 1: op 2 [0, 8), op 1 [10, 30), op 4 [30, 35)
const shop = replaceInstance(
  instanceFromJobs('shop', [
    [
      [0, 10],
      [1, 20],
    ],
    [
      [1, 8],
      [0, 6],
      [1, 5],
    ],
  ]),
  { due: Int32Array.of(40, 50) },
);
const plan = createSchedule(shop, Int32Array.of(0, 10, 0, 10, 30));

const apply = (events: EventInput[], now: number, schedule = plan) =>
  applyEvents(schedule, events, now);
const starts = (instance: Instance) => Array.from(instance.frozen ?? []);
const releases = (instance: Instance) => Array.from(instance.release ?? []);

describe('without events', () => {
  test('operations with a start before now are frozen, the rest is not released before now', () => {
    const { instance, newOf, oldOf, lost } = apply([], 10);
    expect(starts(instance)).toEqual([0, -1, 0, -1, -1]);
    expect(releases(instance)).toEqual([0, 10, 0, 10, 10]);
    expect(instance.due).toEqual(shop.due);
    expect(newOf).toEqual(Int32Array.of(0, 1, 2, 3, 4));
    expect(oldOf).toEqual(newOf);
    expect(lost).toHaveLength(0);
    expect(instance.name).toBe('shop');
  });

  test('at time 0 nothing has happened', () => {
    expect(apply([], 0).instance).toEqual(shop);
  });

  test('an operation without a start has not started', () => {
    const partial = createSchedule(shop, Int32Array.of(0, -1, -1, -1, -1));
    expect(starts(apply([], 5, partial).instance)).toEqual([0, -1, -1, -1, -1]);
  });
});

describe('breakdown', () => {
  const down = { kind: 'breakdown', machine: 1, from: 15, to: 22 } as const;

  test('a resumable one stretches the running operation', () => {
    const { instance, lost } = apply([down], 15);
    expect(starts(instance)[1]).toBe(10);
    expect(completionTime(instance, 1, 10)).toBe(37);
    expect(lost).toHaveLength(0);
  });

  test('under a non-resumable one the running operation is lost and free again', () => {
    const { instance, lost } = apply([{ ...down, resumable: false }], 15);
    expect(lost).toEqual(Int32Array.of(1));
    expect(starts(instance)).toEqual([0, -1, 0, 10, -1]);
    expect(releases(instance)).toEqual([0, 15, 0, 0, 15]);
  });

  test('an operation that is done when it begins is not lost', () => {
    expect(apply([{ ...down, from: 30, to: 40, resumable: false }], 15).lost).toHaveLength(0);
    expect(apply([{ ...down, from: 29, to: 40, resumable: false }], 15).lost).toHaveLength(1);
  });

  test('an operation that is stretched or lengthened into a known non-resumable one is lost', () => {
    const planned = replaceInstance(shop, {
      calendar: {
        offset: Int32Array.of(0, 0, 1),
        from: Int32Array.of(32),
        to: Int32Array.of(36),
        resumable: Uint8Array.of(0),
      },
    });
    const schedule = createSchedule(planned, Int32Array.of(0, 10, 0, 10, 36));
    expect(apply([], 15, schedule).lost).toHaveLength(0);
    expect(apply([{ ...down, to: 17 }], 15, schedule).lost).toHaveLength(0);
    expect(apply([down], 15, schedule).lost).toEqual(Int32Array.of(1));
    const longer = { kind: 'duration', job: 0, step: 1, duration: 23 } as const;
    expect(apply([longer], 15, schedule).lost).toEqual(Int32Array.of(1));
  });

  test('cannot have begun before now, nor be applied before it is known', () => {
    expect(messageOf(() => apply([{ ...down, at: 15 }], 16))).toBe(
      'breakdown of machine 1: it begins at 15, which is past: now is 16; give 16 or later',
    );
    expect(messageOf(() => apply([{ ...down, at: 14 }], 13))).toBe(
      'breakdown of machine 1: it becomes known at 14, and now is 13; apply it at 14 or let it become known earlier',
    );
    expect(messageOf(() => apply([{ ...down, machine: 2 }], 15))).toBe(
      'there is no machine 2; use 0 to 1',
    );
    expect(messageOf(() => apply([{ ...down, to: 15 }], 15))).toBe(
      '$.events[0].to: this is 15; let it end after it begins',
    );
  });
});

describe('restored', () => {
  const { instance } = apply([{ kind: 'breakdown', machine: 1, from: 15, to: 22 }], 15);
  const schedule = createSchedule(instance, Int32Array.of(0, 10, 0, 10, 37));

  test('an interrupted operation continues at once', () => {
    const back = apply([{ kind: 'restored', machine: 1 }], 18, schedule).instance;
    expect(completionTime(back, 1, 10)).toBe(33);
    expect(back.calendar?.to).toEqual(Int32Array.of(18));
  });

  test('a machine must be down', () => {
    expect(messageOf(() => apply([{ kind: 'restored', machine: 0 }], 18, schedule))).toBe(
      'restoration of machine 0: it is not down at 18; restore a machine that is down',
    );
    expect(messageOf(() => apply([{ kind: 'restored', machine: 1, at: 17 }], 18, schedule))).toBe(
      'restoration of machine 1: the machine is back at 17, which is past: now is 18; give 18 or later',
    );
  });
});

describe('duration', () => {
  const change = (duration: number, job = 0, step = 1): EventInput => ({
    kind: 'duration',
    job,
    step,
    duration,
  });

  test('changes running and future operations', () => {
    const { instance } = apply([change(5), { kind: 'duration', job: 1, step: 2, factor: 1.5 }], 15);
    expect(instance.duration).toEqual(Int32Array.of(10, 5, 8, 6, 8));
    expect(starts(instance)[1]).toBe(10);
    expect(shop.duration[1]).toBe(20);
  });

  test('a factor leaves a positive duration at least 1, and 0 at 0', () => {
    const tiny: EventInput = { kind: 'duration', job: 1, step: 2, factor: 0.01 };
    expect(apply([tiny], 15).instance.duration[4]).toBe(1);
    expect(apply([change(0, 1, 2), tiny], 15).instance.duration[4]).toBe(0);
  });

  test('cannot make a running operation end in the past', () => {
    expect(messageOf(() => apply([change(4)], 15))).toBe(
      'new duration of job 1, step 2: it is 4, but at 15 the operation has taken 5 and is not done; give 5 or more',
    );
  });

  test('an interrupted operation has more to do than it has done', () => {
    const down = apply([{ kind: 'breakdown', machine: 1, from: 15, to: 22 }], 15).instance;
    const schedule = createSchedule(down, Int32Array.of(0, 10, 0, 10, 37));
    expect(apply([change(5)], 15, schedule).instance.duration[1]).toBe(5);
    expect(messageOf(() => apply([change(5)], 18, schedule))).toMatch(/give 6 or more$/);
    expect(apply([change(6)], 18, schedule).instance.duration[1]).toBe(6);
  });

  test('cannot change finished or unknown operations', () => {
    expect(messageOf(() => apply([change(9, 1, 0)], 8))).toBe(
      'new duration of job 2, step 1: the operation was done at 8, and now is 8; change what is running or to come',
    );
    expect(messageOf(() => apply([change(9, 0, 2)], 8))).toBe(
      'new duration of job 1, step 3: the job has no step 3; use step 1 to 2',
    );
    expect(messageOf(() => apply([change(9, 2, 0)], 8))).toBe(
      'new duration of job 3, step 1: there is no such job; use job 1 to 2',
    );
    expect(messageOf(() => apply([{ kind: 'duration', job: 1, step: 2, factor: 1e9 }], 8))).toMatch(
      'it is 5000000000; use at most 1073741823',
    );
  });
});

describe('arrival', () => {
  const rush = {
    kind: 'arrival',
    job: { name: 'rush', operations: [{ machine: 1, duration: 3 }], due: 30, weight: 2 },
  } as const;

  test('a new job comes behind the others', () => {
    const { instance, arrived, oldOf } = apply([rush, rush], 15);
    expect(instance.jobs).toBe(4);
    expect(instance.jobOffset).toEqual(Int32Array.of(0, 2, 5, 6, 7));
    expect(releases(instance).slice(5)).toEqual([15, 15]);
    expect(instance.due).toEqual(Int32Array.of(40, 50, 30, 30));
    expect(instance.weight).toEqual(Int32Array.of(1, 1, 2, 2));
    expect(oldOf).toEqual(Int32Array.of(0, 1, 2, 3, 4, -1, -1));
    expect(arrived).toEqual([
      { job: 2, name: 'rush' },
      { job: 3, name: 'rush' },
    ]);
  });

  test('weights of jobs that are there stay, and an arriving one has 1 by default', () => {
    const weighted = replaceInstance(shop, { weight: Int32Array.of(4, 0) });
    const plain: EventInput = { kind: 'arrival', job: { operations: rush.job.operations } };
    const cancelled: EventInput = { kind: 'cancellation', job: 0 };
    const schedule = createSchedule(weighted, plan.start);
    const { instance } = apply([rush, plain, cancelled], 5, schedule);
    expect(instance.weight).toEqual(Int32Array.of(4, 0, 2, 1));
    expect(instance.due).toEqual(Int32Array.of(-1, 50, 30, -1));
    expect(apply([plain], 5).instance.weight).toBeNull();
  });

  test('a weight is a whole number', () => {
    const odd: EventInput = { kind: 'arrival', job: { ...rush.job, weight: 1.5 } };
    expect(messageOf(() => apply([odd], 15))).toBe(
      '$.events[0].job.weight: this is 1.5; give a whole number from 0 to 8388608',
    );
  });

  test('other events may name it', () => {
    const delay: EventInput = { kind: 'delay', job: 2, until: 44 };
    const change: EventInput = { kind: 'duration', job: 2, step: 0, duration: 9 };
    const { instance, events } = apply([rush, delay, change], 15);
    expect(releases(instance)[5]).toBe(44);
    expect(instance.duration[5]).toBe(9);
    expect(events[1]).toMatchObject({ step: 0, at: 15 });
  });

  test('cannot be released before now or use an unknown machine', () => {
    const early: EventInput = { kind: 'arrival', job: { ...rush.job, release: 9 } };
    expect(messageOf(() => apply([early], 15))).toBe(
      'arrival of "rush": the job is released at 9, which is past: now is 15; give 15 or later',
    );
    const lost: EventInput = {
      kind: 'arrival',
      job: { operations: [{ machine: 7, duration: 1 }] },
    };
    expect(messageOf(() => apply([lost], 15))).toBe('there is no machine 7; use 0 to 1');
  });
});

describe('cancellation', () => {
  test('started operations stay, the rest is removed, and job numbers stay', () => {
    const { instance, newOf, oldOf } = apply([{ kind: 'cancellation', job: 0 }], 5);
    expect(instance.jobOffset).toEqual(Int32Array.of(0, 1, 4));
    expect(newOf).toEqual(Int32Array.of(0, -1, 1, 2, 3));
    expect(oldOf).toEqual(Int32Array.of(0, 2, 3, 4));
    expect(instance.due).toEqual(Int32Array.of(-1, 50));
    expect(starts(instance)).toEqual([0, 0, -1, -1]);
    expect(instance.duration).toEqual(Int32Array.of(10, 8, 6, 5));
  });

  test('a job that has not begun is left empty, and a second time is too late', () => {
    const { instance } = apply([{ kind: 'cancellation', job: 1 }], 0);
    expect(instance.jobs).toBe(2);
    expect(instance.jobOffset).toEqual(Int32Array.of(0, 2, 2));
    const schedule = createSchedule(instance, Int32Array.of(0, 10));
    expect(messageOf(() => apply([{ kind: 'cancellation', job: 1 }], 5, schedule))).toBe(
      'cancellation of job 2: nothing of the job is left to be done; cancel a job that is not finished',
    );
  });

  test('a finished job cannot be cancelled, one whose last operation runs loses nothing', () => {
    expect(messageOf(() => apply([{ kind: 'cancellation', job: 0 }], 30))).toMatch('nothing of');
    expect(apply([{ kind: 'cancellation', job: 0 }], 29).instance.operations).toBe(5);
  });
});

describe('delay', () => {
  test('is of an operation, or of the first one of a job that has not started', () => {
    const { instance, events } = apply(
      [
        { kind: 'delay', job: 1, step: 2, until: 50 },
        { kind: 'delay', job: 1, until: 20 },
      ],
      5,
    );
    expect(releases(instance)).toEqual([0, 5, 0, 20, 50]);
    expect(events[1]).toEqual({ kind: 'delay', at: 5, job: 1, step: 1, until: 20 });
  });

  test('makes nothing earlier', () => {
    const late = replaceInstance(shop, { release: Int32Array.of(0, 0, 0, 0, 30) });
    const schedule = createSchedule(late, plan.start);
    const { instance } = apply([{ kind: 'delay', job: 1, step: 2, until: 20 }], 5, schedule);
    expect(releases(instance)[4]).toBe(30);
  });

  test('cannot concern a started operation, nor end before now', () => {
    expect(messageOf(() => apply([{ kind: 'delay', job: 0, step: 0, until: 50 }], 5))).toBe(
      'delay of job 1, step 1: the operation started at 0, and now is 5; delay what has not started',
    );
    expect(messageOf(() => apply([{ kind: 'delay', job: 0, until: 50 }], 11))).toBe(
      'delay of job 1: every operation of the job has started; delay what has not started',
    );
    expect(messageOf(() => apply([{ kind: 'delay', job: 0, until: 4 }], 5))).toBe(
      'delay of job 1, step 2: it ends at 4, which is past: now is 5; give 5 or later',
    );
  });
});

test('late events can be skipped, with the reason; errors cannot', () => {
  const late: EventInput = { kind: 'duration', job: 1, step: 0, duration: 4 };
  const good: EventInput = { kind: 'delay', job: 1, step: 2, until: 50 };
  const { events, skipped } = applyEvents(plan, [late, good], 9, { tooLate: 'skip' });
  expect(events).toEqual([{ ...good, at: 9 }]);
  expect(skipped).toMatchObject([{ event: late, reason: { code: 'operation_finished' } }]);
  const wrong: EventInput = { kind: 'cancellation', job: 9 };
  expect(() => applyEvents(plan, [wrong], 9, { tooLate: 'skip' })).toThrow('no such job');
});

test('planned starts are carried over to the new numbers', () => {
  const applied = apply(
    [
      { kind: 'cancellation', job: 0 },
      { kind: 'arrival', job: { operations: [{ machine: 0, duration: 1 }] } },
    ],
    5,
  );
  expect(carrySchedule(plan, applied)).toEqual(Int32Array.of(0, 0, 10, 30, -1));
});
