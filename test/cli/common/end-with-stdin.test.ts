import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary-directory.js';
import { bin } from '../cli.js';

/** Starts a command with a pipe as stdin. */
function start(args: readonly string[], variable: string): ChildProcess {
  const env = { ...process.env, ALAS_JSSP_END_WITH_STDIN: variable };
  return spawn(process.execPath, [bin, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

async function endOf(command: ChildProcess): Promise<unknown> {
  const [code] = command.exitCode === null ? await once(command, 'exit') : [command.exitCode];
  return code;
}

it('a run ends with the pipe of its caller, and keeps its records', async () => {
  const out = join(temporaryDirectory(), 'run');
  const budget = ['--planner', 'search:1s', '--replicates', '50', '--workers', '1'];
  const command = start(['run', '--suite', 'ft06,ft10', ...budget, '--out', out], '1');
  const records = join(out, 'records.jsonl');
  const hasRecord = () => existsSync(records) && readFileSync(records, 'utf8').includes('\n');
  await expect.poll(hasRecord, { timeout: 60_000 }).toBe(true);
  command.stdin?.end();
  expect(await endOf(command)).toBe(130);
  expect(existsSync(join(out, 'run.lock'))).toBe(false);
});

it('a command that handles no signal ends, too', async () => {
  const command = start(['plan', 'ta41', '--planner', 'search:60s'], '1');
  command.stdin?.end();
  expect(await endOf(command)).toBe(130);
});

it('a command that is done does not wait for its caller', async () => {
  expect(await endOf(start(['list', 'planners'], '1'))).toBe(0);
});

it('without the variable a closed stdin means nothing', async () => {
  const command = start(['optimize', 'ft06', '--budget', '1k-iterations', '--json'], '');
  command.stdin?.end();
  expect(await endOf(command)).toBe(0);
});
