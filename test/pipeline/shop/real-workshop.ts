import type { EventInput } from '../../../src/disruption/index.js';
import type { Instance } from '../../../src/jssp/instance.js';
import { readImportMap } from '../../../src/jssp/orders/import-map.js';
import { importShop } from '../../../src/jssp/orders/import-shop.js';
import { readOrders } from '../../../src/jssp/orders/order-book.js';
import { readShopTables } from '../../../src/jssp/orders/shop-tables.js';
import { importFile } from '../../../src/jssp/orders/table.js';
import { readCalendars } from '../../../src/jssp/shifts/calendar-file.js';

const at = (name: string) => `examples/workshop-real/${name}`;

/** The shop of the page on data: alternatives, setups, transport, operators, predecessors and greatest waits. */
export function realWorkshop(): Instance {
  const map = readImportMap(at('map.json'));
  const table = (name: string) => importFile(at(`${name}.csv`));
  const tables = readShopTables(
    {
      machines: table('machines'),
      setups: table('setups'),
      transport: table('transport'),
      operators: table('operators'),
    },
    map,
  );
  const book = readOrders({ orders: table('orders') }, map, { hasSetups: true });
  const calendars = readCalendars(at('calendar.json'));
  return importShop(book, { name: 'real', map, calendars, tables }).instance;
}

/** Minutes after six o'clock on Monday. */
const [NOON, THREE, NEXT_MORNING] = [6 * 60 + 10, 9 * 60, 24 * 60];

/** A lathe breaks down, an operator falls ill, and a machine that could not do an operation now may. */
export const realEvents: readonly { readonly now: number; readonly events: EventInput[] }[] = [
  {
    now: NOON,
    events: [{ kind: 'breakdown', machine: 'Lathe 2', from: NOON, to: NEXT_MORNING }],
  },
  {
    now: THREE,
    events: [
      { kind: 'capacity', resource: 'Ben', from: THREE, to: NEXT_MORNING, amount: 0 },
      { kind: 'alternative', job: 'WO-5108', step: 3, machine: 'Mill 2', duration: 150 },
    ],
  },
];
