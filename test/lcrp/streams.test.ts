import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('repairs 200 random streams of events of every kind, judged by a floor that keeps its own account', async () => {
  const args = [
    'packages/lab/dist/trials/repair.js',
    '--out',
    '',
    '--seeds',
    '200',
    '--workers',
    '1',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toMatch(/^200 streams, /);
  for (const kind of ['breakdown', 'restored', 'cancellation', 'delay', 'duration', 'arrival']) {
    expect(stdout).toMatch(new RegExp(`[1-9]\\d* ${kind}`));
  }
  for (const phase of ['compensation', 'reordering', 'recompute'])
    expect(stdout).toContain(` ${phase}`);
  expect(stdout).toMatch(/streams that failed: 0\n$/);
}, 120_000);
