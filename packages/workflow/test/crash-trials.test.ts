import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('loses and doubles nothing in runs that are killed at random moments', async () => {
  const args = ['packages/lab/dist/trials/crash.js', '--trials', '6'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toMatch(/^6 kills /);
  expect(stdout).toMatch(/broken chains: 0\n$/);
});
