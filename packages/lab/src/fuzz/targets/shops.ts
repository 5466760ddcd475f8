// Parsers of instances, plans, events, policies and the files of a shop.
import { readFileSync } from 'node:fs';
import {
  applyEvents,
  formatEvent,
  parseEvent,
  parseEvents,
  writeEvents,
} from 'alas-jssp/disruption';
import {
  CALENDAR_SCHEMA,
  defaultImportMap,
  importShop,
  MAP_SCHEMA,
  parseCalendars,
  parseImportMap,
  parsePolicy,
  readImportColumns,
  readOrders,
  readShopTables,
  shopTableOf,
} from 'alas-jssp/internal/lab';
import {
  type Instance,
  instanceChecksum,
  parseInstance,
  parsePlan,
  writeInstanceJson,
  writePlanCsv,
  writePlanJson,
} from 'alas-jssp/jssp';
import { dispatch } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import type { FuzzTarget } from '../target.js';
import { requireSame } from './require-same.js';

const bench = (path: string) => ({ file: `benchmarks/${path}` });
const example = (path: string) => ({ file: `examples/${path}` });
const text = (...lines: readonly string[]) => ({ text: lines.join('\n') });

/** The shop of plans and events. */
export const ft06: Instance = parseInstance(readFileSync('benchmarks/ft/ft06.txt'), {
  name: 'ft06',
});
const workshop = parseInstance(readFileSync('examples/five-by-three/shop.json'));

/** The operations of an instance that is written and read back. */
const MOST_WRITTEN = 5000;

export const instanceTarget: FuzzTarget = {
  name: 'instance',
  seeds: [
    bench('ft/ft06.txt'),
    text('2 2 1', '2 1 1 5 2 1 3 2 4', '1 2 1 4 2 6'),
    example('five-by-three/shop.json'),
    text('2 2', 'Times', '3 4', '5 6', 'Machines', '1 2', '2 1'),
    text('2 2 # jobs machines', '0 3 1 4', '1 5 0 6', ''),
    text('1 3 2 4 -1 -1', '2 5 1 6 -1 -1'),
    text('2 2 1.5', '2 1 1 3 2 1 4 2 5', '1 2 1 5 2 6'),
    text(
      '{"schema":"alas-jssp/instance@1","machines":2,"jobs":[{"name":"A","due":20,"weight":2,"operations":',
      '[{"machine":0,"duration":3},{"modes":[{"machine":1,"duration":4},{"machine":0,"duration":2}]}]}]}',
    ),
  ],
  words: ['Times', 'Machines', 'times', '-1 -1', 'alas-jssp/instance@1'],
  run: (input) => {
    for (const file of [undefined, 'x.fjs']) {
      let instance: Instance;
      try {
        instance = parseInstance(input, { file });
      } catch (error) {
        if (file === undefined) continue;
        throw error;
      }
      if (instance.operations > MOST_WRITTEN) continue;
      const written = writeInstanceJson(instance);
      const again = parseInstance(written);
      requireSame(instanceChecksum(instance), instanceChecksum(again), 'the checksum');
      requireSame(written, writeInstanceJson(again), 'the written instance');
    }
    parseInstance(input);
  },
};

export const planTarget: FuzzTarget = {
  name: 'plan',
  seeds: [
    example('five-by-three/plan.json'),
    text('job,step,machine,start,end', '1,1,2,0,1', '1,2,0,1,4', '2,1,1,0,8'),
    text('Job;Step;Machine;Start;End;Mode', 'Job1;1;Machine2;0;1;1', 'Job2;1;Machine1;0;8;1'),
    text(
      '{"schema":"alas-jssp/plan@1","instance":"ft06","makespan":55,"entries":',
      '[{"job":"Job1","step":1,"machine":"Machine2","start":0,"end":1}]}',
    ),
  ],
  run: (input) => {
    for (const instance of [undefined, ft06, workshop]) {
      const { plan } = parsePlan(input, undefined, instance);
      if (instance !== undefined) validate(instance, plan);
      if (instance !== ft06) continue;
      const written = writePlanJson(plan, { shop: ft06 });
      requireSame(
        written,
        writePlanJson(parsePlan(written, undefined, ft06).plan, { shop: ft06 }),
        'the plan in JSON',
      );
      const table = writePlanCsv(plan, { shop: ft06 });
      requireSame(
        table,
        writePlanCsv(parsePlan(table, undefined, ft06).plan, { shop: ft06 }),
        'the plan in CSV',
      );
    }
  },
};

export const eventsTarget: FuzzTarget = {
  name: 'events',
  seeds: [
    example('five-by-three/events.json'),
    text('breakdown:machine=3,from=120,to=180,resumable=true'),
    text('arrival:at=5,name=X,due=90,operations=0:3/1:4:drill'),
    text('duration:job=1,step=2,duration=9,at=3'),
    text(
      '{"schema":"alas-jssp/events@1","events":[{"kind":"breakdown","machine":"Machine0","from":10,"to":25},',
      '{"kind":"cancellation","job":"Job2","at":12},{"kind":"delay","job":"Job1","step":1,"by":4,"at":3}]}',
    ),
  ],
  words: [
    'breakdown',
    'restored',
    'duration',
    'delay',
    'arrival',
    'cancellation',
    'capacity',
    'alternative',
  ],
  run: (input) => {
    const line = new TextDecoder().decode(input);
    if (!/^\s*[[{]/.test(line)) {
      const event = parseEvent(line, { instance: ft06 });
      const short = formatEvent(event, ft06);
      requireSame(short, formatEvent(parseEvent(short, { instance: ft06 }), ft06), 'the event');
      return;
    }
    parseEvents(input);
    for (const instance of [ft06, workshop]) {
      const { events } = parseEvents(input, undefined, { instance, knownBy: 1000 });
      applyEvents(dispatch(instance, { rule: 'mwkr' }), events, 1000);
      const written = writeEvents(events, { instance: 'x' });
      requireSame(
        written,
        writeEvents(parseEvents(Buffer.from(written)).events, { instance: 'x' }),
        'the events',
      );
    }
  },
};

export const policyTarget: FuzzTarget = {
  name: 'policy',
  seeds: ['compensate', 'fallback', 'growing', 'nearby', 'pinned'].map((name) =>
    example(`five-by-three/${name}.json`),
  ),
  run: (input) => {
    parsePolicy(input, workshop);
    parsePolicy(input, ft06);
  },
};

const ORDERS = readFileSync('examples/workshop-real/orders.csv');
const NAMES = ['setups', 'machines', 'operators', 'transport'] as const;

export const ordersTarget: FuzzTarget = {
  name: 'orders',
  seeds: [
    example('workshop/orders.csv'),
    example('workshop-real/orders.csv'),
    ...NAMES.map((name) => example(`workshop-real/${name}.csv`)),
    text(
      'Auftrag;AG;Maschine;Zeit;Fällig;Priorität',
      'A1;10;Säge | Fräse;1.234,5;23.11.2026;2',
      'A1;20;Drehbank;5;;',
    ),
  ],
  run: (input) => {
    const file = { name: 'x.csv', bytes: input };
    const { headings } = readImportColumns(file);
    const map = { ...defaultImportMap, epoch: '2026-11-23 06:00', zone: 'Europe/Berlin' };
    const kind = shopTableOf('x.csv', headings);
    const tables = kind === null ? {} : readShopTables({ [kind]: file }, map);
    const orders = kind === null ? file : { name: 'orders.csv', bytes: ORDERS };
    const book = readOrders({ orders }, map, { hasSetups: kind === 'setups' });
    const { instance } = importShop(book, { name: 'x', map, tables });
    if (instance.operations > MOST_WRITTEN) return;
    const written = writeInstanceJson(instance);
    requireSame(written, writeInstanceJson(parseInstance(written)), 'the written instance');
  },
};

export const calendarTarget: FuzzTarget = {
  name: 'calendar',
  seeds: ['workshop', 'workshop-real'].flatMap((name) => [
    example(`${name}/calendar.json`),
    example(`${name}/map.json`),
  ]),
  words: [CALENDAR_SCHEMA, MAP_SCHEMA],
  run: (input) => {
    let document: unknown;
    try {
      document = JSON.parse(new TextDecoder().decode(input));
    } catch {
      return;
    }
    const isMap = JSON.stringify(document).includes('import-map');
    const map = isMap ? parseImportMap(document) : parseImportMap(JSON.parse(MAP));
    const calendars = isMap ? undefined : parseCalendars(document);
    const orders = { name: 'orders.csv', bytes: readFileSync('examples/workshop/orders.csv') };
    importShop(readOrders({ orders }, map), { name: 'x', map, calendars });
  },
};

const MAP = readFileSync('examples/workshop/map.json', 'utf8');
