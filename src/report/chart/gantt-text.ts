import { printableLine } from '@alas-jssp/core/errors';
import type { Instance } from '../../jssp/instance.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { TimeScale } from '../../jssp/shop-clock.js';
import { wordsOf } from '../../jssp/words.js';
import { downtimeColumns, fixedOperations } from '../page/views/schedule-view.js';
import { resourceColumns, setupColumns } from '../page/views/shop-view.js';
import { painter } from '../painter.js';
import type { TableStyle } from '../table.js';
import type { ChartRow } from './chart.js';
import { resourceChart } from './resource-chart.js';
import { scheduleChart } from './schedule-chart.js';
import { axisMarks } from './time-axis.js';

/** Look of a chart. */
export interface GanttStyle extends TableStyle {
  /** The time to mark; default none. */
  readonly now?: number | undefined;
  /** Rows of operators and tools instead of machines. */
  readonly operators?: boolean | undefined;
}

/** Default number of columns. */
const DEFAULT_WIDTH = 80;

/** Minimum number of columns between two marks of the time axis. */
const MARK_EVERY = 10;

const FREE = '─';
const FROZEN = '━';
const DOWN = '░';
const SETUP = '▒';
const CLASH = '×';
const NOW = '│';
const NO_ROOM = '+';

/** The meaning of signs, in the order in which they are explained. */
const MEANINGS: readonly (readonly [sign: string, meaning: string])[] = [
  [SETUP, 'setup'],
  [FROZEN, 'fixed start'],
  [CLASH, 'overlap'],
  [NO_ROOM, 'no room for the job'],
];

/** Text of one column of a row, and its job. */
interface GanttCell {
  text: string;
  job: number;
}

/** Time in columns. */
interface ColumnScale {
  readonly columns: number;
  /** Units of time per column; less than 1 if a unit takes several columns. */
  readonly unit: number;
}

/**
 * Draws a schedule as text, no wider than the style allows (80 columns by default): a row for each machine, a bar for
 * each operation, heavy if its start is frozen. A bar begins with the job: its number from 1, or the distinct part of
 * its name; a plus if there is no room for it. Downtimes and setups are shaded, overlaps crossed, `now` is a line; a legend
 * explains the signs that appear. A column is a whole number of time units, or a unit is a whole number of columns.
 * Operations of zero duration are not drawn.
 */
export function renderGantt(schedule: Schedule, style: GanttStyle = {}): string {
  const { name, timeScale } = schedule.instance;
  const { width = DEFAULT_WIDTH, color = false, now } = style;
  const charted = rowsOf(schedule, style.operators ?? false);
  const labels = charted.map(labelOf);
  const gutter = labels.reduce((most, label) => Math.max(most, label.length), 0) + 1;
  const scale = chooseScale(lastTime(schedule, now), Math.max(MARK_EVERY, width - gutter));
  const signs = new Set<string>();
  const rows = charted.map((row, at) => {
    const cells = drawRow(row, scale);
    for (const { text } of cells) signs.add(text);
    if (now !== undefined) markNow(cells, now, scale);
    return labels[at].padEnd(gutter) + paintRow(cells, color);
  });
  const mark =
    now === undefined
      ? []
      : [`${' '.repeat(gutter + columnOf(now, scale))}now ${wordsOf(schedule.instance).time(now)}`];
  const lines = [
    `${name}: ${titleOf(schedule, scale)}`,
    ' '.repeat(gutter) + drawAxis(scale, timeScale),
    ...rows,
    ...mark,
    ...legendOf(schedule.instance),
    ...explain(signs, style.operators ? 'not there' : 'closed or down'),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** A line that explains the signs of a chart; none if all are plain bars. */
function explain(signs: ReadonlySet<string>, down: string): string[] {
  const known = [[DOWN, down] as const, ...MEANINGS].filter(([sign]) => signs.has(sign));
  return known.length === 0 ? [] : [known.map((pair) => pair.join(' ')).join(', ')];
}

/** Maximum number of characters of a machine name in a chart. */
const LONGEST_LABEL = 16;

function labelOf({ name }: ChartRow): string {
  const label = printableLine(name);
  return label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL - 1)}…`;
}

/** The rows of the machines of a schedule, or of its operators and tools. */
function rowsOf(schedule: Schedule, operators: boolean): readonly ChartRow[] {
  const { instance, start, end } = schedule;
  const { of } = jobLabels(instance);
  const source = {
    ...instance,
    start,
    end,
    fixed: fixedOperations(instance),
    downtimes: downtimeColumns(instance),
    setups: setupColumns(schedule),
    violations: [],
  };
  const texts = { jobLabels: (job: number) => [of(job)] };
  const resources = operators ? resourceColumns(schedule) : null;
  const chart =
    resources === null
      ? scheduleChart(source, 'machine', texts)
      : resourceChart(source, resources, texts);
  return chart.rows;
}

function lastTime({ instance, makespan }: Schedule, now = 0): number {
  const { calendar } = instance;
  // Only the beginning of a downtime after the makespan matters.
  const down = calendar?.from.reduce((a, b) => (b <= makespan ? Math.max(a, b) : a), 0) ?? 0;
  return Math.max(1, makespan, now + 1, down);
}

function chooseScale(last: number, room: number): ColumnScale {
  const unit = last > room ? Math.ceil(last / room) : 1 / Math.floor(room / last);
  return { columns: Math.ceil(last / unit), unit };
}

function columnOf(time: number, { unit }: ColumnScale): number {
  return Math.floor(time / unit + 1e-9);
}

/** Marks round times, or full hours and days, where there is room. */
function drawAxis({ columns, unit }: ColumnScale, timeScale: TimeScale | null): string {
  let axis = '';
  for (const { time, label } of axisMarks(0, columns * unit, columns / MARK_EVERY, timeScale)) {
    const column = Math.floor(time / unit + 1e-9);
    const hasRoom = column === 0 || column > axis.length;
    if (hasRoom && column + label.length <= columns) axis = axis.padEnd(column) + label;
  }
  return axis;
}

/** A line about the omitted prefix of job names, if there is one. */
function legendOf(instance: Instance): string[] {
  const { left } = jobLabels(instance);
  return left === '' ? [] : [`bars show what follows ${printableLine(left)} in the names of jobs`];
}

/** The makespan, and the time per column. */
function titleOf({ instance, makespan }: Schedule, { unit }: ColumnScale): string {
  if (instance.timeScale === null) {
    const each = unit < 1 ? `1/${1 / unit}` : unit;
    return `makespan ${makespan}, one column is ${each} of time`;
  }
  const { time, duration } = wordsOf(instance);
  const each = unit < 1 ? `1/${1 / unit} of ${duration(1)}` : duration(unit);
  return `from ${time(0)} to ${time(makespan)}, one column is ${each}`;
}

function drawRow({ bars, shades, setups }: ChartRow, scale: ColumnScale): GanttCell[] {
  const cells = Array.from({ length: scale.columns }, () => ({ text: ' ', job: -1 }));
  const fill = (from: number, to: number, text: string, job: number): void => {
    const stop = Math.min(scale.columns, Math.ceil(to / scale.unit - 1e-9));
    for (let i = columnOf(from, scale); i < stop; i++) cells[i] = { text, job };
  };
  for (const { from, until } of setups) fill(from, until, SETUP, -1);
  const drawn = bars.filter(({ start, end }) => end > start);
  for (const { start, end, kind, colour } of drawn) {
    const sign = kind === 'fixed' ? FROZEN : kind === 'setup' ? SETUP : FREE;
    fill(start, end, sign, colour ?? -1);
  }
  for (const { from, until } of shades) fill(from, until, DOWN, -1);
  for (const { start, colour, labels } of drawn) {
    writeLabel(cells, columnOf(start, scale), colour ?? -1, labels[0]);
  }
  let busyUntil = 0;
  for (const { start, end } of drawn) {
    if (busyUntil > start) fill(start, Math.min(end, busyUntil), CLASH, -1);
    busyUntil = Math.max(busyUntil, end);
  }
  return cells;
}

/** Labels of the bars of jobs, and the prefix that they omit. */
interface JobLabels {
  readonly left: string;
  of(job: number): string;
}

/** Numbers, or the part in which the names of jobs differ: `11` for `WO-4711` among names such as `WO-4720`. */
function jobLabels({ names, jobs }: Instance): JobLabels {
  const given = names?.jobs?.filter((name) => name !== '') ?? [];
  const left = given.length === jobs ? commonBegin(given) : '';
  const of = (job: number) => names?.jobs?.[job]?.slice(left.length) || String(job + 1);
  return { left, of: (job) => printableLine(of(job)) };
}

/** The common prefix of all names, without the last character of the shortest. */
function commonBegin(names: readonly string[]): string {
  const [first = '', ...others] = names;
  let length = 0;
  const isCommon = (name: string) => name.length > length + 1 && name[length] === first[length];
  while (others.length > 0 && first.length > length + 1 && others.every(isCommon)) length++;
  return first.slice(0, length);
}

/** Writes the label of a job at the beginning of a bar; a plus if there is no room. */
function writeLabel(cells: GanttCell[], first: number, job: number, label: string): void {
  // If a later operation begins in the same column, only that one is visible.
  const { job: seen, text } = cells[first];
  if (seen !== job && text !== DOWN) return;
  const hasRoom = Array.from(label.slice(1)).every((_, i) => cells[first + 1 + i]?.job === job);
  const words = hasRoom ? label : NO_ROOM;
  for (let i = 0; i < words.length; i++) cells[first + i] = { text: words[i], job };
}

function markNow(cells: GanttCell[], now: number, scale: ColumnScale): void {
  const cell = cells[columnOf(now, scale)];
  if (cell !== undefined && cell.text === ' ') cell.text = NOW;
}

const JOB_STYLES = ['cyan', 'green', 'yellow', 'magenta', 'blue', 'white'] as const;

function paintRow(cells: readonly GanttCell[], color: boolean): string {
  const paint = painter(color);
  let line = '';
  for (let i = 0; i < cells.length; ) {
    const { job, text: first } = cells[i];
    let text = '';
    for (; i < cells.length && cells[i].job === job && (job >= 0 || cells[i].text === first); i++) {
      text += cells[i].text;
    }
    if (job >= 0) line += paint(JOB_STYLES[job % JOB_STYLES.length], text);
    else line += first === CLASH ? paint('red', text) : first === ' ' ? text : paint('dim', text);
  }
  return line;
}
