import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { once } from '@alas-jssp/core/once';
import {
  importFile,
  importShop,
  readCalendars,
  readImportMap,
  readOrders,
} from 'alas-jssp/internal/service';
import type { Instance } from 'alas-jssp/jssp';
import type { ReportRequest } from '../api/shop-schemas.js';

/**
 * The shop of `alas-jssp serve --demo`, imported from the files of examples/workshop: ten orders on five machines, in
 * minutes from Monday, six o'clock, with two shifts a day from Monday to Friday.
 */
export const demoShop = once((): Instance => {
  const map = readImportMap(workshopFile('map.json'));
  const orders = readOrders({ orders: importFile(workshopFile('orders.csv')) }, map);
  const calendars = readCalendars(workshopFile('calendar.json'));
  return importShop(orders, { name: 'workshop', map, calendars }).instance;
});

/** Creates an arriving order: a copy of an initial order with a new name. */
export function demoArrival(
  like: number,
  order: { readonly name: string; readonly release: number; readonly due: number; weight: number },
): ReportRequest['events'][number] {
  const { jobOffset, machine, duration, names } = demoShop();
  const operations = Array.from(duration.slice(jobOffset[like], jobOffset[like + 1]), (time, i) => {
    return { machine: names?.machines?.[machine[jobOffset[like] + i]], duration: time };
  });
  return { kind: 'arrival', job: { ...order, operations } };
}

function workshopFile(name: string): string {
  const home = dirname(createRequire(import.meta.url).resolve('alas-jssp/package.json'));
  return join(home, 'examples/workshop', name);
}
