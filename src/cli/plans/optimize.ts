import { errorLine, InputError } from '@alas-jssp/core/errors';
import { anyOf, atTarget, type Budget, maxIdle, parseBudget } from '@alas-jssp/core/stopping';
import { Command, Option } from 'commander';
import { readPlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveOf } from '../../jssp/objectives.js';
import { scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { seedOf } from '../../jssp/seeds.js';
import { resolveSource } from '../../jssp/suites.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { fixed, formatSeconds, whole } from '../../report/format.js';
import { renderTable } from '../../report/table.js';
import { isWithoutSchedule, type OptimizeResult, optimize } from '../../search/optimize.js';
import type { Improvement } from '../../search/optimize-options.js';
import { type KnownBounds, validate } from '../../validator/index.js';
import { outputFile, writeOutput } from '../common/files.js';
import { knownBounds } from '../common/known-bounds.js';
import { type OutputOptions, wholeNumber, withOutput } from '../common/options.js';
import { printError, remarkNotRead } from '../common/output.js';
import { writePlanFile } from '../common/plan-files.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { objectiveOption, withSeed } from '../common/setting-options.js';
import { datesOf, durationFormat, timeColumn, warnAfterShifts } from '../common/shop-times.js';
import { printRows } from '../common/tables.js';
import { createSearchDisplay } from './search-display.js';

interface GivenOptions extends OutputOptions {
  objective?: Objective;
  budget: Budget;
  target?: number;
  maxNoImprove?: number;
  threads: number;
  seed: number;
  start?: string;
  out?: string;
  trace?: string;
}

/** The options with the objective filled in: the given one, or the default of the instance. */
interface Options extends GivenOptions {
  objective: Objective;
}

/** `alas-jssp optimize`: searches for a short schedule of one instance. */
export function optimizeCommand(session: Session): Command {
  return withSeed(withOutput(session, new Command('optimize')))
    .argument('<instance>', 'a benchmark instance or a file')
    .addOption(
      new Option(
        '--budget <budget>',
        'how long to search: 10s, 2m, 200k-iterations, or until target:1234 is met',
      )
        .argParser(parseBudget)
        .default({ seconds: 10 } satisfies Budget, '10s'),
    )
    .addOption(objectiveOption())
    .option(
      '--target <value>',
      'value of the objective at which the search ends',
      wholeNumber('a target', 0),
    )
    .option(
      '--max-no-improve <count>',
      'iterations without improvement after which the search ends',
      count,
    )
    .option('--threads <count>', 'number of parallel searches', threadCount, 1)
    .option('--start <plan>', 'file with a feasible plan to start from; the result is never worse')
    .option('--out <file>', 'file for the plan: CSV if it ends in .csv, else JSON', outputFile)
    .option(
      '--trace <file>',
      'CSV file for the seconds, iterations and objective of every improvement',
      outputFile,
    )
    .addHelpText(
      'after',
      `
Ctrl-C ends the search with the best so far and exit
code 130. A further thread proves lower bounds; the search ends when it meets
one. Equal seeds, threads and iterations give equal results; equal seconds
may not. Total weighted tardiness needs due dates (generate --due-tightness).
Deadlines and frozen starts are limits: exit code 1 if no schedule is found
that keeps them.

Examples:
  $ alas-jssp optimize ft10
  $ alas-jssp optimize ta41 --budget 1m --threads 2 --out ta41.json
  $ alas-jssp optimize la16 --budget 200k-iterations --seed 7 --json
  $ alas-jssp optimize shop.json --objective total-weighted-tardiness`,
    )
    .action(async (spec: string, options: GivenOptions) => {
      session.exitCode = await search(session, spec, options);
    });
}

const count = wholeNumber('a count', 1);
const threadCount = wholeNumber('a count', 1, 256);

async function search(session: Session, spec: string, asked: GivenOptions): Promise<number> {
  const source = resolveSource(spec);
  const instance = source.load();
  const options: Options = { ...asked, objective: asked.objective ?? objectiveOf(instance) };
  requireReady(instance, options);
  // The literature's bounds are makespans.
  const known = options.objective === 'makespan' ? knownBounds(instance) : {};
  const start =
    options.start === undefined ? undefined : readStart(session, instance, options.start);
  const trace: Improvement[] = [];
  const display = session.quiet
    ? null
    : createSearchDisplay(session.host.stderr, options.objective, known.upperBound?.value);
  const result = await optimizeInterruptibly(session, instance, options, {
    start,
    seed: seedOf(options.seed, source, 0, 'optimize'),
    bound: known.lowerBound,
    onImprovement: (improvement) => trace.push(improvement),
    onProgress: display?.show,
  }).finally(() => display?.clear());
  if (typeof result === 'number') return result;
  for (const reason of result.stats.lost) {
    printError(session, `a thread died, the search continued without it: ${errorLine(reason)}`);
  }
  const { valid, violations } = validate(instance, result.schedule, { bound: known.lowerBound });
  if (!valid) throw new Error(`the search is wrong: ${violations[0].message}`);

  const { format, objective } = options;
  const outcome = outcomeOf(source.name, objective, result, known);
  const dates = datesOf(instance, { makespan: outcome.makespan });
  const data = { schema: 'alas-jssp/optimization@1', ...outcome, ...dates };
  await printRows(session, format, outcomeColumns(objective, instance), [outcome], data);
  if (options.out !== undefined) writePlanFile(options.out, result.schedule, source.name);
  warnAfterShifts(session, result.schedule);
  if (options.trace !== undefined) {
    writeOutput(options.trace, renderTable(traceColumns, trace, 'csv'));
  }
  return result.status === 'interrupted' ? exitCode.interrupted : exitCode.done;
}

/** Refuses options that make a search useless, before it begins. */
function requireReady({ name, due }: Instance, { objective }: Options): void {
  if (objective === 'total-weighted-tardiness' && due === null) {
    throw new InputError(
      'no_due_dates',
      `${name} has no due dates, so nothing can be tardy`,
      'give jobs due dates, or minimise the makespan',
    );
  }
}

/** Searches until done or interrupted. Without a schedule, it prints why and returns the exit code. */
async function optimizeInterruptibly(
  session: Session,
  instance: Instance,
  options: Options,
  more: Partial<Parameters<typeof optimize>[1]>,
): Promise<OptimizeResult | number> {
  const { budget, objective, target, maxNoImprove, threads } = options;
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const ending = 'the search ends with the best so far';
  const deafen = onInterruption(session, () => interrupt.abort(), ending);
  try {
    return await optimize(instance, {
      ...more,
      objective,
      threads,
      budget,
      stop: anyOf([
        ...(target === undefined ? [] : [atTarget(target)]),
        ...(maxNoImprove === undefined ? [] : [maxIdle(maxNoImprove)]),
      ]),
      signal,
    });
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      printError(session, 'interrupted before there was a schedule');
      return exitCode.interrupted;
    }
    if (!isWithoutSchedule(error)) throw error;
    printError(session, error.message);
    return exitCode.no;
  } finally {
    deafen();
  }
}

function readStart(session: Session, instance: Instance, file: string): Schedule {
  const { plan, notes = [] } = readPlan(file, instance);
  for (const note of notes) remarkNotRead(session, file, note);
  const report = validate(instance, plan);
  if (report.valid) return scheduleFromPlan(instance, plan);
  throw new InputError(
    'infeasible_start',
    `this plan is infeasible: ${report.violations[0].message}`,
    'start from a feasible plan, or omit --start',
    { file },
  );
}

type OptimizeOutcome = ReturnType<typeof outcomeOf>;

function outcomeOf(
  instance: string,
  objective: Objective,
  { schedule, value, lowerBound, status, stats }: OptimizeResult,
  { upperBound }: KnownBounds,
) {
  const { makespan } = schedule;
  return {
    instance,
    objective,
    value,
    makespan,
    lower_bound: lowerBound.value,
    lower_bound_source: lowerBound.source,
    upper_bound: upperBound?.value ?? null,
    gap_percent: upperBound ? (100 * (makespan - upperBound.value)) / upperBound.value : null,
    status,
    seconds: stats.seconds,
    iterations: stats.iterations,
  };
}

/** The columns of the outcome, with tardiness if it is the objective. */
function outcomeColumns(
  objective: Objective,
  instance: Instance,
): readonly Column<OptimizeOutcome>[] {
  const column = columnsOf<OptimizeOutcome>();
  const isEnd = objective === 'makespan';
  const duration = durationFormat(instance);
  return [
    column('instance'),
    ...(isEnd ? [] : [column('value', duration, { header: 'tardiness' })]),
    timeColumn<OptimizeOutcome>('makespan', instance, ({ makespan }) => makespan),
    isEnd
      ? timeColumn<OptimizeOutcome>('lower_bound', instance, (row) => row.lower_bound, {
          header: 'lower',
        })
      : column('lower_bound', duration, { header: 'lower' }),
    column('lower_bound_source', { header: 'by', minor: 2 }),
    column('upper_bound', whole, { header: 'best known', minor: 1 }),
    column('gap_percent', fixed(2)),
    column('status'),
    column('seconds', formatSeconds, { header: 'time', minor: 3 }),
    column('iterations', whole, { minor: 4 }),
    column('objective', { when: () => instance.due !== null, minor: 5 }),
  ];
}

const traceColumns = columnsOf<Improvement>().hidden('seconds', 'iterations', 'value');
