import { describe, expect, it } from 'vitest';
import type { Instance } from '../../../src/jssp/instance.js';
import { parseImportMap } from '../../../src/jssp/orders/import-map.js';
import { parseCalendars } from '../../../src/jssp/shifts/calendar-file.js';
import { setupTime } from '../../../src/jssp/shop-parts.js';
import { imported, type Tables } from './imported.js';

/** The modes of an operation: machine and duration. */
function modesAt({ modes, names, machine, duration }: Instance, op: number): [string, number][] {
  const name = (k: number) => names?.machines?.[k] ?? '';
  if (modes === null) return [[name(machine[op]), duration[op]]];
  const range = Array.from({ length: modes.offset[op + 1] - modes.offset[op] }, (_, i) => i);
  return range
    .map((i) => modes.offset[op] + i)
    .map((mode) => [name(modes.machine[mode]), modes.duration[mode]]);
}

describe('alternative machines', () => {
  it.each(['Lathe 1|Lathe 2', 'Lathe 1 | Lathe 2', 'Lathe 1 / Lathe 2', 'Lathe 1 oder Lathe 2'])(
    'may be in one cell: %s',
    (cell) => {
      const shop = imported(`order,machine,minutes\nA,${cell},5\n`);
      expect(modesAt(shop, 0)).toEqual([
        ['Lathe 1', 5],
        ['Lathe 2', 5],
      ]);
    },
  );

  it('may be in several rows of a step, each with its time', () => {
    const shop = imported(
      'order,step,operation,machine,quantity,per piece,setup\nA,10,turning,Lathe 1,4,2,5\nA,10,turning,Lathe 2,,3,1\nA,20,milling,Mill,,1,\n',
    );
    expect(modesAt(shop, 0)).toEqual([
      ['Lathe 1', 13],
      ['Lathe 2', 13],
    ]);
    expect(modesAt(shop, 1)).toEqual([['Mill', 4]]);
    expect(shop.operations).toBe(2);
  });

  it('may be a group of machines, of which each exists', () => {
    const machines = 'Maschine;Gruppe\nDreh 1;Drehen\nDreh 2;Drehen|Alles\nSäge;\n';
    const shop = imported('Auftrag;Maschine;Dauer\nA;Drehen;5,5\nB;Alles;2\n', { machines });
    expect(shop.names?.machines).toEqual(['Dreh 1', 'Dreh 2', 'Säge']);
    expect(modesAt(shop, 0)).toEqual([
      ['Dreh 1', 6],
      ['Dreh 2', 6],
    ]);
    expect(modesAt(shop, 1)).toEqual([['Dreh 2', 2]]);
  });

  it('are left out where no shift is long enough, if one remains', () => {
    const shifts = (to: string) => [{ days: ['Mon-Fri'], from: '06:00', to }];
    const calendars = parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: {
        short: { resumable: false, shifts: shifts('07:00') },
        long: { resumable: false, shifts: shifts('14:00') },
      },
      machines: { 'Oven 1': 'short', 'Oven 2': 'long' },
    });
    const clock = { epoch: '2026-11-23T06:00', zone: 'Europe/Berlin' };
    const shop = imported(
      'order,machine,minutes\nA,Oven 1|Oven 2,90\n',
      {},
      { calendars, ...clock },
    );
    expect(modesAt(shop, 0)).toEqual([['Oven 2', 90]]);
  });
});

describe('operators and tools', () => {
  it('are one of each that orders name, unless a table says more', () => {
    const orders =
      'order,machine,minutes,operator,tool,setup operator,family\nA,Saw,5,Ana|Ben,T1,Ana,f\nB,Mill,5,Ana + Ben,,,f\n';
    const { resources, modes } = imported(orders, { setups: 'from,to,time\n,*,5\n' });
    expect(resources).toMatchObject({ names: ['Ana', 'T1', 'Ben'], calendar: null });
    expect([...(modes?.offset ?? [])]).toEqual([0, 2, 3]);
    expect([...(resources?.needOffset ?? [])]).toEqual([0, 3, 6, 8]);
    expect([...(resources?.needResource ?? [])]).toEqual([0, 1, 0, 2, 1, 0, 0, 2]);
    expect([...(resources?.needPhase ?? [])]).toEqual([0, 0, 1, 0, 0, 1, 0, 0]);
  });

  it('work in the shifts of their calendar', () => {
    const calendars = parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: {
        always: { shifts: [{ days: ['Mon-Sun'], from: '00:00', to: '24:00' }] },
        morning: { shifts: [{ days: ['Mon-Fri'], from: '06:00', to: '14:00' }] },
      },
      default: 'always',
      machines: {},
    });
    const clock = { epoch: '2026-11-23T06:00', zone: 'Europe/Berlin', calendars };
    const operators = 'operator,number,calendar\nfitters,2,\nAna,1,morning\n';
    const { resources } = imported(
      'order,machine,minutes,operator\nA,Saw,5,Ana\n',
      { operators },
      { ...clock, horizon: '2026-11-25' },
    );
    expect(resources?.capacity).toEqual(Int32Array.of(2, 1));
    expect(resources?.calendar).toEqual({
      offset: Int32Array.of(0, 0, 2),
      from: Int32Array.of(480, 1920),
      to: Int32Array.of(1440, 2520),
      amount: Int32Array.of(0, 0),
    });
  });

  it('are texts where the mapping keeps the column', () => {
    const map = parseImportMap({ schema: 'alas-jssp/import-map@1', keep: ['Operator'] });
    const shop = imported('order,machine,minutes,operator\nA,Saw,5,Ana\n', {}, { map });
    expect([shop.resources, shop.names?.details?.[0]]).toEqual([null, { operator: 'Ana' }]);
  });

  it.each<[string, Tables, string]>([
    [
      'Anna',
      { operators: 'operator\nAna\n' },
      'orders.csv:2: order A: "Anna" is not among the operators and tools; did you mean Ana, or add a row',
    ],
    ['2 x Ana', { operators: 'operator,number\nAna,1\n' }, 'it needs 2 of Ana, and there are 1'],
    ['Ana + Ana', {}, 'it needs Ana twice; give the amount once'],
    [
      'Ana',
      { operators: 'operator,number\nAna,two\n' },
      'operators.csv:2: the number is "two"; give a number',
    ],
    [
      'Ana',
      { operators: 'operator,calendar\nAna,late\n' },
      'the operator Ana has the calendar "late", and there are none; give a file of calendars',
    ],
    [
      'Ana',
      { operators: 'operator,skill\nAna,late\n' },
      'operators.csv:1: the column "skill" is unknown; use operator, number, calendar',
    ],
    ['Ana', { operators: 'number\n1\n' }, 'operators.csv:1: there is no column operator'],
    ['Ana', { operators: 'operator\n' }, 'operators.csv: there are no rows'],
  ])('%j is refused with %j', (operator, tables, message) => {
    expect(() => imported(`order,machine,minutes,operator\nA,Saw,5,${operator}\n`, tables)).toThrow(
      message,
    );
  });
});

describe('setups', () => {
  const orders =
    'order,machine,minutes,family\nA,Saw,5,red\nB,Saw,5,blue\nC,Mill,5,red\nD,Oven,5,\n';

  it('hold for the machines and families of their rows, the narrower row first', () => {
    const setups =
      'machine,from,to,time,attended\n*,*,*,7,\nSaw,red,blue,9,\nMill,,*,3,yes\n,*,red,4,\nOven,*,*,0,\nOven,*,red,0,\n';
    const shop = imported(orders, { setups });
    expect(shop.setups?.names).toEqual(['red', 'blue']);
    const times = (machine: number) =>
      [
        [0, 1],
        [1, 0],
        [0, 0],
        [-1, 0],
      ].map(([from, to]) => setupTime(shop, machine, from, to));
    expect(times(0)).toEqual([9, 4, 0, 0]);
    expect(times(1)).toEqual([7, 4, 0, 3]);
    expect(times(2)).toEqual([0, 0, 0, 0]);
    expect(shop.setups?.matrixOf).toEqual(Int32Array.of(0, 1, -1));
    expect(shop.setups?.anticipatory).toEqual(Uint8Array.of(1, 0, 1));
  });

  it.each<[string, string]>([
    [
      'from,to,time\n*,*,5\n',
      'orders.csv:5: order D: the setup family is missing; give the family',
    ],
    [
      'machine,from,to,time\nSaw,red,green,5\n',
      'order B: the setup family "blue" is in no row of the table of setups',
    ],
    [
      'machine,from,to,time\nSav,*,*,5\n',
      'setups.csv:2: there is no machine or group "Sav"; did you mean Saw?',
    ],
    ['from,to,time\nred,blue,\n', 'setups.csv:2: the time is missing; give one in each row'],
  ])('%j is refused', (setups, message) => {
    expect(() => imported(orders, { setups })).toThrow(message);
  });

  it('are none without a table, where a family is a text', () => {
    const shop = imported(orders);
    expect([shop.setups, shop.names?.details?.[0]]).toEqual([null, { family: 'red' }]);
  });
});

describe('transport', () => {
  it('takes the same time back unless that has a row, and narrower rows come first', () => {
    const orders = 'order,machine,minutes\nA,Saw,5\nA,Mill,5\nA,Oven,5\n';
    const transport = 'from,to,time\nSaw,Mill,2\n*,*,9\nMill,Saw,3\nOven,*,5\n';
    const { transport: times } = imported(orders, { transport });
    expect([...(times?.time ?? [])]).toEqual([0, 2, 5, 3, 0, 5, 5, 5, 0]);
    expect(() => imported(orders, { transport: 'from,to,time\nSaw,Mil,2\n' })).toThrow(
      'transport.csv:2: there is no machine or group "Mil"; did you mean Mill?',
    );
  });
});

describe('predecessors and waiting times', () => {
  const head = 'order,step,operation,machine,minutes,after,min wait,max wait\n';

  it('make a graph of an order that has any, and leave the others chains', () => {
    const rows =
      'A,10,turning,M1,5,,,\nA,20,milling,M2,5,,,\nA,30,assembly,M3,5,10|milling,2,8.5\nB,10,,M1,5,,,\nB,20,,M2,5,,3,\n';
    expect(imported(head + rows).precedence).toEqual({
      offset: Int32Array.of(0, 0, 0, 2, 2, 3),
      pred: Int32Array.of(0, 1, 3),
      minLag: Int32Array.of(2, 2, 3),
      maxLag: Int32Array.of(8, 8, -1),
    });
    expect(imported(`${head}A,10,,M1,5,,,\nA,20,,M2,5,10,,\n`).precedence).toBeNull();
  });

  it.each([
    [
      'A,10,,M1,5,20,,\nA,20,,M2,5,,,\n',
      'csv:2: order A: it comes after step "20", which is not before it; number',
    ],
    [
      'A,10,,M1,5,,,\nA,20,,M2,5,5,,\n',
      'csv:3: order A: there is no step "5", after which it comes',
    ],
    ['A,10,,M1,5,,4,\n', 'csv:2: order A: it waits, but nothing is done before it'],
    [
      'A,10,,M1,5,,,\nA,20,,M2,5,,9,4\n',
      'csv:3: order A: its greatest wait 4 is less than its least 9',
    ],
  ])('%j is refused', (rows, message) => {
    expect(() => imported(head + rows)).toThrow(message);
  });
});

describe('tables that contradict themselves are refused, with the line', () => {
  const orders =
    'order,step,machine,minutes,family,operator\nA,10,L,5,steel,Ana\nA,20,M,5,brass,Ana\n';
  it.each<[Tables, string]>([
    [
      { setups: 'machine,from,to,time\nL,steel,brass,3\nL,steel,brass,4\n' },
      'setups.csv:3: another row is for L, steel, brass, too',
    ],
    [
      { setups: 'machine,from,to,time,attended\nL,*,*,3,maybe\n' },
      'setups.csv:2: attended is "maybe"',
    ],
    [
      { transport: 'from,to,time\nL,M,5\nL,M,6\n' },
      'transport.csv:3: another row is for L, M, too',
    ],
    [{ operators: 'operator,number\nAna,4294967297\n' }, 'operators.csv:2: there are 4294967297'],
  ])('%j', (tables, words) => {
    expect(() => imported(orders, tables)).toThrow(words);
  });
});
