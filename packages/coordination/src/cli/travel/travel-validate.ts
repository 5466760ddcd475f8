import { printableLine } from '@alas-jssp/core';
import {
  Command,
  columnsOf,
  counted,
  exitCode,
  type OutputOptions,
  print,
  printRows,
  remark,
  remarkVerdict,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import { judgeTravel } from '../../travel/judge/judge-travel.js';
import type { TravelViolation } from '../../travel/judge/travel-violation.js';
import { formatMoney } from '../../travel/model/travel-problem.js';
import { refuseSecondStdin } from '../load.js';
import { loadTravelPlan, loadTrip } from './load-trip.js';

/** `alas-coordination travel validate`: judges a plan of a trip. */
export function travelValidateCommand(session: Session): Command {
  return withOutput(session, new Command('validate'))
    .description('judge a plan of a trip')
    .argument('<trip>', 'a bundled trip or a file; - for stdin')
    .argument('<plan>', 'a plan file; - for stdin')
    .addHelpText(
      'after',
      `
Exit code 0 if the plan is valid, 1 if it is not.

Examples:
  $ alas-coordination travel plan berlin-cologne --json |
      alas-coordination travel validate berlin-cologne -
  $ alas-coordination travel validate ./trip.json ./plan.json --json`,
    )
    .action(async (spec: string, file: string, options: OutputOptions) => {
      session.exitCode = await validate(session, spec, file, options);
    });
}

async function validate(
  session: Session,
  spec: string,
  file: string,
  { format }: OutputOptions,
): Promise<number> {
  refuseSecondStdin([spec, file]);
  const problem = await loadTrip(session, spec);
  const plan = await loadTravelPlan(session, file);
  const { valid, violations, cost } = judgeTravel(problem, plan);
  const { money, total, broken } = cost;
  const line = valid
    ? `${problem.name}: valid, ${formatMoney(money)} ${problem.currency}, cost ${formatMoney(total)}`
    : `${problem.name}: invalid, ${counted(violations.length, 'violation')}`;
  if (format === 'table') {
    const lines = violations.map(({ message, code }) => `- ${message} [${code}]`);
    const soft = broken
      .filter(({ preference }) => preference.required !== true)
      .map(
        ({ preference, times, penalty }) =>
          `- ${preference.kind}, ${counted(times, 'time')} (${formatMoney(penalty)})`,
      );
    const unkept = soft.length === 0 ? [] : ['', 'Not kept, which is no fault:', ...soft];
    await print(session, [line, ...lines, ...unkept].map(printableLine).join('\n'));
  } else {
    const schema = 'alas-coordination/travel-validation@1';
    const costs = { money: money / 100, total: total / 100, penalty: cost.penalty / 100 };
    const data = { schema, problem: problem.name, valid, violations, cost: costs };
    await printRows(session, format, columns, violations, data);
    remarkVerdict(session, format, line);
  }
  if (plan.problem !== problem.name) {
    remark(session, `warning: the plan says that it is for '${printableLine(plan.problem)}'`);
  }
  return valid ? exitCode.done : exitCode.no;
}

const column = columnsOf<TravelViolation>();
const columns = [
  column('code'),
  column.of('bookings', ({ bookings }) => bookings.map((at) => `bookings[${at}]`).join(' ')),
  column.of('city', ({ city }) => city ?? null),
  column('message'),
];
