import { writeJsonFile } from '@alas-jssp/core';
import {
  Command,
  exitCode,
  type OutputOptions,
  outputFile,
  print,
  printRows,
  remarkVerdict,
  type Session,
  wholeNumber,
  withOutput,
} from 'alas-jssp/command-line';
import { judgeTravel } from '../../travel/judge/judge-travel.js';
import { type TravelPlanFile, writeTravelPlan } from '../../travel/model/travel-plan.js';
import { formatMoney, type TravelProblem } from '../../travel/model/travel-problem.js';
import { MOST_LABELS, planTravel, type TravelPlanResult } from '../../travel/plan/plan-travel.js';
import { bookingColumns, bookingRows } from './booking-rows.js';
import { loadTrip } from './load-trip.js';

interface Options extends OutputOptions {
  alternatives: number;
  labels: number;
  out?: string;
}

/** `alas-coordination travel plan`: searches for the cheapest trip. */
export function travelPlanCommand(session: Session): Command {
  return withOutput(session, new Command('plan'))
    .description('search for the cheapest itinerary of a trip')
    .argument('<trip>', 'a bundled trip or a file; - for stdin')
    .option('--alternatives <count>', 'itineraries to find', wholeNumber('a count', 1), 1)
    .option(
      '--labels <count>',
      'partial journeys that the search may try',
      wholeNumber('a count', 1),
      MOST_LABELS,
    )
    .option('--out <file>', 'file for the best plan (JSON)', outputFile)
    .addHelpText(
      'after',
      `
The search is exact: "optimal" is a proof that no itinerary within the budget
costs less in money and penalties of broken preferences, and "none" is a proof
that there is none. Alternatives differ in the journey home or in passes.

Exit code 0 if there is an itinerary, 1 if there is none.

Examples:
  $ alas-coordination travel plan berlin-cologne
  $ alas-coordination travel plan berlin-cologne --alternatives 3
  $ alas-coordination travel plan ./trip.json --out plan.json`,
    )
    .action(async (spec: string, options: Options) => {
      session.exitCode = await plan(session, await loadTrip(session, spec), options);
    });
}

async function plan(
  session: Session,
  problem: TravelProblem,
  { alternatives: count, labels, out, format }: Options,
): Promise<number> {
  const result = planTravel(problem, { count, labels });
  const { found, status } = result;
  for (const one of found) {
    const { violations } = judgeTravel(problem, one.plan);
    if (violations.length > 0) throw new Error(`the search is wrong: ${violations[0].message}`);
  }
  const [best] = found;
  if (best === undefined) {
    const line =
      status === 'none'
        ? `${problem.name}: there is no itinerary, by proof`
        : `${problem.name}: the search stopped after ${labels} partial journeys without an itinerary`;
    if (format === 'table') await print(session, line);
    else remarkVerdict(session, format, line);
    return exitCode.no;
  }
  const files = found.map((one) => planFile(one, result));
  if (out !== undefined) writeJsonFile(out, files[0]);
  const rows = found.map((one) => bookingRows(problem, one.plan.bookings));
  const data =
    count === 1 ? files[0] : { schema: 'alas-coordination/travel-plans@1', plans: files };
  for (const [i, one] of found.entries()) {
    if (format !== 'table' && i > 0) break;
    await printRows(
      session,
      format,
      bookingColumns,
      format === 'table' ? rows[i] : rows.flat(),
      data,
    );
    if (format !== 'table') remarkVerdict(session, format, summaryOf(problem, one, result));
    else
      await print(
        session,
        `\n${summaryOf(problem, one, result)}${i < found.length - 1 ? '\n' : ''}`,
      );
  }
  return exitCode.done;
}

function planFile(
  { plan: one, cost }: TravelPlanResult['found'][number],
  { lowerBound, labels, status }: TravelPlanResult,
): TravelPlanFile {
  return {
    ...writeTravelPlan(one),
    search: {
      cost: cost / 100,
      lower_bound: (lowerBound ?? 0) / 100,
      status: status === 'stopped' ? 'stopped' : 'optimal',
      labels,
    },
  };
}

function summaryOf(
  problem: TravelProblem,
  one: TravelPlanResult['found'][number],
  { found, status, lowerBound, labels }: TravelPlanResult,
): string {
  const { currency, budget, name } = problem;
  const { broken } = judgeTravel(problem, one.plan).cost;
  const which = one === found[0] ? status : 'an alternative';
  const kept =
    broken.length === 0
      ? 'all preferences kept'
      : `not kept: ${broken.map(({ preference, times }) => `${preference.kind.replace('_', ' ')} (${times})`).join(', ')}`;
  return [
    `${name}: ${which}`,
    `${formatMoney(one.money)} of ${formatMoney(budget)} ${currency}`,
    `cost ${formatMoney(one.cost)}`,
    ...(one === found[0] ? [`bound ${formatMoney(lowerBound ?? 0)}`] : []),
    kept,
    ...(one === found[0] ? [`${labels} partial journeys tried`] : []),
  ].join(', ');
}
