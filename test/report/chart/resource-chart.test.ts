import { describe, expect, it } from 'vitest';
import { instanceOf } from '../../../packages/lab/src/shops/instances.js';
import { randomShop, SIZES } from '../../../packages/lab/src/shops/random-shop.js';
import { asPlan } from '../../../src/jssp/plan.js';
import type { Schedule } from '../../../src/jssp/schedule.js';
import { resourceChart } from '../../../src/report/chart/resource-chart.js';
import type { ResourceColumns } from '../../../src/report/page/views/schedule-data.js';
import { viewSchedule } from '../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../src/search/index.js';

const features = new Set(['alternatives', 'setups', 'resources', 'setup-resources'] as const);
const schedules = Array.from({ length: 40 }, (_, seed) => {
  const shop = instanceOf(randomShop(seed, features, SIZES.medium), `shop ${seed}`);
  return dispatch(shop, { rule: 'mwkr' });
}).filter(({ instance }) => instance.resources !== null);

const texts = { jobLabels: (job: number) => [String(job + 1)] };

/** The chart of a schedule, and what it shows. */
function chartOf(schedule: Schedule) {
  const view = viewSchedule(schedule.instance, schedule);
  const resources = view.resources as ResourceColumns;
  return { view, resources, chart: resourceChart(view, resources, texts) };
}

describe('rows of operators and tools', () => {
  it('are as many as there are units, and each use is in as many of them as it needs', () => {
    expect(schedules.length).toBeGreaterThan(20);
    let setups = 0;
    for (const schedule of schedules) {
      const { chart, resources } = chartOf(schedule);
      const units = resources.capacity.reduce((sum, one) => sum + Math.max(1, one), 0);
      expect(chart.rows).toHaveLength(units);
      const bars = chart.rows.flatMap((row) => row.bars);
      expect(bars).toHaveLength(resources.uses.amount.reduce((sum, one) => sum + one, 0));
      setups += bars.filter(({ kind }) => kind === 'setup').length;
      for (const [i, operation] of resources.uses.operation.entries()) {
        const shown = chart
          .placesOf(operation)
          .filter(({ row }) => chart.indexAt(row) === resources.uses.resource[i])
          .filter(({ start }) => start === resources.uses.from[i]);
        expect(shown).toHaveLength(resources.uses.amount[i]);
      }
    }
    expect(setups).toBeGreaterThan(20);
  });

  it('never show a unit twice at a time, or while it is not there', () => {
    let away = 0;
    for (const schedule of schedules) {
      for (const { bars, shades, conflicts } of chartOf(schedule).chart.rows) {
        const busy = [
          ...bars.map(({ start, end }) => [start, end]),
          ...shades.map(({ from, until }) => [from, until]),
        ].sort((a, b) => a[0] - b[0]);
        for (const [i, [from]] of busy.slice(1).entries()) {
          expect(from).toBeGreaterThanOrEqual(busy[i][1]);
        }
        expect(conflicts).toEqual([]);
        away += shades.length;
      }
    }
    expect(away).toBeGreaterThan(5);
  });

  it('cross out what is used more often than it is there', () => {
    let overloads = 0;
    for (const schedule of schedules) {
      const { entries } = asPlan(schedule);
      const atOnce = entries.map((entry) => ({
        ...entry,
        start: 0,
        end: entry.end - entry.start,
      }));
      const view = viewSchedule(schedule.instance, { entries: atOnce });
      const resources = view.resources as ResourceColumns;
      const { rows } = resourceChart(view, resources, texts);
      const crossed = rows.some(({ conflicts }) => conflicts.length > 0);
      expect(crossed).toBe(view.violations.some(({ code }) => code === 'resource_overload'));
      if (crossed) overloads++;
    }
    expect(overloads).toBeGreaterThan(10);
  });

  it('stand for several units each if there are many', () => {
    const { view, resources } = chartOf(schedules[0]);
    const many = {
      ...resources,
      names: ['power'],
      capacity: [100],
      uses: { ...resources.uses, resource: resources.uses.resource.map(() => 0) },
      reduced: { resource: [], from: [], to: [], amount: [] },
    };
    const { rows } = resourceChart(view, many, texts);
    expect(rows).toHaveLength(20);
    expect(rows[0].name).toBe('power 1–5');
    expect(rows[19].name).toBe('power 96–100');
  });
});
