import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

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

  it('copies an instance into another format and back', async () => {
    const [json, fjs] = ['mk01.json', 'mk01.fjs'].map((name) => join(temporaryDirectory(), name));
    expect((await cli(['generate', 'copy', 'mk01', '--out', json])).code).toBe(0);
    expect((await cli(['generate', 'copy', json, '--out', fjs])).code).toBe(0);
    const { stdout } = await cli(['show', fjs, '--json']);
    expect(JSON.parse(stdout).benchmark).toBe('mk01');
    const { code, stderr } = await cli(['generate', 'copy', 'mk01', '--as', 'standard']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^alas-jssp: .*alternative.*\n$/);
  });

  it('speaks of its options, not of the parameters behind them', async () => {
    const size = ['--jobs', '3', '--machines', '2'];
    const durations = ['--min-duration', '5', '--max-duration', '3'];
    const { code, stderr } = await cli(['generate', 'random', ...size, ...durations]);
    expect(stderr).toMatch(/^alas-jssp: --max-duration is 3; give a whole number from 5 to \d+\n$/);
    expect(code).toBe(2);
  });

  it('gives due dates and weights on demand, which only JSON holds', async () => {
    const size = ['--jobs', '5', '--machines', '2', '--due-tightness', '1.3'];
    for (const generator of [['random'], ['taillard', ...seeds]]) {
      const { code, stdout } = await cli(['generate', ...generator, ...size]);
      expect(code).toBe(0);
      for (const { due, operations } of JSON.parse(stdout).jobs) {
        const length = operations[0].duration + operations[1].duration;
        expect(due).toBe(Math.floor((13 * length) / 10));
      }
      const weights = JSON.parse(stdout).jobs.map((job: { weight?: number }) => job.weight ?? 1);
      expect(weights).toEqual([4, 2, 2, 2, 1]);
    }
    const { stderr } = await cli(['generate', 'random', ...size, '--format', 'standard']);
    expect(stderr).toMatch(
      / has due dates, which the standard format cannot hold; write it as JSON/,
    );
  });

  it.each([
    [
      'soon',
      /--due-tightness.*'soon' is invalid. a tightness is a number of 0 or more, such as 1.3/,
    ],
    ['1000000000', /^alas-jssp: --due-tightness is 1000000000; give 0 or more, and so little that/],
  ])('refuses a tightness of %s', async (tightness, message) => {
    const size = ['--jobs', '3', '--machines', '2', '--due-tightness', tightness];
    const { code, stderr } = await cli(['generate', 'random', ...size]);
    expect(stderr).toMatch(message);
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

describe('alas-jssp generate flexible', () => {
  const size = ['--jobs', '4', '--machines', '3', '--seed', '7'];

  it('writes .fjs where that holds everything, and JSON otherwise', async () => {
    const { stdout: alternatives } = await cli(['generate', 'flexible', ...size]);
    expect(alternatives).toMatch(/^4 3 [\d.]+\n3 /);
    const { stdout: setups } = await cli(['generate', 'flexible', ...size, '--families', '2']);
    expect(JSON.parse(setups)).toMatchObject({ schema: 'alas-jssp/instance@2', families: 2 });
  });

  it('writes what show reads', async () => {
    const out = join(temporaryDirectory(), 'shop.json');
    const parts = ['--families', '2', '--operators', '1', '--max-transport', '5', '--max-lag', '9'];
    const { code } = await cli(['generate', 'flexible', ...size, ...parts, '--out', out]);
    expect(code).toBe(0);
    const { stdout } = await cli(['show', out, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      jobs: 4,
      setups: { families: 2, machines: 3 },
      resources: ['operators: 1'],
      constraints: [
        'alternative machines',
        'setups',
        'transport times',
        'precedence graphs or waiting times',
        'operators or tools',
      ],
    });
  });

  it('refuses a format that cannot hold the shop, and a parameter out of range, by name', async () => {
    const families = ['--families', '2', '--format', 'fjs'];
    const { code, stderr } = await cli(['generate', 'flexible', ...size, ...families]);
    expect([code, stderr]).toEqual([
      2,
      'alas-jssp: flexible_4x3_7 has setups, which the .fjs format cannot hold; write it as JSON\n',
    ]);
    const wide = await cli(['generate', 'flexible', ...size, '--flexibility', '4']);
    expect(wide.stderr).toBe('alas-jssp: --flexibility is 4; give a number from 1 to 3\n');
    const out = join(temporaryDirectory(), 'shop.fjs');
    const other = await cli(['generate', 'flexible', ...size, '--format', 'json', '--out', out]);
    expect(other.stderr).toContain('ends in .fjs is not written in JSON; omit --format');
  });
});
