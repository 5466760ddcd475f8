import { InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { Command, Option } from 'commander';
import { TARGETS_PERCENT } from '../../harness/evaluation/anytime.js';
import { TEST_FAMILIES } from '../../harness/evaluation/planner-tests.js';
import { parseBaseline } from '../../harness/paper/baseline.js';
import { type PaperClaims, readPaperClaims } from '../../harness/paper/claims.js';
import { type PaperReport, paperReport } from '../../harness/paper/report.js';
import { joinRuns } from '../../harness/records/joined-runs.js';
import { readRun } from '../../harness/run/stored-run.js';
import { RESAMPLES } from '../../harness/statistics/bootstrap.js';
import { FAULTS } from '../../harness/study/study.js';
import { counted } from '../../report/format.js';
import { escapeLatex } from '../../report/latex.js';
import { paperCsv } from '../../report/paper-csv.js';
import {
  claimedTables,
  PAPER_TABLES,
  paperLegend,
  paperTables,
  titled,
} from '../../report/paper-tables.js';
import { renderJson, wrapWords } from '../../report/table.js';
import { collect, seconds, wholeNumber, withOutput } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { withSeed } from '../common/setting-options.js';
import { printMore, tableStyle } from '../common/tables.js';
import { reportFailures } from './report-failures.js';
import { percentages, type StatisticsOptions } from './report-statistics.js';

interface Options extends StatisticsOptions {
  paper: boolean;
  best?: string;
  baseline?: string;
  claims: boolean;
  study: boolean;
  failures: boolean;
  algorithms: boolean;
  faults?: number;
  judge?: string;
  record?: string;
  html?: string;
  log?: string[];
}

/** Text below the options. */
const NOTES = `
By default, the summary of run and general statistics
(docs/reference/statistics.md): primal integral and time to target, performance
profiles, differences between planners with tests, the best of each instance.
--table is one of summary, stages, anytime, curves, profile, profile-time,
differences, differences-time, best; with --paper one of success, optimality,
ablation, time, tokens, cost, summary; with --study only rounds. Several runs
are joined; records in more than one must be equal. --seed is the seed of the
bootstrap. Runs with --attribution also have attribution, edges and gains
(docs/how-to/attribution.md). --family planners tests planners of the same
variant, variants those of the same planner, all (the default) all pairs.

--best needs runs with --save-schedules. Each schedule is judged again.

--html writes a page that needs no network and no server (docs/how-to/page.md),
with the schedules of runs with --save-schedules, answers of models, and logs.
With --log alone it shows a log.

--failures reports on plans before any repair: shares of answers that were cut
off, refused, unreadable or incomplete, violations with their root causes,
claimed makespans, requests.

Examples:
  $ alas-jssp report results/dmu
  $ alas-jssp report results/dmu results/abz --table anytime --format latex
  $ alas-jssp report results/dmu --best best
  $ alas-jssp report results/models --failures
  $ alas-jssp report results/dmu results/abz --html results.html
  $ alas-jssp report results/paper --paper --claims
  $ alas-jssp report results/paper results/baseline --paper --baseline insertion
  $ alas-jssp report results/abz --study
  $ alas-jssp report results/abz --study --faults 1 --record answers \\
      --judge openai-compatible:m@http://127.0.0.1:8080/v1
  $ alas-jssp report results/paper --paper --baseline insertion@no-repair`;

/** `alas-jssp report`: reports the results of runs, also in the tables of the paper. */
export function reportCommand(session: Session): Command {
  return withSeed(withOutput(session, new Command('report')))
    .argument('[runs...]', 'directories of runs, or their records.jsonl')
    .option(
      '--paper',
      'make the tables of the ALAS paper from runs, with intervals and tests',
      false,
    )
    .option(
      '--baseline <planner>',
      'planner that --paper tests against: PLANNER or PLANNER@VARIANT',
    )
    .option(
      '--claims',
      'with --paper, add separate tables of the numbers that the paper claims',
      false,
    )
    .option(
      '--study',
      'inject faults into the valid schedules of runs; measure detection and repair',
      false,
    )
    .option(
      '--faults <count>',
      `faults of each class in each schedule, for --study (default: ${FAULTS})`,
      wholeNumber('faults', 1),
    )
    .option('--judge <model>', 'planner whose model judges the plans for --study')
    .option('--record <dir>', 'directory of its answers; kept answers are not requested again')
    .option(
      '--horizon <seconds>',
      'end time of anytime measures (default: the longest of any record)',
      seconds,
    )
    .option(
      '--targets <percentages>',
      `targets of the time to target, above the best known (default: ${TARGETS_PERCENT.join()})`,
      percentages,
    )
    .addOption(
      new Option('--family <of>', 'pairs that are tested and corrected together').choices(
        TEST_FAMILIES,
      ),
    )
    .option('--table <name>', 'print only this table of the statistics, or of --paper')
    .option(
      '--best <dir>',
      'directory for the best saved schedule of each instance, with certificate',
    )
    .option('--failures', 'print why plans failed, and where their answers are', false)
    .option('--algorithms', 'print the algorithms and parameters that answers name', false)
    .option('--html <file>', 'write one HTML file with tables, charts, schedules and logs')
    .option('--log <file>', 'log that --html shows, too; may be repeated', collect)
    .addHelpText('after', NOTES)
    .action(async (directories: string[], options: Options, command: Command) => {
      refuseMixedOptions(directories, options, command);
      if (options.html !== undefined) {
        const { reportPage } = await import('./report-page.js');
        return reportPage(session, directories, options.html, options.log ?? []);
      }
      await report(session, directories, options);
    });
}

/** Ends the command with a usage error if options do not go together. */
function refuseMixedOptions(
  directories: readonly string[],
  options: Options,
  command: Command,
): void {
  if (!options.paper && (options.baseline !== undefined || options.claims)) {
    command.error('--baseline and --claims go with --paper');
  }
  const { paper, study, failures, algorithms } = options;
  if ([paper, study, failures, algorithms, options.html !== undefined].filter(Boolean).length > 1) {
    command.error('--paper, --study, --failures, --algorithms and --html are different reports');
  }
  const { faults, judge, record } = options;
  if (!options.study && [faults, judge, record].some((one) => one !== undefined)) {
    command.error('--faults, --judge and --record go with --study');
  }
  if (options.html === undefined && options.log !== undefined) {
    command.error('--log goes with --html');
  }
  const { horizon, targets, table, family } = options;
  const isOther = paper || study || failures || algorithms || options.html !== undefined;
  if (isOther && [horizon, targets, family, options.best].some((one) => one !== undefined)) {
    command.error('--horizon, --targets, --family and --best go with the general statistics');
  }
  if (table !== undefined && isOther && !paper && !study) {
    command.error('--table goes with --paper, --study and the general statistics');
  }
  if (directories.length === 0 && options.log === undefined) {
    command.error('name the directory of a run');
  }
}

async function report(
  session: Session,
  directories: readonly string[],
  options: Options,
): Promise<void> {
  const { format, seed, baseline } = options;
  const runs = directories.map((directory) => ({ directory, ...readRun(directory) }));
  const { records, planned, interrupted } = joinRuns(runs);
  if (records.length < planned) {
    remark(session, `the run has ${records.length} of ${counted(planned, 'record')}`);
  }
  if (options.failures) return reportFailures(session, runs, options);
  if (options.algorithms) {
    const { reportAlgorithms } = await import('./report-algorithms.js');
    return reportAlgorithms(session, runs, options);
  }
  if (options.study) {
    const { studyRuns } = await import('./study.js');
    return studyRuns(session, runs, records, options);
  }
  if (options.best !== undefined) {
    const { writeBest } = await import('./report-best.js');
    session.exitCode = await writeBest(session, runs, options.best, format);
    return;
  }
  if (!options.paper) {
    const { reportStatistics } = await import('./report-statistics.js');
    return reportStatistics(session, { records, planned, interrupted }, options);
  }
  const made = paperReport(records, {
    baseline: baseline === undefined ? null : parseBaseline(baseline, records),
    seed,
  });
  await printPaper(session, made, options.claims ? readPaperClaims() : null, options);
}

async function printPaper(
  session: Session,
  made: PaperReport,
  claims: PaperClaims | null,
  options: Pick<Options, 'format' | 'table'>,
) {
  const { format } = options;
  if (format === 'json')
    return print(session, renderJson({ ...made, resamples: RESAMPLES, claims }));
  if (format === 'csv') {
    await print(session, paperCsv(made));
    if (claims === null) return;
    return printMore(session, format, (...look) =>
      claimedTables(claims, ...look)
        .map((table) => titled(table, 'table'))
        .join('\n'),
    );
  }
  const style = tableStyle(session.host.stdout);
  const isChosen = paperTableChoice(options.table);
  const ours = paperTables(made, format, style).filter(isChosen);
  const theirs = claims === null ? [] : claimedTables(claims, format, style).filter(isChosen);
  const sections = ours.flatMap((table, index) => [table, ...theirs.slice(index, index + 1)]);
  const lines = (text: string) => {
    if (format === 'latex') return escapeLatex(text);
    return wrapWords(text, format === 'md' ? undefined : style.width);
  };
  const legend = paperLegend(made, RESAMPLES).map(lines).join('\n\n');
  await print(session, `${sections.map((table) => titled(table, format)).join('\n')}\n${legend}\n`);
}

/** Whether a table, by its place, is the one that `--table` names; all are without it. */
function paperTableChoice(name: string | undefined): (table: unknown, index: number) => boolean {
  const names: readonly string[] = PAPER_TABLES;
  if (name === undefined) return () => true;
  const place = names.indexOf(name);
  if (place >= 0) return (_, index) => index === place;
  const hint = suggestNames(name, names);
  throw new InputError('no_table', `--paper has no table '${name}'`, hint, {}, name);
}
