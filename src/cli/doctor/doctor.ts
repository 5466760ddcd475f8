import { Command } from 'commander';
import { columnsOf } from '../../report/columns.js';
import { type OutputOptions, withOutput } from '../common/options.js';
import { print, remarkVerdict } from '../common/output.js';
import { exitCode, type Session } from '../common/session.js';
import { printRows } from '../common/tables.js';
import { type Check, runCheck } from './check.js';
import {
  checkBrowser,
  checkEngines,
  checkKeys,
  checkPackages,
  checkVersions,
} from './installed.js';
import {
  checkBenchmarks,
  checkClock,
  checkKernel,
  checkLog,
  checkOutput,
  checkThreads,
  REINSTALL,
} from './working.js';

interface Options extends OutputOptions {
  out: string;
  thorough: boolean;
}

/** `alas-jssp doctor`: versions, optional packages, and whether each part works on this machine. */
export function doctorCommand(session: Session): Command {
  return withOutput(session, new Command('doctor'))
    .option('--out <dir>', 'folder in which runs will be written', 'results')
    .option('--thorough', 'read every benchmark, also flexible and large ones', false)
    .addHelpText(
      'after',
      `
Exit code 0 if everything that is needed works, 1 if not: each broken part has
a line with a hint. Optional parts may be missing. Keys of models are listed by
name; their values are never shown.

Examples:
  $ alas-jssp doctor
  $ alas-jssp doctor --json`,
    )
    .action(async (options: Options) => {
      session.exitCode = await doctor(session, options);
    });
}

/** The document that `--json` prints. */
interface Diagnosis {
  readonly schema: 'alas-jssp/doctor@1';
  /** True if nothing that is needed is broken. */
  readonly healthy: boolean;
  readonly checks: readonly Check[];
}

async function doctor(session: Session, options: Options): Promise<number> {
  const checks = await runChecks(options);
  const faults = checks.filter(({ status }) => status === 'broken');
  const diagnosis: Diagnosis = {
    schema: 'alas-jssp/doctor@1',
    healthy: faults.length === 0,
    checks,
  };
  const { format } = options;
  const verdict =
    faults.length === 0
      ? 'everything that is needed works'
      : `broken: ${faults.map(({ name, hint }) => `${name} (${hint})`).join('; ')}`;
  if (format === 'table')
    await print(session, [...checks.map(describeCheck), '', verdict].join('\n'));
  else await printRows(session, format, columns, checks, diagnosis);
  remarkVerdict(session, format, verdict);
  return faults.length === 0 ? exitCode.done : exitCode.no;
}

/** All checks, in the order of the table. */
async function runChecks({ out, thorough }: Options): Promise<Check[]> {
  // Threads take the longest to start: they do so while the other checks run.
  const threads = runCheck('threads', REINSTALL, checkThreads);
  const { env } = process;
  return [
    ...checkVersions(),
    await runCheck('clock', REINSTALL, () => checkClock()),
    await runCheck('kernel', REINSTALL, () => checkKernel('kernel', 'ft06')),
    await runCheck('flexible kernel', REINSTALL, () => checkKernel('flexible kernel', 'kacem1')),
    await runCheck('benchmarks', REINSTALL, () => checkBenchmarks(thorough)),
    await runCheck('log', 'install libsql again: npm install libsql', checkLog),
    await runCheck('output folder', 'name a writable folder with --out', () => checkOutput(out)),
    await threads,
    ...(await checkPackages()),
    await runCheck('keys of models', 'make .env a readable file', () => checkKeys(env)),
    checkBrowser(env),
    await runCheck('engines', 'make the folder of engines readable', () => checkEngines(env)),
  ];
}

/** A check on a terminal: a line, and the hint below it. */
function describeCheck({ name, status, found, hint }: Check): string {
  const line = `${status.padEnd(8)} ${name.padEnd(24)} ${found}`;
  return hint === null ? line : `${line}\n${' '.repeat(34)}${hint}`;
}

const column = columnsOf<Check>();
const columns = [column('name'), column('status'), column('found'), column('hint')];
