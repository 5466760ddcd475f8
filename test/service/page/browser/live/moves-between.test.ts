import { expect, test } from 'vitest';
import { viewSchedule } from '../../../../../src/harness/page/schedule-view.js';
import { resolveSource } from '../../../../../src/jssp/suites.js';
import { repair } from '../../../../../src/lcrp/index.js';
import { dispatch } from '../../../../../src/search/construct/dispatch.js';
import { movesBetween } from '../../../../../src/service/page/browser/live/moves-between.js';

test('moves are told by job and step where operations have other numbers since', async () => {
  const plan = dispatch(resolveSource('ft10').load(), { rule: 'mwkr' });
  const { applied, schedule } = await repair({
    schedule: plan,
    now: 100,
    events: [
      { kind: 'cancellation', at: 100, job: 2 },
      { kind: 'breakdown', at: 100, machine: 3, from: 100, to: 190, resumable: true },
      { kind: 'arrival', at: 100, job: { operations: [{ machine: 1, duration: 20 }] } },
    ],
  });
  const before = viewSchedule(plan.instance, plan);
  const after = viewSchedule(schedule.instance, schedule);
  const moves = movesBetween(before, after, (op) => `of ${op}`);
  const expected = Array.from(applied.oldOf, (old, op) => ({ old, op })).filter(
    ({ old, op }) => old < 0 || plan.start[old] !== schedule.start[op],
  );
  expect(new Set(moves.moved.map(({ operation }) => operation))).toEqual(
    new Set(expected.map(({ op }) => op)),
  );
  for (const { operation, start, cause, why } of moves.moved) {
    const old = applied.oldOf[operation];
    expect(start).toBe(old < 0 ? -1 : plan.start[old]);
    expect(cause === 'missing').toBe(old < 0);
    expect(why).toBe(`of ${operation}`);
  }
  expect(moves.gone).toBe(applied.newOf.filter((op) => op < 0).length);
  expect(moves.gone).toBeGreaterThan(0);
});
