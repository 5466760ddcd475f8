import { describe, expect, it } from 'vitest';
import { defaultImportMap } from '../../../src/jssp/orders/import-map.js';
import { parseCalendars } from '../../../src/jssp/shifts/calendar-file.js';
import { setupTime, transportTime } from '../../../src/jssp/shop-parts.js';
import { importRemarks } from '../../../src/report/import-remarks.js';
import { imported, importedShop } from './imported.js';

const ORDERS =
  'order,machine,minutes,family,operator,setup operator\nA,Lathe 1,5,steel,Ana,\nB,Lathe 2,5,brass,,\nC,Mill,5,steel,,\n';
const machines = 'machine,group\nLathe 1,Lathes|Turning\nLathe 2,Lathes\nMill,Turning\n';

describe('families that look misspelt are named', () => {
  const remarksOf = (orders: string, setups: string) => {
    const shop = importedShop(orders, { setups: `from,to,time\n${setups}` });
    const book = { orders: [], kept: [], dropped: [], encodings: [] };
    return importRemarks(shop, book).join('\n');
  };

  it('in the table of setups', () => {
    const remarks = remarksOf(ORDERS, 'steel,brass,3\nbrass,steel,4\nstel,bras,5\nzinc,steel,5\n');
    expect(remarks).toContain(
      'no operation has the family "stel" of line 4 of the table of setups; did you mean steel?',
    );
    expect(remarks).toContain(
      'the family "bras" of line 4 of the table of setups; did you mean brass?',
    );
    expect(remarks).toMatch(/the family "zinc" of line 5 of the table of setups$/m);
  });

  it('in the orders, where * covers them', () => {
    const typo = ORDERS.replace('5,steel', '5,stel');
    expect(remarksOf(typo, '*,*,3\nsteel,brass,3\n')).toContain(
      'setups have the family "stel" as * only; did you mean steel?',
    );
    expect(remarksOf(ORDERS, '*,*,3\nsteel,brass,4\n')).not.toMatch(/did you mean/);
  });
});

describe('two rows that match equally, with two times, are refused', () => {
  const read = (tables: object, orders = ORDERS) => imported(orders, { machines, ...tables });

  it('for a setup', () => {
    const setups = 'machine,from,to,time\n*,steel,*,3\n*,*,brass,4\n';
    const message =
      'setups.csv:3: the setup from steel to brass on Lathe 1 also matches line 2, which has another time; add a narrower row';
    expect(() => read({ setups })).toThrow(message);
    expect(() => read({ setups: setups.replace(',4', ',3') })).not.toThrow();
    const shop = read({ setups: `${setups}*,steel,brass,9\n` });
    expect(setupTime(shop, 0, 0, 1)).toBe(9);
  });

  it('for the first setup of a machine in two groups', () => {
    const setups = 'machine,from,to,time\nLathes,,*,3\nTurning,,*,4\n';
    expect(() => read({ setups })).toThrow(
      'setups.csv:3: the first setup to steel on Lathe 1 also matches line 2',
    );
  });

  it('for a way', () => {
    const transport = 'from,to,time\nLathes,*,3\n*,Mill,4\n';
    expect(() => read({ transport })).toThrow(
      'transport.csv:3: the way from Lathe 1 to Mill also matches line 2, which has another time',
    );
    expect(() => read({ transport: `${transport}Lathes,Mill,5\n` })).not.toThrow();
  });

  it('but a machine comes before its group, whichever row is first', () => {
    const rows = ['Lathes,,*,3', 'Lathe 1,,*,4'];
    const ways = ['Lathes,Mill,3', 'Lathe 1,Mill,4'];
    for (const turn of [(list: string[]) => list, (list: string[]) => list.toReversed()]) {
      const setups = ['machine,from,to,time', ...turn(rows), ''].join('\n');
      const transport = ['from,to,time', ...turn(ways), ''].join('\n');
      const shop = read({ setups, transport });
      expect([0, 1].map((k) => setupTime(shop, k, -1, 0))).toEqual([4, 3]);
      expect([0, 1].map((op) => transportTime(shop, op, 2))).toEqual([4, 3]);
      expect([0, 1].map((op) => transportTime(shop, 2, op))).toEqual([4, 3]);
    }
  });
});

describe('operators that would have no effect are refused', () => {
  it('for a setup that takes no time', () => {
    const orders = ORDERS.replace('Ana,', 'Ana,Ben');
    const message =
      'orders.csv:2: order A: Ben is named for the setup, and no setup between families takes time; give the table of setups (--setups)';
    expect(() => imported(orders)).toThrow(message);
    expect(() => imported(orders, { setups: 'from,to,time\n*,*,0\n' })).toThrow(message);
    expect(imported(orders, { setups: 'from,to,time\n*,*,5\n' }).resources?.names).toEqual([
      'Ana',
      'Ben',
    ]);
  });

  it('in an amount of 0', () => {
    expect(() => imported(ORDERS.replace('Ana', '0 x Ana'))).toThrow(
      'orders.csv:2: order A: it needs 0 of Ana; give an amount of 1 or more, or leave it out',
    );
  });

  it('with a calendar that does not exist, in the row of the operator', () => {
    const calendars = parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: { early: { shifts: [{ days: ['Mon-Sun'], from: '06:00', to: '14:00' }] } },
      default: 'early',
      machines: {},
    });
    const clock = { epoch: '2026-11-23T06:00', zone: 'Europe/Berlin', calendars };
    const operators = 'operator,calendar\nBen,early\nAna,eraly\n';
    expect(() => imported(ORDERS, { operators }, clock)).toThrow(
      'operators.csv:3: there is no calendar "eraly"; did you mean early?',
    );
    expect(() => imported(ORDERS, { operators })).toThrow(
      'operators.csv:2: the operator Ben has the calendar "early", and there are none; give a file',
    );
  });
});

describe('cells of tables that would be lost or misread are refused', () => {
  it('beyond the headings', () => {
    const setups = 'machine,from,to,time\n*,*,*,12,5\n';
    expect(() => imported(ORDERS, { setups })).toThrow(
      'setups.csv:2: the row has 5 cells, and there are 4 headings; quote cells in which there is a separator',
    );
    expect(() => imported(ORDERS, { setups: setups.replace(',5\n', ',\n') })).not.toThrow();
  });

  it('with a number that is another one with the other decimal sign', () => {
    const transport = 'from;to;time\n*;*;1.500\n';
    expect(() => imported(ORDERS, { transport })).toThrow(
      'transport.csv:2: the time is "1.500", which is 1.5 or 1500; say which in the mapping (decimal)',
    );
    const read = (decimal: '.' | ',') =>
      imported(ORDERS, { transport }, { map: { ...defaultImportMap, decimal } });
    expect([transportTime(read('.'), 0, 2), transportTime(read(','), 0, 2)]).toEqual([2, 1500]);
  });
});

describe('names that may be wrong get a remark', () => {
  it('a machine that the table of machines does not list, like one that it lists', () => {
    const doubts = (name: string) =>
      importedShop(ORDERS.replace('A,Lathe 1', `A,${name}`), { machines }).doubts.join();
    expect(doubts('Lathe')).toBe(
      'no table lists the machine "Lathe" of orders.csv:2; did you mean Lathes?',
    );
    expect(doubts('Lahte 1')).toMatch(/did you mean Lathe 1\?$/);
    for (const fine of ['Lathe 1', 'Lathe 3', 'Saw', 'Lathes']) expect(doubts(fine)).toBe('');
  });

  it('an operator whose calendar has no shift', () => {
    const day = { days: ['Mon-Sun'], from: '06:00', to: '14:00' };
    const calendars = parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: { early: { shifts: [day] }, never: { shifts: [] } },
      default: 'early',
      machines: {},
    });
    const clock = { epoch: '2026-11-23T06:00', zone: 'Europe/Berlin', calendars };
    const operators = 'operator,calendar\nBen,never\nAna,never\nEva,early\n';
    expect(importedShop(ORDERS, { operators }, clock).doubts).toEqual([
      'Ana of line 3 of the table of operators is needed, and never works: the calendar never has no shift before the horizon',
    ]);
    const away = operators.replace('Ana,never', 'Ana,early');
    expect(importedShop(ORDERS, { operators: away }, clock).doubts).toEqual([]);
  });
});

describe('a horizon that is no time', () => {
  it('is named', () => {
    const calendars = parseCalendars({
      schema: 'alas-jssp/calendar@1',
      calendars: { early: { shifts: [{ days: ['Mon-Sun'], from: '06:00', to: '14:00' }] } },
      default: 'early',
      machines: {},
    });
    const clock = { epoch: '2026-11-23T06:00', zone: 'Europe/Berlin', calendars };
    expect(() => imported(ORDERS, {}, { ...clock, horizon: '2020-01-01' })).toThrow(
      'the horizon "2020-01-01T00:00" is before the epoch; give 2026-11-23T06:00:00+01:00 or later',
    );
  });
});
