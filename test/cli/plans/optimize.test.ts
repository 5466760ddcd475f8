import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeStandard } from '../../../src/jssp/formats/standard.js';
import { generateRandom } from '../../../src/jssp/generator.js';
import { cli, cliProcess, temporaryDirectory } from '../cli.js';

describe('alas-jssp optimize', () => {
  it('finds the optimum of ft06, and writes a plan that validate accepts and a trace', async () => {
    const directory = temporaryDirectory();
    const [plan, trace] = ['plan.json', 'trace.csv'].map((file) => join(directory, file));
    const outcome = await cli(['optimize', 'ft06', '--json', '--out', plan, '--trace', trace]);
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      schema: 'alas-jssp/optimization@1',
      instance: 'ft06',
      makespan: 55,
      lower_bound: 55,
      status: 'optimal',
    });
    expect((await cli(['validate', 'ft06', plan])).code).toBe(0);
    const lines = readFileSync(trace, 'utf8').trim().split('\n');
    expect(lines[0]).toBe('seconds,iterations,value');
    expect(lines.at(-1)).toMatch(/,55$/);
  });

  it('repeats itself for equal seeds and iterations', async () => {
    const run = async (seed: string) => {
      const budget = ['--budget', '5k-iterations', '--seed', seed];
      const { stdout } = await cli(['optimize', 'ta41', ...budget, '--threads', '2', '--json']);
      const { makespan, iterations } = JSON.parse(stdout);
      return [makespan, iterations];
    };
    expect(await run('1')).toEqual(await run('1'));
  });

  it.each([
    [['--out', '/nowhere/plan.json'], '/nowhere/plan.json: its directory does not exist; make'],
    [['--trace', '.'], '.: this is a directory; name a file inside it'],
    [
      ['--objective', 'total-weighted-tardiness'],
      'ft06 has no due dates, so nothing can be tardy;',
    ],
  ])('refuses %j before it searches', async (args, message) => {
    const { code, stderr } = await cli(['optimize', 'ft06', '--budget', '1h', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(`alas-jssp: ${message}`);
  });

  it('returns its best when interrupted', async () => {
    const args = ['optimize', 'ta41', '--budget', '1h', '--format', 'csv'];
    const { code, stdout, stderr } = await cli(args, {
      interrupt: (stderr) => stderr.startsWith('makespan '),
    });
    expect(stderr).toMatch(/^makespan \d+, gap \d+\.\d\d % to bound, .* to best known, /);
    expect(code).toBe(130);
    expect(stdout).toMatch(/\nta41,\d+,.*,interrupted,/);
  });

  it('says that it was interrupted before there was a schedule', async () => {
    const file = join(temporaryDirectory(), 'large.txt');
    writeFileSync(file, writeStandard(generateRandom({ jobs: 110, machines: 100, seed: 1 })));
    // Ctrl-C as soon as the search listens for it.
    const hook = `process.on('newListener', (name, stop) => {
      if (name === 'SIGINT') queueMicrotask(stop);
    });`;
    const { code, stdout, stderr } = await cliProcess(['optimize', file], {
      env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` },
    });
    expect(code).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'interrupted: the search ends with the best so far; Ctrl-C again ends the process\n' +
        'alas-jssp: interrupted before there was a schedule\n',
    );
  });

  it('starts from a feasible plan, is never worse, and refuses one that is not', async () => {
    const file = join(temporaryDirectory(), 'plan.json');
    await cli(['optimize', 'la21', '--budget', '20k-iterations', '--out', file]);
    const { makespan } = JSON.parse(readFileSync(file, 'utf8'));
    const again = ['optimize', 'la21', '--start', file, '--budget', '1-iterations', '--json'];
    expect(JSON.parse((await cli(again)).stdout).makespan).toBeLessThanOrEqual(makespan);
    const plan = JSON.parse(readFileSync(file, 'utf8'));
    plan.entries.pop();
    writeFileSync(file, JSON.stringify(plan));
    const refused = await cli(again);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('this plan is infeasible: ');
  });

  it('says how a budget is written', async () => {
    const { code, stderr } = await cli(['optimize', 'ft06', '--budget', 'soon']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "alas-jssp: 'soon' is no budget; write it like 10s, 2m, 200k-iterations or target:1234\n",
    );
  });
});
