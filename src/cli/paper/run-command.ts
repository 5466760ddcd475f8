import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { InputError } from '@alas-jssp/core/errors';
import { packageVersion } from '@alas-jssp/core/package-version';
import type { PaperCommand, PaperProgram } from '../../harness/paper/presets/paper-item.js';
import { readManifest } from '../../harness/run/stored-run.js';
import { type CommandLine, runCommandLine } from '../common/command-line.js';
import { writeOutput } from '../common/files.js';
import { loadPackage } from '../common/load-package.js';
import {
  type CommandProcess,
  exitCode,
  type OutputStream,
  type Session,
} from '../common/session.js';

/** The outcome of a command of a row. */
export interface CommandOutcome {
  readonly command: PaperCommand;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Why the command made less than it should; null if it is complete. */
  readonly missing: string | null;
}

type Main = (args: readonly string[], host: CommandProcess) => Promise<number>;

/** The programs that rows use, loaded when they are used. */
export type Programs = Readonly<Record<PaperProgram, () => Promise<Main>>>;

/** The package is built after this one, so its types are not known here. */
const COORDINATION: string = '@alas-jssp/coordination';

/**
 * Runs a command of a row, with what it makes taken up where it was left.
 *
 * @param resume whether an interrupted run may be continued
 * @throws InputError `missing_package`; `run_exists` for an interrupted run without `resume`; `row_failed` if the
 *   command refuses its input
 */
export async function runPaperCommand(
  session: Session,
  command: PaperCommand,
  programs: Programs,
  resume: boolean,
): Promise<CommandOutcome> {
  const main = await programs[command.program]();
  const words = wordsOf(command, resume);
  const { host, stdout, stderr } = captured(session, NOTED.includes(command.view));
  const code = await main(words, host);
  if (code === exitCode.badInput) {
    // What it wrote is shown already, with the name of its program.
    const [last = 'it has failed'] = stderr().trim().split('\n').slice(-1);
    const reason = last.replace(/^alas-(jssp|coordination): /, '');
    const hint = 'see the line above';
    throw new InputError('row_failed', `a command of the row was refused: ${reason}`, hint);
  }
  if (command.save !== undefined) {
    mkdirSync(dirname(command.save), { recursive: true });
    writeOutput(command.save, stdout());
  }
  const missing = missingOf(command, code, stderr());
  return { command, code, stdout: stdout(), stderr: stderr(), missing };
}

/** The programs: alas-jssp with these commands, and alas-coordination as it is installed. */
export function programsOf(commands: CommandLine['commands']): Programs {
  const line: CommandLine = {
    name: 'alas-jssp',
    description: '',
    version: packageVersion,
    groups: ['generate', 'log', 'workflow'],
    commands,
    examples: '',
  };
  return {
    'alas-jssp': async () => (args, host) => runCommandLine(line, args, host),
    'alas-coordination': async () => {
      const load = () => import(COORDINATION);
      const { coordinationMain } = await loadPackage<{ coordinationMain: Main }>(
        COORDINATION,
        load,
      );
      return coordinationMain;
    },
  };
}

/** The words of a command: a run that exists is resumed, and must have the same settings. */
function wordsOf({ words, makes }: PaperCommand, resume: boolean): readonly string[] {
  if (makes === undefined) return words;
  mkdirSync(dirname(makes.path), { recursive: true });
  const { kind, path } = makes;
  if (kind === 'records' || !existsSync(join(path, 'manifest.json'))) {
    return [...words, '--out', path];
  }
  if (!resume && unfinished(path) !== null) {
    const hint = 'add --resume, or choose another --out';
    throw new InputError('run_exists', 'there is an interrupted run', hint, { file: path });
  }
  return [...words, '--resume', path];
}

/** Why a run is not complete; null if it is. */
function unfinished(directory: string): string | null {
  const { finished, interrupted, stopped } = readManifest(directory).outcome;
  if (stopped !== null) return stopped;
  return finished === null || interrupted ? 'interrupted' : null;
}

function missingOf({ makes }: PaperCommand, code: number, stderr: string): string | null {
  if (code === exitCode.interrupted) return 'interrupted';
  if (makes?.kind === 'run') return unfinished(makes.path);
  return /^the budget of .*/m.exec(stderr)?.[0] ?? null;
}

/** Views that show in words what the command remarks, too. */
const NOTED: readonly string[] = ['conversion', 'equals'];

/** The streams of a command inside this one: its results are kept, its remarks go on unless this one is quiet. */
function captured(session: Session, silent: boolean) {
  const texts = { stdout: '', stderr: '' };
  const keep = (name: keyof typeof texts, also?: OutputStream): OutputStream =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        texts[name] += chunk;
        also?.write(chunk);
        done();
      },
    });
  const { host, quiet } = session;
  const inner: CommandProcess = {
    stdin: host.stdin,
    stdout: keep('stdout'),
    stderr: keep('stderr', quiet || silent ? undefined : host.stderr),
    on: host.on.bind(host),
    off: host.off.bind(host),
    exit: host.exit.bind(host),
  };
  return { host: inner, stdout: () => texts.stdout, stderr: () => texts.stderr };
}

/** The JSON of a file. */
export function jsonOf(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
