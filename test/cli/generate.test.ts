import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from './cli.js';

const seeds = ['--time-seed', '840612802', '--machine-seed', '398197754'];

describe('alas-jssp generate', () => {
  it("makes ta01 of Taillard's seeds", async () => {
    const out = join(temporaryDirectory(), 'mine.txt');
    const size = ['--jobs', '15', '--machines', '15'];
    const { code } = await cli(['generate', 'taillard', ...size, ...seeds, '--out', out]);
    expect(code).toBe(0);
    const [mine, ta01] = await Promise.all(
      [out, 'ta01'].map(async (spec) => JSON.parse((await cli(['show', spec, '--json'])).stdout)),
    );
    expect(mine.sha256).toBe(ta01.sha256);
    expect(mine.best_known).toEqual(ta01.best_known);
  });

  it('speaks of its options, not of the parameters behind them', async () => {
    const size = ['--jobs', '3', '--machines', '2'];
    const durations = ['--min-duration', '5', '--max-duration', '3'];
    const { code, stderr } = await cli(['generate', 'random', ...size, ...durations]);
    expect(stderr).toMatch(/^alas-jssp: --max-duration is 3; give a whole number from 5 to \d+\n$/);
    expect(code).toBe(2);
  });

  it('writes random instances that the other commands read, in JSON where jobs differ', async () => {
    const out = join(temporaryDirectory(), 'shop.json');
    const size = ['--jobs', '8', '--machines', '5', '--min-length', '2', '--max-length', '9'];
    await cli(['generate', 'random', ...size, '--recirculation', '--seed', '7', '--out', out]);
    expect(JSON.parse(readFileSync(out, 'utf8')).schema).toBe('alas-jssp/instance@1');
    const { code, stderr } = await cli(['plan', out]);
    expect(stderr).toMatch(/^shop by dispatch:best: feasible, makespan \d+/);
    expect(code).toBe(0);
  });
});
