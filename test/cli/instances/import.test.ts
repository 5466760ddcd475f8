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
  writeFileSync(file, 'order,machine,minutes\nWO-1,Lathe 1 or Lathe 2,5\n');
  const { code, stdout, stderr } = await cli(['import', file]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(
    `alas-jssp: ${file}:2: order WO-1: the machine is "Lathe 1 or Lathe 2"; choose one: alternative machines are not supported\n`,
  );
});

it('says which encoding a file has, and which columns are not understood', async () => {
  const file = join(temporaryDirectory(), 'orders.csv');
  writeFileSync(
    file,
    'Auftrag;Maschine;Dauer;Kunde;Bediener\nA;Säge;5;Müller;Uwe\nA;Fräse;2,5;;Ute\n',
    'latin1',
  );
  const { code, stdout, stderr } = await cli(['import', file]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      '1 order, 2 operations, 2 machines\n' +
      'orders.csv is not UTF-8, and was read as Windows-1252\n' +
      'kept with the orders: customer\n' +
      'not understood, and not kept: Bediener of orders.csv, which differs within an order\n',
  });
  expect(JSON.parse(stdout)).toMatchObject({
    machines: ['Säge', 'Fräse'],
    jobs: [{ name: 'A', details: { customer: 'Müller' } }],
  });
});
