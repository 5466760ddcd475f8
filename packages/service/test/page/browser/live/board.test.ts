import { expect, test } from 'vitest';
import { createCalendar } from '../../../../../../src/jssp/calendar.js';
import { replaceInstance } from '../../../../../../src/jssp/instance.js';
import { createSchedule } from '../../../../../../src/jssp/schedule.js';
import { viewSchedule } from '../../../../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../../../../src/search/construct/dispatch.js';
import { demoShop } from '../../../../src/demo/demo-shop.js';
import { brokenTimes, machinesAt } from '../../../../src/page/browser/live/board.js';

const plan = dispatch(demoShop(), { rule: 'mwkr' });
const view = viewSchedule(plan.instance, plan);

test('at every time each machine has what runs on it and what is next, in order', () => {
  for (let now = 0; now <= plan.makespan; now += 7) {
    for (const { machine, status, running, next } of machinesAt(view, view, now, 3)) {
      const here = plan.start
        .map((_, op) => op)
        .filter((op) => plan.instance.machine[op] === machine);
      const runs = here.filter((op) => plan.start[op] <= now && now < plan.end[op]);
      expect([running]).toEqual(runs.length === 0 ? [-1] : [...runs]);
      const later = here.filter((op) => plan.start[op] > now);
      expect(next).toEqual([...later.sort((a, b) => plan.start[a] - plan.start[b])].slice(0, 3));
      if (status === 'idle') expect(running).toBe(-1);
      expect(status).not.toBe('down');
    }
  }
});

test('a machine is closed while that was planned, and down while it was not', () => {
  const { instance } = plan;
  const downtimes = view.downtimes.machine.map((machine, i) => {
    return { machine, from: view.downtimes.from[i], to: view.downtimes.to[i], resumable: true };
  });
  const broken = { machine: 1, from: 100, to: 160, resumable: true };
  const calendar = createCalendar(instance.machines, [...downtimes, broken]);
  const disturbed = replaceInstance(instance, { calendar });
  const after = viewSchedule(disturbed, createSchedule(disturbed, plan.start));
  const statusAt = (now: number) => machinesAt(after, view, now, 1)[1];
  expect(statusAt(99).status).not.toBe('down');
  expect(statusAt(100)).toMatchObject({ status: 'down', until: 160 });
  expect(statusAt(160).status).not.toBe('down');
  // The break of the first shift.
  expect(statusAt(245)).toMatchObject({ status: 'closed', until: 270 });
});

test('a breakdown in a break is a breakdown, in the list and in the chart', () => {
  const { names } = view;
  const machine = names?.machines?.[1] as string;
  const times = { from: '', to: '', estimated: false, from_units: 245, to_units: 260 };
  const breakdowns = [{ machine, ...times }];
  const statusAt = (now: number) => machinesAt(view, view, now, 1, view, breakdowns)[1];
  expect(statusAt(244)).toMatchObject({ status: 'closed', until: 270 });
  expect(statusAt(250)).toMatchObject({ status: 'down', until: 260 });
  expect(statusAt(260)).toMatchObject({ status: 'closed', until: 270 });
  expect(brokenTimes(view, breakdowns)).toMatchObject({ machine: [1], from: [245], to: [260] });
});
