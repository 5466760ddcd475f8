import { Command } from 'commander';
import { compareRuns } from '../harness/compare.js';
import type { Limit } from '../harness/limits.js';
import { readRun } from '../harness/run-directory.js';
import { renderJson } from '../report/table.js';
import { checkGate, failOnOption, gateExitCode, printGate } from './gate.js';
import { type OutputOptions, withOutput } from './options.js';
import { print } from './output.js';

/** `alas-jssp compare`: two runs, record by record. */
export function compareCommand(): Command {
  return withOutput(new Command('compare'))
    .description('compare two runs record by record, and hold the first against limits')
    .argument('<run>', 'directory of a run, or its records.jsonl')
    .argument('<baseline>', 'the run to compare it with')
    .addOption(failOnOption())
    .addHelpText(
      'after',
      `
Limits: METRIC<NUMBER or METRIC>NUMBER, separated by commas; each says what is not acceptable.
A number with a sign is added to the baseline's value. Metrics: success, optimality, gap, makespan,
proven, errors, time.

Examples:
  $ alas-jssp compare results/new results/old
  $ alas-jssp compare results/new results/old --fail-on 'success<100,gap>+0.2'`,
    )
    .action((run: string, baseline: string, options: OutputOptions & { failOn: Limit[] }) => {
      const stored = readRun(run);
      const comparison = compareRuns(stored, readRun(baseline));
      const gate = checkGate(options.failOn, stored.records, comparison);
      if (options.format === 'json') print(renderJson(gate));
      else printGate(gate, options.format);
      process.exitCode = gateExitCode(gate);
    });
}
