import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it('agrees with the world in 300 simulations of random workflows and random faults', async () => {
  const args = ['packages/lab/dist/trials/simulation.js', '--seeds', '300'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toMatch(/^300 seeds, /);
  for (const end of ['COMPLETED', 'COMPENSATED', 'COMPENSATION_FAILED', 'CANCELLED', 'FAILED']) {
    expect(stdout).toContain(` ${end}`);
  }
  expect(stdout).toMatch(/seeds that failed: 0\n$/);
});
