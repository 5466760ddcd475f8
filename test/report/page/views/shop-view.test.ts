import { describe, expect, it } from 'vitest';
import { instanceOf } from '../../../../packages/lab/src/shops/instances.js';
import { randomShop, SIZES } from '../../../../packages/lab/src/shops/random-shop.js';
import { setupsOf } from '../../../../src/jssp/setup-times.js';
import { setupTime } from '../../../../src/jssp/shop-parts.js';
import { ganttSvg } from '../../../../src/report/chart/gantt-svg.js';
import { renderGantt } from '../../../../src/report/chart/gantt-text.js';
import { viewSchedule } from '../../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../../src/search/index.js';

const features = new Set(['alternatives', 'setups', 'transport', 'resources'] as const);
const schedules = Array.from({ length: 40 }, (_, seed) => {
  const shop = instanceOf(randomShop(seed, features, SIZES.medium), `shop ${seed}`);
  return dispatch(shop, { rule: 'mwkr' });
});

describe('the view of a schedule with setups, alternatives and operators', () => {
  it('has each setup between two operations of a machine, for the time that it takes', () => {
    let setups = 0;
    for (const schedule of schedules) {
      const { instance, start, end } = schedule;
      for (const { machine, operation, before, from, to } of setupsOf(schedule)) {
        setups++;
        expect(instance.machine[operation]).toBe(machine);
        expect(to - from).toBe(setupTime(instance, machine, before, operation));
        expect(to).toBeLessThanOrEqual(start[operation]);
        expect(from).toBeGreaterThanOrEqual(before < 0 ? 0 : end[before]);
      }
      const view = viewSchedule(instance, schedule);
      expect(view.valid).toBe(true);
      expect(view.machine).toEqual(Array.from(instance.machine));
      expect(view.setups?.operation ?? []).toHaveLength(setupsOf(schedule).length);
    }
    expect(setups).toBeGreaterThan(50);
  });

  it('never shows more uses of a resource than there is of it', () => {
    for (const schedule of schedules) {
      const { resources } = viewSchedule(schedule.instance, schedule);
      if (resources === null) continue;
      const { from, to, amount, resource } = resources.uses;
      for (const [i, time] of from.entries()) {
        const used = from.reduce((sum, one, k) => {
          const isThen = resource[k] === resource[i] && one <= time && time < to[k];
          return isThen ? sum + amount[k] : sum;
        }, 0);
        expect(used).toBeLessThanOrEqual(resources.capacity[resource[i]]);
      }
    }
  });

  it('ends its critical path at the makespan, in order of time', () => {
    for (const schedule of schedules) {
      const { critical, start, end, makespan } = viewSchedule(schedule.instance, schedule);
      expect(end[critical.at(-1) ?? -1]).toBe(makespan);
      const starts = critical.map((op) => start[op]);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }
  });

  it('is drawn with its setups, as text and as SVG', () => {
    const schedule = schedules.find((one) => setupsOf(one).length > 3);
    if (schedule === undefined) throw new Error('there is no schedule with setups');
    expect(renderGantt(schedule)).toContain('▒ is a setup');
    const svg = ganttSvg(viewSchedule(schedule.instance, schedule));
    expect(svg.split('class="prepare"').length - 2).toBe(setupsOf(schedule).length);
    expect(svg).toMatch(/on Machine\d, one of \d that can do it/);
  });
});
