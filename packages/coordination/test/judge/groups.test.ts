import { expect, it } from 'vitest';
import { groupViolations } from '../../src/judge/groups.js';
import { judge } from '../../src/judge/judge.js';
import type { Action } from '../../src/model/plan.js';
import { bundledPlan, bundledProblem } from '../../src/papers/bundled.js';

const plan = bundledPlan('alas-table-21');
const problem = bundledProblem('thanksgiving');

/** Codes of the groups of a plan with other actions. */
function groupsOf(change: (actions: readonly Action[]) => Action[]): string[][] {
  const other = { ...plan, actions: change(plan.actions) };
  const { violations } = judge(problem, other);
  const groups = groupViolations(other, violations);
  expect(groups.flatMap(({ root, cascades }) => [root, ...cascades])).toHaveLength(
    violations.length,
  );
  return groups.map(({ root, cascades }) => [root.code, ...cascades.map(({ code }) => code)]);
}

const without = (name: string) => (actions: readonly Action[]) =>
  actions.filter((one) => one.do !== 'activity' || one.activity !== name);

it('has what is missing as the cause of what waits for it', () => {
  expect(groupsOf(without('rent'))).toEqual([['missing_activity', 'vehicle_not_ready']]);
  expect(groupsOf(without('luggage-emily'))).toEqual([['missing_activity', 'left_early']]);
});

it('has an action that cannot be read as the cause of what its people lack', () => {
  const misnamed = groupsOf((actions) =>
    actions.map((one) =>
      one.do === 'drive' && one.with.includes('emily') ? { ...one, to: 'hom' } : one,
    ),
  );
  expect(misnamed).toEqual([['unknown_name', 'not_there', 'not_there']]);
});

it('keeps violations of different actions apart', () => {
  const groups = groupsOf((actions) =>
    actions.map((one) => (one.do === 'drive' ? { ...one, end: one.end - 5 } : one)),
  );
  expect(groups).toEqual([['too_fast'], ['too_fast'], ['too_fast']]);
});
