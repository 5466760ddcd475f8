import { appendFileSync } from 'node:fs';
import {
  amount,
  Command,
  collect,
  collectPlanners,
  columnsOf,
  describeWait,
  exitCode,
  fixed,
  isLongWait,
  Option,
  type OutputOptions,
  onInterruption,
  printRows,
  remark,
  type Session,
  whole,
  wholeNumber,
  withOutput,
} from 'alas-jssp/command-line';
import { LlmError } from 'alas-jssp/llm';
import {
  TEAM_TOPOLOGIES,
  TEAM_VARIANTS,
  type TeamTopology,
  type TeamVariant,
} from '../../teams/team.js';
import { bundledTripNames } from '../../travel/bundled-trips.js';
import { runTravel } from '../../travel/runs/run-travel.js';
import {
  readTravelRecords,
  TRAVEL_RUN_SCHEMA,
  type TravelRecord,
  travelRecordKey,
} from '../../travel/runs/travel-record.js';
import { loadTrip } from './load-trip.js';

interface Options extends OutputOptions {
  trip?: string[];
  planner?: string[];
  replicates: number;
  topology: TeamTopology;
  variant?: TeamVariant[];
  rounds: number;
  record?: string;
  budgetTokens?: number;
  budgetUsd?: number;
  budgetSeconds?: number;
  out?: string;
}

/** `alas-coordination travel run`: runs planners on trips. */
export function travelRunCommand(session: Session): Command {
  const count = wholeNumber('a count', 1);
  return withOutput(session, new Command('run'))
    .description('run planners on trips: claimed, judged, after rounds, repaired, tokens')
    .option('--trip <trip>', 'trip or file; may be repeated (default: bundled ones)', collect)
    .option('--planner <spec>', 'planner; may be repeated (default: search)', collectPlanners)
    .option('--replicates <count>', 'times that each model is asked', count, 1)
    .addOption(
      new Option('--topology <name>', 'agents that make the plan')
        .choices(TEAM_TOPOLOGIES)
        .default('single'),
    )
    .addOption(
      new Option('--variant <names...>', 'ablations (default: full)').choices(TEAM_VARIANTS),
    )
    .option('--rounds <count>', 'rounds of feedback', wholeNumber('a count', 0), 0)
    .option('--record <dir>', 'directory that keeps answers: none is asked twice')
    .option('--budget-tokens <count>', 'tokens after which no model is asked', count)
    .option('--budget-usd <dollars>', 'dollars after which no model is asked', amount('a budget'))
    .option('--budget-seconds <seconds>', 'seconds for all models', amount('a budget'))
    .option('--out <file>', 'file of records: what is there is not made again')
    .addHelpText(
      'after',
      `
Planners: search, models (openai:MODEL, anthropic:MODEL,
openai-compatible:MODEL@URL), replay:DIR, cassette:FILE. Teams have seven
roles: flight, hotel, train, budget, itinerary, validation, saga.

"alone" is the first plan, "after rounds" the one that is kept (CSV: judged),
"repaired" the same after a search that keeps what breaks no rule. A cost is the
price and the preferences that are not kept; a plan that is not valid has the
rules that it breaks instead.

Exit code 0 if all kept plans are valid, else 1; 130 if interrupted.

Examples:
  $ alas-coordination travel run
  $ alas-coordination travel run --planner openai:gpt-4.1 --topology alas \\
      --rounds 3 --record answers --budget-usd 1 --out trips.jsonl`,
    )
    .action(async (options: Options) => {
      session.exitCode = await run(session, options);
    });
}

async function run(session: Session, options: Options): Promise<number> {
  const { format, out, replicates, topology, rounds, record } = options;
  const { planner: planners = ['search'], variant: variants = ['full'] } = options;
  const problems = [];
  for (const spec of options.trip ?? bundledTripNames('trips')) {
    problems.push(await loadTrip(session, spec));
  }
  const records = out === undefined ? [] : readTravelRecords(out);
  const stop = new AbortController();
  const deafen = onInterruption(session, () => stop.abort(), 'what was made is kept');
  const { budgetTokens: tokens, budgetUsd: usd, budgetSeconds: seconds } = options;
  let ending: number | null = null;
  try {
    const made = runTravel({
      problems,
      planners,
      replicates,
      topology,
      variants,
      rounds,
      models: {
        answers: record,
        budget: { tokens, usd, seconds },
        onWait: (wait) => isLongWait(wait) && remark(session, describeWait(wait)),
      },
      done: new Set(records.map(travelRecordKey)),
      signal: stop.signal,
    });
    for await (const one of made) {
      records.push(one);
      if (out !== undefined) appendFileSync(out, `${JSON.stringify(one)}\n`);
    }
  } catch (error) {
    const isSpent = error instanceof LlmError && error.code === 'BudgetSpent';
    if (!isSpent && !stop.signal.aborted) throw error;
    ending = isSpent ? exitCode.no : exitCode.interrupted;
    if (isSpent) remark(session, error.message);
  } finally {
    deafen();
  }
  await printRows(session, format, columns, records, { schema: TRAVEL_RUN_SCHEMA, records });
  return ending ?? (records.every(({ judged }) => judged?.valid) ? exitCode.done : exitCode.no);
}

/** A verdict in a cell: the cost of a valid plan, else its violations. */
function verdictCell(judged: TravelRecord['judged'] | undefined): string | null {
  if (judged === null || judged === undefined) return null;
  if (judged.valid) return fixed(0)(judged.cost);
  return [...new Set(judged.violations.map(({ code }) => code))].join(' ');
}

const column = columnsOf<TravelRecord>();
const columns = [
  column('problem'),
  column('planner'),
  column('topology', { minor: 2 }),
  column('variant', { when: (rows) => rows.some(({ variant }) => variant !== 'full') }),
  column('replicate', whole, { minor: 3 }),
  column.of('claimed', ({ claimed }) => claimed.total, { header: 'claimed price' }),
  column.of('alone', ({ alone }) => verdictCell(alone), { header: 'cost alone' }),
  column.of('judged', ({ judged }) => verdictCell(judged), { header: 'cost after rounds' }),
  column.of('repaired', ({ repaired }) => verdictCell(repaired?.judged), {
    header: 'cost repaired',
  }),
  column.of('edits', ({ repaired }) => repaired?.edits ?? null),
  column('optimum', { header: 'optimal cost' }),
  column.of('rounds', ({ rounds }) => rounds.length),
  column.of('tokens', ({ tokens }) => tokens.input + tokens.output),
  column('error', { header: '' }),
];
