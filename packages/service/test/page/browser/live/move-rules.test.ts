import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEvents } from '../../../../../../src/disruption/apply-events.js';
import { replaceInstance } from '../../../../../../src/jssp/instance.js';
import { createSchedule } from '../../../../../../src/jssp/schedule.js';
import { judgeExecution } from '../../../../../../src/lcrp/judge-repair.js';
import { viewSchedule } from '../../../../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../../../../src/search/construct/dispatch.js';
import { demoShop } from '../../../../src/demo/demo-shop.js';
import { moveRules } from '../../../../src/page/browser/live/move-rules.js';

const shop = demoShop();
const release = Int32Array.from({ length: shop.operations }, (_, op) => (op % 7 === 0 ? 90 : 0));
/** A shop with shifts, releases, and a machine whose work is lost when it is down. */
const plan = dispatch(replaceInstance(shop, { release }), { rule: 'mwkr' });
const down = {
  kind: 'breakdown',
  at: 0,
  machine: 3,
  from: 400,
  to: 430,
  resumable: false,
} as const;
const { instance } = applyEvents(plan, [down], 0);
const followed = dispatch(instance, { rule: 'mwkr' });
const rules = moveRules(viewSchedule(instance, followed));

test('an operation may be put where the validator allows it, whatever the time, and nowhere else', () => {
  const { makespan } = followed;
  let fine = 0;
  fc.assert(
    fc.property(
      fc.nat(instance.operations - 1),
      fc.integer({ min: -400, max: 400 }),
      fc.nat(makespan),
      (op, by, now) => {
        const time = Math.max(0, followed.start[op] + by);
        // The floor at that time, as the service knows it.
        const floor = applyEvents(followed, [], now).instance;
        const starts = followed.start.slice();
        starts[op] = time;
        const schedule = createSchedule(floor, starts);
        const broken = rules.brokenRules(
          { operation: op, machine: instance.machine[op], start: time },
          now,
        );
        const { executable } = judgeExecution(schedule);
        expect(broken.length === 0).toBe(executable);
        expect(rules.endOf(op, instance.machine[op], time)).toBe(schedule.end[op]);
        expect(rules.canMove(op, now)).toBe(floor.frozen === null || floor.frozen[op] < 0);
        if (executable) fine++;
      },
    ),
    { numRuns: 1000 },
  );
  expect(fine).toBeGreaterThan(20);
});

test('every kind of rule is found', () => {
  const codes = new Set<string>();
  for (let op = 0; op < instance.operations; op++) {
    for (let time = 0; time < 1000; time += 10) {
      for (const { code } of rules.brokenRules(
        { operation: op, machine: instance.machine[op], start: time },
        60,
      ))
        codes.add(code);
    }
  }
  expect([...codes].sort()).toEqual([
    ...['downtime', 'frozen_moved', 'job_precedence'],
    ...['machine_overlap', 'release'],
  ]);
});
