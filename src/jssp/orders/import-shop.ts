import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { createCalendar } from '../calendar.js';
import { chooseFastest, withoutSingleModes } from '../formats/mode-arrays.js';
import { createInstance, type Instance, MAX_TIME } from '../instance.js';
import type { ShopCalendars } from '../shifts/calendar-file.js';
import { compileCalendars, type MachineShifts } from '../shifts/downtimes.js';
import type { TimeScale } from '../shop-clock.js';
import type { Resources, ShopParts } from '../shop-parts.js';
import { createTimeScale, parseTime } from '../time-scale.js';
import { idleDoubts, machineDoubts } from './import-doubts.js';
import type { ImportMap } from './import-map.js';
import {
  capacitiesOf,
  type ImportedMode,
  machinesOf,
  modesOfOperation,
  precedenceOf,
  refuseSetters,
  resourcesOf,
  type ShopCapacities,
  type ShopMachines,
} from './import-parts.js';
import { familyDoubts, importedSetups, importedTransport } from './import-times.js';
import type { OrderBook, ShopOperation, ShopOrder } from './order-book.js';
import { orderTime } from './order-times.js';
import type { TableRow } from './shop-table.js';
import type { ShopTables } from './shop-tables.js';
import type { ImportRow } from './table.js';

/** The options of an import, in addition to the orders. */
export interface ShopImportOptions {
  /** The name of the instance. */
  readonly name: string;
  readonly map: ImportMap;
  readonly calendars?: ShopCalendars | undefined;
  /** Groups of machines, setups, transport and operators. */
  readonly tables?: ShopTables | undefined;
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
  /** The number of alternatives that were left out because no shift of their machine is long enough. */
  readonly unfit: number;
  /** Machines and families that look misspelt, and operators who never work, as sentences. */
  readonly doubts: readonly string[];
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
  const { map, calendars, tables = {} } = options;
  const scale = scaleOf(orders, options);
  const machines = machinesOf(orders, Object.keys(calendars?.machines ?? {}), tables);
  const operations = orders.flatMap((order) => order.operations);
  const jobOffset = new Int32Array(orders.length + 1);
  orders.forEach((order, job) => {
    jobOffset[job + 1] = jobOffset[job] + order.operations.length;
  });
  const { release, due, overdue } = datesOf(orders, jobOffset, scale, map);
  const listed = operations.map((operation) =>
    modesOfOperation(operation, machines).map((mode) => ({
      ...mode,
      duration: unitsOf(mode.way.row, mode.way.time, map),
    })),
  );
  const parts = partsOf(operations, listed, orders, machines, options);
  if (parts.setups === null) refuseSetters(orders);
  const work = workOf(listed, parts);
  const shifts =
    calendars && scale ? shiftsFor(calendars, machines.names, scale, options, work, release) : null;
  const fitting = shifts === null ? listed : fittingModes(listed, machines, shifts.byMachine);
  const modes = fitting.flat();
  const capacities = capacitiesOf(modes, tables);
  const resources = capacities && {
    ...resourcesOf(modes, capacities),
    calendar: capacityCalendar(capacities, calendars, scale, shifts?.horizon),
  };
  const instance = createInstance({
    name: options.name,
    machines: machines.names.length,
    jobOffset,
    ...arraysOf(fitting),
    ...parts,
    resources,
    release,
    due,
    weight: Int32Array.from(orders, ({ weight }) => weight ?? 1),
    calendar:
      shifts &&
      createCalendar(
        machines.names.length,
        shifts.byMachine.flatMap(({ downtimes }) => downtimes),
        shifts.horizon,
      ),
    names: {
      jobs: orders.map(({ name }) => name),
      machines: machines.names,
      operations: operations.map(({ name }) => name),
      details: orders.map(({ details }) => details),
    },
    timeScale: scale,
  });
  const unfit = listed.flat().length - modes.length;
  const doubts = [
    ...machineDoubts(operations, machines, Object.keys(calendars?.machines ?? {}), tables),
    ...familyDoubts(operations, tables),
    ...(capacities && resources ? idleDoubts(capacities, resources, shifts?.horizon ?? 0) : []),
  ];
  return { instance, horizon: shifts?.horizon ?? null, overdue, unfit, doubts };
}

/** A mode with its duration in units. */
type TimedMode = ImportedMode & { readonly duration: number };

function datesOf(
  orders: readonly ShopOrder[],
  jobOffset: Int32Array,
  scale: TimeScale | null,
  map: ImportMap,
) {
  const release = new Int32Array(jobOffset[orders.length]);
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
  return { release, due, overdue };
}

/** The setups, transport and graphs of a shop. */
function partsOf(
  operations: readonly ShopOperation[],
  listed: readonly (readonly TimedMode[])[],
  orders: readonly ShopOrder[],
  machines: ShopMachines,
  { map, tables = {} }: ShopImportOptions,
): Pick<ShopParts, 'setups' | 'transport' | 'precedence'> {
  const timeOf = (row: TableRow<'time'>) => {
    const time = row.number('time');
    if (time === undefined) throw row.error('the time is missing', 'give one in each row');
    return unitsOf(row, time, map);
  };
  const modeMachines = listed.map((modes) => modes.map(({ machine }) => machine));
  return {
    setups: importedSetups(operations, modeMachines, machines, tables, timeOf),
    transport: importedTransport(machines, tables, timeOf),
    precedence: precedenceOf(orders, ({ row, ways }, field) => {
      const time = ways.map((way) => way.row.number(field)).find((one) => one !== undefined);
      if (time === undefined) return undefined;
      return unitsOf(row, time, map, field === 'max_wait' ? Math.floor : Math.ceil);
    }),
  };
}

/** All work one after the other, in the longest modes and with the longest setups, transport and waits. */
function workOf(
  listed: readonly (readonly TimedMode[])[],
  { setups, transport, precedence }: Pick<ShopParts, 'setups' | 'transport' | 'precedence'>,
): number {
  const longest = (times: Int32Array | undefined) =>
    times?.reduce((a, b) => Math.max(a, b), 0) ?? 0;
  const each = Math.max(longest(setups?.time), longest(setups?.first)) + longest(transport?.time);
  const waits = precedence?.minLag.reduce((sum, lag) => sum + lag, 0) ?? 0;
  const work = listed.reduce(
    (sum, modes) => sum + modes.reduce((most, { duration }) => Math.max(most, duration), 0),
    0,
  );
  return work + each * listed.length + waits;
}

/** The arrays of machines, durations and modes, with the fastest mode of each operation chosen. */
function arraysOf(fitting: readonly (readonly TimedMode[])[]) {
  const offset = new Int32Array(fitting.length + 1);
  fitting.forEach((modes, op) => {
    offset[op + 1] = offset[op] + modes.length;
  });
  const modes = fitting.flat();
  return withoutSingleModes(
    chooseFastest({
      offset,
      machine: Int32Array.from(modes, ({ machine }) => machine),
      duration: Int32Array.from(modes, ({ duration }) => duration),
    }),
  );
}

/** The times outside the shifts of operators, in which none of them works. */
function capacityCalendar(
  { names, calendars: wanted }: ShopCapacities,
  calendars: ShopCalendars | undefined,
  scale: TimeScale | null,
  horizon: number | undefined,
): Resources['calendar'] {
  const offset = new Int32Array(names.length + 1);
  const gaps: { readonly from: number; readonly to: number }[] = [];
  wanted.forEach(({ name, row }, resource) => {
    if (row !== null && name !== '') {
      const known = Object.keys(calendars?.calendars ?? {});
      if (calendars === undefined || scale === null || horizon === undefined) {
        const hint = 'give a file of calendars (--calendar)';
        const problem = `the operator ${names[resource]} has the calendar ${JSON.stringify(name)}`;
        throw row.error(`${problem}, and there are none`, hint);
      }
      if (!known.includes(name)) {
        const problem = `there is no calendar ${JSON.stringify(name)}`;
        throw row.error(problem, suggestNames(name, known));
      }
      const own = { ...calendars, machines: {}, default: name };
      gaps.push(...compileCalendars(own, [names[resource]], scale, horizon)[0].downtimes);
    }
    offset[resource + 1] = gaps.length;
  });
  if (gaps.length === 0) return null;
  return {
    offset,
    from: Int32Array.from(gaps, ({ from }) => from),
    to: Int32Array.from(gaps, ({ to }) => to),
    amount: new Int32Array(gaps.length),
  };
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

/** A time of a file in whole units, rounded up unless another rule is given. */
function unitsOf(
  row: Pick<ImportRow, 'error'>,
  time: number,
  { times, time_scale: { unit } }: ImportMap,
  round = Math.ceil,
): number {
  // Products of decimals have rounding errors.
  const units = round(Number(((time * SECONDS[times]) / unit).toFixed(6)));
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
  work: number,
  release: Int32Array,
): { readonly byMachine: MachineShifts[]; readonly horizon: number } {
  const compile = (horizon: number) => ({
    byMachine: compileCalendars(calendars, machines, scale, horizon),
    horizon,
  });
  if (wanted !== undefined) {
    const isDay = /^\d{4}-\d\d-\d\d$/.test(wanted);
    return compile(horizonAt(scale, isDay ? `${wanted}T00:00` : wanted));
  }
  if (work > MAX_TIME) {
    const problem = `all work, setups and transport may add up to ${work} units`;
    throw new InputError('bad_order', problem, `use a coarser unit: at most ${MAX_TIME} fit`);
  }
  const begin = release.reduce((latest, time) => Math.max(latest, time), 0);
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

/** @throws InputError that names the horizon */
function horizonAt(scale: TimeScale, text: string): number {
  try {
    return parseTime(scale, text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, value } = error;
    throw new InputError(code, `the horizon ${problem}`, hint, {}, value);
  }
}

function tooFewShifts(problem: string): InputError {
  return new InputError('bad_calendar', problem, 'give it shifts, or a horizon');
}

/**
 * The modes for which a shift of their machine is long enough.
 *
 * @throws InputError `bad_order` if an operation has none
 */
function fittingModes(
  listed: readonly (readonly TimedMode[])[],
  { names }: ShopMachines,
  shifts: readonly MachineShifts[],
): (readonly TimedMode[])[] {
  const longest = shifts.map(({ working, downtimes }) =>
    downtimes.every(({ resumable }) => resumable)
      ? MAX_TIME
      : working.reduce((most, { from, to }) => Math.max(most, to - from), 0),
  );
  return listed.map((modes) => {
    const fitting = modes.filter(({ machine, duration }) => duration <= longest[machine]);
    if (fitting.length > 0) return fitting;
    const [{ way, machine, duration }] = modes;
    throw way.row.error(
      `it takes ${duration} units on ${names[machine]}, which never works for more than ${longest[machine]} at a time`,
      'make its calendar resumable, or split the operation',
    );
  });
}
