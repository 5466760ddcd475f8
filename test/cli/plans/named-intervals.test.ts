import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planFromSchedule } from '../../../src/jssp/plan.js';
import { resolveSource } from '../../../src/jssp/suites.js';
import { dispatchBest } from '../../../src/search/index.js';
import { cli } from '../cli.js';

const cwd = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const { schedule } = dispatchBest(resolveSource('ft06').load());

beforeAll(() => {
  const intervals = Object.fromEntries(
    planFromSchedule(schedule).entries.map(({ job, step, start, end }) => [
      `interval_${job}_${step}`,
      { start, end },
    ]),
  );
  const write = (file: string, document: object) =>
    writeFileSync(join(cwd, file), JSON.stringify(document));
  write('solution.json', { status: 'OPTIMAL', intervals });
  write('none.json', { status: 'INFEASIBLE', intervals: {} });
});

const run = (line: string) => cli(line.split(' '), { cwd });

it.each([
  ['validate ft06 solution.json', /ft06: valid, makespan 59/],
  ['convert ft06 solution.json --to csv', /^job,step,machine,start,end\nJob1,1,Machine2,0,1\n/],
  ['repair ft06 solution.json --event breakdown:machine=0,from=5,to=9', /makespan/],
  ['optimize ft06 --start solution.json --budget 100-iterations --threads 1', /^instance,makespan/],
])('%s reads a solution of named intervals', async (line, output) => {
  const { code, stdout, stderr } = await run(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr });
  expect(stdout + stderr).toMatch(output);
});

it('refuses a status without a solution, and another instance, in one line', async () => {
  const none = await run('validate ft06 none.json');
  expect(none).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'alas-jssp: none.json: the status is INFEASIBLE: there is no solution; give a solution that is OPTIMAL or FEASIBLE\n',
  });
  const small = join(cwd, 'small.txt');
  writeFileSync(small, '1 1\n0 3\n');
  const { code, stderr } = await run('validate small.txt solution.json');
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^alas-jssp: solution\.json:\$\.intervals\.interval_0_1: the interval "interval_0_1" does not fit the instance, counted from 0: .+\n$/,
  );
});
