import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LargeRow, LargeTask } from './large-rows.js';

/**
 * Runs a solve in a process of its own.
 *
 * @returns null if the signal ended it: nothing is recorded then
 * @throws Error with its message if it fails
 */
export async function runApart(task: LargeTask, signal: AbortSignal): Promise<LargeRow | null> {
  const solver = join(import.meta.dirname, 'solver.js');
  const child = spawn(process.execPath, [solver, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [out, problem, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  signal.removeEventListener('abort', kill);
  if (signal.aborted) return null;
  if (code !== 0) throw new Error(`${task.name}: ${problem.trim() || `ended with ${code}`}`);
  return JSON.parse(out);
}
