import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { affectedOperations } from '../../src/disruption/affected.js';
import { applyEvents } from '../../src/disruption/apply-events.js';
import type { EventInput } from '../../src/disruption/event.js';
import { instanceFromJobs } from '../../src/jssp/instance.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { dispatch } from '../../src/search/construct/dispatch.js';
import { arbitraryInstance } from '../arbitraries.js';
import { arbitraryChoices, eventsFor } from './arbitraries.js';

// machine 0: op 0 [0, 10), op 3 [10, 16); machine 1: op 2 [0, 8), op 1 [10, 30), op 4 [30, 35)
const shop = instanceFromJobs('shop', [
  [
    [0, 10],
    [1, 20],
  ],
  [
    [1, 8],
    [0, 6],
    [1, 5],
  ],
]);
const plan = createSchedule(shop, Int32Array.of(0, 10, 0, 10, 30));
const affected = (events: EventInput[], now: number, schedule = plan) =>
  Array.from(affectedOperations(schedule, applyEvents(schedule, events, now)));

describe('directly affected is', () => {
  test('every operation running or planned on the machine within a downtime', () => {
    const down = { kind: 'breakdown', machine: 1 } as const;
    expect(affected([{ ...down, from: 15, to: 30 }], 15)).toEqual([1]);
    expect(affected([{ ...down, from: 15, to: 31 }], 15)).toEqual([1, 4]);
    expect(affected([{ ...down, from: 30, to: 31 }], 15)).toEqual([4]);
    expect(affected([{ ...down, from: 8, to: 10 }], 8)).toEqual([]);
  });

  test('the operation with another duration or a delay, and all of a new job', () => {
    expect(affected([{ kind: 'duration', job: 0, step: 1, duration: 9 }], 12)).toEqual([1]);
    expect(affected([{ kind: 'delay', job: 1, until: 30 }], 5)).toEqual([3]);
    const operations = [
      { machine: 0, duration: 1 },
      { machine: 1, duration: 2 },
    ];
    expect(affected([{ kind: 'arrival', job: { operations } }], 5)).toEqual([5, 6]);
  });

  test('every operation that can start earlier after a cancellation, in its new number', () => {
    expect(affected([{ kind: 'cancellation', job: 0 }], 5)).toEqual([3]);
    expect(affected([{ kind: 'cancellation', job: 1 }], 9)).toEqual([]);
  });

  test('the operation that continues when a machine is back, and the next one planned there', () => {
    const { instance } = applyEvents(
      plan,
      [{ kind: 'breakdown', machine: 1, from: 15, to: 22 }],
      15,
    );
    const schedule = createSchedule(instance, Int32Array.of(0, 10, 0, 10, 37));
    expect(affected([{ kind: 'restored', machine: 1 }], 18, schedule)).toEqual([1, 4]);
  });
});

test('every operation that the events leave with another duration, release or interruption is affected', () => {
  fc.assert(
    fc.property(
      arbitraryInstance({ downtimes: true, maxMachines: 3 }),
      fc.integer({ min: 1, max: 60 }),
      arbitraryChoices,
      (instance, now, choices) => {
        const schedule = dispatch(instance, { rule: 'mwkr' });
        const events = eventsFor(schedule, now, choices);
        const applied = applyEvents(schedule, events, now, { tooLate: 'skip' });
        const list = Array.from(affectedOperations(schedule, applied));
        expect(list).toEqual(Array.from(new Set(list)).sort((a, b) => a - b));
        const known = new Set(list);
        const next = applied.instance;
        for (let op = 0; op < next.operations; op++) {
          const old = applied.oldOf[op];
          const isOther =
            old < 0 ||
            next.duration[op] !== instance.duration[old] ||
            (next.release?.[op] ?? 0) > Math.max(now, instance.release?.[old] ?? 0);
          if (isOther) expect(known.has(op)).toBe(true);
          const frozen = next.frozen?.[op] ?? -1;
          if (frozen < 0 || old < 0) continue;
          const end = createSchedule(next, next.frozen ?? new Int32Array(0)).end[op];
          if (end !== schedule.end[old]) expect(known.has(op)).toBe(true);
        }
        for (const op of applied.lost) expect(known.has(op)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
