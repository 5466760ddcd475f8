import { existsSync } from 'node:fs';
import { printableLine } from '@alas-jssp/core';
import { type LogStore, openSqliteStore } from '@alas-jssp/workflow';
import { InputError } from 'alas-jssp';
import {
  Command,
  columnsOf,
  exitCode,
  type OutputOptions,
  print,
  printRows,
  remarkVerdict,
  type Session,
  withOutput,
} from 'alas-jssp/command-line';
import { formatMoney } from '../../travel/model/travel-problem.js';
import { replayTrip } from '../../travel/trip/open-trip.js';
import { type TripLine, type TripStory, tripStory } from '../../travel/trip/trip-story.js';

interface Options extends OutputOptions {
  run: string;
}

/** Opens the log of a trip. @throws InputError `no_log` */
export function openTripLog(file: string): LogStore {
  if (existsSync(file)) return openSqliteStore(file);
  const hint = 'give the file that travel book --log has written';
  throw new InputError('no_log', `there is no log ${file}`, hint, { file }, file);
}

/** `alas-coordination travel show`: the account of a trip in a log. */
export function travelShowCommand(session: Session): Command {
  return withOutput(session, new Command('show'))
    .description('tell a trip from its log: which agent did what, and what is booked')
    .argument('<log>', 'SQLite file of the log')
    .option('--run <id>', 'id of the run in the log', 'trip')
    .addHelpText('after', '\nExamples:\n  $ alas-coordination travel show trip.db')
    .action(async (file: string, { run, format }: Options) => {
      const store = openTripLog(file);
      try {
        await printTrip(session, tripStory(store, run), format);
        session.exitCode = exitCode.done;
      } finally {
        store.close();
      }
    });
}

/** `alas-coordination travel replay`: recomputes a trip from its log. */
export function travelReplayCommand(session: Session): Command {
  return withOutput(session, new Command('replay'))
    .description('recompute a trip and its bookings from the log, and compare')
    .argument('<log>', 'SQLite file of the log')
    .option('--run <id>', 'id of the run in the log', 'trip')
    .addHelpText(
      'after',
      `
Nothing is called: answers of the service, of people and of models come from the
log; all that the agents compute is computed again. Exit code 1 if anything
differs.

Examples:
  $ alas-coordination travel replay trip.db`,
    )
    .action(async (file: string, { run, format }: Options) => {
      const store = openTripLog(file);
      try {
        const { parity, runs } = await replayTrip(store, run);
        const rows = runs.map(({ runId, parity: same, entries, rerun, divergence }) => {
          return {
            runId,
            parity: same ? 'yes' : 'no',
            entries,
            rerun,
            where: divergence?.message ?? '',
          };
        });
        const schema = 'alas-coordination/travel-replay@1';
        await printRows(session, format, replayColumns, rows, { schema, parity, runs: rows });
        const line = `${run}: ${parity ? 'parity' : 'no parity'}, ${runs.length} runs`;
        if (format === 'table') await print(session, `\n${line}`);
        else remarkVerdict(session, format, line);
        session.exitCode = parity ? exitCode.done : exitCode.no;
      } finally {
        store.close();
      }
    });
}

interface ReplayRow {
  readonly runId: string;
  readonly parity: string;
  readonly entries: number;
  readonly rerun: number;
  readonly where: string;
}

const ofReplay = columnsOf<ReplayRow>();
const replayColumns = [
  ofReplay('runId', { header: 'run' }),
  ofReplay('parity'),
  ofReplay('entries'),
  ofReplay('rerun', { header: 'steps run again' }),
  ofReplay('where', { header: '' }),
];

/** Prints the account of a trip, and its end in one line. */
export async function printTrip(
  session: Session,
  story: TripStory,
  format: OutputOptions['format'],
): Promise<void> {
  const { runId, status, state, account, problem, remaining, currency } = story;
  const line = endInWords(story);
  if (format === 'table') {
    await printRows(
      session,
      format,
      columns,
      account.map(({ text, ...rest }) => ({ ...rest, text: printableLine(text) })),
      {},
    );
    return print(session, `\n${printableLine(line)}`);
  }
  const held = state?.held ?? [];
  await printRows(session, format, columns, account, {
    schema: 'alas-coordination/trip@1',
    run: runId,
    status,
    problem,
    currency,
    bookings: held.map(({ id, booking, price, reference, run }) => {
      return { transaction: id, ...booking, price: price / 100, reference, run };
    }),
    total: held.reduce((sum, { price }) => sum + price, 0) / 100,
    lost: (state?.lost ?? 0) / 100,
    proposals: (state?.next === 'decide' ? state.proposals : []).map(
      ({ bookings, money, cost }) => {
        return { money: money / 100, cost: cost / 100, bookings };
      },
    ),
    remaining,
    account,
  });
  remarkVerdict(session, format, line);
}

function endInWords({ runId, status, state, problem, remaining, currency }: TripStory): string {
  const held = state?.held ?? [];
  const total = held.reduce((sum, { price }) => sum + price, 0);
  const lost = state === null || state.lost === 0 ? '' : `, ${formatMoney(state.lost)} lost`;
  const money = `${formatMoney(total)} ${currency}${lost}`;
  const left = remaining.length === 0 ? '' : `; left or in doubt: ${remaining.join(', ')}`;
  switch (status) {
    case 'booked':
      return `${runId}: booked, ${held.length} bookings, ${money}`;
    case 'waiting':
      return `${runId}: ${problem}`;
    case 'given_up':
      return `${runId}: given up, all bookings taken back${left}`;
    case 'running':
      return `${runId}: not at its end; travel resume goes on`;
    default:
      return `${runId}: ${status === 'in_doubt' ? 'in doubt' : 'failed'}: ${problem}${left}`;
  }
}

const column = columnsOf<TripLine>();
const columns = [column('phase'), column('agent'), column('text', { header: '' })];
