import { describe, expect, it } from 'vitest';
import { instanceOf } from '../../../../packages/lab/src/shops/instances.js';
import { randomShop, SIZES } from '../../../../packages/lab/src/shops/random-shop.js';
import { replaceInstance } from '../../../../src/jssp/instance.js';
import { createSchedule } from '../../../../src/jssp/schedule.js';
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

  it('names only times with less of a resource as reduced', () => {
    const schedule = schedules.find(({ instance }) => instance.resources !== null);
    if (schedule === undefined) throw new Error('there is no schedule with resources');
    const { resources } = schedule.instance;
    const { count = 0, capacity } = resources ?? {};
    const usual = capacity?.[0] ?? 0;
    const offset = new Int32Array(count + 1).fill(2);
    offset[0] = 0;
    const calendar = {
      offset,
      from: Int32Array.of(10, 30),
      to: Int32Array.of(20, 40),
      amount: Int32Array.of(usual + 1, usual - 1),
      estimated: new Uint8Array(2),
    };
    const instance = replaceInstance(schedule.instance, {
      resources: resources && { ...resources, calendar },
    });
    const view = viewSchedule(instance, createSchedule(instance, schedule.start));
    expect(view.resources?.reduced).toEqual({
      resource: [0],
      from: [30],
      to: [40],
      amount: [usual - 1],
    });
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
    expect(renderGantt(schedule)).toContain('▒ setup');
    const svg = ganttSvg(viewSchedule(schedule.instance, schedule));
    expect(svg.split('class="prepare"').length - 2).toBe(setupsOf(schedule).length);
    expect(svg).toMatch(/on Machine\d, one of \d that can do it/);
  });
});
