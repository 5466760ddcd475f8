import { InputError } from '@alas-jssp/core/errors';
import { createCalendar } from '../calendar.js';
import { createInstance, type Instance, MAX_TIME } from '../instance.js';
import type { ShopCalendars } from '../shifts/calendar-file.js';
import { compileCalendars, type MachineShifts } from '../shifts/downtimes.js';
import type { TimeScale } from '../shop-clock.js';
import { createTimeScale, parseTime } from '../time-scale.js';
import type { ImportMap } from './import-map.js';
import type { OrderBook, ShopOperation, ShopOrder } from './order-book.js';
import { orderTime } from './order-times.js';

/** The options of an import, in addition to the orders. */
export interface ShopImportOptions {
  /** The name of the instance. */
  readonly name: string;
  readonly map: ImportMap;
  readonly calendars?: ShopCalendars | undefined;
  /** Overrides that of the mapping. */
  readonly epoch?: string | undefined;
  /** Overrides that of the mapping. */
  readonly zone?: string | undefined;
  /** The day or time up to which shifts are generated; default: enough for all work, and at least four weeks. */
  readonly horizon?: string | undefined;
}

/** An instance made from orders. */
export interface ImportedShop {
  readonly instance: Instance;
  /** The time up to which shifts are known; null if machines are always up. */
  readonly horizon: number | null;
  /** The names of orders that were due before the epoch; their due date becomes time 0. */
  readonly overdue: readonly string[];
}

const SECONDS: Record<ImportMap['times'], number> = { seconds: 1, minutes: 60, hours: 3600 };
const FOUR_WEEKS = 28 * 86_400;
const TEN_YEARS = 3653 * 86_400;

/**
 * Makes an instance from orders: their names, durations in whole units of time (rounded up), releases and due dates by
 * the clock of the shop, and its shifts as downtimes.
 *
 * @throws InputError with file, line and order of any data that is invalid
 */
export function importShop({ orders }: OrderBook, options: ShopImportOptions): ImportedShop {
  const { map, calendars } = options;
  const scale = scaleOf(orders, options);
  const unit = map.time_scale.unit;
  const machines = machineNames(orders, calendars);
  const indexOf = new Map(machines.map((name, machine) => [name, machine]));
  const operations = orders.flatMap((order) => order.operations);
  const duration = Int32Array.from(operations, (one) => unitsOf(one, map, unit));
  const jobOffset = new Int32Array(orders.length + 1);
  orders.forEach((order, job) => {
    jobOffset[job + 1] = jobOffset[job] + order.operations.length;
  });
  const release = new Int32Array(operations.length);
  const due = new Int32Array(orders.length).fill(-1);
  const overdue: string[] = [];
  orders.forEach((order, job) => {
    if (scale === null) return;
    const clock = { scale, dates: map.dates };
    if (order.release !== '') release[jobOffset[job]] = orderTime(order.row, 'release', clock).time;
    if (order.due === '') return;
    const { time, past } = orderTime(order.row, 'due', clock);
    due[job] = time;
    if (past) overdue.push(order.name);
  });
  const shifts =
    calendars && scale ? shiftsFor(calendars, machines, scale, options, duration, release) : null;
  if (shifts !== null) checkFits(operations, duration, indexOf, shifts.byMachine);
  const instance = createInstance({
    name: options.name,
    machines: machines.length,
    jobOffset,
    machine: Int32Array.from(operations, ({ machine }) => indexOf.get(machine) as number),
    duration,
    release,
    due,
    weight: Int32Array.from(orders, ({ weight }) => weight ?? 1),
    calendar:
      shifts &&
      createCalendar(
        machines.length,
        shifts.byMachine.flatMap(({ downtimes }) => downtimes),
        shifts.horizon,
      ),
    names: {
      jobs: orders.map(({ name }) => name),
      machines,
      operations: operations.map(({ name }) => name),
      details: orders.map(({ details }) => details),
    },
    timeScale: scale,
  });
  return { instance, horizon: shifts?.horizon ?? null, overdue };
}

/** The time scale of a shop; null if no epoch is given and its files have neither dates nor shifts. */
function scaleOf(orders: readonly ShopOrder[], options: ShopImportOptions): TimeScale | null {
  const { map, calendars } = options;
  const { unit } = map.time_scale;
  const epoch = options.epoch ?? map.time_scale.epoch;
  const zone = options.zone ?? map.time_scale.zone;
  if (epoch !== undefined && zone !== undefined) return createTimeScale({ epoch, unit, zone });
  const missing = epoch === undefined ? 'epoch, when time begins' : 'time zone';
  const hint = `give the ${missing}, with the command or in the mapping`;
  const dated = orders.find((order) => order.release !== '' || order.due !== '');
  if (dated !== undefined) throw dated.row.error('it has a date, but the shop has no clock', hint);
  if (calendars !== undefined || epoch !== undefined) {
    throw new InputError('bad_order', 'the shop has no clock', hint);
  }
  return null;
}

/** The machines named in the calendars, followed by those that only orders name. */
function machineNames(
  orders: readonly ShopOrder[],
  calendars: ShopCalendars | undefined,
): string[] {
  const used = orders.flatMap(({ operations }) => operations.map(({ machine }) => machine));
  return [...new Set([...Object.keys(calendars?.machines ?? {}), ...used])];
}

/** The duration of an operation in whole units. */
function unitsOf({ row, time }: ShopOperation, { times }: ImportMap, unit: number): number {
  // Products of decimals have rounding errors.
  const units = Math.ceil(Number(((time * SECONDS[times]) / unit).toFixed(6)));
  if (units <= MAX_TIME) return units;
  throw row.error(
    `it takes ${units} units of ${unit} s`,
    `use a coarser unit: at most ${MAX_TIME} fit`,
  );
}

function shiftsFor(
  calendars: ShopCalendars,
  machines: readonly string[],
  scale: TimeScale,
  { horizon: wanted }: ShopImportOptions,
  duration: Int32Array,
  release: Int32Array,
): { readonly byMachine: MachineShifts[]; readonly horizon: number } {
  const compile = (horizon: number) => ({
    byMachine: compileCalendars(calendars, machines, scale, horizon),
    horizon,
  });
  if (wanted !== undefined) {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(wanted);
    return compile(parseTime(scale, isDay ? `${wanted}T00:00` : wanted));
  }
  const begin = release.reduce((latest, time) => Math.max(latest, time), 0);
  const work = duration.reduce((sum, time) => sum + time, 0);
  const longest = Math.min(MAX_TIME, begin + Math.floor(TEN_YEARS / scale.unit));
  let horizon = begin + Math.max(Math.ceil(FOUR_WEEKS / scale.unit), work);
  for (; horizon < longest; horizon *= 2) {
    const shifts = compile(horizon);
    const capacity = shifts.byMachine.map(({ working }) =>
      working.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, begin)), 0),
    );
    const idle = capacity.indexOf(0);
    if (idle >= 0) throw tooFewShifts(`${machines[idle]} does not work in four weeks`);
    if (capacity.every((room) => room >= work)) return shifts;
  }
  throw tooFewShifts(`ten years of shifts are not enough for ${work} units of work`);
}

function tooFewShifts(problem: string): InputError {
  return new InputError('bad_calendar', problem, 'give it shifts, or a horizon');
}

/** Refuses operations for which no shift is long enough, if they may not be interrupted. */
function checkFits(
  operations: readonly ShopOperation[],
  duration: Int32Array,
  indexOf: ReadonlyMap<string, number>,
  shifts: readonly MachineShifts[],
): void {
  const longest = shifts.map(({ working, downtimes }) =>
    downtimes.every(({ resumable }) => resumable)
      ? MAX_TIME
      : working.reduce((most, { from, to }) => Math.max(most, to - from), 0),
  );
  operations.forEach(({ row, machine }, op) => {
    const room = longest[indexOf.get(machine) as number];
    if (duration[op] <= room) return;
    throw row.error(
      `it takes ${duration[op]} units on ${machine}, which never works for more than ${room} at a time`,
      'make its calendar resumable, or split the operation',
    );
  });
}
