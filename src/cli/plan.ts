import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { AlasError } from '../core/errors.js';
import { deriveSeed } from '../core/random.js';
import { writePlanCsv } from '../jssp/formats/plan-csv.js';
import { writePlanJson } from '../jssp/formats/plan-json.js';
import { isSchedule, type Plan, type PlanEntry, planFromSchedule } from '../jssp/plan.js';
import { boundsFor, resolveSource } from '../jssp/suites.js';
import { type PipelineResult, runPipeline } from '../pipeline/pipeline.js';
import { createPlanner } from '../pipeline/planners.js';
import type { Column } from '../report/columns.js';
import { formatFixed, formatSeconds, whole } from '../report/format.js';
import { renderTable } from '../report/table.js';
import { exitCode } from './exit-code.js';
import { type OutputOptions, withOutput, withSeed } from './options.js';
import { print, remark, tableStyle } from './output.js';

interface Options extends OutputOptions {
  planner: string;
  seed: number;
  out?: string;
}

/** `alas-jssp plan`: one plan for one instance. */
export function planCommand(): Command {
  return withSeed(withOutput(new Command('plan')))
    .description('plan one instance; the plan goes to stdout, its quality to stderr')
    .argument('<instance>', 'a benchmark instance or a file')
    .option('--planner <spec>', 'what plans; see alas-jssp list planners', 'dispatch:best')
    .option('--out <file>', 'write the plan to a file: CSV if it ends in .csv, else JSON')
    .addHelpText(
      'after',
      `
Exit code 1 if the plan is infeasible. The same seed gives the same plan as alas-jssp run.

Examples:
  $ alas-jssp plan ft06
  $ alas-jssp plan ta01 --planner insertion --out ta01.json
  $ alas-jssp plan my-shop.json --planner dispatch:random --seed 7 --format csv > plan.csv`,
    )
    .action(async (spec: string, options: Options) => {
      process.exitCode = await plan(spec, options);
    });
}

async function plan(spec: string, options: Options): Promise<number> {
  const source = resolveSource(spec);
  const planner = createPlanner(options.planner);
  const instance = source.load();
  const seed = deriveSeed(options.seed, source.suite, source.name, 0, 'plan');
  const result = await runPipeline(instance, planner, { seed });
  if (result.candidate === null) throw new AlasError('no_plan', `${planner.name}: ${result.error}`);

  const { candidate } = result;
  const made = isSchedule(candidate) ? planFromSchedule(candidate) : candidate;
  const format = options.out?.endsWith('.csv') ? 'csv' : options.out ? 'json' : options.format;
  const text = writePlan(made, format, source.name);
  if (options.out === undefined) print(text);
  else writeFileSync(options.out, text);
  const upper = boundsFor(instance)?.upper;
  remark(options, `${source.name} by ${planner.name}: ${describe(result, upper)}`);
  return result.status === 'ok' ? exitCode.done : exitCode.no;
}

function writePlan(plan: Plan, format: OutputOptions['format'], instance: string): string {
  if (format === 'json') return writePlanJson(plan, { instance });
  if (format === 'csv') return writePlanCsv(plan);
  return renderTable(entryColumns, plan.entries, format, tableStyle());
}

const entryColumns: readonly Column<PlanEntry>[] = [
  { key: 'job', header: 'job', value: ({ job }) => job + 1, format: whole },
  { key: 'step', header: 'step', value: ({ step }) => step + 1, format: whole },
  { key: 'machine', header: 'machine', value: ({ machine }) => machine, format: whole },
  { key: 'start', header: 'start', value: ({ start }) => start, format: whole },
  { key: 'end', header: 'end', value: ({ end }) => end, format: whole },
];

function describe({ verdict, error, seconds }: PipelineResult, upper: number | undefined): string {
  if (verdict === null) return error ?? 'not judged';
  if (!verdict.valid) return `infeasible, ${verdict.total} violations`;
  const { makespan } = verdict;
  const gap =
    upper === undefined || makespan === null
      ? ''
      : `, ${formatFixed((100 * (makespan - upper)) / upper, 2)} % above the best known ${upper}`;
  return `feasible, makespan ${makespan}${gap}, planned in ${formatSeconds(seconds.plan)}`;
}
