import { join } from 'node:path';
import { InputError } from '@alas-jssp/core/errors';
import { writeJsonFile } from '@alas-jssp/core/json-file';
import { Command, InvalidArgumentError } from 'commander';
import {
  checkSubmission,
  type SubmissionCheck,
} from '../../harness/leaderboard/check-submission.js';
import { SUMS, writeChecksums } from '../../harness/leaderboard/checksums.js';
import { leaderboardEntrySchema } from '../../harness/leaderboard/entry.js';
import { formatFault, type SubmissionFault } from '../../harness/leaderboard/faults.js';
import {
  type LeaderboardRow,
  readLeaderboardEntry,
  standingsOf,
} from '../../harness/leaderboard/standings.js';
import { openSubmission } from '../../harness/leaderboard/submission-folder.js';
import { columnsOf } from '../../report/columns.js';
import { counted, fixed, formatSeconds, whole } from '../../report/format.js';
import { renderJson } from '../../report/table.js';
import { outputFile, writeOutput } from '../common/files.js';
import { gather, type OutputOptions, withOutput } from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';

interface Options extends OutputOptions {
  out?: string;
  sums?: boolean;
  by?: string;
  link?: string[];
  withoutSchedules?: boolean;
  table?: boolean;
}

/** `alas-jssp submit`: checks a submission to the leaderboard, and writes its entry. */
export function submitCommand(session: Session): Command {
  return withOutput(session, new Command('submit'))
    .argument('<paths...>', 'directory of a run; with --table: entries')
    .option('--out <file>', 'write the entry there if the submission holds', outputFile)
    .option('--sums', `write ${SUMS} of the run before the check`)
    .option('--by <name>', 'submitter, for the entry', submitter)
    .option('--link <address>', 'link to code or paper (https), for the entry; repeatable', links)
    .option('--without-schedules', 'accept records without schedules; they are not judged')
    .option('--table', 'print the leaderboard of entries, by mean gap')
    .addHelpText(
      'after',
      `
The validator judges every saved schedule again, against the benchmark with the
checksum in the manifest. No record may claim more than its schedule and the
known bounds show. Only files inside the directory are read.

Exit code 0 if the submission holds, 1 if not: each fault is one line with file
and line, at most 20 are listed. With --json the output is the entry, or the
faults.

Examples:
  $ alas-jssp run --suite ft,abz --planner insertion --save-schedules \\
      --out results/mine
  $ alas-jssp submit results/mine --sums --by 'Ada' --out mine.json
  $ alas-jssp submit --table mine.json`,
    )
    .action(async (paths: string[], options: Options) => {
      session.exitCode = options.table
        ? await showStandings(session, paths, options)
        : await submit(session, paths, options);
    });
}

const { by: BY, links: LINKS } = leaderboardEntrySchema.shape;

function submitter(text: string): string {
  if (BY.safeParse(text).success) return text;
  throw new InvalidArgumentError(
    'A name is one line of at most 200 characters, without control characters.',
  );
}

function links(text: string, before: readonly string[] | undefined): string[] {
  const all = gather(text, before);
  if (LINKS.safeParse(all).success) return all;
  throw new InvalidArgumentError('A link is an address that begins with https://, of at most ten.');
}

async function submit(session: Session, paths: string[], options: Options): Promise<number> {
  const [directory, ...more] = paths;
  if (more.length > 0) {
    const problem = 'a submission is one directory';
    throw new InputError('several_submissions', problem, 'submit one run after the other');
  }
  const { by, link, withoutSchedules, format, out, sums } = options;
  if (sums) {
    const folder = openSubmission(directory);
    // Refuses a link, which would be written through, and a pipe.
    folder.read(SUMS);
    writeOutput(join(directory, SUMS), writeChecksums(folder));
  }
  const check = checkSubmission(directory, { by, links: link, withoutSchedules });
  const { entry, faults } = check;
  const verdict = verdictOf(directory, check);
  if (entry !== null && out !== undefined) writeJsonFile(out, entry);
  if (format === 'json') {
    await print(session, renderJson(entry ?? faultsDocument(check)));
  } else if (entry !== null) {
    await printRows(session, format, columns, standingsOf([entry]));
    if (format === 'table') await print(session, verdict);
  } else if (format === 'table') {
    await print(session, [verdict, ...faults.map((one) => `  ${formatFault(one)}`)].join('\n'));
  } else await printRows(session, format, faultColumns, faults);
  remarkVerdict(session, format, verdict);
  if (entry !== null && out !== undefined) remark(session, `the entry is in ${out}`);
  return entry === null ? exitCode.no : exitCode.done;
}

function faultsDocument({ faults, total }: SubmissionCheck) {
  return { schema: 'alas-jssp/submission@1', valid: false, total, faults };
}

function verdictOf(directory: string, { entry, faults, total }: SubmissionCheck): string {
  if (entry === null) {
    const listed = total > faults.length ? `, of which ${faults.length} are listed` : '';
    return `${directory}: does not hold: ${counted(total, 'fault')}${listed}`;
  }
  const records = counted(entry.results.length, 'record');
  if (entry.schedules === 'none') return `${directory}: ${records}, not re-judged`;
  const judged = entry.results.filter(({ schedule_sha256 }) => schedule_sha256 !== null).length;
  return `${directory}: holds: ${records}, ${counted(judged, 'schedule')} judged`;
}

async function showStandings(
  session: Session,
  files: readonly string[],
  { format }: Options,
): Promise<number> {
  const standings = standingsOf(files.map(readLeaderboardEntry));
  await printRows(session, format, columns, standings, {
    schema: 'alas-jssp/standings@1',
    standings,
  });
  return exitCode.done;
}

const column = columnsOf<LeaderboardRow>();
const columns = [
  column('planner'),
  column('variant', { when: (rows) => rows.some(({ variant }) => variant !== 'full') }),
  column('by', { minor: 4, when: (rows) => rows.some(({ by }) => by !== null) }),
  column('gap_percent', fixed(2)),
  column('geometric_gap_percent', fixed(2), { header: 'geo gap %', minor: 5 }),
  column('success_percent', fixed(1)),
  column('feasible_before_repair', whole, {
    header: 'before repair',
    minor: 9,
    when: (rows) => rows.some(({ feasible_before_repair: one }) => one !== null),
  }),
  column('proven_optimal', whole, { header: 'proven' }),
  column('instances', whole, { minor: 2 }),
  column('results', whole, { minor: 3 }),
  column('seconds_mean', formatSeconds, { header: 'mean time', minor: 1 }),
  column('tokens', whole, { minor: 6, when: (rows) => rows.some(({ tokens }) => tokens > 0) }),
  column('cost_usd', fixed(2), {
    minor: 7,
    when: (rows) => rows.some(({ cost_usd }) => (cost_usd ?? 0) > 0),
  }),
  column('schedules', { minor: 8 }),
  ...column.hidden('date'),
];

const fault = columnsOf<SubmissionFault>();
const faultColumns = [fault('file'), fault('line', whole), fault('problem')];
