import { readXlsx } from 'hucre/xlsx';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { parseInstance } from '../../../src/jssp/formats/read-instance.js';
import { createSchedule } from '../../../src/jssp/schedule.js';
import { encodePlan, type PlanFileOptions } from '../../../src/report/files/plan-file.js';

const HOSTILE = '=HYPERLINK("http://x","a")';

/** A shop whose names begin like formulas, over the night in which clocks go back. */
const shop = {
  schema: 'alas-jssp/instance@1',
  name: 'hall',
  machines: ['Säge 10', 'Säge 9', '@SUM(1)'],
  time_scale: { epoch: '2026-10-24T22:00:00+02:00', unit: 60, zone: 'Europe/Berlin' },
  jobs: [
    {
      name: HOSTILE,
      due: '2026-10-25T02:00+02:00',
      weight: 3,
      details: { customer: '+49 30 1', note: 'a, b; c\\d <i>', quantity: '-5' },
      operations: [
        { name: '-cut', machine: 'Säge 10', duration: 180 },
        { name: 'saw', machine: '@SUM(1)', duration: 240 },
      ],
    },
    {
      name: 'A-2',
      details: { customer: `Müller ${'ü'.repeat(60)} 😀` },
      operations: [
        { name: 'saw', machine: 'Säge 9', duration: 30 },
        { name: 'wait', machine: 'Säge 10', duration: 0 },
      ],
    },
  ],
};
const instance = parseInstance(JSON.stringify(shop), {});
const schedule = createSchedule(instance, Int32Array.of(0, 180, 0, 180));
const options = { shop: 'hall', version: 4, stamp: Date.UTC(2026, 9, 24) };
const write = (more: Pick<PlanFileOptions, 'format' | 'machine'>, plan = schedule) =>
  encodePlan(plan, { ...options, ...more });

describe('a plan as a workbook', () => {
  it('has orders, operations, machines and facts, with dates as clocks in the shop show them', async () => {
    const { sheets } = await readXlsx((await write({ format: 'xlsx' })) as Uint8Array);
    expect(sheets.map(({ name }) => name)).toEqual(['Orders', 'Operations', 'Machines', 'About']);
    const [orders, operations, machines, about] = sheets.map(({ rows }) => rows);
    expect(orders[0]).toEqual([
      ...['Order', 'Due', 'Start', 'End', 'Late (min)', 'Weight', 'Operations'],
      ...['customer', 'note', 'quantity'],
    ]);
    const at = (day: number, hour: number) => new Date(Date.UTC(2026, 9, day, hour));
    // 420 minutes after 22:00 of summer time it is 04:00 of winter time.
    expect(orders[1]).toEqual([
      ...[HOSTILE, at(25, 2), at(24, 22), at(25, 4), 180, 3, 2],
      ...['+49 30 1', 'a, b; c\\d <i>', '-5'],
    ]);
    // Machines come in the natural order of their names.
    expect(operations.slice(1).map(([machine, start]) => [machine, start])).toEqual([
      ['@SUM(1)', at(25, 1)],
      ['Säge 9', at(24, 22)],
      ['Säge 10', at(24, 22)],
      ['Säge 10', at(25, 1)],
    ]);
    expect(machines[3]).toEqual(['Säge 10', 2, 180, at(24, 22), at(25, 1)]);
    expect(about).toContainEqual(['Version', 4]);
    expect(about).toContainEqual(['Time zone', 'Europe/Berlin']);
    expect(about).toContainEqual(['Late orders', 1]);
  });

  it('has texts where names begin like formulas', async () => {
    const bytes = (await write({ format: 'xlsx' })) as Uint8Array;
    const { sheets } = await readXlsx(bytes);
    // A cell with a formula has no value until a spreadsheet computes it.
    expect(sheets[1].rows.flat()).toEqual(expect.arrayContaining([HOSTILE, '-cut', '@SUM(1)']));
  });

  it('has the operations of one machine only where one is named', async () => {
    const bytes = (await write({ format: 'xlsx', machine: 'Säge 9' })) as Uint8Array;
    const { sheets } = await readXlsx(bytes);
    expect(sheets[1].rows.slice(1).map(([machine]) => machine)).toEqual(['Säge 9']);
    expect(sheets[0].rows).toHaveLength(3);
    await expect(write({ format: 'xlsx', machine: 'Saege 9' })).rejects.toThrow(/no machine/);
  });

  it('has numbers where the shop has no clock, and nothing where a plan has no start', async () => {
    const text = '2 2\n0 3 1 2\n1 4 0 1\n';
    const plain = createSchedule(parseInstance(text, {}), Int32Array.of(0, 4, 0, -1));
    const { sheets } = await readXlsx((await write({ format: 'xlsx' }, plain)) as Uint8Array);
    expect(sheets[1].rows[0]).toContain('Work');
    const row = sheets[1].rows.find(([machine, start]) => machine === 'Machine0' && start === null);
    expect(row?.slice(0, 5)).toEqual(['Machine0', null, null, 'Job2', 2]);
    expect(sheets[1].rows).toContainEqual(expect.arrayContaining(['Machine1', 4, 6, 'Job1', 2, 2]));
  });
});

describe('a plan as CSV', () => {
  it('has a byte order mark, and an apostrophe before what spreadsheets take for formulas', async () => {
    const text = (await write({ format: 'csv' })) as string;
    expect(text.startsWith('\uFEFFMachine,Start,End,Order,Step,Operation,Work (min),Due\r\n')).toBe(
      true,
    );
    const rows = text.trimEnd().split('\r\n');
    expect(rows[1]).toBe(
      `'@SUM(1),2026-10-25 01:00,2026-10-25 04:00,"'=HYPERLINK(""http://x"",""a"")",2,saw,240,2026-10-25 02:00`,
    );
    expect(rows.some((row) => row.includes(",'-cut,"))).toBe(true);
  });
});

describe('a plan as a calendar', () => {
  const read = (text: string) => new ICAL.Component(ICAL.parse(text));

  it('has an event for each operation, in UTC, which programs read', async () => {
    const calendar = read((await write({ format: 'ics' })) as string);
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('hall');
    const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
    expect(events).toHaveLength(4);
    const last = events.find(({ summary }) => summary.includes(', saw') && summary.includes('@'));
    expect(last?.summary).toBe(`@SUM(1): ${HOSTILE}, saw`);
    expect(last?.location).toBe('@SUM(1)');
    expect(last?.description).toBe(
      'due Sun 25 Oct 02:00 +02:00, 3 h late\ncustomer: +49 30 1\nnote: a, b; c\\d <i>\nquantity: -5',
    );
    expect(last?.startDate.toJSDate().toISOString()).toBe('2026-10-24T23:00:00.000Z');
    expect(last?.endDate.toJSDate().toISOString()).toBe('2026-10-25T03:00:00.000Z');
    expect(last?.sequence).toBe(4);
  });

  it('gives an operation that takes no time no end, and one without a start no event', async () => {
    const text = (await write({ format: 'ics', machine: 'Säge 10' })) as string;
    const events = read(text).getAllSubcomponents('vevent');
    expect(events.map((one) => one.hasProperty('dtend'))).toEqual([true, false]);
    const open = createSchedule(instance, Int32Array.of(0, -1, 0, -1));
    expect(
      read((await write({ format: 'ics' }, open)) as string).getAllSubcomponents(),
    ).toHaveLength(2);
  });

  it('keeps the identity of an event when it moves, and lines of 75 bytes', async () => {
    const ids = (text: string) =>
      read(text)
        .getAllSubcomponents('vevent')
        .map((one) => one.getFirstPropertyValue('uid'))
        .sort();
    const moved = createSchedule(instance, Int32Array.of(10, 200, 5, 210));
    const [before, after] = await Promise.all([
      write({ format: 'ics' }),
      write({ format: 'ics' }, moved),
    ]);
    expect(ids(after as string)).toEqual(ids(before as string));
    const lines = (before as string).split('\r\n');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(before).not.toMatch(/[^\r]\n/);
    const [summary] = read(before as string)
      .getAllSubcomponents('vevent')
      .map((one) => one.getFirstPropertyValue('description') as string)
      .filter((text) => text.includes('Müller'));
    expect(summary).toBe(`customer: Müller ${'ü'.repeat(60)} 😀`);
  });

  it('is refused for a shop without a clock', async () => {
    const plain = createSchedule(parseInstance('1 1\n0 3\n', {}), Int32Array.of(0));
    await expect(write({ format: 'ics' }, plain)).rejects.toMatchObject({ code: 'no_clock' });
  });
});
