import {
  checkWorkflow,
  describeWorkflow,
  type Finding,
  readWorkflow,
  workflowJsonSchema,
  writeWorkflow,
} from '@alas-jssp/workflow';
import { Command, Option } from 'commander';
import { blueprint } from '../../pipeline/blueprint/blueprint.js';
import {
  DEFAULT_ROUNDS,
  parseVariant,
  REPAIRERS,
  type Repairer,
  VARIANTS,
  type Variant,
} from '../../pipeline/blueprint/spec.js';
import { columnsOf } from '../../report/columns.js';
import { counted } from '../../report/format.js';
import { renderJson } from '../../report/table.js';
import { collect, type OutputOptions, wholeNumber, withOutput } from '../common/options.js';
import { print, remarkVerdict } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { calibrate } from './calibrate.js';
import { workflowConvertCommand } from './convert.js';
import { draftCommands } from './draft-commands.js';
import { isDraftFolder, loadBlueprint, readAnyWorkflow } from './draft-folder.js';
import { loadRegistry } from './find-registry.js';
import { withHandlers } from './outcome.js';
import { workflowRunCommand } from './run.js';
import { workflowWorkCommand } from './work.js';

/** `alas-jssp workflow`: drafts, checks, shows and runs workflows. */
export async function workflowCommand(session: Session): Promise<Command> {
  const workflow = new Command('workflow')
    .addCommand(checkCommand(session))
    .addCommand(showCommand(session))
    .addCommand(workflowRunCommand(session))
    .addCommand(workflowWorkCommand(session))
    .addCommand(workflowConvertCommand(session))
    .addCommand(schemaCommand(session))
    .addCommand(workflowBlueprintCommand(session));
  for (const command of await draftCommands(session)) workflow.addCommand(command);
  return workflow.addHelpText(
    'after',
    `
Examples:
  $ alas-jssp workflow draft process.md --tools tools.json \\
      --planner openai:gpt-4o --out process
  $ alas-jssp workflow check refund.json
  $ alas-jssp workflow show refund.json
  $ alas-jssp workflow run refund.json --handlers refund.mjs --log run.db
  $ alas-jssp workflow work --handlers refund.mjs --log run.db
  $ alas-jssp workflow convert refund.json --to asl --out refund.asl.json
  $ alas-jssp workflow schema > workflow.schema.json
  $ alas-jssp workflow blueprint --variant no-repair > pipeline.json
  $ alas-jssp workflow rehearse refund --faults`,
  );
}

function checkCommand(session: Session): Command {
  return withOutput(session, withHandlers(new Command('check')))
    .description('check that workflows are well-formed, and that drafts keep their promises')
    .argument('<file...>', 'workflows in JSON, or folders of drafts')
    .option('--calibrate <log>', 'measure models that review, on faults planted in runs of a log')
    .addHelpText(
      'after',
      `
With --handlers, it also checks that all handlers and compensators exist. Exit
code 0 if there are no errors, 1 if there are, 2 if a file cannot be read.

With --calibrate, it checks nothing else: it asks each model that reviews in a
draft about inputs that it accepted in the runs of the log, and about the same
inputs with planted faults, and prints how often it is right.`,
    )
    .action(async (files: string[], options: CheckOptions) => {
      const { calibrate: log } = options;
      session.exitCode =
        log === undefined
          ? await check(session, files, options)
          : await calibrate(session, files, log, options);
    });
}

interface CheckOptions extends OutputOptions {
  handlers?: string;
  calibrate?: string;
}

async function check(
  session: Session,
  files: readonly string[],
  options: CheckOptions,
): Promise<number> {
  const { handlers } = options;
  const known = handlers === undefined ? {} : await loadRegistry(handlers);
  const rows: FindingRow[] = [];
  for (const file of files) {
    if (isDraftFolder(file)) rows.push(...(await loadBlueprint()).checkDraftFolder(file));
    else rows.push(...checkWorkflow(readWorkflow(file), known).map((one) => ({ file, ...one })));
  }
  const errors = rows.filter(({ severity }) => severity === 'error').length;
  const verdict = `${counted(files.length, 'workflow')}: ${counted(errors, 'error')}, ${counted(rows.length - errors, 'warning')}`;
  const data = { schema: 'alas-jssp/findings@1', valid: errors === 0, findings: rows };
  if (options.format !== 'table' || rows.length > 0) {
    await printRows(session, options.format, columns, rows, data);
  }
  if (options.format === 'table') await print(session, verdict);
  remarkVerdict(session, options.format, verdict);
  return errors === 0 ? exitCode.done : exitCode.no;
}

interface FindingRow extends Finding {
  readonly file: string;
}

const column = columnsOf<FindingRow>();
const columns = [
  column('file', { minor: 1 }),
  column('severity', {
    header: '',
    tone: ({ severity }) => (severity === 'error' ? 'bad' : 'quiet'),
  }),
  column('code'),
  column('path'),
  column('message'),
  column('hint'),
];

function showCommand(session: Session): Command {
  return new Command('show')
    .description('show a workflow as text: nodes, effects, policies, guards')
    .argument('<file>', 'a workflow in JSON, or the folder of a draft')
    .action(async (file: string) => print(session, describeWorkflow(await readAnyWorkflow(file))));
}

function schemaCommand(session: Session): Command {
  return new Command('schema')
    .description('print the JSON Schema of workflow files')
    .action(() => print(session, renderJson(workflowJsonSchema())));
}

interface Options {
  variant: Variant;
  rounds: number;
  repairer: Repairer;
  disruptions?: string[];
  text: boolean;
}

/** `alas-jssp workflow blueprint`: prints the workflow that plans job shops. */
function workflowBlueprintCommand(session: Session): Command {
  return new Command('blueprint')
    .description('print the workflow of `alas-jssp run` as JSON')
    .option(
      '--variant <variant>',
      `variant of the pipeline: ${VARIANTS.join(', ')}`,
      parseVariant,
      'full' as const,
    )
    .option(
      '--rounds <count>',
      'most repair attempts for a plan',
      wholeNumber('rounds', 0),
      DEFAULT_ROUNDS,
    )
    .addOption(
      new Option(
        '--repairer <who>',
        'repairer of infeasible plans: lcrp, or llm, the planning model',
      )
        .choices(REPAIRERS)
        .default('lcrp'),
    )
    .option(
      '--disruptions <kinds>',
      'kinds of disruption that repairs must cover: breakdown, delay, …',
      collect,
    )
    .option('--text', 'print a text of nodes, policies and guards instead of JSON', false)
    .action(async ({ text, ...spec }: Options) => {
      const workflow = blueprint(spec);
      await print(session, text ? describeWorkflow(workflow) : writeWorkflow(workflow));
    });
}
