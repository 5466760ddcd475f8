import { InputError } from 'alas-jssp';
import {
  type Column,
  Command,
  columnsOf,
  counted,
  type Format,
  fixed,
  type OutputOptions,
  outputFile,
  printMore,
  printRows,
  remark,
  renderTable,
  type Session,
  whole,
  withOutput,
} from 'alas-jssp/command-line';
import { shownRecords } from '../page/shown-records.js';
import { isRealmRecords, readRealmRecords } from '../realm/suites/realm-record.js';
import { type CoordinationRecord, readCoordinationRecords } from '../runs/record.js';
import {
  type AgreementReport,
  type PlannerReport,
  reportCoordination,
  type ViolationReport,
} from '../runs/report.js';
import { printContext } from './context-tables.js';
import { printLeaderboard } from './leaderboard.js';
import { meanColumnsOf } from './mean-columns.js';
import { writePlanPage } from './plan-page-file.js';

interface Options extends OutputOptions {
  html?: string;
}

/** `alas-coordination report`: prints the tables of runs. */
export function reportCommand(session: Session): Command {
  return withOutput(session, new Command('report'))
    .argument('<files...>', 'files of records that alas-coordination run has written')
    .option('--html <file>', 'write the plans, before and after repair, as a page', outputFile)
    .addHelpText(
      'after',
      `
Three tables, by planner and by condition of an experiment: plans that are
claimed to be feasible, those that the judge accepts, and those that are valid
after repair, with 95 % intervals (problems are drawn with replacement); the
rules that plans break; and how often claims and judge agree. In CSV the first
is on stdout, the others are on stderr. Records of suites give the leaderboard.
Experiments have three more: each condition; pairs of arms on the same problems
and replicates (20 records and more are needed for a narrow interval); and the
abilities in table 10 of SagaLLM as measured rates.

Examples:
  $ alas-coordination report run.jsonl
  $ alas-coordination report a.jsonl b.jsonl --format md
  $ alas-coordination report run.jsonl --html run.html`,
    )
    .action(async (files: string[], { format, html }: Options) => {
      if (isRealmRecords(files[0])) {
        refusePage(html);
        await printLeaderboard(session, files.flatMap(readRealmRecords), format);
        return;
      }
      const records = files.flatMap((file) => readCoordinationRecords(file));
      await printReport(session, records, format);
      if (html !== undefined) showRecords(session, records, html);
    });
}

/** Records of suites have no page. @throws InputError `bad_option` */
function refusePage(html: string | undefined): void {
  if (html === undefined) return;
  const hint = 'leave --html out: the leaderboard is a table';
  throw new InputError('bad_option', 'records of suites have no page', hint, {});
}

/** Writes the plans of records as a page. */
function showRecords(session: Session, records: readonly CoordinationRecord[], file: string): void {
  const shown = shownRecords(records);
  const left = records.filter(({ plan }) => plan === null).length;
  if (left > 0) remark(session, `${counted(left, 'record')} without a plan to show`);
  writePlanPage(session, file, 'Plans of runs', shown);
}

/** Prints the tables of records. */
export async function printReport(
  session: Session,
  records: readonly CoordinationRecord[],
  format: Format,
): Promise<void> {
  const report = reportCoordination(records);
  const { planners, violations, agreement, context } = report;
  await printRows(session, format, plannerColumns, planners, report);
  if (format === 'json') return;
  if (violations.length > 0) {
    await printMore(session, format, (as, style) =>
      renderTable(violationColumns, violations, as, style),
    );
  }
  await printMore(session, format, (as, style) =>
    renderTable(agreementColumns, agreement, as, style),
  );
  if (context !== null) await printContext(session, format, context);
}

/** Columns that appear where rows differ in them from ordinary runs. */
const inTeams = {
  when: (rows: readonly { readonly team: string | null }[]) =>
    rows.some(({ team }) => team !== null),
};
const inVariants = {
  when: (rows: readonly { readonly variant: string }[]) =>
    rows.some(({ variant }) => variant !== 'full'),
};
const inStreams = {
  when: (rows: readonly { readonly events: string | null }[]) =>
    rows.some(({ events }) => events !== null),
};
const inExperiment = {
  when: (rows: readonly { readonly experiment: string | null }[]) =>
    rows.some(({ experiment }) => experiment !== null),
};

const hasSelfVerdicts = {
  when: (rows: readonly PlannerReport[]) => rows.some((one) => one.self_verdicts > 0),
};

const planner = columnsOf<PlannerReport>();
const meanColumns = meanColumnsOf<PlannerReport>();
const plannerColumns: Column<PlannerReport>[] = [
  planner('planner'),
  planner('experiment', inExperiment),
  planner('condition', inExperiment),
  planner('team', inTeams),
  planner('variant', inVariants),
  planner('events', inStreams),
  planner('records', whole, { minor: 6 }),
  planner('plans', whole),
  planner('claimed', whole, { minor: 1 }),
  planner('alone', whole, { ...inTeams, minor: 5 }),
  ...meanColumns('alone_share', '% alone', 0, inTeams),
  planner('valid', whole, { minor: 5 }),
  ...meanColumns('valid_share', '% valid', 0),
  planner('right_claims', whole, { header: 'right claims', minor: 2 }),
  ...planner.hidden('claims', 'with_past'),
  planner('rewritten', whole, { when: (rows) => rows.some((one) => one.with_past > 0), minor: 2 }),
  planner('repaired', whole, { minor: 5 }),
  ...meanColumns('repaired_share', '% repaired', 0),
  ...meanColumns('edit_radius', 'edit radius', 2, { minor: 4 }),
  ...meanColumns('gap_percent', 'gap %', 1, { minor: 1 }),
  ...meanColumns('gap_repaired_percent', 'gap % repaired', 1, { minor: 4 }),
  ...meanColumns('iterations', 'iterations', 1, inTeams),
  planner('self_verdicts', whole, { header: 'own verdicts', ...hasSelfVerdicts }),
  planner('right_self_verdicts', whole, { header: 'right own verdicts', ...hasSelfVerdicts }),
  planner('requests', whole, { ...inTeams, minor: 1 }),
  planner('tokens', whole, { minor: 2 }),
  planner('cost_usd', fixed(4), { header: 'USD', minor: 3 }),
  planner('seconds', fixed(2), { minor: 1 }),
];

const violation = columnsOf<ViolationReport>();
const violationColumns = [
  violation('planner'),
  violation('experiment', inExperiment),
  violation('condition', inExperiment),
  violation('team', inTeams),
  violation('variant', inVariants),
  violation('events', inStreams),
  violation('code'),
  violation('plans', whole),
  violation('violations', whole),
];

const agreement = columnsOf<AgreementReport>();
const agreementColumns = [
  agreement('planner'),
  agreement('experiment', inExperiment),
  agreement('condition', inExperiment),
  agreement('team', inTeams),
  agreement('variant', inVariants),
  agreement('events', inStreams),
  agreement('both_yes', whole, { header: 'claimed, valid' }),
  agreement('false_yes', whole, { header: 'claimed, not valid' }),
  agreement('false_no', whole, { header: 'not claimed, valid' }),
  agreement('both_no', whole, { header: 'not claimed, not valid' }),
  agreement('unsaid', whole, { header: 'nothing said' }),
];
