import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { demoShop } from '../../../../../packages/service/src/demo/demo-shop.js';
import { replaceInstance } from '../../../../../src/jssp/instance.js';
import { createSchedule } from '../../../../../src/jssp/schedule.js';
import { scheduleChart } from '../../../../../src/report/chart/schedule-chart.js';
import { marksInSight } from '../../../../../src/report/page/browser/gantt/axis-marks.js';
import {
  afterOpenTime,
  commonStretches,
  compressTime,
  openStretches,
  STRAIGHT_TIME,
} from '../../../../../src/report/page/browser/gantt/time-map.js';
import {
  clampViewport,
  timesInSight,
  timeToX,
  type Viewport,
  withMap,
  xToTime,
} from '../../../../../src/report/page/browser/gantt/viewport.js';
import { viewSchedule } from '../../../../../src/report/page/views/schedule-view.js';
import { dispatch } from '../../../../../src/search/construct/dispatch.js';

const plan = dispatch(demoShop(), { rule: 'mwkr' });
const view = viewSchedule(plan.instance, plan);
const stretches = commonStretches(view.downtimes, view.machines);
const map = compressTime(stretches, 30);

const port: Viewport = {
  ...{ width: 1000, height: 300, gutter: 100, axis: 28, row: 30, top: 0 },
  ...{ map, from: 0, span: 1440, isWhole: false },
};

/** Gaps that lie apart from each other. */
const anyGaps = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 200 })))
  .map((pairs) => {
    let at = 0;
    return pairs.map(([apart, length]) => {
      const from = at + apart;
      at = from + length;
      return [from, at] as const;
    });
  });

describe('time that is drawn short', () => {
  it('is that in which all machines are closed: nights and weekends of the demo, not its breaks', () => {
    // 22:00 to 06:00, in minutes from six o'clock of Monday on.
    expect(map.gaps[0]).toEqual([960, 1440]);
    expect(map.gaps.length).toBeLessThan(stretches.length);
    expect(
      commonStretches({ machine: [0, 1], from: [0, 5], to: [9, 20], resumable: [] }, 2),
    ).toEqual([[5, 9]]);
  });

  it('keeps the order of times, and each has one place', () => {
    fc.assert(
      fc.property(anyGaps, fc.integer({ min: 1, max: 40 }), (gaps, short) => {
        const some = compressTime(gaps, short);
        for (let time = 0; time < 400; time++) {
          expect(some.toDrawn(time + 1)).toBeGreaterThan(some.toDrawn(time));
          expect(some.toTime(some.toDrawn(time))).toBeCloseTo(time, 6);
        }
        for (const [from, to] of some.gaps) {
          expect(some.toDrawn(to) - some.toDrawn(from)).toBeCloseTo(short, 6);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('does not count as working hours', () => {
    expect(afterOpenTime(map, 0, 1440)).toBe(1440 + 480);
    expect(afterOpenTime(map, 1000, 60)).toBe(1500);
    expect(afterOpenTime(STRAIGHT_TIME, 5, 60)).toBe(65);
    expect(openStretches(map, 900, 1500)).toEqual([
      [900, 960],
      [1440, 1500],
    ]);
  });

  it('has pixels of its own, and the same times stay in sight where it is no longer short', () => {
    const sight = clampViewport(port, { last: map.toDrawn(5000), rows: 5 });
    for (const time of [0, 500, 1000, 1439, 1440, 1500]) {
      expect(xToTime(sight, timeToX(sight, time))).toBeCloseTo(time, 6);
    }
    expect(timeToX(sight, 1440) - timeToX(sight, 960)).toBeCloseTo((30 * 900) / 1440, 6);
    const [from, to] = timesInSight(sight);
    const [first, last] = timesInSight(withMap(sight, STRAIGHT_TIME));
    expect([first, last]).toEqual([expect.closeTo(from, 6), expect.closeTo(to, 6)]);
  });

  it('has marks with the day behind each night, and none within it', () => {
    const marks = marksInSight(port, view.timeScale);
    expect(marks.find(({ time }) => time === 1440)?.label).toBe('Tue 24 Nov');
    expect(marks.filter(({ time }) => time > 960 && time < 1440)).toEqual([]);
    expect(marks.length).toBeGreaterThan(5);
  });
});

test('rows of machines are in the order of their names, in which M2 comes before M10', () => {
  const names = { jobs: null, machines: ['M10', 'M2', 'M1', 'M9', 'A'], operations: null };
  const named = replaceInstance(plan.instance, { names });
  const shown = viewSchedule(named, createSchedule(named, plan.start));
  const chart = scheduleChart(shown, 'machine', { jobLabels: () => [] });
  const order = Array.from({ length: 5 }, (_, row) => names.machines[chart.indexAt(row)]);
  expect(order).toEqual(['A', 'M1', 'M2', 'M9', 'M10']);
  shown.machine.forEach((k, op) => {
    expect(chart.rowOf(op)).toBe(chart.rowAt(k));
    expect(chart.indexAt(chart.rowOf(op))).toBe(k);
  });
  expect(chart.rows.map(({ name }) => name)).toEqual(order);
  for (const [row, { bars }] of chart.rows.entries()) {
    for (const { item } of bars) expect(chart.rowOf(item)).toBe(row);
  }
});
