import {
  Command,
  columnsOf,
  type Format,
  type OutputOptions,
  print,
  printRows,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import type { Problem } from '../model/problem.js';

import { loadProblem } from './load.js';
import { type Statement, statementsOf } from './statements.js';

/** `alas-coordination show`: what a problem states, one fact a line. */
export function showCommand(session: Session): Command {
  return withOutput(session, new Command('show'))
    .argument('<problem>', 'a bundled problem or a file; - for stdin')
    .addHelpText(
      'after',
      '\nExamples:\n  $ alas-coordination show wedding\n  $ alas-coordination show ./problem.json --json',
    )
    .action(async (spec: string, { format }: OutputOptions) => {
      await show(session, await loadProblem(session, spec), format);
    });
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
