import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { writePlanCsv } from '../../../src/jssp/formats/plan-csv.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { parsePlan } from '../../../src/jssp/formats/read-plan.js';
import { instanceFromJobs, replaceInstance } from '../../../src/jssp/instance.js';
import { scheduleFromPlan } from '../../../src/jssp/plan.js';
import { createSchedule } from '../../../src/jssp/schedule.js';

const plain = instanceFromJobs('one', [[[0, 30]]]);
const shop = replaceInstance(plain, {
  timeScale: { epoch: '2026-11-23T06:00:00+01:00', unit: 60, zone: 'Europe/Berlin' },
});
const json = (start: unknown, end: unknown) =>
  JSON.stringify([{ job: 1, step: 1, machine: 0, start, end }]);
const csv = (start: string, end: string) => `job,step,machine,start,end\n1,1,0,${start},${end}\n`;

test.each([
  ['JSON', json('2026-11-23T14:10', '2026-11-23T13:40Z')],
  ['CSV', csv('2026-11-23 14:10', '2026-11-23T14:40+01:00')],
  ['JSON with numbers beside dates', json('490', '2026-11-23T14:40')],
])('the dates of a plan in %s are read by the clock of the shop', (_, text) => {
  const [entry] = parsePlan(text, undefined, shop).plan.entries;
  expect(entry).toEqual({ job: 0, step: 0, machine: 0, start: 490, end: 520 });
});

it('refuses dates that make no sense, with their place', () => {
  expect(() => parsePlan(json('2026-11-22T14:10', 1), 'plan.json', shop)).toThrow(
    'plan.json:$[0].start: "2026-11-22T14:10" is before the epoch; give',
  );
  expect(() => parsePlan(csv('1', '2026-11-23'), 'plan.csv', shop)).toThrow(
    'plan.csv:2: "2026-11-23" is no time; give',
  );
  expect(() => parsePlan(json('2026-11-23T14:10', 1), 'plan.json', plain)).toThrow(
    'plan.json:$[0].start: this is "2026-11-23T14:10"; give a start as a number',
  );
});

test('a schedule of a shop with a clock is written with dates, and read as the same one', () => {
  const epoch = '2026-10-24T06:00:00+02:00';
  const dated = replaceInstance(shop, { timeScale: { epoch, unit: 900, zone: 'Europe/Berlin' } });
  fc.assert(
    fc.property(fc.nat(300), (start) => {
      const schedule = createSchedule(dated, Int32Array.of(start));
      for (const text of [writePlanJson(schedule), writePlanCsv(schedule)]) {
        expect(text).toContain('2026-10-2');
        const { plan } = parsePlan(text, undefined, dated);
        expect(scheduleFromPlan(dated, plan).start).toEqual(schedule.start);
      }
    }),
  );
});
