import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoShop } from '../../../packages/service/src/demo/demo-shop.js';
import { readInstance } from '../../../src/jssp/formats/read-instance.js';
import { cli, temporaryDirectory } from '../cli.js';

const workshop = [
  'import',
  'examples/workshop/orders.csv',
  '--map=examples/workshop/map.json',
  '--calendar=examples/workshop/calendar.json',
];

it('writes an instance, and says how far shifts are known', async () => {
  const out = join(temporaryDirectory(), 'workshop.json');
  const { code, stdout, stderr } = await cli([...workshop, '--out', out]);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: '',
    stderr:
      '10 orders, 35 operations, 5 machines; shifts up to Mon 21 Dec 06:00, after which machines count as up\n' +
      'orders have due dates: the objective is the total weighted tardiness, then the makespan\n' +
      'kept with the orders: customer, quantity\n',
  });
  expect(readInstance(out)).toEqual(demoShop());
});

it('writes to stdout what it would write to a file', async () => {
  const out = join(temporaryDirectory(), 'orders.json');
  const { stdout } = await cli([...workshop, '--quiet']);
  await cli([...workshop, '--out', out]);
  expect(stdout).toBe(readFileSync(out, 'utf8'));
});

it('lists the orders that were due before time begins', async () => {
  const { stderr } = await cli([...workshop, '--epoch=2026-11-24T06:00']);
  expect(stderr).toContain(
    'due before time begins, and taken as due at Tue 24 Nov 06:00: WO-4711, WO-4712, WO-4714, WO-4718',
  );
});

it('refuses bad input in one line with file, line and order, and exit code 2', async () => {
  const file = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(file, 'order,machine,minutes\nWO-1,Lathe 1 or Lathe 2,soon\n');
  const { code, stdout, stderr } = await cli(['import', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(
    `alas-jssp: ${file}:2: order WO-1: the duration is "soon"; give a number of 0 or more, like "1.5"; the mapping defines the decimal sign (decimal)\n`,
  );
});

it('says which encoding a file has, and which columns are not understood', async () => {
  const file = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(
    file,
    'Auftrag;Maschine;Dauer;Kunde;Meister\nA;Säge;5;Müller;Uwe\nA;Fräse;2,5;;Ute\n',
    'latin1',
  );
  const { code, stdout, stderr } = await cli(['import', file]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      '1 order, 2 operations, 2 machines\n' +
      'orders.csv is not UTF-8, and was read as Windows-1252\n' +
      'kept with the orders: customer\n' +
      'not understood, and not kept: Meister of orders.csv, which differs within an order\n',
  });
  expect(JSON.parse(stdout)).toMatchObject({
    machines: ['Säge', 'Fräse'],
    jobs: [{ name: 'A', details: { customer: 'Müller' } }],
  });
});

it('reads alternatives, setups, transport, operators and predecessors from tables', async () => {
  const folder = temporaryDirectory();
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const orders = file(
    'orders.csv',
    'order,step,operation,machine,minutes,family,operator,after,max wait\n' +
      'WO-1,10,turning,Lathes,30,steel,Ana or Ben,,\n' +
      'WO-1,20,sawing,Saw,10,,,,\n' +
      'WO-1,30,assembly,Bench,15,,2 x fitters,10|20,60\n' +
      'WO-2,10,turning,Lathe 1,25,brass,Ana,,\n' +
      'WO-2,10,turning,Mill,40,brass,Ana,,\n',
  );
  const machines = file('machines.csv', 'machine,group\nLathe 1,Lathes\nLathe 2,Lathes\n');
  const setups = file(
    'setups.csv',
    'machine,from,to,time\nLathes,,*,5\nLathes,*,*,20\nMill,*,*,3\n',
  );
  const transport = file('transport.csv', 'from,to,time\n*,*,4\nLathes,Bench,2\n');
  const operators = file('operators.csv', 'operator,number\nAna,1\nBen,1\nfitters,3\n');
  const tables = ['--machines', machines, '--setups', setups, '--transport', transport];
  const { code, stdout, stderr } = await cli([
    'import',
    orders,
    ...tables,
    '--operators',
    operators,
  ]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      '2 orders, 4 operations, 5 machines\n' +
      '2 operations with alternatives, 8 in all\n' +
      'operators and tools, with their number: Ana (1), Ben (1), fitters (3)\n' +
      'setups between 2 families on 3 machines\n' +
      'transport between machines takes time\n' +
      'orders have predecessors or waiting times\n',
  });
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'alas-jssp/instance@2',
    machines: ['Lathe 1', 'Lathe 2', 'Saw', 'Bench', 'Mill'],
    jobs: [
      {
        operations: [
          { family: 'steel' },
          { after: [] },
          { after: [{ max_lag: 60 }, { max_lag: 60 }] },
        ],
      },
      { operations: [{ modes: [{ machine: 'Lathe 1', duration: 25 }, { machine: 'Mill' }] }] },
    ],
  });
  const out = file('shop.json', stdout);
  const { stdout: shown } = await cli(['show', out, '--json']);
  expect(JSON.parse(shown).setups).toEqual({ families: 2, machines: 3, longest: 20 });
  const without = await cli(['import', orders, '--machines', machines, '--transport', transport]);
  expect(without.stderr).toContain('it needs 2 of fitters, and there are 1');
});
