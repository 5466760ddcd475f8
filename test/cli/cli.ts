import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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
}

/** Runs the built command line in a process of its own. */
export function cli(
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
