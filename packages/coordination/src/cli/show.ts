import {
  Command,
  collect,
  columnsOf,
  type Format,
  type OutputOptions,
  outputFile,
  print,
  printRows,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import type { Problem } from '../model/problem.js';
import { type Statement, statementsOf } from '../model/statements.js';
import { clockOption, loadPlan, loadProblem, refuseSecondStdin } from './load.js';
import { writePlanPage } from './plan-page-file.js';

interface Options extends OutputOptions {
  plan?: string[];
  before?: string;
  now?: number;
  html?: string;
}

/** `alas-coordination show`: prints the facts of a problem, one a line, or draws plans for it as a page. */
export function showCommand(session: Session): Command {
  return withOutput(session, new Command('show'))
    .argument('<problem>', 'a bundled problem or a file; - for stdin')
    .option('--plan <plan>', 'plan to show; may be repeated', collect)
    .option('--before <plan>', 'the plan before a change or a repair, to compare with')
    .option('--now <time>', 'clock time of the change, such as 13:00; with --before', clockOption)
    .option('--html <file>', 'write charts and tables of the plans as a page', outputFile)
    .addHelpText(
      'after',
      `
Examples:
  $ alas-coordination show wedding
  $ alas-coordination show ./problem.json --json
  $ alas-coordination show thanksgiving --plan alas-table-21 --plan alas-table-25 --html dinner.html
  $ alas-coordination show wedding-traffic --plan sagallm-table-8 \\
      --before sagallm-table-6 --now 13:00 --html wedding.html`,
    )
    .action(async (spec: string, options: Options, command: Command) => {
      const { format, plan = [], html, before, now } = options;
      if ((plan.length === 0) !== (html === undefined)) {
        command.error('--plan and --html are given together or not at all');
      }
      if (before !== undefined && html === undefined)
        command.error('--before goes with --plan only');
      if (now !== undefined && before === undefined) command.error('--now goes with --before only');
      refuseSecondStdin([spec, ...plan, before]);
      const problem = await loadProblem(session, spec);
      if (html === undefined) await show(session, problem, format);
      else await showPlans(session, problem, html, options);
    });
}

/** Draws plans as a page, including invalid ones. */
async function showPlans(
  session: Session,
  problem: Problem,
  file: string,
  { plan: names = [], before: earlier, now }: Options,
): Promise<void> {
  const before = earlier === undefined ? undefined : await loadPlan(session, earlier);
  const shown = [];
  for (const title of names) {
    shown.push({ title, problem, plan: await loadPlan(session, title), before, now });
  }
  writePlanPage(session, file, `Plans for ${problem.name}`, shown);
}

async function show(session: Session, problem: Problem, format: Format): Promise<void> {
  const { text, source, assumptions } = problem.facts;
  if (format === 'table') {
    const head = [problem.name, text, source === undefined ? undefined : `source: ${source}`];
    await print(session, `${head.filter((line) => line !== undefined).join('\n')}\n\n`);
  }
  await printRows(session, format, columns, statementsOf(problem), problem.facts);
  if (format === 'table' && assumptions.length > 0) {
    const list = assumptions.map((line) => `- ${line}`).join('\n');
    await print(session, `\nDecided here, as the source does not say it:\n${list}`);
  }
}

const column = columnsOf<Statement>();
const columns = [column('kind'), column('name'), column('facts')];
