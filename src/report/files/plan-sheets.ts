import { MAX_TIME } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import { jobEnd, type Schedule } from '../../jssp/schedule.js';
import { formatTime } from '../../jssp/time-scale.js';
import { preparationsOf } from './preparations.js';

/** A date of a cell as the local time of the shop, such as `2026-11-23T14:10:00`, because cells have no time zone. */
interface SheetDate {
  readonly date: string;
}

/** A cell of a sheet. */
export type SheetCell = string | number | SheetDate | null;

/** A table of a workbook. */
export interface Sheet {
  readonly name: string;
  /** Widths are in characters. */
  readonly columns: readonly { readonly header: string; readonly width: number }[];
  readonly rows: readonly (readonly SheetCell[])[];
  /** Rows of late orders, by their index. */
  readonly late: ReadonlySet<number>;
}

/** The part of a plan that sheets show, and additional facts. */
interface SheetOptions {
  /** Operations on this machine only, from 0; default: all. */
  readonly machine?: number | undefined;
  /** Facts about the plan, such as its version; they precede the standard ones. */
  readonly about?: readonly (readonly [fact: string, value: SheetCell])[];
}

/** All fixed texts of the sheets. */
const TEXTS = {
  sheets: { orders: 'Orders', operations: 'Operations', machines: 'Machines', about: 'About' },
  order: 'Order',
  step: 'Step',
  operation: 'Operation',
  machine: 'Machine',
  operations: 'Operations',
  start: 'Start',
  end: 'End',
  due: 'Due',
  weight: 'Weight',
  work: 'Work',
  setupFrom: 'Setup from',
  setupTo: 'Setup to',
  setupBy: 'Setup by',
  needs: 'Operators and tools',
  late: 'Late',
  fact: 'Fact',
  value: 'Value',
  instance: 'Instance',
  zone: 'Time zone',
  allDone: 'All done',
  lateOrders: 'Late orders',
  inMinutes: (header: string) => `${header} (min)`,
};

const WIDE = 22;
const DATE = 17;
const NARROW = 11;

const { compare } = new Intl.Collator('en', { numeric: true });

/** The sheets of a plan: its orders, its operations by machine, the load of its machines, and facts about it. */
export function planSheets(schedule: Schedule, options: SheetOptions = {}): Sheet[] {
  return [
    orderSheet(schedule),
    operationSheet(schedule, options.machine),
    machineSheet(schedule),
    aboutSheet(schedule, options.about ?? []),
  ];
}

/** The operations of a plan by machine and time, one per row. Unplanned values are empty cells. */
export function operationSheet(schedule: Schedule, machine?: number): Sheet {
  const { instance, start, end } = schedule;
  const { jobOf, jobOffset, duration, due } = instance;
  const labels = labelsOf(instance);
  const place = machinePlaces(schedule);
  const operations = Array.from(start.keys())
    .filter((op) => machine === undefined || instance.machine[op] === machine)
    .sort((a, b) => place[instance.machine[a]] - place[instance.machine[b]] || start[a] - start[b]);
  const extra = preparationColumns(schedule);
  const late = new Set<number>();
  const rows = operations.map((op, row) => {
    const job = jobOf[op];
    const step = op - jobOffset[job];
    if (isLate(schedule, job)) late.add(row);
    return [
      labels.machine(instance.machine[op]),
      timeCell(schedule, start[op]),
      timeCell(schedule, end[op]),
      labels.job(job),
      step + 1,
      labels.operation(job, step) ?? null,
      lengthCell(schedule, duration[op]),
      timeCell(schedule, due?.[job] ?? -1),
      ...extra.map(({ cellOf }) => cellOf(op)),
    ];
  });
  const columns = [
    { header: TEXTS.machine, width: WIDE },
    { header: TEXTS.start, width: DATE },
    { header: TEXTS.end, width: DATE },
    { header: TEXTS.order, width: WIDE },
    { header: TEXTS.step, width: NARROW },
    { header: TEXTS.operation, width: WIDE },
    { header: lengthHeader(schedule, TEXTS.work), width: NARROW },
    { header: TEXTS.due, width: DATE },
    ...extra.map(({ header, width }) => ({ header, width })),
  ];
  return { name: TEXTS.sheets.operations, columns, rows, late };
}

/** The columns of setups, operators and tools, if the shop has any. */
function preparationColumns(schedule: Schedule) {
  const { setups, resources } = schedule.instance;
  const all = setups === null && resources === null ? [] : preparationsOf(schedule);
  const list = (names: readonly string[]) => (names.length === 0 ? null : names.join(', '));
  const hasSetupNeeds = all.some(({ setupNeeds }) => setupNeeds.length > 0);
  const columns: { header: string; width: number; cellOf: (op: number) => SheetCell }[] = [];
  if (setups !== null) {
    const from = (op: number) => timeCell(schedule, all[op].setup?.from ?? -1);
    const to = (op: number) => timeCell(schedule, all[op].setup?.to ?? -1);
    columns.push({ header: TEXTS.setupFrom, width: DATE, cellOf: from });
    columns.push({ header: TEXTS.setupTo, width: DATE, cellOf: to });
  }
  if (hasSetupNeeds) {
    const by = (op: number) => list(all[op].setupNeeds);
    columns.push({ header: TEXTS.setupBy, width: WIDE, cellOf: by });
  }
  if (resources !== null) {
    columns.push({ header: TEXTS.needs, width: WIDE, cellOf: (op) => list(all[op].needs) });
  }
  return columns;
}

/** The orders of a plan with their due dates and other known facts. */
function orderSheet(schedule: Schedule): Sheet {
  const { instance, start } = schedule;
  const { jobs, jobOffset, due, weight, names } = instance;
  const labels = labelsOf(instance);
  const details = names?.details ?? [];
  const headings = [...new Set(details.flatMap((one) => Object.keys(one)))];
  const late = new Set<number>();
  const rows = Array.from({ length: jobs }, (_, job) => {
    const [first, stop] = [jobOffset[job], jobOffset[job + 1]];
    const end = jobEnd(schedule, job);
    const begin = start
      .subarray(first, stop)
      .reduce((earliest, time) => (time >= 0 && time < earliest ? time : earliest), MAX_TIME);
    if (isLate(schedule, job)) late.add(job);
    return [
      labels.job(job),
      timeCell(schedule, due?.[job] ?? -1),
      timeCell(schedule, end < 0 ? -1 : begin),
      timeCell(schedule, end),
      isLate(schedule, job) ? lengthCell(schedule, end - (due?.[job] ?? 0)) : null,
      weight?.[job] ?? 1,
      stop - first,
      ...headings.map((heading) => details[job]?.[heading] ?? null),
    ];
  });
  const columns = [
    { header: TEXTS.order, width: WIDE },
    { header: TEXTS.due, width: DATE },
    { header: TEXTS.start, width: DATE },
    { header: TEXTS.end, width: DATE },
    { header: lengthHeader(schedule, TEXTS.late), width: NARROW },
    { header: TEXTS.weight, width: NARROW },
    { header: TEXTS.operations, width: NARROW },
    ...headings.map((header) => ({ header, width: WIDE })),
  ];
  return { name: TEXTS.sheets.orders, columns, rows, late };
}

/** The machines of a plan with their loads and times. */
function machineSheet(schedule: Schedule): Sheet {
  const { instance, start, end } = schedule;
  const labels = labelsOf(instance);
  const place = machinePlaces(schedule);
  const loads = Array.from({ length: instance.machines }, (_, machine) => ({
    machine,
    operations: 0,
    work: 0,
    first: -1,
    last: -1,
  }));
  start.forEach((from, op) => {
    const load = loads[instance.machine[op]];
    load.operations++;
    load.work += instance.duration[op];
    if (from >= 0 && (load.first < 0 || from < load.first)) load.first = from;
    load.last = Math.max(load.last, end[op]);
  });
  const rows = loads
    .sort((a, b) => place[a.machine] - place[b.machine])
    .map(({ machine, operations, work, first, last }) => [
      labels.machine(machine),
      operations,
      lengthCell(schedule, work),
      timeCell(schedule, first),
      timeCell(schedule, last),
    ]);
  const columns = [
    { header: TEXTS.machine, width: WIDE },
    { header: TEXTS.operations, width: NARROW },
    { header: lengthHeader(schedule, TEXTS.work), width: NARROW },
    { header: TEXTS.start, width: DATE },
    { header: TEXTS.end, width: DATE },
  ];
  return { name: TEXTS.sheets.machines, columns, rows, late: new Set() };
}

function aboutSheet(schedule: Schedule, about: NonNullable<SheetOptions['about']>): Sheet {
  const { instance, makespan } = schedule;
  const jobs = Array.from({ length: instance.jobs }, (_, job) => job);
  const rows: (readonly [string, SheetCell])[] = [
    ...about,
    [TEXTS.instance, instance.name],
    [TEXTS.zone, instance.timeScale?.zone ?? null],
    [TEXTS.allDone, timeCell(schedule, makespan)],
    [TEXTS.lateOrders, jobs.filter((job) => isLate(schedule, job)).length],
  ];
  const columns = [
    { header: TEXTS.fact, width: WIDE },
    { header: TEXTS.value, width: WIDE },
  ];
  return { name: TEXTS.sheets.about, columns, rows, late: new Set() };
}

function isLate(schedule: Schedule, job: number): boolean {
  const due = schedule.instance.due?.[job] ?? -1;
  return due >= 0 && jobEnd(schedule, job) > due;
}

/** The place of each machine in the natural order of their names. */
function machinePlaces({ instance }: Schedule): number[] {
  const labels = labelsOf(instance);
  const names = Array.from({ length: instance.machines }, (_, machine) => labels.machine(machine));
  const place = new Array<number>(names.length);
  Array.from(names.keys())
    .sort((a, b) => compare(names[a], names[b]) || a - b)
    .forEach((machine, i) => {
      place[machine] = i;
    });
  return place;
}

/** A time as a cell: a date if the shop has a clock; empty for −1. */
function timeCell({ instance: { timeScale } }: Schedule, time: number): SheetCell {
  if (time < 0) return null;
  if (timeScale === null) return time;
  const date = formatTime(timeScale, time);
  if (typeof date === 'number') return date;
  return { date: date.slice(0, 'yyyy-mm-ddThh:mm:ss'.length) };
}

/** A duration in minutes if the shop has a clock, else in its units. */
function lengthCell({ instance: { timeScale } }: Schedule, units: number): number {
  return timeScale === null ? units : Math.round((units * timeScale.unit * 100) / 60) / 100;
}

function lengthHeader({ instance: { timeScale } }: Schedule, header: string): string {
  return timeScale === null ? header : TEXTS.inMinutes(header);
}
