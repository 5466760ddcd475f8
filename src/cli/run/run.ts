import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { compareRuns } from '../../harness/records/compare.js';
import { requireBaseline } from '../../harness/records/gate.js';
import { isCutShort } from '../../harness/records/record.js';
import type { Executor } from '../../harness/run/executor.js';
import type { BenchmarkResult, RunContext } from '../../harness/run/run.js';
import { RUN_DEFAULTS, type RunSpec, skippedIn, VARIANT_BUDGET } from '../../harness/run/spec.js';
import { readManifest, readRun } from '../../harness/run/stored-run.js';
import { counted } from '../../report/format.js';
import { renderRecords } from '../../report/record-table.js';
import { renderStages } from '../../report/stage-table.js';
import { renderSummary } from '../../report/summary-table.js';
import { type Format, renderJson } from '../../report/table.js';
import { describeUsage } from '../common/model-words.js';
import { isGiven, refuseNegation, withOutput, withSeed } from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import { createProgressDisplay, silentDisplay } from '../common/progress.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { printMore, tableStyle } from '../common/tables.js';
import { loadTemporal } from '../common/temporal.js';
import { preview, withPreview } from './estimate.js';
import {
  checkGate,
  describeLimits,
  failOnOption,
  type GateResult,
  gateExitCode,
  renderGate,
} from './gate.js';
import { type RunCommandOptions, withSpec } from './run-options.js';
import { addressOf, outOf, resumeCommand, specOf } from './run-spec.js';

type TableFormat = Exclude<Format, 'json'>;

/** `alas-jssp run`: runs planners on suites and compares the judged plans with the best known bounds. */
export function runCommand(session: Session): Command {
  const command = withPreview(withSpec(withSeed(withOutput(session, new Command('run')))))
    .option('--out <dir>', 'output directory of the run (default: results/<suite>-<time>)')
    .option('--no-out', 'write no files')
    .addOption(
      new Option(
        '--resume <dir>',
        'directory of a run to resume: missing and failed records are run',
      ).conflicts('out'),
    )
    .option('--baseline <run>', 'earlier run to compare with')
    .addOption(failOnOption())
    .addHelpText('after', `\n${help}`)
    .action(async (options: RunCommandOptions, acting: Command) => {
      session.exitCode = await run(session, options, acting);
    });
  return refuseNegation(command, 'out');
}

const help = `--suite and --planner may be given several times. Defaults: --suite
${RUN_DEFAULTS.suite} --planner ${RUN_DEFAULTS.planners}.

--disrupt executes schedules in simulated time. Events become known when they
happen. They are those of a severity, of injectors
(breakdowns:mtbf=0.5,mttr=0.05+delays), of a JSON file or, with --disrupt
instance, of the instance files, such as those of REALM-Bench. --repair names
the repair methods, each with its own records: none (the default), right-shift,
affected, postpone, dispatch, dispatch:RULE, recompute, lcrp (also for --repair
without a name).

Planners that ask a model (openai:MODEL, anthropic:MODEL, or any server with
openai-compatible:MODEL@URL) take keys from the environment or a .env file.
Answers are kept in OUT/answers or the directory of --record. replay:DIR replays
them, and --resume requests only missing ones. With --repair llm, the model gets
a report of violations and --rounds attempts; plans that remain infeasible are
repaired by lcrp. If a budget is spent, the run ends and keeps its records.
--estimate prints the cost in advance, --show-prompt the first prompts.

--variant runs variants of the pipeline, each with its own records. The full
pipeline repairs every infeasible plan and then searches with --optimize or
${VARIANT_BUDGET}. The others omit or replace one part: no-repair,
no-optimization, no-validation (plans are not checked), blind-repair (every plan
is repaired, without a list of violations), self-validation (the model judges
its own plan; other planners are skipped). The final verdict is always the
validator's.

--on runs the tasks on the workers of a Temporal server, on any number of
machines (docs/how-to/temporal.md). It needs the package @alas-jssp/temporal.
--resume uses the same address, or threads of this process with --on here. The
records are the same.

Exit codes: with --fail-on 1 if a limit is crossed, else 0; without it 0 if
every record is feasible, else 1. 1 if the budget for models is spent, 2 for
wrong usage, 130 if interrupted.

Examples:
  $ alas-jssp run --suite dmu
  $ alas-jssp run --suite ft,la --planner dispatch:best --planner insertion
  $ alas-jssp run --suite 'shops/*.json' --planner module:./my-planner.js \\
      --time-limit 60 --save-schedules
  $ alas-jssp run --suite abz --planner search:10s --time-limit 10 \\
      --planner 'mine=exec:python3 mine.py {instance} {seconds} {seed}'
  $ alas-jssp run --suite la --optimize 200k-iterations
  $ alas-jssp run --suite ft --planner 'file:answers/{instance}.json' --repair
  $ alas-jssp run --suite la --optimize 20k-iterations --replicates 3 \\
      --disrupt medium --repair right-shift,lcrp
  $ alas-jssp run --suite 'J4/*.json' --disrupt instance --repair lcrp
  $ alas-jssp run --suite abz --variant full,no-repair --log abz.db
  $ alas-jssp run --suite la --planner openai:gpt-4.1#format=sequences \\
      --repair llm --rounds 3 --budget-usd 2
  $ alas-jssp run --suite la --planner openai:gpt-4.1 --repair llm --estimate
  $ alas-jssp run --suite all --on 'temporal://10.0.0.5:7233/default?queue=jssp'
  $ alas-jssp run --resume results/dmu-2026-11-21T10-00-00
  $ alas-jssp run --suite abz --baseline results/reference/abz \\
      --fail-on 'success<100,gap>+0.2'`;

async function run(
  session: Session,
  options: RunCommandOptions,
  command: Command,
): Promise<number> {
  const { format, failOn } = options;
  requireBaseline(failOn, options.baseline !== undefined);
  const { resume } = options;
  const before = resume === undefined ? undefined : readManifest(resume);
  const spec = specOf(options, before?.spec, (option) => isGiven(command, option));
  if (options.estimate || options.showPrompt) {
    return preview(session, spec, options, isGiven(command, 'format'));
  }
  const executor = await executorOn(addressOf(options, before));
  const context: RunContext = {
    executor,
    out: outOf(options),
    resume: resume !== undefined,
    baseline: options.baseline === undefined ? undefined : readRun(options.baseline),
    command: ['alas-jssp', ...session.args].join(' '),
    commit: packageCommit(),
  };
  const result = await runInterruptibly(session, spec, context);
  if (format !== 'json') await printTables(session, result, format);

  const gate = result.interrupted ? null : holdAgainst(context, options, result);
  if (format === 'json') await printDocument(session, result, gate);
  for (const line of describeSpending(result)) remark(session, line);
  for (const line of skippedIn(result.manifest.spec)) remark(session, line);
  if (gate === null) return explainInterruption(session, result, context, options);
  if (format !== 'json') await printGate(session, gate, format);
  remarkVerdict(session, format, [describeRecords(result), ...describeLimits(gate)].join('; '));
  if (context.out !== undefined) remark(session, `records in ${context.out}`);
  return failOn.length > 0 ? gateExitCode(session, gate) : feasibilityExitCode(session, result);
}

/** The executor at an address; undefined without one. */
async function executorOn(address: string | undefined): Promise<Executor | undefined> {
  if (address === undefined) return undefined;
  const { createTemporalExecutor } = await loadTemporal(address);
  const executor = createTemporalExecutor(address);
  return { on: address, prepare: (job) => executor.prepare(job) };
}

/** Runs until done or interrupted. */
async function runInterruptibly(
  session: Session,
  spec: RunSpec,
  context: RunContext,
): Promise<BenchmarkResult> {
  const display = session.quiet ? silentDisplay : createProgressDisplay(session.host.stderr);
  const interrupt = new AbortController();
  const ending = 'finished records and the best of running searches are kept';
  const deafen = onInterruption(session, () => interrupt.abort(), ending);
  try {
    const { signal } = interrupt;
    const onNotice = (line: string) => remark(session, display.above(line));
    const listeners = { onProgress: display.update, onWait: display.wait, onNotice };
    // The harness is loaded only if used, to keep the help fast.
    const { runBenchmark } = await import('../../harness/run/run.js');
    return await runBenchmark(spec, { ...context, signal, ...listeners });
  } finally {
    display.stop();
    deafen();
  }
}

function holdAgainst(
  { baseline }: RunContext,
  { failOn }: RunCommandOptions,
  result: BenchmarkResult,
): GateResult {
  return checkGate(failOn, result.records, baseline ? compareRuns(result, baseline) : null);
}

async function printDocument(
  session: Session,
  { manifest, records, summary }: BenchmarkResult,
  gate: GateResult | null,
) {
  const { comparison = null, crossings = [] } = gate ?? {};
  const schema = 'alas-jssp/run@1';
  await print(session, renderJson({ schema, manifest, records, summary, comparison, crossings }));
}

async function printTables(
  session: Session,
  { records, summary }: BenchmarkResult,
  format: TableFormat,
) {
  await print(session, renderRecords(records, format, tableStyle(session.host.stdout)));
  await printMore(session, format, (...look) => renderSummary(summary, ...look));
  if (summary.stages.length === 0) return;
  await printMore(session, format, (...look) => renderStages(summary.stages, ...look));
}

async function printGate(session: Session, gate: GateResult, format: TableFormat) {
  if (gate.comparison !== null || gate.crossings.length > 0) {
    await printMore(session, format, (...look) => renderGate(gate, ...look));
  }
  if (format === 'table') describeLimits(gate).forEach((line) => void remark(session, line));
}

/** The tokens and cost of the requests of this run, without kept answers. */
function describeSpending({ manifest }: BenchmarkResult): string[] {
  const spent = manifest.outcome.spent;
  if (!spent) return [];
  const { requests, tokens, cost_usd } = spent;
  return [
    `models: ${counted(requests, 'request')} answered, ${describeUsage({ tokens, usd: cost_usd })}`,
  ];
}

function describeRecords({ records }: BenchmarkResult): string {
  const having = (wanted: string) => records.filter(({ status }) => status === wanted).length;
  const proven = records.filter(({ proven_optimal }) => proven_optimal).length;
  const parts = [`${having('ok')} feasible`, `${proven} proven optimal`];
  if (having('infeasible') > 0) parts.push(`${having('infeasible')} infeasible`);
  if (having('error') > 0) parts.push(counted(having('error'), 'error'));
  return `${counted(records.length, 'record')}: ${parts.join(', ')}`;
}

/** The exit code of a run without limits: 0 if every record is feasible. */
function feasibilityExitCode(session: Session, { manifest, records }: BenchmarkResult): number {
  const failed = records.filter(({ feasible }) => !feasible).length;
  if (failed === 0) return exitCode.done;
  const outcome = manifest.spec.disruption === null ? 'plan' : 'outcome';
  session.host.stderr.write(
    `${failed} of ${counted(records.length, 'record')} without a feasible ${outcome}\n`,
  );
  return exitCode.no;
}

function explainInterruption(
  session: Session,
  { records, summary, stopped }: BenchmarkResult,
  { out }: RunContext,
  options: RunCommandOptions,
): number {
  const more = stopped?.startsWith('the budget of ') ? ' and a larger budget' : '';
  const hint = out === undefined ? '' : `; continue with: ${resumeCommand(out, options)}${more}`;
  const cutShort = records.filter(isCutShort).length;
  const what = stopped === null ? 'interrupted' : `${stopped}: ended`;
  const finished = `${records.length - cutShort} of ${counted(summary.planned, 'record')}`;
  const best = cutShort === 0 ? '' : `, ${cutShort} more with the best so far of a search`;
  session.host.stderr.write(`${what} after ${finished}${best}${hint}\n`);
  return stopped === null ? exitCode.interrupted : exitCode.no;
}

const root = new URL('../../../', import.meta.url);

/**
 * The commit of this package if it runs from a git checkout, with the suffix `-changed` if files differ from
 * the commit; else null.
 */
function packageCommit(): string | null {
  if (!existsSync(new URL('.git', root))) return null;
  try {
    const changes = git('status', '--porcelain', '--untracked-files=no');
    return git('rev-parse', 'HEAD') + (changes === '' ? '' : '-changed');
  } catch {
    return null;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', fileURLToPath(root), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
