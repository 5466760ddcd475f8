import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

it('a service that is killed under load loses no event and does none twice', async () => {
  const args = ['packages/lab/dist/trials/service.js', '--trials', '2', '--shops', '3'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toMatch(/^2 kills, [1-9]/);
  expect(stdout).toMatch(/otherwise than the log says: 0\n$/);
}, 120_000);
