import { Command } from 'commander';
import type { CommandEntry } from '../common/command-line.js';
import { amount, collectPlanners, wholeNumber, withOutput } from '../common/options.js';
import { exitCode, type Session } from '../common/session.js';
import type { PaperCommandOptions } from './paper-options.js';

/** Text below the options. */
const NOTES = `
A row is a table or figure: alas/table-3, sagallm/figure-5; alas and sagallm are
all rows of a paper, and all those of both. --list prints them with their
status: without a key, with a key (name models with --planner), or not, and why.

The page of a row (OUT/alas/table-3.md) has the commands that were run, what the
paper claims, and what was measured. Its other files are in OUT/alas/table-3,
which is written again each time. Runs of models are in OUT/runs, where rows
share them: tables 3, 4, 11, 12, 13 and 14 ask once. An interrupted run needs
--resume; a finished one is used as it is.

Exit codes: 0 all rows are complete, 1 a row is not (it needs a key, it cannot
be reproduced, or a budget was spent), 2 wrong usage, 130 interrupted.

Examples:
  $ alas-jssp paper --list
  $ alas-jssp paper alas/table-7
  $ alas-jssp paper sagallm --format md
  $ alas-jssp paper alas --estimate --planner openai:gpt-4o
  $ alas-jssp paper alas/table-3 --planner openai:gpt-4o --budget-usd 50
  $ alas-jssp paper alas/table-3 --planner openai:gpt-4o --resume
  $ alas-jssp paper alas/table-3 --planner openai:gpt-4o --suite abz --threads 1
  $ alas-jssp paper alas/table-3 --planner openai:gpt-4o --commands`;

/**
 * `alas-jssp paper`: reproduces the tables and figures of the background papers.
 *
 * @param commands the commands of alas-jssp, which rows are made of
 */
export function paperCommand(
  session: Session,
  commands: Readonly<Record<string, CommandEntry>>,
): Command {
  return withOutput(session, new Command('paper'))
    .argument('[rows...]', 'tables and figures, such as alas/table-3, or alas, sagallm or all')
    .option('--list', 'list the tables and figures with status, cost and time', false)
    .option('--commands', 'print the commands of the rows, and run none', false)
    .option('--estimate', 'print what the models of the rows cost, and ask none', false)
    .option('--planner <model>', 'model to ask; may be repeated', collectPlanners)
    .option(
      '--threads <count>',
      'independent answers to each question',
      wholeNumber('threads', 1),
      10,
    )
    .option('--suite <suite>', 'job shops of the rows that have any', 'paper')
    .option('--out <dir>', 'directory of pages and runs', 'results/paper')
    .option('--resume', 'continue interrupted runs', false)
    .option('--budget-usd <dollars>', 'dollars that each run may spend', amount('a budget'))
    .option('--budget-tokens <count>', 'tokens that each run may spend', wholeNumber('a budget', 1))
    .option('--prices <file>', 'JSON file of prices of models')
    .addHelpText('after', NOTES)
    .action(async (rows: string[], options: PaperCommandOptions, command: Command) => {
      refuseMixedOptions(rows, options, command);
      session.exitCode = await perform(session, rows, options, commands);
    });
}

function refuseMixedOptions(
  rows: readonly string[],
  { list, commands, estimate, resume }: PaperCommandOptions,
  command: Command,
): void {
  if ([list, commands, estimate, resume].filter(Boolean).length > 1) {
    command.error('--list, --commands, --estimate and --resume exclude each other');
  }
  if (rows.length === 0 && !list) command.error('name a row, or give --list');
}

async function perform(
  session: Session,
  rows: readonly string[],
  options: PaperCommandOptions,
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<number> {
  if (options.list) {
    const { listItems } = await import('./list.js');
    await listItems(session, rows, options);
    return exitCode.done;
  }
  if (options.estimate) {
    const { estimateItems } = await import('./estimate.js');
    await estimateItems(session, rows, options);
    return exitCode.done;
  }
  if (options.commands) {
    const { printCommands } = await import('./commands.js');
    await printCommands(session, rows, options);
    return exitCode.done;
  }
  const { performItems } = await import('./perform.js');
  const { programsOf } = await import('./run-command.js');
  return performItems(session, rows, options, programsOf(commands));
}
