import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AppliedEvents, applyEvents } from '../../src/disruption/apply-events.js';
import type { EventInput } from '../../src/disruption/event.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule, type Schedule } from '../../src/jssp/schedule.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../arbitraries.js';
import { arbitraryChoices, eventsFor } from './arbitraries.js';

/** Estimates by the makespan would be of another schedule after each event. */
const options = { tooLate: 'skip', breakdownEstimate: 9 } as const;

/** Events handled one after the other at the same time, with the rest rescheduled in between. */
function oneByOne(schedule: Schedule, events: readonly EventInput[], now: number) {
  let current = schedule;
  let applied = applyEvents(current, [], now);
  const lost = new Set<string>();
  const skipped: string[] = [];
  const effective: unknown[] = [];
  for (const event of events) {
    current = dispatch(applied.instance, { rule: 'mwkr' });
    applied = applyEvents(current, [event], now, options);
    for (const op of applied.lost) lost.add(nameOf(applied, op));
    skipped.push(...applied.skipped.map(({ reason }) => reason.message));
    effective.push(...applied.events);
  }
  return { instance: applied.instance, lost, skipped, effective };
}

/** An operation by job and step, which no event changes. */
const nameOf = ({ instance: { jobOf, jobOffset } }: AppliedEvents, op: number) =>
  `${jobOf[op]}/${op - jobOffset[jobOf[op]]}`;

const shops = fc.oneof(
  arbitraryInstance({ downtimes: true, dueDates: true, weights: true, maxMachines: 2 }),
  arbitraryInstance({ downtimes: true, releases: true, maxMachines: 3 }),
);
const attempt = <T>(work: () => T) => {
  try {
    return { value: work(), refused: undefined };
  } catch (error) {
    return { value: undefined, refused: (error as { code: string }).code };
  }
};

test('events of one instant have the same effect as one after the other', () => {
  let lost = 0;
  let skipped = 0;
  let refused = 0;
  const choices = fc.array(arbitraryChoices, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(shops, fc.nat(40), choices, (shop, now, parts) => {
      const schedule = dispatch(shop, { rule: 'mwkr' });
      const events = eventsFor(schedule, now, parts.flat());
      const together = attempt(() => applyEvents(schedule, events, now, options));
      const wanted = attempt(() => oneByOne(schedule, events, now));
      expect(together.refused).toBe(wanted.refused);
      if (together.value === undefined || wanted.value === undefined) {
        refused++;
        return;
      }
      const applied = together.value;
      expect(applied.instance).toEqual(wanted.value.instance);
      expect(applied.events).toEqual(wanted.value.effective);
      expect(applied.skipped.map(({ reason }) => reason.message)).toEqual(wanted.value.skipped);
      // What was lost and then cancelled is gone.
      const { jobOffset } = applied.instance;
      const isLeft = (name: string) => {
        const [job, step] = name.split('/').map(Number);
        return step < jobOffset[job + 1] - jobOffset[job];
      };
      const names = Array.from(applied.lost, (op) => nameOf(applied, op));
      expect(new Set(names)).toEqual(new Set([...wanted.value.lost].filter(isLeft)));
      lost += applied.lost.length;
      skipped += applied.skipped.length;
    }),
    { numRuns: 600 },
  );
  expect(lost).toBeGreaterThan(40);
  expect(skipped).toBeGreaterThan(40);
  expect(refused).toBe(0);
});

// Job 1: machine 0 [0, 10), machine 1 [10, 14). Job 2: machine 1 [0, 6), machine 0 [10, 15).
const shop = instanceFromJobs('shop', [
  [
    [0, 10],
    [1, 4],
  ],
  [
    [1, 6],
    [0, 5],
  ],
]);
const plan = createSchedule(shop, Int32Array.of(0, 10, 0, 10));
const apply = (...events: EventInput[]) => applyEvents(plan, events, 4);
const kindsOf = ({ instance, lost }: AppliedEvents) => ({
  operations: instance.operations,
  frozen: Array.from(instance.frozen ?? []),
  lost: Array.from(lost),
});

const fatal: EventInput = { kind: 'breakdown', machine: 0, from: 4, to: 9, resumable: false };
const cancelled: EventInput = { kind: 'cancellation', job: 0 };
const restored: EventInput = { kind: 'restored', machine: 0 };
const shorter: EventInput = { kind: 'duration', job: 0, step: 0, duration: 6 };

describe('two events of one instant', () => {
  test('a job whose operation is lost and that is then cancelled leaves nothing to redo', () => {
    expect(kindsOf(apply(fatal, cancelled))).toEqual({ operations: 2, frozen: [0, -1], lost: [] });
    expect(kindsOf(apply(cancelled, fatal))).toEqual({
      operations: 3,
      frozen: [-1, 0, -1],
      lost: [0],
    });
  });

  test('an operation that a breakdown has destroyed is lost, even if the machine is back at once', () => {
    const { instance, ...rest } = apply(fatal, restored);
    expect(Array.from(rest.lost)).toEqual([0]);
    expect(instance.calendar).toBeNull();
  });

  test('a lost operation may get another duration, and a delay', () => {
    const tiny: EventInput = { kind: 'duration', job: 0, step: 0, duration: 1 };
    const late: EventInput = { kind: 'delay', job: 0, until: 20 };
    const { instance, events } = apply(fatal, tiny, late);
    expect([instance.duration[0], instance.release?.[0]]).toEqual([1, 20]);
    expect(events[2]).toMatchObject({ step: 0 });
    expect(() => apply(tiny, fatal)).toThrow('at 4 the operation has taken 4 and is not done');
    expect(() => apply({ ...late, step: 0 }, fatal)).toThrow('the operation started at 0');
  });

  test('an operation that is done before the machine is down is not lost', () => {
    const soon: EventInput = { ...fatal, from: 6 };
    expect(apply(shorter, soon).lost).toHaveLength(0);
    expect(apply(soon, shorter).lost).toHaveLength(1);
  });

  test('an operation that a new duration ends now is done', () => {
    const done: EventInput = { ...shorter, duration: 4 };
    expect(() => apply(done, shorter)).toThrow('the operation was done at 4, and now is 4');
    expect(() => apply(shorter, done)).not.toThrow();
  });

  test('a job is known from its arrival on', () => {
    const arrival: EventInput = {
      kind: 'arrival',
      job: { operations: [{ machine: 0, duration: 3 }] },
    };
    const gone: EventInput = { kind: 'cancellation', job: 2 };
    const { instance, arrived } = apply(arrival, gone);
    expect([instance.jobs, instance.operations]).toEqual([3, 4]);
    expect(arrived).toEqual([{ job: 2, name: undefined }]);
    expect(() => apply(gone, arrival)).toThrow('there is no such job; use job 1 to 2');
  });
});
