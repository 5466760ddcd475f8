import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { attribution } from '../../harness/attribution/attribution.js';
import { namedPlanners } from '../../harness/attribution/controls.js';
import { compareRuns } from '../../harness/records/compare.js';
import { requireBaseline } from '../../harness/records/gate.js';
import { isCutShort, type RunRecord } from '../../harness/records/record.js';
import type { Executor } from '../../harness/run/executor.js';
import { skippedIn } from '../../harness/run/fill-spec.js';
import { type BenchmarkResult, type RunContext, runBenchmark } from '../../harness/run/run.js';
import type { RunSpec } from '../../harness/run/spec.js';
import { readManifest, readRun } from '../../harness/run/stored-run.js';
import { attributionFindings, attributionTables } from '../../report/attribution-tables.js';
import { counted } from '../../report/format.js';
import { titled } from '../../report/paper-tables.js';
import { renderRecords } from '../../report/record-table.js';
import { renderStages } from '../../report/stage-table.js';
import { renderSummary } from '../../report/summary-table.js';
import { syntheticRemarks } from '../../report/synthetic-remarks.js';
import { type Format, renderJson } from '../../report/table.js';
import { describeUsage } from '../common/model-words.js';
import { isGiven } from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import { createProgressDisplay, silentDisplay } from '../common/progress.js';
import { exitCode, onInterruption, type Session } from '../common/session.js';
import { printMore, tableStyle } from '../common/tables.js';
import { loadTemporal } from '../common/temporal.js';
import { preview } from './estimate.js';
import { checkGate, describeLimits, type GateResult, gateExitCode, renderGate } from './gate.js';
import type { RunCommandOptions } from './run-options.js';
import { addressOf, outOf, resumeCommand, specOf } from './run-spec.js';

type TableFormat = Exclude<Format, 'json'>;

/** Performs a run, or previews it, and returns the exit code. */
export async function performRun(
  session: Session,
  options: RunCommandOptions,
  command: Command,
): Promise<number> {
  const { format, failOn } = options;
  requireBaseline(failOn, options.baseline !== undefined);
  const { resume } = options;
  const before = resume === undefined ? undefined : readManifest(resume);
  const spec = specOf(options, before?.spec);
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
  return checkGate(failOn, ownRecords(result), baseline ? compareRuns(result, baseline) : null);
}

/** The records without those of controls that only an attribution needs. */
function ownRecords({ manifest, records }: BenchmarkResult): readonly RunRecord[] {
  const named = namedPlanners(manifest.spec);
  return records.filter(({ planner }) => named.includes(planner));
}

async function printDocument(
  session: Session,
  { manifest, records, summary }: BenchmarkResult,
  gate: GateResult | null,
) {
  const { comparison = null, crossings = [] } = gate ?? {};
  const schema = 'alas-jssp/run@1';
  const made = attribution(records);
  const data = { schema, manifest, records, summary, comparison, crossings };
  await print(session, renderJson(made === null ? data : { ...data, attribution: made }));
}

async function printTables(
  session: Session,
  { records, summary }: BenchmarkResult,
  format: TableFormat,
) {
  await print(session, renderRecords(records, format, tableStyle(session.host.stdout)));
  await printMore(session, format, (...look) => renderSummary(summary, ...look));
  if (summary.stages.length > 0) {
    await printMore(session, format, (...look) => renderStages(summary.stages, ...look));
  }
  for (const line of syntheticRemarks(summary)) remark(session, line);
  const made = attribution(records);
  if (made === null) return;
  const { title, render } = attributionTables(made).attribution;
  await printMore(session, format, (look, style) =>
    titled({ title, text: render(look, style) }, look),
  );
  for (const line of attributionFindings(made)) remark(session, line);
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
function feasibilityExitCode(session: Session, result: BenchmarkResult): number {
  const { manifest } = result;
  const records = ownRecords(result);
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
