import { packageVersion } from '@alas-jssp/core/package-version';
import { commands } from './commands.js';
import { runCommandLine } from './common/command-line.js';
import { endWithStdin } from './common/end-with-stdin.js';
import type { CommandProcess } from './common/session.js';

const examples = `Examples:
  $ alas-jssp run --suite dmu
  $ alas-jssp plan ft06 --planner dispatch:mwkr --format json > plan.json
  $ alas-jssp validate ft06 plan.json

Exit codes: 0 done; 1 the answer is "no"; 2 wrong usage or bad input;
130 interrupted. Each command has its own help: alas-jssp run --help`;

/**
 * Runs the command line.
 *
 * @param args what the user typed after the command's name
 * @param host the streams and signals; by default those of this process
 * @returns the exit code: 0 done, 1 the answer is "no", 2 wrong usage or bad input
 */
export function main(args: readonly string[], host: CommandProcess = process): Promise<number> {
  if (host === process) endWithStdin(process);
  const line = {
    name: 'alas-jssp',
    description:
      'Job-shop scheduling: benchmark suites, planners, an independent validator, and comparable runs.',
    version: packageVersion,
    groups: ['generate', 'log', 'workflow'],
    commands,
    examples,
  };
  return runCommandLine(line, args, host);
}
