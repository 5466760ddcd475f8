import { describe, expect, it } from 'vitest';
import { actorsOf } from '../../src/model/plan.js';
import { chartRows } from '../../src/page/chart-rows.js';
import { scaleOf } from '../../src/page/chart-scale.js';
import { viewPlans } from '../../src/page/plan-view.js';
import { bundledNames, bundledPlan, bundledProblem } from '../../src/papers/bundled.js';

/** The rows of a bundled plan. */
function rowsOf(name: string) {
  const plan = bundledPlan(name);
  const [view] = viewPlans({ title: name, problem: bundledProblem(plan.problem), plan });
  return { view, rows: chartRows(view) };
}

/** The rows after a change, by their ids. */
function rowsAfter(name: string, earlier: string, now: number) {
  const plan = bundledPlan(name);
  const shown = { title: name, problem: bundledProblem(plan.problem), plan, now };
  const [, after] = viewPlans({ ...shown, before: bundledPlan(earlier) });
  return new Map(chartRows(after).map((row) => [row.id, row]));
}

describe.each(bundledNames('plans'))('the chart of %s', (name) => {
  const { view, rows } = rowsOf(name);

  it('has a bar for each action in the rows of all who take part in it', () => {
    for (const [at, action] of view.plan.actions.entries()) {
      const ids = [...actorsOf(action), ...(action.do === 'activity' ? [action.activity] : [])];
      const drawn = rows.filter(({ bars }) => bars.some((bar) => bar.item === at));
      expect(drawn.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    }
  });

  it('draws every violation that is about somebody or something', () => {
    const drawn = rows.flatMap(({ bars, missing }) => [
      ...bars.flatMap((b) => b.faults),
      ...missing,
    ]);
    for (const { message, ...about } of view.verdict.violations) {
      const isAboutNothing = about.action === undefined && about.code === 'false_claim';
      const found = drawn.some((fault) => fault.message === `${message} (${about.code})`);
      expect({ message, found }).toEqual({ message, found: !isAboutNothing });
    }
  });

  it('lets nobody wait and do something at the same time', () => {
    for (const { bars } of rows) {
      const doing = bars.filter(({ kind }) => kind === 'drive' || kind === 'activity');
      for (const wait of bars.filter(({ kind }) => kind === 'wait')) {
        expect(wait.end).toBeGreaterThan(wait.start);
        const both = doing.filter(({ start, end }) => start < wait.end && end > wait.start);
        expect(both).toEqual([]);
      }
    }
  });

  it('has room for all that is done', () => {
    const scale = scaleOf([rows]);
    for (const { start, end } of view.plan.actions) {
      expect(start).toBeGreaterThanOrEqual(scale.from);
      expect(end).toBeLessThanOrEqual(scale.until);
      expect(scale.x(end)).toBeLessThanOrEqual(scale.width);
    }
  });
});

it('draws what is wrong where it is: with the car that is too fast, with James who is engaged twice', () => {
  const { rows } = rowsOf('alas-table-25');
  const wrong = rows.flatMap(({ id, bars }) =>
    bars.flatMap(({ item, faults }) => faults.map(({ number }) => [id, item, number])),
  );
  expect(wrong).toEqual([
    ['james', 2, 3],
    ['michaels-car', 6, 1],
    ['michaels-car', 7, 2],
  ]);
});

it('shows what is there of a plan before, what is rewritten of the past, and what is missing', () => {
  const rows = rowsAfter('sagallm-table-8', 'sagallm-table-6', 13 * 60);
  const car = rows.get('pats-car');
  expect(car?.missing.map(({ from, until }) => [from, until])).toEqual([
    [720, 780],
    [770, 780],
  ]);
  expect(car?.bars.flatMap(({ kind, start }) => (kind === 'ghost' ? start : []))).toEqual([720]);
  expect(car?.bars.flatMap(({ change }) => change ?? [])).toEqual(['moved', 'added']);
  expect(rows.get('photos')?.missing.map(({ from, until }) => [from, until])).toEqual([[900, 900]]);
});

it('hatches the part of a drive that traffic makes slow', () => {
  const rows = rowsAfter('sagallm-table-9', 'sagallm-table-9', 13 * 60);
  const drive = rows.get('pats-car')?.bars.find(({ slow }) => slow.length > 0);
  expect(drive?.slow).toEqual([[780, drive?.end]]);
  expect(drive?.start).toBeLessThan(780);
});

it('shows who watches an oven, and closing hours', () => {
  const turkey = rowsOf('alas-table-21').rows.find(({ id }) => id === 'turkey');
  const watches = turkey?.bars.filter(({ kind }) => kind === 'watch') ?? [];
  expect(watches.map(({ labels }) => labels[0])).toContain('Sarah');
  const clothes = rowsOf('sagallm-table-6').rows.find(({ id }) => id === 'clothes');
  const title = 'T is open from 00:00 to 14:00';
  expect(clothes?.shades).toEqual([
    { from: Number.NEGATIVE_INFINITY, until: 0, title },
    { from: 14 * 60, until: Number.POSITIVE_INFINITY, title },
  ]);
});
