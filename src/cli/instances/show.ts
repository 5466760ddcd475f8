import { printableLine } from '@alas-jssp/core/errors';
import { Command, Option } from 'commander';
import { clockFor, clockOf } from '../../jssp/shop-clock.js';
import { type CellValue, columnsOf } from '../../report/columns.js';
import { counted, whole } from '../../report/format.js';
import { type DocumentFormat, renderJson, renderTable } from '../../report/table.js';
import { outputFile } from '../common/files.js';
import { givenTime, isGiven, type OutputOptions, withOutput } from '../common/options.js';
import { print } from '../common/output.js';
import type { Session } from '../common/session.js';
import { gatherFacts, type InstanceFacts } from './instance-facts.js';
import type { PlanOptions } from './show-plan.js';

/** Machines drawn in a terminal; further ones, with the least load, are only counted. */
const DRAWN_MACHINES = 40;

/** Cells of the longest bar. */
const BAR = 40;

interface Options extends OutputOptions, PlanOptions {
  gantt?: string;
  events: boolean;
}

/** `alas-jssp show`: size, bounds and machine loads of an instance, or a chart of a plan for it. */
export function showCommand(session: Session): Command {
  return withOutput(session, new Command('show'))
    .argument('<instance>', 'a benchmark instance or a file')
    .option('--gantt <plan>', 'file with a plan to draw as a chart instead; - for stdin')
    .option('--svg <file>', 'write the chart as an SVG drawing instead', outputFile)
    .option('--html <file>', 'write the chart as a page to zoom in and to read', outputFile)
    .option('--xlsx <file>', 'write the plan as a workbook for Excel and the like', outputFile)
    .option('--ics <file>', 'write the plan as a calendar (iCalendar)', outputFile)
    .option('--machine <name>', 'operations on this machine only, with --xlsx and --ics')
    .addOption(
      new Option(
        '--events',
        'list the events in the instance file instead; --json prints a file of events',
      )
        .default(false)
        .conflicts(['gantt']),
    )
    .option('--operators', 'rows of operators and tools instead of machines, with --gantt')
    .option('--now <time>', 'time to mark in the chart', givenTime)
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp show ft06
  $ alas-jssp show my-shop.json --json
  $ alas-jssp show my-shop.json --gantt plan.json --now 120
  $ alas-jssp show my-shop.json --gantt plan.json --operators
  $ alas-jssp show my-shop.json --gantt plan.json --html plan.html
  $ alas-jssp show my-shop.json --gantt plan.json --ics mill.ics --machine Mill
  $ alas-jssp show j4_custom_010.json --events --json > events.json`,
    )
    .action(async (spec: string, options: Options, command: Command) => {
      const { format, gantt } = options;
      if (gantt !== undefined) {
        if (isGiven(command, 'format') && format !== 'table') {
          command.error(`--gantt draws for people and cannot be used with --format ${format}`);
        }
        if (options.machine !== undefined && !options.xlsx && !options.ics) {
          command.error('--machine goes with --xlsx or --ics only');
        }
        if (options.operators && (options.svg ?? options.html ?? options.xlsx ?? options.ics)) {
          command.error('--operators is for the chart in the terminal only');
        }
        const { drawPlan } = await import('./show-plan.js');
        await drawPlan(session, spec, gantt, options);
        return;
      }
      for (const name of ['now', 'svg', 'html', 'xlsx', 'ics', 'machine', 'operators'] as const) {
        if (options[name] !== undefined) command.error(`--${name} goes with --gantt only`);
      }
      if (options.events) {
        const { listEvents } = await import('./show-events.js');
        await listEvents(session, spec, format);
        return;
      }
      const facts = gatherFacts(spec);
      if (format === 'table') await print(session, draw(facts));
      else if (format === 'json') await print(session, renderJson(facts));
      else if (format === 'csv')
        await print(session, renderTable(factColumns, factRows(facts), format));
      else await print(session, renderDocument(facts, format));
    });
}

/** A fact of the instance or, if `machine` is set, of that machine. */
interface Fact {
  readonly fact: string;
  readonly machine: number | null;
  readonly value: CellValue;
}

const ofFact = columnsOf<Fact>();
const factColumns = [ofFact('fact'), ofFact('machine'), ofFact('value')];

const ofMachine = columnsOf<InstanceFacts['machine_loads'][number]>();
const loadColumns = ({ time_scale: scale, modes }: InstanceFacts) => {
  const time = (load: CellValue) => (scale ? clockOf(scale).duration(Number(load)) : whole(load));
  return [
    ofMachine('machine', (machine, { name }) => name || whole(machine)),
    ofMachine('operations', whole),
    ofMachine('load', time),
    ...(modes === undefined
      ? []
      : [ofMachine.of('spread', ({ spread = 0 }) => spread, { format: time })]),
    ofMachine('share_percent', (value) => `${Math.round(Number(value))} %`, {
      header: 'of the busiest',
    }),
  ];
};

/** All values of the JSON document as rows of one table; nested keys are joined by dots. */
function factRows({ machine_loads, ...facts }: InstanceFacts): Fact[] {
  return [
    ...flatten(facts).map(([fact, value]) => ({ fact, machine: null, value })),
    ...machine_loads.flatMap(({ machine, ...load }) =>
      flatten(load).map(([fact, value]) => ({ fact, machine, value })),
    ),
  ];
}

function flatten(facts: object): [string, CellValue][] {
  return Object.entries(facts).flatMap(([key, value]): [string, CellValue][] => {
    if (Array.isArray(value)) return [[key, value.join(', ')]];
    if (value === null || typeof value !== 'object') return [[key, value]];
    return flatten(value).map(([rest, cell]) => [`${key}.${rest}`, cell]);
  });
}

/** Two tables: the facts of the instance, and its machines. */
function renderDocument(facts: InstanceFacts, format: DocumentFormat): string {
  const rows = factRows({ ...facts, machine_loads: [] });
  const columns = factColumns.filter(({ key }) => key !== 'machine');
  return `${renderTable(columns, rows, format)}\n${renderTable(loadColumns(facts), facts.machine_loads, format)}`;
}

function draw(facts: InstanceFacts): string {
  const { lower_bounds: own, best_known: known } = facts;
  const { duration } = clockFor(facts.time_scale);
  const lines = [
    `${facts.instance} (${facts.suite}): ${facts.jobs} jobs × ${facts.machines} machines, ${facts.operations} operations`,
    `job length ${facts.job_length}, duration ${durations(facts)}, total work ${duration(facts.total_work)}`,
  ];
  if (facts.benchmark !== null && facts.benchmark !== facts.instance) {
    lines.push(`with the numbers of ${facts.benchmark}`);
  }
  if (facts.constraints.length > 0) lines.push(`with ${facts.constraints.join(', ')}`);
  if (facts.modes !== undefined) {
    const mean = (facts.modes / facts.operations).toFixed(1);
    lines.push(
      `${counted(facts.modes, 'mode')}, ${mean} an operation; durations and loads are of the chosen ones, spread is the load if work is shared`,
    );
  }
  if (facts.setups) {
    const { families, machines, longest } = facts.setups;
    const what = families === 1 ? '1 family' : `${families} families`;
    lines.push(
      `setups of up to ${duration(longest)} between ${what} on ${counted(machines, 'machine')}`,
    );
  }
  if (facts.resources) lines.push(`capacities: ${facts.resources.join(', ')}`);
  if (facts.time_scale) {
    const { epoch, zone } = facts.time_scale;
    const { time } = clockOf(facts.time_scale);
    lines.push(`time begins at ${time(0)} (${epoch}) and counts ${duration(1)} each, in ${zone}`);
  }
  if (known !== null) {
    const { lower_bound: lower, upper_bound: upper } = known;
    const range = lower === upper ? `${upper}, proven optimal` : `${lower} to ${upper}`;
    lines.push(`best known makespan ${range} (${known.as_of})`);
  }
  lines.push(
    `lower bounds: job length ${duration(own.job_length)}, machine load ${duration(own.machine_load)}, ` +
      `heads and tails ${duration(own.machine_heads_and_tails)}, preemptive ${duration(own.one_machine_preemptive)}`,
  );
  if (facts.tardiness_lower_bound !== null) {
    lines.push(`total weighted tardiness at least ${duration(facts.tardiness_lower_bound)}`);
  }
  lines.push('', ...drawLoads(facts.machine_loads, duration));
  return lines.join('\n');
}

/** The shortest and the longest duration of an operation. */
function durations({ duration, time_scale: scale }: InstanceFacts): string {
  return scale
    ? duration.replaceAll(/\d+/g, (units) => clockOf(scale).duration(Number(units)))
    : duration;
}

function drawLoads(
  rows: InstanceFacts['machine_loads'],
  duration: (units: number) => string,
): string[] {
  const drawn = rows
    .toSorted((a, b) => b.load - a.load)
    .slice(0, DRAWN_MACHINES)
    .sort((a, b) => a.machine - b.machine);
  const hasSpread = drawn.some(({ spread }) => spread !== undefined);
  const timesOf = (row: InstanceFacts['machine_loads'][number]) =>
    [row.load, ...(hasSpread ? [row.spread ?? 0] : [])].map(duration);
  const titles = hasSpread ? ['load', 'spread'] : ['load'];
  const widths = titles.map((title, i) =>
    Math.max(title.length, ...drawn.map((row) => timesOf(row)[i].length)),
  );
  const inLine = (cells: readonly string[]) =>
    cells.map((cell, i) => cell.padStart(widths[i])).join('  ');
  const head = 'machine'.padStart(
    Math.max(...drawn.map(({ name = '' }) => printableLine(name).length)),
  );
  const lines = drawn.map(
    (row) =>
      `${printableLine(row.name || String(row.machine)).padStart(head.length)}  ${inLine(timesOf(row))}  ${bar(row.share_percent)}`,
  );
  const left = rows.length - drawn.length;
  if (left > 0) lines.push(`and ${counted(left, 'machine')} with less load`);
  return [`${head}  ${inLine(titles)}`, ...lines];
}

/** A bar of a percentage in eighths of a cell. */
function bar(percent: number): string {
  const eighths = Math.round((percent * BAR * 8) / 100);
  return '█'.repeat(eighths >> 3) + ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths & 7];
}
