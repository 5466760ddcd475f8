import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serveShops } from '../../packages/service/test/served.js';

const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

test.skipIf(!hasPython)(
  'a day at a shop from Python: the stream of changes and the answers tell the same story',
  async () => {
    const url = await serveShops();
    const args = ['-B', 'examples/day-at-a-shop.py', '--url', url, '--events', '60'];
    const { stdout } = await promisify(execFile)('python3', args, { timeout: 60_000 });
    expect(stdout).toMatch(/what if, high-stability: tardiness \d+ -> \d+/);
    expect(stdout).toMatch(/the largest repair:\n {2}at .*\n {4}.* (waits|starts) .*: /);
    expect(stdout).toMatch(/60 events: \d+ committed/);
    expect(stdout).toMatch(/the stream had the same \d+ versions/);
  },
);
