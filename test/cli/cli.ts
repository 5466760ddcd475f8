import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const bin = fileURLToPath(new URL('../../bin/alas-jssp.js', import.meta.url));

/** What a command line left behind. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command line in a process of its own; `interrupt` decides when to press Ctrl-C. */
export function cli(
  args: readonly string[],
  { cwd, interrupt }: { cwd?: string; interrupt?: (stderr: string) => boolean } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd, stdio: 'pipe' });
    const outcome: Outcome = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      outcome.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      outcome.stderr += chunk;
      if (!child.killed && interrupt?.(outcome.stderr)) child.kill('SIGINT');
    });
    child.on('error', reject).on('close', (code) => resolve({ ...outcome, code }));
  });
}

/** A directory that is gone when the test is over. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
