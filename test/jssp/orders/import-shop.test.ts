import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { downtimesOf } from '../../../src/jssp/calendar.js';
import { instanceFromJson, writeInstanceJson } from '../../../src/jssp/formats/instance-json.js';
import type { Instance } from '../../../src/jssp/instance.js';
import { defaultImportMap, readImportMap } from '../../../src/jssp/orders/import-map.js';
import { importShop, type ShopImportOptions } from '../../../src/jssp/orders/import-shop.js';
import { readOrders } from '../../../src/jssp/orders/order-book.js';
import { type ImportFile, importFile } from '../../../src/jssp/orders/table.js';
import { parseCalendars, readCalendars } from '../../../src/jssp/shifts/calendar-file.js';
import { wordsOf } from '../../../src/jssp/words.js';
import { temporaryDirectory } from '../../temporary-directory.js';

/** A file with a text. */
function file(name: string, text: string): string {
  const path = join(temporaryDirectory(), name);
  writeFileSync(path, text);
  return path;
}

const textFile = (name: string, text: string): ImportFile => ({ name, bytes: Buffer.from(text) });

const clock = { epoch: '2026-11-23T06:00', zone: 'Europe/Berlin' };

/** The instance of orders in a text. */
function imported(
  orders: string,
  options: Partial<ShopImportOptions> & { routings?: string } = {},
): Instance {
  const map = options.map ?? defaultImportMap;
  const routings =
    options.routings === undefined ? undefined : textFile('routings.csv', options.routings);
  const book = readOrders({ orders: textFile('orders.csv', orders), routings }, map);
  return importShop(book, { name: 'shop', map, ...options }).instance;
}

/** A mapping from a file of such content. */
const mapOf = (content: object) =>
  readImportMap(file('map.json', JSON.stringify({ schema: 'alas-jssp/import-map@1', ...content })));

test('the example has ten orders on five machines, in minutes, with two shifts', () => {
  const map = readImportMap('examples/workshop/map.json');
  const book = readOrders({ orders: importFile('examples/workshop/orders.csv') }, map);
  const calendars = readCalendars('examples/workshop/calendar.json');
  const options = { name: 'workshop', map, calendars, horizon: '2026-11-25' };
  const { instance, overdue } = importShop(book, options);
  expect(overdue).toEqual([]);
  expect(instance).toMatchObject({ jobs: 10, machines: 5, operations: 35 });
  const { operation, machine, time } = wordsOf(instance);
  expect([operation(0), machine(2)]).toEqual(['WO-4711, sawing', 'Lathe 2']);
  // 20 pieces of 1.75 minutes, and 5 minutes of setup.
  expect(Array.from(instance.duration.slice(0, 4))).toEqual([40, 110, 90, 60]);
  expect(time(instance.due?.[0] ?? 0)).toBe('Mon 23 Nov 20:00');
  const downtimes = downtimesOf(instance.calendar, 0);
  expect(downtimes.map(({ from, to }) => `${time(from)} to ${time(to)}`)).toEqual([
    'Mon 23 Nov 10:00 to Mon 23 Nov 10:30',
    'Mon 23 Nov 18:00 to Mon 23 Nov 18:30',
    'Mon 23 Nov 22:00 to Tue 24 Nov 06:00',
    'Tue 24 Nov 10:00 to Tue 24 Nov 10:30',
    'Tue 24 Nov 18:00 to Tue 24 Nov 18:30',
    'Tue 24 Nov 22:00 to Wed 25 Nov 00:00',
  ]);
});

describe('orders of one file', () => {
  it('have a row for each operation, which need not be adjacent, in the order of their steps', () => {
    const shop = imported(
      'Order;Step;Operation;Machine;Qty;Setup;Minutes per piece\n' +
        'A-1;20;milling;Mill;4;10;2.5\n# a remark\nB;5;;Saw;;7;\nA-1;10;sawing;Saw;4;5;1\n',
    );
    const words = wordsOf(shop);
    expect(
      [0, 1, 2].map((op) => `${words.operation(op)} on ${words.machine(shop.machine[op])}`),
    ).toEqual(['A-1, sawing on Saw', 'A-1, milling on Mill', 'B, step 1 on Saw']);
    expect([...shop.duration]).toEqual([9, 20, 7]);
    expect(shop.timeScale).toBeNull();
  });

  it('number operations of one name within an order', () => {
    const shop = imported(
      'order,operation,machine,minutes\nA,turning,Lathe,5\nA,turning,Lathe,6\n',
    );
    expect(shop.names?.operations).toEqual(['turning', 'turning']);
  });
});

test('routings in a separate file are found by the article of an order', () => {
  const shop = imported('order,article,quantity,weight\nA,flange,2,3\nB,flange,10,\n', {
    routings: 'article,step,machine,setup,per piece\nflange,2,Mill,10,1\nflange,1,Saw,0,0.5\n',
  });
  expect([...shop.duration]).toEqual([1, 12, 5, 20]);
  expect([...(shop.weight ?? [])]).toEqual([3, 1]);
});

test('a mapping specifies columns and the formats of numbers, dates and times', () => {
  const map = mapOf({
    columns: {
      order: 'Auftrag',
      machine: 'Maschine',
      quantity: 'Menge',
      per_piece: 'Stückzeit',
      due: 'Termin',
      release: 'Start',
    },
    times: 'hours',
    decimal: ',',
    dates: 'dd.mm.yyyy',
    time_scale: { ...clock, unit: 900 },
  });
  const shop = imported(
    'Auftrag;Maschine;Menge;Stückzeit;Termin;Start\n' +
      'A;Säge;1.000;0,0011;24.11.2026;\nB;Säge;1;0,3;1.12.2026 14:30;24.11.2026 7:00\n',
    { map },
  );
  // 1.1 hours are 4.4 quarters: what is not whole is rounded up.
  expect([...shop.duration]).toEqual([5, 2]);
  const { time } = wordsOf(shop);
  expect(Array.from(shop.due ?? [], (due) => time(due))).toEqual([
    'Wed 25 Nov 00:00',
    'Tue 1 Dec 14:30',
  ]);
  expect(time(shop.release?.[1] ?? 0)).toBe('Tue 24 Nov 07:00');
});

test('due dates and releases before time 0 become 0', () => {
  const map = defaultImportMap;
  const book = readOrders(
    {
      orders: textFile(
        'late.csv',
        'order,machine,minutes,due,release\nA,Saw,5,2026-11-20,2026-11-19\nB,Saw,5,2026-11-23,\n',
      ),
    },
    map,
  );
  const { instance, overdue } = importShop(book, { name: 'shop', map, ...clock });
  expect(overdue).toEqual(['A']);
  expect([...(instance.due ?? [])]).toEqual([0, 18 * 60]);
  expect(instance.release).toBeNull();
});

describe('columns that belong to no field', () => {
  const head = 'order,step,machine,minutes,quantity,Customer,colour,foreman,empty\n';
  const rows = 'A,1,Saw,5,3,Smith & Sons,red,Ann,\nA,2,Mill,5,,,,Bob,\nB,1,Saw,5,,,,Ann,\n';

  it('are kept with the orders, through files too', () => {
    const shop = imported(head + rows);
    expect(shop.names?.details).toEqual([
      { quantity: '3', customer: 'Smith & Sons', colour: 'red' },
      {},
    ]);
    expect(
      instanceFromJson(JSON.parse(writeInstanceJson(shop)), { file: undefined, name: 'shop' })
        .names,
    ).toEqual(shop.names);
  });

  it('are reported if they are not', () => {
    const map = defaultImportMap;
    const book = readOrders({ orders: textFile('orders.csv', head + rows) }, map);
    expect(book.kept).toEqual(['customer', 'quantity', 'colour']);
    expect(book.dropped).toEqual([
      { file: 'orders.csv', heading: 'foreman', reason: 'differs within an order' },
      { file: 'orders.csv', heading: 'empty', reason: 'is empty' },
    ]);
    const joined = readOrders(
      {
        orders: textFile('orders.csv', 'order,article,note\nA,flange,\n'),
        routings: textFile('routings.csv', 'article,machine,minutes,shelf\nflange,Saw,5,T1\n'),
      },
      map,
    );
    expect(joined.dropped.map(({ heading }) => heading)).toEqual(['note', 'shelf']);
  });

  it('may stand twice, be long, or be without a heading', () => {
    const shop = imported(
      `order,machine,minutes,note,note,\nA,Saw,5,"two\nlines",${'x'.repeat(2000)},z\n`,
    );
    const [details] = shop.names?.details ?? [];
    expect(Object.keys(details)).toEqual(['note', 'note (column 5)', 'column 6']);
    expect(details.note).toBe('two lines');
    expect(details['note (column 5)']).toHaveLength(1000);
  });
});

describe('German files', () => {
  const text =
    'Auftrag;Arbeitsgang;Maschine;Menge;Rüstzeit [min];Stückzeit;Liefertermin;Kunde;Farbe\n' +
    'A-1;20;Fräse;1.000;5;0,5;24.11.2026;Müller & Söhne;blau\nA-1;10;Säge;;;7,5;;;\n';

  it('need no mapping: headings, numbers and dates are understood', () => {
    const shop = imported(text.replace('A-1;10;Säge;;', 'A-1;10;Säge;1.000;'), clock);
    // Arbeitsgang has numbers only, and orders the steps.
    expect(shop.machine.length).toBe(2);
    expect([...shop.duration]).toEqual([7500, 505]);
    expect(wordsOf(shop).operation(0)).toBe('A-1, step 1');
    expect(wordsOf(shop).time(shop.due?.[0] ?? 0)).toBe('Wed 25 Nov 00:00');
    expect(shop.names?.details).toEqual([
      { customer: 'Müller & Söhne', quantity: '1.000', Farbe: 'blau' },
    ]);
  });

  it('are read in Windows-1252 and UTF-16, too, which is reported', () => {
    for (const [encoding, bytes] of [
      ['Windows-1252', Buffer.from(text, 'latin1')],
      ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ] as const) {
      const book = readOrders({ orders: { name: 'orders.csv', bytes } }, defaultImportMap);
      expect(book.encodings).toMatchObject([{ file: 'orders.csv', encoding }]);
      expect(book.orders[0].details.customer).toBe('Müller & Söhne');
    }
    const utf8 = readOrders({ orders: textFile('orders.csv', text) }, defaultImportMap);
    expect(utf8.encodings).toEqual([]);
  });

  it('do not have points for fractions', () => {
    expect(() => imported('Auftrag;Maschine;Dauer\nA;Säge;2.5\n')).toThrow(
      /the duration is "2.5"; give a number of 0 or more, like "1,5"/,
    );
  });
});

describe('shifts', () => {
  const orders = 'order,machine,minutes\nA,Saw,600\nA,Mill,30\n';
  const calendars = (resumable: boolean) =>
    parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: {
        day: { resumable, shifts: [{ days: ['Mon-Fri'], from: '08:00', to: '16:00' }] },
      },
      default: 'day',
    });

  it('are downtimes up to a horizon, of four weeks by default', () => {
    const shop = imported(orders, { ...clock, calendars: calendars(true) });
    expect(shop.calendar?.from.length).toBe(2 * 20 + 2);
    expect(Math.max(...(shop.calendar?.to ?? []))).toBe(28 * 1440);
    const short = imported(orders, { ...clock, calendars: calendars(true), horizon: '2026-11-24' });
    expect([...(short.calendar?.to ?? [])]).toEqual([120, 18 * 60, 120, 18 * 60]);
  });

  it('are long enough for all operations that may not be interrupted', () => {
    expect(() => imported(orders, { ...clock, calendars: calendars(false) })).toThrow(
      /orders\.csv:2: order A: it takes 600 units on Saw, which never works for more than 480 at a time; make its calendar resumable/,
    );
  });
});

describe('refused with file, line and order is', () => {
  const head = 'order,step,machine,quantity,per piece,due\n';

  it.each([
    ['A,1,Saw,x,5,', /orders\.csv:2: order A: the quantity is "x"; give a number of 0 or more/],
    ['A,1,Saw,0,5,', /order A: the quantity is 0; leave the order out/],
    ['A,1,Saw,,5,', /order A: there is no quantity, but a time per piece/],
    ['A,1,Saw,3,,', /order A: there is no time; give/],
    ['A,1,,3,5,', /order A: the machine is missing/],
    [',1,Saw,3,5,', /orders\.csv:2: the order is missing/],
    [
      'A,1,Saw,3,5,\nA,1,Saw,3,6,',
      /csv:3: order A: step 1 is also in line 2; give each step a number of its own, or another machine/,
    ],
    ['A,1,Saw,3,5,\nA,2,Saw,4,5,', /csv:3: order A: the quantity is "4", and "3" in line 2/],
    ['A,1,Saw,3,5,\nA,,Saw,3,5,', /csv:3: order A: the step is missing/],
    ['A,1,Saw,3,5,12/31/2026', /order A: the due is "12\/31\/2026", which is no date/],
    ['A,1,Saw,3,5,,more', /csv:2: the row has 7 cells, and there are 6 headings; quote cells/],
    ['A,1,Saw,3,5,2026-02-30', /order A: the due is "2026-02-30", and there is no such day/],
  ])('the row %j', (row, problem) => {
    expect(() => imported(`${head}${row}\n`, clock)).toThrow(problem);
  });

  it('a date where there is no clock', () => {
    expect(() => imported(`${head}A,1,Saw,3,5,2026-12-01\n`)).toThrow(
      /csv:2: order A: it has a date, but the shop has no clock; give the epoch/,
    );
  });

  it('a row behind a cell of several lines in a file with CRLF, with its line', () => {
    const orders = 'order,machine,duration,note\r\nA,Saw,5,"one\r\ntwo\r\nthree"\r\nB,Saw,x,\r\n';
    expect(() => imported(orders)).toThrow(/orders\.csv:5: order B: the duration is "x"/);
  });

  it('a file without rows or columns, or with a duplicate or unknown heading', () => {
    expect(() => imported('order,machine\n')).toThrow(/orders\.csv: there are no rows/);
    expect(() => imported('order,minutes\nA,5\n')).toThrow(
      /csv:1: there is no column for the machine/,
    );
    expect(() => imported('order,job,machine,minutes\nA,B,Saw,5\n')).toThrow(
      /two columns could be the order: "order" and "job"/,
    );
    const map = mapOf({ columns: { due: 'Termin' } });
    expect(() => imported('order,machine,minutes\nA,Saw,5\n', { map })).toThrow(
      /there is no column "Termin", which the mapping names for the due; use one of/,
    );
  });

  it('an order without a routing, or a duplicate one', () => {
    const routings = 'article,machine,minutes\nflange,Saw,5\n';
    expect(() => imported('order,article\nA,bolt\n', { routings })).toThrow(
      /csv:2: order A: there is no routing of the article "bolt" in/,
    );
    expect(() => imported('order,article\nA,flange\nA,flange\n', { routings })).toThrow(
      /csv:3: order A: it is also in line 2/,
    );
  });
});
