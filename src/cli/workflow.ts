import { Command } from 'commander';
import type { Column } from '../report/columns.js';
import { counted } from '../report/format.js';
import { renderJson } from '../report/table.js';
import {
  checkWorkflow,
  describeWorkflow,
  type Finding,
  readWorkflow,
  workflowJsonSchema,
} from '../workflow/index.js';
import { exitCode } from './exit-code.js';
import { loadRegistry } from './find-registry.js';
import { type OutputOptions, withOutput } from './options.js';
import { print, printRows, remarkVerdict } from './output.js';
import { withHandlers } from './run-outcome.js';
import { workflowBlueprintCommand } from './workflow-blueprint.js';
import { workflowRunCommand } from './workflow-run.js';

/** `alas-jssp workflow`: checks, shows and runs workflow files. */
export function workflowCommand(): Command {
  return new Command('workflow')
    .addCommand(checkCommand())
    .addCommand(showCommand())
    .addCommand(workflowRunCommand())
    .addCommand(schemaCommand())
    .addCommand(workflowBlueprintCommand())
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp workflow check refund.json
  $ alas-jssp workflow show refund.json
  $ alas-jssp workflow run refund.json --handlers refund.mjs --log run.db
  $ alas-jssp workflow schema > workflow.schema.json
  $ alas-jssp workflow blueprint --variant no-repair > pipeline.json`,
    );
}

function checkCommand(): Command {
  return withOutput(withHandlers(new Command('check')))
    .description('check that workflows are well-formed')
    .argument('<file...>', 'workflows in JSON')
    .addHelpText(
      'after',
      '\nWith --handlers also that all handlers and compensators are there. Exit code 0 if there are no errors, 1 if there are, 2 if a file cannot be read.',
    )
    .action(async (files: string[], options: CheckOptions) => {
      process.exitCode = await check(files, options);
    });
}

interface CheckOptions extends OutputOptions {
  handlers?: string;
}

async function check(files: readonly string[], options: CheckOptions): Promise<number> {
  const { handlers } = options;
  const known = handlers === undefined ? {} : await loadRegistry(handlers);
  const rows = files.flatMap((file) =>
    checkWorkflow(readWorkflow(file), known).map((finding): Row => ({ file, ...finding })),
  );
  const errors = rows.filter(({ severity }) => severity === 'error').length;
  const verdict = `${counted(files.length, 'workflow')}: ${counted(errors, 'error')}, ${counted(rows.length - errors, 'warning')}`;
  const data = { schema: 'alas-jssp/findings@1', valid: errors === 0, findings: rows };
  if (options.format !== 'table' || rows.length > 0) {
    await printRows(options.format, columns, rows, data);
  }
  if (options.format === 'table') await print(verdict);
  remarkVerdict(options, verdict);
  return errors === 0 ? exitCode.done : exitCode.no;
}

interface Row extends Finding {
  readonly file: string;
}

const columns: readonly Column<Row>[] = [
  { key: 'file', header: 'file', value: ({ file }) => file, minor: 1 },
  {
    key: 'severity',
    header: '',
    value: ({ severity }) => severity,
    tone: ({ severity }) => (severity === 'error' ? 'bad' : 'quiet'),
  },
  { key: 'code', header: 'code', value: ({ code }) => code },
  { key: 'path', header: 'path', value: ({ path }) => path },
  { key: 'message', header: 'message', value: ({ message }) => message },
  { key: 'cure', header: 'cure', value: ({ cure }) => cure },
];

function showCommand(): Command {
  return new Command('show')
    .description('show a workflow as text: nodes, effects, policies, guards')
    .argument('<file>', 'a workflow in JSON')
    .action((file: string) => print(describeWorkflow(readWorkflow(file))));
}

function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of workflow files')
    .action(() => print(renderJson(workflowJsonSchema())));
}
