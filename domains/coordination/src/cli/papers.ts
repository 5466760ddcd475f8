import {
  Command,
  columnsOf,
  type OutputOptions,
  printRows,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import { judgePrintedPlans, type PrintedVerdict } from '../papers/printed-plans.js';

/** `alas-coordination papers`: the printed plans, what the papers found and what the judge finds. */
export function papersCommand(session: Session): Command {
  return withOutput(session, new Command('papers'))
    .addHelpText('after', '\nExamples:\n  $ alas-coordination papers --format md')
    .action(async ({ format }: OutputOptions) => {
      const plans = judgePrintedPlans();
      await printRows(session, format, columns, plans, {
        schema: 'alas-coordination/papers@1',
        plans,
      });
    });
}

const column = columnsOf<PrintedVerdict>();
const columns = [
  column('plan'),
  column('planner'),
  column('problem'),
  column.of('paper', ({ paper, finding }) => `${paper}: ${finding}`),
  column.of('judge', ({ valid, codes, words }) =>
    valid ? 'feasible' : `infeasible: ${words.join('; ')} (${codes.join(', ')})`,
  ),
  column.of('verdicts', ({ agree }) => (agree ? 'agree' : 'differ')),
  column('explanation'),
];
