import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { timestamp } from '../core/clock.js';
import { compareRuns } from '../harness/compare.js';
import type { Limit } from '../harness/limits.js';
import { type RunResult, runBenchmark } from '../harness/run.js';
import { readManifest, readRun } from '../harness/run-directory.js';
import type { RunOptions } from '../harness/run-options.js';
import { resolveSources } from '../jssp/suites.js';
import { renderRecords } from '../report/record-table.js';
import { renderSummary } from '../report/summary-table.js';
import { renderJson } from '../report/table.js';
import { exitCode } from './exit-code.js';
import {
  checkGate,
  failOnOption,
  type GateResult,
  gateExitCode,
  printGate,
  requireBaseline,
} from './gate.js';
import { collect, type OutputOptions, wholeNumber, withOutput, withSeed } from './options.js';
import { print, remark, tableStyle } from './output.js';
import { packageCommit } from './package-commit.js';
import { createProgressDisplay, silentDisplay } from './progress.js';

interface Options extends OutputOptions {
  suite?: string[];
  planner?: string[];
  replicates: number;
  seed: number;
  workers: number;
  /** False for `--no-out`. */
  out?: string | false;
  resume?: string;
  saveSchedules: boolean;
  baseline?: string;
  failOn: Limit[];
  timeLimit?: number;
}

/** `alas-jssp run`: planners on suites, judged and compared with the best known bounds. */
export function runCommand(): Command {
  return withSeed(withOutput(new Command('run')))
    .description('run planners on suites, judge what they plan, and compare it with the best known')
    .option('--suite <suite>', 'a suite, an instance, a file, a directory or a glob', append)
    .option('--planner <spec>', 'what plans; see alas-jssp list planners', collect)
    .option('--replicates <count>', 'runs of each planner on each instance', count, 1)
    .option('--workers <count>', 'worker threads', count, availableParallelism())
    .option('--time-limit <seconds>', 'stop a planner that takes longer', seconds)
    .option('--out <dir>', 'where the run is written (default: results/<suite>-<time>)')
    .option('--no-out', 'write nothing')
    .option('--save-schedules', 'write every judged plan, too', false)
    .option('--resume <dir>', 'go on with a run: do what is missing and what failed')
    .option('--baseline <run>', 'compare with an earlier run')
    .addOption(failOnOption())
    .addHelpText(
      'after',
      `
--suite and --planner may be given several times. Defaults: --suite dmu --planner dispatch:best.

Examples:
  $ alas-jssp run --suite dmu
  $ alas-jssp run --suite ft,la --planner dispatch:best --planner insertion --save-schedules
  $ alas-jssp run --suite 'shops/*.json' --planner module:./my-planner.js --time-limit 60
  $ alas-jssp run --resume results/dmu-2026-11-21T10-00-00
  $ alas-jssp run --suite abz --baseline results/reference/abz --fail-on 'success<100,gap>+0.2'`,
    )
    .action(async (options: Options, command: Command) => {
      process.exitCode = await run(options, command);
    });
}

async function run(options: Options, command: Command): Promise<number> {
  requireBaseline(options.failOn, options.baseline !== undefined);
  const baseline = options.baseline === undefined ? null : readRun(options.baseline);
  const settings = settingsOf(options, command);
  const result = await runInterruptibly(settings, options.quiet);
  if (result.interrupted) {
    printResult(result, null, options);
    return explainInterruption(result, settings);
  }
  const comparison = baseline && compareRuns(result, baseline);
  const gate = checkGate(options.failOn, result.records, comparison);
  printResult(result, gate, options);
  if (settings.out !== undefined) remark(options, `records in ${settings.out}`);
  const failed = result.records.filter(({ status }) => status === 'error').length;
  if (failed > 0) process.stderr.write(`${failed} records with status error\n`);
  return gateExitCode(gate) || (failed > 0 ? exitCode.no : exitCode.done);
}

/** Runs until done or until the user interrupts; asked twice, at once. */
async function runInterruptibly(settings: RunOptions, quiet: boolean): Promise<RunResult> {
  const display = quiet ? silentDisplay : createProgressDisplay();
  const interrupt = new AbortController();
  const stop = () => {
    if (interrupt.signal.aborted) process.exit(exitCode.interrupted);
    interrupt.abort();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    const { signal } = interrupt;
    return await runBenchmark({ ...settings, signal, onProgress: display.update });
  } finally {
    display.stop();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** What to run; what was not given on the command line is taken from a run to resume. */
function settingsOf(options: Options, command: Command): RunOptions {
  const earlier = options.resume === undefined ? null : readManifest(options.resume);
  const given = (key: keyof Options) => command.getOptionValueSource(key) === 'cli';
  const spec = options.suite?.join(',') ?? earlier?.suite ?? 'dmu';
  const out = options.resume ?? options.out ?? `results/${defaultName(spec)}`;
  return {
    sources: resolveSources(spec),
    planners: options.planner ?? earlier?.planners ?? ['dispatch:best'],
    replicates: given('replicates') ? options.replicates : (earlier?.replicates ?? 1),
    seed: given('seed') ? options.seed : (earlier?.seed ?? 0),
    saveSchedules: options.saveSchedules || (earlier?.save_schedules ?? false),
    workers: options.workers,
    limits: { seconds: options.timeLimit },
    resume: options.resume !== undefined,
    out: out === false ? undefined : out,
    command: ['alas-jssp', ...process.argv.slice(2)].join(' '),
    suite: spec,
    commit: packageCommit(),
  };
}

function printResult(result: RunResult, gate: GateResult | null, options: OutputOptions): void {
  const { format, quiet } = options;
  const { manifest, records, summary } = result;
  if (format === 'json') {
    print(renderJson({ manifest, records, summary, ...gate }));
    return;
  }
  print(renderRecords(records, format, tableStyle()));
  if (format === 'csv') {
    // One table is all that a program can read; people find the summary on stderr.
    if (!quiet) process.stderr.write(renderSummary(summary, 'table'));
    return;
  }
  print(`\n${renderSummary(summary, format, tableStyle())}`);
  if (gate !== null) printGate(gate, format);
}

function explainInterruption({ records, summary }: RunResult, { out }: RunOptions): number {
  const cure = out === undefined ? '' : `; continue with: alas-jssp run --resume ${out}`;
  process.stderr.write(
    `interrupted after ${records.length} of ${summary.planned} records${cure}\n`,
  );
  return exitCode.interrupted;
}

function defaultName(spec: string): string {
  const name = spec.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${name}-${timestamp().slice(0, 19).replaceAll(':', '-')}`;
}

const count = wholeNumber('a count', 1);

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('a time limit is a number of seconds above 0.');
}

function append(text: string, values: string[] | undefined): string[] {
  return [...(values ?? []), text];
}
