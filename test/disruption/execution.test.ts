import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AppliedEvents,
  applyEvents,
  carrySchedule,
} from '../../src/disruption/apply-events.js';
import { meetsDowntime } from '../../src/jssp/calendar.js';
import type { Instance } from '../../src/jssp/instance.js';
import { createSchedule, type Schedule } from '../../src/jssp/schedule.js';
import { semiActive } from '../../src/jssp/timing.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { validate } from '../../src/validator/validate.js';
import { arbitraryInstance } from '../arbitraries.js';
import { arbitraryChoices, eventsFor } from './arbitraries.js';

const steps = fc.array(
  fc.record({
    later: fc.nat(25),
    choices: arbitraryChoices,
    method: fc.constantFrom('mwkr', 'spt', 'plan'),
  }),
  { minLength: 1, maxLength: 6 },
);
const shops = fc.oneof(
  arbitraryInstance({ downtimes: true, dueDates: true, weights: true, maxMachines: 3 }),
  arbitraryInstance({ downtimes: true, releases: true }),
);

/** A new schedule of what is left: by a rule, or in the planned order with new jobs at the end. */
function reschedule(schedule: Schedule, applied: AppliedEvents, method: string): Schedule {
  const { instance, oldOf } = applied;
  if (method !== 'plan') return dispatch(instance, { rule: method });
  const planned = carrySchedule(schedule, applied);
  const rank = (op: number) =>
    oldOf[op] < 0 ? [1e6, 1e6] : [planned[op], schedule.end[oldOf[op]]];
  const sequences = instance.machineOperations.slice();
  for (let k = 0; k < instance.machines; k++) {
    const queue = sequences.subarray(instance.machineOffset[k], instance.machineOffset[k + 1]);
    queue.sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a - b);
  }
  return semiActive(instance, sequences);
}

const copyOf = (schedule: Schedule) => structuredClone(schedule);

test('a shop goes from one disruption to the next, always to a schedule that the validator accepts', () => {
  let lost = 0;
  let skipped = 0;
  fc.assert(
    fc.property(shops, steps, (shop, sequence) => {
      let schedule = dispatch(shop, { rule: 'mwkr' });
      let now = 0;
      for (const { later, choices, method } of sequence) {
        now += later;
        const events = eventsFor(schedule, now, choices);
        const before = copyOf(schedule);
        const applied = applyEvents(schedule, events, now, { tooLate: 'skip' });
        expect(applyEvents(schedule, events, now, { tooLate: 'skip' })).toEqual(applied);
        expect(schedule).toEqual(before);
        checkStep(schedule, applied, now);
        lost += applied.lost.length;
        skipped += applied.skipped.length;

        const next = reschedule(schedule, applied, method);
        expect(validate(applied.instance, next).violations).toEqual([]);
        schedule = next;
      }
    }),
    { numRuns: 400 },
  );
  expect(lost).toBeGreaterThan(20);
  expect(skipped).toBeGreaterThan(20);
});

/** What must hold between an instance in execution and the next, operation by operation. */
function checkStep(
  schedule: Schedule,
  { instance, newOf, oldOf, lost, events }: AppliedEvents,
  now: number,
): void {
  const before = schedule.instance;
  const ends = createSchedule(instance, instance.frozen ?? new Int32Array(instance.operations)).end;
  for (let op = 0; op < before.operations; op++) {
    const next = newOf[op];
    const hasStarted = schedule.start[op] < now;
    if (next < 0) {
      // What was lost may fall away, too.
      expect(hasStarted && schedule.end[op] <= now).toBe(false);
      const isCancelled = ({ kind, job }: { kind: string; job?: unknown }) =>
        kind === 'cancellation' && job === before.jobOf[op];
      expect(events.some(isCancelled)).toBe(true);
      continue;
    }
    expect(oldOf[next]).toBe(op);
    expect(instance.jobOf[next]).toBe(before.jobOf[op]);
    expect(instance.machine[next]).toBe(before.machine[op]);
    const job = before.jobOf[op];
    expect(instance.weight?.[job] ?? 1).toBe(before.weight?.[job] ?? 1);
    const frozen = instance.frozen?.[next] ?? -1;
    expect(frozen).toBe(hasStarted && !lost.includes(next) ? schedule.start[op] : -1);
    // The past is as it was: what was done is done, at the same time; what was running still runs.
    if (hasStarted && schedule.end[op] <= now) {
      expect(frozen).toBe(schedule.start[op]);
      expect(ends[next]).toBe(schedule.end[op]);
    } else if (frozen >= 0) expect(ends[next]).toBeGreaterThanOrEqual(now);
  }
  for (let op = 0; op < instance.operations; op++) {
    if ((instance.frozen?.[op] ?? -1) < 0) {
      expect(instance.release?.[op] ?? 0).toBeGreaterThanOrEqual(now);
    } else if (ends[op] > now) expect(meetsLossFrom(instance, op, now)).toBe(false);
  }
}

/** Whether a frozen operation would meet a non-resumable downtime that begins at now or later. */
function meetsLossFrom(instance: Instance, op: number, now: number): boolean {
  const { calendar, frozen } = instance;
  const met = meetsDowntime(instance, op, frozen?.[op] ?? -1);
  return met >= 0 && calendar?.resumable[met] === 0 && calendar.from[met] >= now;
}
