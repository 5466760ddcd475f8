import { expect, test } from 'vitest';
import { instanceFromJson } from '../../../src/jssp/formats/instance-json.js';
import { writePlanCsv } from '../../../src/jssp/formats/plan-csv.js';
import { writePlanJson } from '../../../src/jssp/formats/plan-json.js';
import { parsePlan } from '../../../src/jssp/formats/read-plan.js';
import { assignModes } from '../../../src/jssp/instance.js';
import { scheduleFromPlan } from '../../../src/jssp/plan.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { messageOf } from './refusal.js';

/** Ana or Ben turns, with the chuck; two fitters assemble. */
const shop = instanceFromJson(
  {
    schema: 'alas-jssp/instance@2',
    machines: ['Lathe', 'Bench'],
    families: ['steel'],
    setups: [{ machines: ['Lathe'], first: 2 }],
    resources: [
      { name: 'Ana' },
      { name: 'Ben' },
      { name: 'chuck' },
      { name: 'fitters', capacity: 3 },
      { name: 'Smith & Sons' },
    ],
    jobs: [
      {
        name: 'A',
        operations: [
          {
            name: 'turn',
            family: 'steel',
            modes: [
              { machine: 'Lathe', duration: 5, needs: { Ana: 1, chuck: 1 } },
              {
                machine: 'Lathe',
                duration: 5,
                needs: { Ben: 1, chuck: 1 },
                setup_needs: { 'Smith & Sons': 1 },
              },
            ],
          },
          { name: 'fit', machine: 'Bench', duration: 4, needs: { fitters: 2 } },
          { name: 'pack', machine: 'Bench', duration: 1 },
        ],
      },
    ],
  },
  { name: 'shop' },
);

const schedule = createSchedule(assignModes(shop, Int32Array.of(1, 2, 3)), Int32Array.of(2, 7, 11));

const CSV = [
  'job,step,operation,machine,mode,needs,setup_needs,start,end',
  'A,1,turn,Lathe,2,Ben + chuck,Smith & Sons,2,7',
  'A,2,fit,Bench,,2 x fitters,,7,11',
  'A,3,pack,Bench,,,,11,12',
  '',
].join('\n');

test('plan files name operators and tools, and are read again', () => {
  expect(writePlanCsv(schedule)).toBe(CSV);
  const json = writePlanJson(schedule);
  expect(json).toContain(
    '"mode":2,"needs":{"Ben":1,"chuck":1},"setup_needs":{"Smith & Sons":1},"start":2',
  );
  expect(json).toContain('"machine":"Bench","needs":{"fitters":2},"start":7');
  expect(json).toContain('"machine":"Bench","start":11');
  for (const text of [CSV, json]) {
    const read = scheduleFromPlan(shop, parsePlan(text, 'f', shop).plan);
    expect([read.start, read.mode]).toEqual([schedule.start, schedule.mode]);
  }
});

test('without a number, the mode is the one with the operators of the plan', () => {
  const modeOf = (needs: string, setup = '') => {
    const text = `job,step,machine,needs,setup_needs,start,end\nA,turn,Lathe,${needs},${setup},2,7\n`;
    return scheduleFromPlan(shop, parsePlan(text, 'f', shop).plan).mode?.[0];
  };
  expect(modeOf('')).toBe(0);
  expect(modeOf('Ana + chuck')).toBe(0);
  expect(modeOf('chuck + Ben')).toBe(1);
  expect(modeOf('', 'Smith & Sons')).toBe(1);
  const json = '[{"job":1,"step":1,"machine":0,"needs":{"chuck":1,"Ben":1},"start":2,"end":7}]';
  expect(scheduleFromPlan(shop, parsePlan(json, 'f', shop).plan).mode?.[0]).toBe(1);
});

test.each([
  ['A,turn,Lathe,1,Ben + chuck,2,7', 'f:2: mode 1 on Lathe does not have the needs Ben + chuck; '],
  ['A,turn,Lathe,,Ben,2,7', 'no mode on Lathe has the needs Ben; give Ana + chuck or Ben + chuck'],
  ['A,turn,Lathe,,Ben + chick,2,7', 'there is no operator or tool "chick"; did you mean chuck?'],
  ['A,fit,Bench,,3 x fitters,7,11', 'has the needs 3 x fitters; give 2 x fitters, or leave needs'],
  ['A,pack,Bench,,Ana,11,12', 'no mode on Bench has the needs Ana; give nothing, or leave'],
])('operators that do not fit the mode are refused: %s', (row, message) => {
  const text = `job,step,machine,mode,needs,start,end\n${row}\n`;
  expect(messageOf(() => parsePlan(text, 'f', shop))).toContain(message);
});

test('the place of wrong operators in JSON is named, and so is a wrong form', () => {
  const entry = { job: 'A', step: 1, machine: 'Lathe', start: 2, end: 7 };
  const read = (needs: unknown) => () =>
    parsePlan(JSON.stringify({ entries: [{ ...entry, needs }] }), 'f', shop);
  expect(messageOf(read({ Ana: 1 }))).toContain(
    'f:$.entries[0].needs: no mode on Lathe has the needs {"Ana":1}; give Ana + chuck or',
  );
  expect(messageOf(read(3))).toContain('these are no needs; give them like "Ana + 2 x fitters"');
});

test('a shop without operators has plans with any column of that name', () => {
  const text = 'job,step,machine,needs,start,end\n1,1,0,love,0,3\n';
  expect(parsePlan(text, 'f').plan.entries).toHaveLength(1);
});
