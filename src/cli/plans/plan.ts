import { AlasError, InputError } from '@alas-jssp/core/errors';
import { Command, Option } from 'commander';
import { writePlanCsv } from '../../jssp/formats/plan-csv.js';
import { writePlanJson } from '../../jssp/formats/plan-json.js';
import { createNeedsLabeller, needsText } from '../../jssp/formats/plan-needs.js';
import type { Instance } from '../../jssp/instance.js';
import { labelsOf } from '../../jssp/labels.js';
import { type Objective, objectiveOf } from '../../jssp/objectives.js';
import { asPlan, type Plan, type PlanEntry, scheduleFromPlan } from '../../jssp/plan.js';
import { DEFAULT_PLANNER } from '../../jssp/planner.js';
import { seedOf } from '../../jssp/seeds.js';
import { resolveSource } from '../../jssp/suites.js';
import { endWords, wordsOf } from '../../jssp/words.js';
import type { AskWait } from '../../llm/ask.js';
import { type PipelineResult, runPipeline } from '../../pipeline/pipeline.js';
import { isModelPlanner, type ModelPlanner } from '../../pipeline/planners/llm-planner.js';
import { openModels } from '../../pipeline/planners/models.js';
import { loadPlanner } from '../../pipeline/planners/planners.js';
import { type Column, columnsOf } from '../../report/columns.js';
import { counted, formatFixed, formatSeconds, whole } from '../../report/format.js';
import { type Format, renderTable } from '../../report/table.js';
import { outputFile, writeOutput } from '../common/files.js';
import { knownBounds } from '../common/known-bounds.js';
import { describeUsage, describeWait, isLongWait } from '../common/model-words.js';
import { isGiven, type OutputOptions, withOutput } from '../common/options.js';
import { print, remark } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { objectiveOption, withSeed } from '../common/setting-options.js';
import { timeColumn, warnAfterShifts } from '../common/shop-times.js';
import { tableStyle } from '../common/tables.js';
import { showPrompt } from './show-prompt.js';

interface Options extends OutputOptions {
  planner: string;
  seed: number;
  objective?: Objective;
  out?: string;
  showPrompt?: boolean;
}

/** `alas-jssp plan`: one plan for one instance. */
export function planCommand(session: Session): Command {
  return withSeed(withOutput(session, new Command('plan')))
    .argument('<instance>', 'a benchmark instance or a file')
    .option('--planner <spec>', 'planner to run, of alas-jssp list planners', DEFAULT_PLANNER)
    .addOption(objectiveOption())
    .option('--out <file>', 'file for the plan: CSV if it ends in .csv, else JSON', outputFile)
    .addOption(
      new Option('--show-prompt', 'print the first prompt instead of sending it').conflicts([
        'out',
        'seed',
      ]),
    )
    .addHelpText(
      'after',
      `
Exit code 1 if the plan is infeasible. The same seed gives the same plan as
alas-jssp run. A file that ends in .gz is compressed. --show-prompt needs no key
and no network; without --format it prints a text.

Examples:
  $ alas-jssp plan ft06
  $ alas-jssp plan ta01 --planner insertion --out ta01.json
  $ alas-jssp plan my-shop.json --planner dispatch:random --seed 7 > plan.csv
  $ alas-jssp plan ft06 --planner openai:gpt-4o#format=sequences
  $ alas-jssp plan ft06 --planner openai:gpt-4o#format=sequences --show-prompt`,
    )
    .action(async (spec: string, options: Options, command: Command) => {
      const given = isGiven(command, 'format');
      if (options.showPrompt) {
        return await showPrompt(session, spec, options.planner, given ? options.format : 'table');
      }
      session.exitCode = await plan(session, spec, {
        ...options,
        format: formatFor(options, given),
      });
    });
}

async function plan(session: Session, spec: string, options: Options): Promise<number> {
  const source = resolveSource(spec);
  const planner = await loadPlanner(options.planner);
  const instance = source.load();
  const seed = seedOf(options.seed, source, 0, 'plan');
  const { lowerBound, upperBound } = knownBounds(instance);
  const asking = isModelPlanner(planner) ? await openModel(session, planner) : {};
  const objective = options.objective ?? objectiveOf(instance);
  const asked = { seed, objective, bound: lowerBound, ...asking };
  const result = await runPipeline(instance, planner, asked);
  if (result.candidate === null) throw new AlasError('no_plan', `${planner.name}: ${result.error}`);

  const { candidate } = result;
  const made = asPlan(candidate);
  const text = writePlan(session, made, options.format, source.name, instance);
  if (options.out === undefined) await print(session, text);
  else writeOutput(options.out, text);
  remark(
    session,
    `${source.name} by ${planner.name}: ${describe(result, instance, objective, upperBound?.value)}`,
  );
  if (result.status === 'ok') warnAfterShifts(session, scheduleFromPlan(instance, made));
  return result.status === 'ok' ? exitCode.done : exitCode.no;
}

/** Opens a model for one planner; long waits are remarked. */
async function openModel(session: Session, { name }: ModelPlanner) {
  const onWait = (wait: AskWait) => {
    if (isLongWait(wait)) remark(session, describeWait(wait));
  };
  const models = await openModels([name], { onWait });
  return { ask: models.askFor(name), onWait };
}

/** The format of a file follows from its ending; `--format` must agree with it. */
function formatFor({ out, format }: Options, given: boolean): Format {
  if (out === undefined) return format;
  const ending = /\.(csv|json)(\.gz)?$/i.exec(out)?.[1].toLowerCase() as Format | undefined;
  if (given && ending !== undefined && ending !== format) {
    throw new InputError(
      'other_format',
      `a plan in a file that ends in .${ending} is not written as ${format}`,
      'omit --format, or change the ending of the file',
      { file: out },
    );
  }
  return ending ?? (given ? format : 'json');
}

function writePlan(
  session: Session,
  plan: Plan,
  format: Format,
  instance: string,
  shop: Instance,
): string {
  if (format === 'json') return writePlanJson(plan, { instance, shop });
  if (format === 'csv') return writePlanCsv(plan, { shop });
  return renderTable(entryColumns(shop), plan.entries, format, tableStyle(session.host.stdout));
}

const column = columnsOf<PlanEntry>();

/** The columns of a plan for people, with the names of the shop. */
function entryColumns(instance: Instance): readonly Column<PlanEntry>[] {
  const { names } = instance;
  const labels = labelsOf(instance);
  const needsOf = createNeedsLabeller(instance);
  return [
    column.of('job', ({ job }) => (names?.jobs ? labels.job(job) : job + 1), { format: whole }),
    column.of('step', ({ job, step }) => labels.operation(job, step) ?? step + 1, {
      format: whole,
    }),
    column.of('machine', ({ machine }) => (names?.machines ? labels.machine(machine) : machine), {
      format: whole,
    }),
    ...(instance.resources === null
      ? []
      : [column.of('needs', (entry) => needsText(needsOf(entry).needs))]),
    timeColumn('start', instance, ({ start }) => start),
    timeColumn('end', instance, ({ end }) => end),
  ];
}

function describe(
  result: PipelineResult,
  instance: Instance,
  objective: Objective,
  upper: number | undefined,
): string {
  const { verdict, error, seconds, usage } = result;
  if (verdict === null) return error ?? 'not judged';
  const { valid, makespan, total, violations } = verdict;
  const asked = usage === null ? '' : ` (${describeUsage(usage.plan)})`;
  if (!valid) return `infeasible${asked}, ${counted(total, 'violation')}: ${violations[0].message}`;
  const gap =
    upper === undefined || makespan === null
      ? ''
      : `, ${formatFixed((100 * (makespan - upper)) / upper, 2)} % above the best known ${upper}`;
  return `feasible, ${endWords(instance, makespan)}${gap}${describeTardiness(instance, objective, result)}, planned in ${formatSeconds(seconds.plan)}${asked}`;
}

/** The total weighted tardiness if jobs have due dates, and the objective if it is the makespan. */
function describeTardiness(
  instance: Instance,
  objective: Objective,
  { tardiness }: PipelineResult,
): string {
  if (instance.due === null || tardiness === null) return '';
  const late = `, total weighted tardiness ${wordsOf(instance).duration(tardiness)}`;
  return objective === 'makespan' ? `${late} (objective makespan)` : late;
}
