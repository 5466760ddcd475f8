import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CommandProcess, OutputStream } from '../../src/cli/common/session.js';
import { main } from '../../src/cli/main.js';

/** The built command line. */
export const bin = fileURLToPath(new URL('../../bin/alas-jssp.js', import.meta.url));

/** What a command line left behind. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The circumstances of a command line. */
interface Circumstances {
  cwd?: string;
  env?: Record<string, string>;
  /** What comes in on stdin. */
  input?: string;
  /** Decides when to press Ctrl-C. */
  interrupt?: (stderr: string) => boolean;
  /** A stream whose reader is gone before anything is written. */
  closed?: 'stdout' | 'stderr';
  /** Columns of the terminal that stdout is, which has colours with NO_COLOR: '' only; without them it is none. */
  terminal?: number;
}

/**
 * Runs a command line in this process, with streams and signals of its own. One at a time where it
 * is given a directory or an environment: those are the process's.
 */
export async function cli(
  args: readonly string[],
  { cwd, env = {}, input = '', interrupt, closed, terminal }: Circumstances = {},
): Promise<Outcome> {
  const signals = new EventEmitter();
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  let interrupted = false;
  const interruptInTime = () => {
    if (interrupted || !interrupt?.(outcome.stderr)) return;
    interrupted = true;
    signals.emit('SIGINT');
  };
  const host = Object.assign(signals, {
    stdin: inputStream(input),
    stdout: collector((text) => {
      outcome.stdout += text;
    }),
    stderr: collector((text) => {
      outcome.stderr += text;
      interruptInTime();
    }),
    exit: (code: number): never => {
      throw new Error(`exit with ${code}`);
    },
  }) satisfies CommandProcess;
  if (terminal !== undefined) Object.assign(host.stdout, { isTTY: true, columns: terminal });
  if (closed !== undefined) (host[closed] as Writable).destroy();
  const restore = enter(cwd, { NO_COLOR: '1', ...env });
  // This also hides progress in files, which is written every few seconds only.
  const looks = interrupt && setInterval(interruptInTime, 100);
  try {
    outcome.code = await main(withOneThread(args), host);
  } finally {
    clearInterval(looks);
    restore();
  }
  return outcome;
}

/** A thread takes longer to start than most runs of tests take: they have one if they do not say. */
function withOneThread([name, ...args]: readonly string[]): string[] {
  if (name === undefined) return [];
  const isElsewhere = args.includes('--on');
  return name !== 'run' || args.includes('--workers') || isElsewhere
    ? [name, ...args]
    : [name, '--workers', '1', ...args];
}

async function* inputStream(text: string): AsyncGenerator<string> {
  yield text;
}

function collector(take: (text: string) => void): OutputStream {
  return new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      take(String(chunk));
      done();
    },
  });
}

/** Changes the directory and the environment, and returns how to undo that. */
function enter(cwd = process.cwd(), env: Record<string, string>): () => void {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  process.chdir(cwd);
  Object.assign(process.env, env);
  return () => {
    process.chdir(before.cwd);
    for (const name of Object.keys(env)) {
      if (before.env[name] === undefined) delete process.env[name];
      else process.env[name] = before.env[name];
    }
  };
}

/** As {@link cli}, in a process of its own: for what only a process can do. */
export function cliProcess(
  args: readonly string[],
  { cwd, env, input = '', interrupt, closed }: Circumstances = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      outcome.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      outcome.stderr += chunk;
      if (!child.killed && interrupt?.(outcome.stderr)) child.kill('SIGINT');
    });
    if (closed !== undefined) child[closed].destroy();
    child.stdin.on('error', () => {}).end(input);
    child.on('error', reject).on('close', (code) => resolve({ ...outcome, code }));
  });
}

export { temporaryDirectory } from '../temporary-directory.js';
