import { readFileSync } from 'node:fs';
import { readXlsx } from 'hucre/xlsx';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { wireInstance } from '../../src/api/wire.js';
import { demoShop } from '../../src/demo/demo-shop.js';
import { openShopDirectory } from '../../src/shops/open-directory.js';
import { serveShops } from '../served.js';
import { openService, post, problemIn } from './service.js';

const instance = wireInstance(demoShop());
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const tokens = [
  { name: 'board', role: 'view', token: 'view-view-view-view' },
  { name: 'mes', role: 'report', token: 'mes-mes-mes-mes-mes' },
  { name: 'kim', role: 'decide', token: 'kim-kim-kim-kim-kim' },
  { name: 'ada', role: 'view', shops: ['hall-*'], token: 'ada-ada-ada-ada-ada' },
] as const;

/** A service with tokens and the shop `floor`. */
async function open(): Promise<{
  url: string;
  get: (path: string, token?: string) => Promise<Response>;
}> {
  const directory = await openShopDirectory({});
  const { url } = await openService({
    directory,
    tokens: [...tokens].map((one) => ({ ...one })) as never,
  });
  const opened = await post(
    `${url}/shops`,
    { id: 'floor', instance, planner: 'dispatch:mwkr' },
    bearer('kim-kim-kim-kim-kim'),
  );
  expect(opened.status).toBe(201);
  const get = (path: string, token?: string) =>
    fetch(`${url}/${path}`, { headers: token === undefined ? {} : bearer(token) });
  return { url, get };
}

describe('a plan for other programs', () => {
  it('is a workbook of any version, which every role may fetch', async () => {
    const { url, get } = await open();
    const events = [{ kind: 'breakdown', machine: 'Saw', to: '2026-11-23T09:00+01:00' }];
    await post(`${url}/shops/floor/events`, { events }, bearer('mes-mes-mes-mes-mes'));
    const answer = await get('shops/floor/export?format=xlsx', 'view-view-view-view');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="floor-version-2.xlsx"',
    );
    const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
    expect(sheets[0].rows[0]).toContain('customer');
    expect(sheets[1].rows).toHaveLength(36);
    expect(sheets[3].rows).toContainEqual(['Version', 2]);
    const first = await get(
      'shops/floor/export?format=csv&version=1&machine=Saw',
      'view-view-view-view',
    );
    expect(first.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = (await first.text()).trimEnd().split('\r\n').slice(1);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => row.startsWith('Saw,2026-'))).toBe(true);
  });

  it('says in a line what it is not: a format, a machine, a version, a shop, a clock', async () => {
    const { url, get } = await open();
    const token = 'kim-kim-kim-kim-kim';
    const ask = async (path: string) => problemIn(await get(`shops/${path}`, token));
    expect(await ask('floor/export')).toMatchObject({ status: 400, code: 'bad_request' });
    expect(await ask('floor/export?format=pdf')).toMatchObject({ status: 400 });
    const machine = await ask('floor/export?format=csv&machine=Sew');
    expect(machine).toMatchObject({ status: 400, code: 'unknown_machine' });
    expect(await ask('floor/export?format=csv&version=9')).toMatchObject({ status: 404 });
    expect(await ask('none/export?format=csv')).toMatchObject({ status: 404 });
    await post(`${url}/shops`, { id: 'plain', instance: 'ft06' }, bearer(token));
    expect(await ask('plain/calendar.ics')).toMatchObject({ status: 400, code: 'no_clock' });
    expect(await (await get('shops/plain/calendars', token)).json()).toEqual([]);
    expect((await get('shops/plain/export?format=xlsx', token)).status).toBe(200);
  });

  it('is a calendar of each machine, at addresses that need no token and are good for nothing else', async () => {
    const { get } = await open();
    const answer = await get('shops/floor/calendars', 'view-view-view-view');
    const calendars = (await answer.json()) as { machine: string | null; path: string }[];
    expect(calendars.map(({ machine }) => machine)).toEqual([
      ...[null, 'Saw', 'Lathe 1', 'Lathe 2', 'Mill', 'Grinder'],
    ]);
    const { path } = calendars[2];
    const text = await (await get(path)).text();
    const calendar = new ICAL.Component(ICAL.parse(text));
    expect(calendar.getFirstPropertyValue('name')).toBe('Lathe 1 (floor)');
    const places = calendar
      .getAllSubcomponents('vevent')
      .map((one) => one.getFirstPropertyValue('location'));
    expect(new Set(places)).toEqual(new Set(['Lathe 1']));
    const key = new URLSearchParams(path.split('?')[1]).get('key') as string;
    for (const other of [
      `shops/floor/calendar.ics?key=${key.slice(1)}x`,
      `shops/floor/calendar.ics?key=`,
      `shops/other/calendar.ics?key=${key}`,
      `shops/floor/export?format=ics&key=${key}`,
      `shops/floor?key=${key}`,
      `shops/floor/calendars?key=${key}`,
      'shops/floor/calendar.ics',
    ]) {
      expect({ other, status: (await get(other)).status }).toEqual({ other, status: 401 });
    }
  });

  it('is not there for a token that is for other shops', async () => {
    const { get } = await open();
    for (const path of ['export?format=csv', 'calendar.ics', 'calendars']) {
      expect((await get(`shops/floor/${path}`, 'ada-ada-ada-ada-ada')).status).toBe(404);
    }
  });
});

describe('files of a shop', () => {
  const orders = { name: 'orders.csv', text: readFileSync('examples/workshop/orders.csv', 'utf8') };
  const map = JSON.parse(readFileSync('examples/workshop/map.json', 'utf8'));
  const calendar = JSON.parse(readFileSync('examples/workshop/calendar.json', 'utf8'));
  const german = Buffer.from(
    [
      'Auftrag;AG;Arbeitsgang;Maschine;Rüstzeit;Stückzeit;Stückzahl;Fällig;Kunde;Meister;Farbe',
      'A-1;10;sägen;Säge;5;1,5;1.000;30.11.2026;Müller;Udo;rot',
      'A-1;20;drehen;Drehbank;15;4,75;;;Müller;Eva;rot',
    ].join('\n'),
    'latin1',
  ).toString('base64');

  it('become an instance that opens as a shop', async () => {
    const url = await serveShops();
    const answer = await post(`${url}/import`, { orders, map, calendar });
    const read = (await answer.json()) as Record<string, unknown>;
    expect(read).toMatchObject({ orders: 10, operations: 35, machines: 5, unknown: [] });
    expect(read.shifts_until).toMatch(/^2026-12-/);
    expect(read.kept).toEqual(['customer', 'quantity']);
    const opened = await post(`${url}/shops`, { id: 'hall', instance: read.instance });
    expect(opened.status).toBe(201);
  });

  it('are read in Windows-1252 with German headings, and columns that are not understood are named', async () => {
    const url = await serveShops();
    const file = { name: 'aufträge.csv', content: german };
    const columns = await (await post(`${url}/import/columns`, { files: [file] })).json();
    expect(columns).toMatchObject({
      files: [
        {
          file: 'aufträge.csv',
          encoding: 'Windows-1252',
          fields: { order: 'Auftrag', machine: 'Maschine', due: 'Fällig', per_piece: 'Stückzeit' },
          kind: 'orders',
        },
      ],
    });
    const body = { orders: file, epoch: '2026-11-23T06:00', zone: 'Europe/Berlin' };
    expect(await (await post(`${url}/import`, body)).json()).toMatchObject({
      instance: {
        machines: ['Säge', 'Drehbank'],
        jobs: [
          {
            due: '2026-12-01T00:00:00+01:00',
            details: { customer: 'Müller', quantity: '1.000', Farbe: 'rot' },
            operations: [{ duration: 1505 }, { duration: 4765 }],
          },
        ],
      },
      unknown: [{ file: 'aufträge.csv', heading: 'Meister', reason: 'differs within an order' }],
      encodings: [{ file: 'aufträge.csv', encoding: 'Windows-1252' }],
    });
  });

  it('may have operators, alternatives, setups and transport in tables of their own', async () => {
    const url = await serveShops();
    const file = (name: string, text: string) => ({ [name]: { name: `${name}.csv`, text } });
    const body = {
      ...file(
        'orders',
        'order,machine,minutes,family,operator\nA,Lathes,5,red,Ana\nB,Lathe 1,5,blue,Ana\n',
      ),
      ...file('machines', 'machine,group\nLathe 1,Lathes\nLathe 2,Lathes\n'),
      ...file('setups', 'from,to,time\n*,*,3\n'),
      ...file('transport', 'from,to,time\nLathe 1,Lathe 2,2\n'),
      ...file('operators', 'operator,number\nAna,2\n'),
    };
    const answer = (await (await post(`${url}/import`, body)).json()) as Record<string, unknown>;
    expect(answer).toMatchObject({
      instance: {
        schema: 'alas-jssp/instance@2',
        families: ['red', 'blue'],
        resources: [{ name: 'Ana', capacity: 2 }],
        jobs: [
          { operations: [{ modes: [{ machine: 'Lathe 1' }, { machine: 'Lathe 2' }] }] },
          { operations: [{ machine: 'Lathe 1', family: 'blue', needs: { Ana: 1 } }] },
        ],
      },
      remarks: expect.arrayContaining(['setups between 2 families on 2 machines']),
    });
    const wrong = { ...body, ...file('setups', 'from,to,time\n*,*,x\n') };
    expect(await problemIn(await post(`${url}/import`, wrong))).toMatchObject({
      status: 400,
      code: 'bad_table',
      detail: 'setups.csv:2: the time is "x"',
    });
  });

  it.each([
    ['machines', 'Maschine;Gruppe\nDrehbank 1;Drehen\n'],
    ['setups', 'machine,from,to,time\nLathe 1,*,*,3\n'],
    ['setups', 'von;nach;Rüstzeit\n*;*;3\n'],
    ['transport', 'from,to,time\n*,*,3\n'],
    ['operators', 'operator,number,calendar\nAna,1,morning\n'],
    ['operators', 'Werkzeug;Anzahl\nForm 7;1\n'],
    ['orders', 'order,machine,operator,minutes\nA,Saw,Ana,3\n'],
    ['orders', 'machine,from,to,time,colour\nLathe 1,*,*,3,red\n'],
  ])('are known as a table of %s by their headings', async (kind, text) => {
    const url = await serveShops();
    const answer = await post(`${url}/import/columns`, { files: [{ name: 'table.csv', text }] });
    expect(await answer.json()).toMatchObject({ files: [{ kind }] });
  });

  it('of from, to and time alone are setups if their name says so', async () => {
    const url = await serveShops();
    const file = (name: string) => ({ name, text: 'from,to,time\n*,*,3\n' });
    const files = [file('Rüsten.csv'), file('setups.csv'), file('ways.csv')];
    const { files: read } = (await (await post(`${url}/import/columns`, { files })).json()) as {
      files: { kind: string }[];
    };
    expect(read.map(({ kind }) => kind)).toEqual(['setups', 'setups', 'transport']);
  });

  it('say file, line and what would be right where they are not understood', async () => {
    const url = await serveShops();
    const refusal = async (body: object) => problemIn(await post(`${url}/import`, body));
    const text = 'order,machine,minutes\nA,Saw,x\n';
    expect(await refusal({ orders: { name: 'a.csv', text } })).toMatchObject({
      status: 400,
      code: 'bad_order',
      detail: 'a.csv:2: order A: the duration is "x"',
    });
    const columns = { order: 'Nr' };
    expect(await refusal({ orders, map: { columns } })).toMatchObject({ code: 'bad_order' });
    expect(await refusal({ orders, map: { colums: {} } })).toMatchObject({ code: 'bad_map' });
    expect(await refusal({ orders, calendar: {} })).toMatchObject({ path: '$.calendar.calendars' });
    expect(await refusal({ orders: { name: 'a.csv' } })).toMatchObject({ path: '$.orders' });
    const gzip = Buffer.from([0x1f, 0x8b, 8, 0, 0]).toString('base64');
    expect(await refusal({ orders: { name: 'a.csv.gz', content: gzip } })).toMatchObject({
      status: 400,
    });
    const many = `order,machine,minutes\n${'A,Saw,1\n'.repeat(30_000)}`;
    expect(await refusal({ orders: { name: 'a.csv', text: many } })).toMatchObject({ status: 413 });
  });

  it('are for those who may open shops', async () => {
    const { url } = await open();
    for (const { role, token } of tokens) {
      const { status } = await post(`${url}/import`, { orders, map }, bearer(token));
      expect({ role, status }).toEqual({ role, status: role === 'decide' ? 200 : 403 });
    }
  });
});
