import {
  Command,
  columnsOf,
  type OutputOptions,
  printRows,
  type Session,
  whole,
  withOutput,
} from 'alas-jssp/command-line';
import { judgePrintedPlans, type PrintedVerdict } from '../papers/printed-plans.js';

/** `alas-coordination papers`: compares the papers' findings about their printed plans with the judge's verdicts. */
export function papersCommand(session: Session): Command {
  return withOutput(session, new Command('papers'))
    .addHelpText('after', '\nExamples:\n  $ alas-coordination papers --format md')
    .action(async ({ format }: OutputOptions) => {
      const plans = judgePrintedPlans();
      const shown = format === 'table' ? shortColumns : columns;
      await printRows(session, format, shown, plans, {
        schema: 'alas-coordination/papers@1',
        plans,
      });
    });
}

const column = columnsOf<PrintedVerdict>();

/** All columns, for a document. */
const columns = [
  column('plan'),
  column('planner'),
  column('problem'),
  column.of('paper', ({ paper, finding }) => `${paper}: ${finding}`),
  column.of('judge', ({ valid, codes, words }) =>
    valid ? 'feasible' : `infeasible: ${words.join('; ')} (${codes.join(', ')})`,
  ),
  column('km', whole),
  column.of('verdicts', ({ agree }) => (agree ? 'agree' : 'differ')),
  column('explanation'),
];

/** Columns with short verdicts, for a terminal. */
const shortColumns = [
  column('plan'),
  column('planner'),
  column('paper'),
  column.of('judge', ({ codes }) => [...new Set(codes)].join(', ') || 'feasible'),
  column('km', whole),
];
