import { type Budget, parseBudget, writeJsonFile } from '@alas-jssp/core';
import { AlasError } from 'alas-jssp';
import {
  Command,
  columnsOf,
  exitCode,
  Option,
  type OutputOptions,
  onInterruption,
  outputFile,
  print,
  printRows,
  remark,
  remarkVerdict,
  type Session,
  withOutput,
  withSeed,
} from 'alas-jssp/command-line';
import { judge } from '../judge/judge.js';
import { actionInWords } from '../model/action-words.js';
import { formatClock } from '../model/clock.js';
import { type Action, actorsOf, type PlanFile, readPlan, writePlan } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { type PlanOptions, type PlanResult, planCoordinationAsync } from '../plan/plan.js';
import { loadProblem } from './load.js';
import { writePlanPage } from './plan-page-file.js';

/** Seconds between two progress lines. */
const LINE_EVERY = 0.5;

const orders = ['time', 'actor'] as const;

interface Options extends OutputOptions {
  budget: Budget;
  seed: number;
  by: (typeof orders)[number];
  out?: string;
  html?: string;
}

/** `alas-coordination plan`: searches for the cheapest plan of a problem. */
export function planCommand(session: Session): Command {
  return withSeed(withOutput(session, new Command('plan')))
    .argument('<problem>', 'a bundled problem or a file; - for stdin')
    .addOption(
      new Option(
        '--budget <budget>',
        'how long to search: 10s, 2m, 200k-iterations, or until target:87 is met',
      )
        .argParser(parseBudget)
        .default({ seconds: 10 } satisfies Budget, '10s'),
    )
    .addOption(
      new Option('--by <order>', 'order of the table: by time, or by vehicle and person')
        .choices(orders)
        .default('time'),
    )
    .option('--out <file>', 'file for the plan (JSON)', outputFile)
    .option('--html <file>', 'write chart and table of the plan as a page', outputFile)
    .addHelpText(
      'after',
      `
The plan is judged before it is shown; --json prints it as its file states it.
"optimal" is a proof for plans whose actions begin as early as they can. More
than 12 rides are planned by insertion, without a proof. Ctrl-C ends the search
with the best so far and exit code 130. Equal seeds and iterations give equal
plans; equal seconds may not.

Exit code 0 if there is a plan, 1 if none was found.

Examples:
  $ alas-coordination plan ride-sharing
  $ alas-coordination plan thanksgiving --by actor --out dinner.json
  $ alas-coordination plan wedding --json | alas-coordination validate wedding -`,
    )
    .action(async (spec: string, options: Options) => {
      session.exitCode = await plan(session, await loadProblem(session, spec), options);
    });
}

async function plan(session: Session, problem: Problem, options: Options): Promise<number> {
  const { budget, seed, format, out, html, by } = options;
  const interrupt = new AbortController();
  const { signal } = interrupt;
  const ending = 'the search ends with the best so far';
  const deafen = onInterruption(session, () => interrupt.abort(), ending);
  const onImprovement = progressLines(session);
  const result = await tryPlanning(problem, { budget, seed, signal, onImprovement }).finally(
    deafen,
  );
  if (typeof result === 'string') {
    if (format === 'table') await print(session, result);
    else remarkVerdict(session, format, result);
    return signal.aborted ? exitCode.interrupted : exitCode.no;
  }
  const { violations } = judge(problem, result.plan);
  if (violations.length > 0) throw new Error(`the search is wrong: ${violations[0].message}`);
  const file = planFileOf(result, seed);
  if (out !== undefined) writeJsonFile(out, file);
  if (html !== undefined) {
    const shown = { title: summaryOf(result), problem, plan: readPlan(file) };
    writePlanPage(session, html, `Plan for ${problem.name}`, [shown]);
  }
  if (by === 'time')
    await printRows(session, format, timeColumns, rowsByTime(problem, result), file);
  else await printRows(session, format, actorColumns, rowsByActor(problem, result), file);
  const line = summaryOf(result);
  if (format === 'table') await print(session, `\n${line}`);
  else remarkVerdict(session, format, line);
  return result.status === 'interrupted' ? exitCode.interrupted : exitCode.done;
}

/** A plan, or the reason why there is none. */
async function tryPlanning(problem: Problem, options: PlanOptions): Promise<PlanResult | string> {
  try {
    return await planCoordinationAsync(problem, options);
  } catch (error) {
    const isAnswer = error instanceof AlasError && ['no_plan', 'none_found'].includes(error.code);
    if (isAnswer) return error.message;
    throw error;
  }
}

/** Prints a progress line on stderr for the first plan, then for better ones at intervals. */
function progressLines(session: Session): NonNullable<PlanOptions['onImprovement']> {
  let next = 0;
  return ({ cost, seconds }) => {
    if (seconds < next) return;
    next = seconds + LINE_EVERY;
    remark(session, `cost ${cost.toFixed(1)} after ${seconds.toFixed(1)} s`);
  };
}

/** The plan in its file format, with figures that can be checked. */
function planFileOf(
  { plan, cost, lowerBound, directBound, status, stats }: PlanResult,
  seed: number,
): PlanFile {
  const { metres, finish } = cost;
  return {
    ...writePlan({ ...plan, claims: { metres, ...(plan.actions.length > 0 && { finish }) } }),
    search: {
      cost: cost.total,
      lower_bound: lowerBound,
      ...(directBound !== null && Number.isFinite(directBound) && { direct_bound: directBound }),
      gap_percent: gapPercent(cost.total, lowerBound),
      status,
      seconds: Number(stats.seconds.toFixed(3)),
      iterations: stats.iterations,
      seed,
    },
  };
}

function gapPercent(cost: number, bound: number): number | null {
  return bound > 0 ? Math.max(0, (100 * (cost - bound)) / bound) : null;
}

/** One line with the cost, the bounds and the status of a plan. */
function summaryOf({ plan, cost, lowerBound, directBound, status, stats }: PlanResult): string {
  const gap = gapPercent(cost.total, lowerBound);
  return [
    `${plan.problem}: ${status}`,
    `cost ${cost.total.toFixed(1)}`,
    `bound ${lowerBound.toFixed(1)}${gap === null ? '' : ` (gap ${gap.toFixed(1)} %)`}`,
    ...(directBound !== null && directBound > lowerBound + 1e-9 && Number.isFinite(directBound)
      ? [`${directBound.toFixed(1)} if nobody changes vehicles`]
      : []),
    `${(cost.metres / 1000).toFixed(1)} km`,
    ...(plan.actions.length > 0 ? [`ends at ${formatClock(cost.finish)}`] : []),
    `${stats.seconds.toFixed(1)} s`,
  ].join(', ');
}

/** One action of a plan, listed under one of its actors. */
interface PlanRow {
  readonly actor: string;
  readonly start: string;
  readonly end: string;
  readonly action: string;
}

function rowsByTime(problem: Problem, { plan }: PlanResult): PlanRow[] {
  return plan.actions.map((action) => rowOf(problem, action, actorsOf(action).join(', ')));
}

/** Vehicles first, then people, each with their day. */
function rowsByActor(problem: Problem, { plan }: PlanResult): PlanRow[] {
  return [...problem.vehicles.keys(), ...problem.people.keys()].flatMap((actor) =>
    plan.actions
      .filter((action) => actorsOf(action).includes(actor))
      .map((action) => rowOf(problem, action, actor)),
  );
}

function rowOf(problem: Problem, action: Action, actor: string): PlanRow {
  const { start, end } = action;
  return {
    actor,
    start: formatClock(start),
    end: formatClock(end),
    action: actionInWords(problem, action),
  };
}

const column = columnsOf<PlanRow>();
const timeColumns = [
  column('start', { header: 'from' }),
  column('end', { header: 'until' }),
  column('actor', { header: 'who' }),
  column('action'),
];
const actorColumns = [
  column('actor', { header: 'who' }),
  column('start', { header: 'from' }),
  column('end', { header: 'until' }),
  column('action'),
];
