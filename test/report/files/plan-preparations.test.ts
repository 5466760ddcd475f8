import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { createSchedule, jobEnd } from '../../../src/jssp/schedule.js';
import { planCalendar } from '../../../src/report/files/calendar.js';
import { planSheets } from '../../../src/report/files/plan-sheets.js';

/** A shop with a setup by a setter, an operator, and an order whose second step does not wait for its first. */
const shop = {
  schema: 'alas-jssp/instance@2',
  name: 'hall',
  machines: ['Mill', 'Saw'],
  time_scale: { epoch: '2026-11-23T08:00:00+01:00', unit: 60, zone: 'Europe/Berlin' },
  families: ['steel'],
  resources: [
    { name: 'Ana', capacity: 1 },
    { name: 'setters', capacity: 2 },
  ],
  setups: [{ machines: ['Mill'], first: { steel: 10 }, times: {} }],
  jobs: [
    {
      name: 'A-1',
      due: 40,
      operations: [
        {
          ...{ name: 'mill', machine: 'Mill', duration: 50, family: 'steel' },
          ...{ needs: { Ana: 1 }, setup_needs: { setters: 2 } },
        },
        { name: 'saw', machine: 'Saw', duration: 20, after: [] },
      ],
    },
  ],
};
const instance = parseInstance(JSON.stringify(shop), {});
const schedule = createSchedule(instance, Int32Array.of(10, 0));

describe('a plan of a shop with setups and operators', () => {
  it('is complete at the latest end of an order, whichever step that is', () => {
    expect(jobEnd(schedule, 0)).toBe(60);
    const [orders] = planSheets(schedule);
    const [, due, start, end, late] = orders.rows[0];
    expect([due, start, end]).toEqual(
      ['08:40', '08:00', '09:00'].map((time) => ({ date: `2026-11-23T${time}:00` })),
    );
    expect(late).toBe(20);
    expect(orders.late).toEqual(new Set([0]));
  });

  it('has columns for the setup, who does it, and who works', () => {
    const { columns, rows } = planSheets(schedule)[1];
    const headers = ['Setup from', 'Setup to', 'Setup by', 'Operators and tools'];
    expect(columns.slice(-4).map(({ header }) => header)).toEqual(headers);
    const at = (time: string) => ({ date: `2026-11-23T${time}:00` });
    expect(rows[0].slice(-4)).toEqual([at('08:00'), at('08:10'), '2 × setters', 'Ana']);
    expect(rows[1].slice(-4)).toEqual([null, null, null, null]);
  });

  it('has them in calendars, too', () => {
    const text = planCalendar(schedule, { shop: 'hall', version: 1, stamp: 0 });
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    const descriptions = events.map((event) => String(event.getFirstPropertyValue('description')));
    const mill = descriptions.find((one) => one.includes('Ana')) ?? '';
    expect(mill.split('\n')).toEqual([
      expect.stringMatching(/^setup .*08:00 to 08:10 by 2 × setters$/),
      'with Ana',
      expect.stringMatching(/^due .*, 20 min late$/),
    ]);
    expect(descriptions.filter((one) => one.includes('setup'))).toHaveLength(1);
  });
});
