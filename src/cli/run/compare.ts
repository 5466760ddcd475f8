import { Command } from 'commander';
import { compareRuns } from '../../harness/records/compare.js';
import { type Limit, metrics } from '../../harness/records/limits.js';
import { readRun } from '../../harness/run/stored-run.js';
import {
  describeComparison,
  renderComparison,
  renderCrossings,
  renderPairTests,
} from '../../report/comparison-table.js';
import { renderJson } from '../../report/table.js';
import { type OutputOptions, withOutput } from '../common/options.js';
import { print, remark, remarkVerdict } from '../common/output.js';
import type { Session } from '../common/session.js';
import { printMore, tableStyle } from '../common/tables.js';
import { checkGate, describeLimits, gateExitCode, renderGate } from './gate.js';
import { failOnOption } from './gate-option.js';

interface Options extends OutputOptions {
  failOn: Limit[];
  planner?: string;
  baselinePlanner?: string;
  method?: string;
  baselineMethod?: string;
}

/** `alas-jssp compare`: compares two runs record by record. */
export function compareCommand(session: Session): Command {
  return withOutput(session, new Command('compare'))
    .argument('<run>', 'directory of a run, or its records.jsonl')
    .argument('<baseline>', 'run to compare with; may be the same')
    .option('--planner <spec>', 'planner of the run to compare')
    .option('--baseline-planner <spec>', 'planner of the baseline to compare it with')
    .option('--method <name>', 'repair method of the run to compare')
    .option('--baseline-method <name>', 'repair method of the baseline to compare it with')
    .addOption(failOnOption())
    .addHelpText(
      'after',
      `
Tests by instance follow the pairs: the mean difference with its 95 % interval,
p of Wilcoxon's signed-rank test, and p corrected for the number of tests by
Holm's method (docs/reference/statistics.md).

Limits: METRIC<NUMBER or METRIC>NUMBER, separated by commas; each states an
unacceptable value. A signed number is added to the baseline's value. Metrics:
  ${Object.keys(metrics).join(', ')}

Examples:
  $ alas-jssp compare results/new results/old
  $ alas-jssp compare results/new results/old --fail-on 'success<100,gap>+0.2'
  $ alas-jssp compare results/abz results/abz \\
      --planner insertion --baseline-planner dispatch:best
  $ alas-jssp compare results/hit results/hit \\
      --method lcrp --baseline-method right-shift`,
    )
    .action(async (run: string, baseline: string, options: Options) => {
      session.exitCode = await compare(session, run, baseline, options);
    });
}

async function compare(
  session: Session,
  run: string,
  baseline: string,
  options: Options,
): Promise<number> {
  const { format, failOn } = options;
  const stored = readRun(run);
  const comparison = compareRuns(stored, readRun(baseline), options);
  const gate = checkGate(failOn, stored.records, comparison);
  const { crossings } = gate;
  if (format === 'json') {
    await print(session, renderJson({ schema: 'alas-jssp/compare@1', comparison, crossings }));
  } else if (format === 'csv') {
    await print(session, renderComparison(comparison, format));
    await printMore(session, format, (...look) => renderPairTests(comparison, ...look));
    if (crossings.length > 0) {
      await printMore(session, format, (...look) => renderCrossings(crossings, ...look));
    }
  } else {
    await print(session, renderGate(gate, format, tableStyle(session.host.stdout)));
    await printMore(session, format, (...look) => renderPairTests(comparison, ...look));
    if (format === 'table') describeLimits(gate).forEach((line) => void remark(session, line));
  }
  const verdict = [describeComparison(comparison), ...describeLimits(gate)].join('; ');
  remarkVerdict(session, format, verdict);
  return gateExitCode(session, gate);
}
