import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

const header = 'job,step,machine,start,end';

/** A plan file that claims something of ft06's first job, and of a job that there is not. */
function wrongPlan(): string {
  const file = join(temporaryDirectory(), 'wrong.csv');
  writeFileSync(file, `${header}\n1,1,2,5,6\n1,2,1,0,3\n99,1,0,0,1\n`);
  return file;
}

describe('alas-jssp repair', () => {
  it('makes a plan that validate accepts of one that is wrong', async () => {
    const out = join(temporaryDirectory(), 'repaired.json');
    const { code, stdout, stderr } = await cli([
      'repair',
      'ft06',
      wrongPlan(),
      '--json',
      '--out',
      out,
    ]);
    expect(code).toBe(0);
    const outcome = JSON.parse(stdout);
    expect(outcome).toMatchObject({
      schema: 'alas-jssp/repair@1',
      instance: 'ft06',
      phase: 'plan',
      makespan_before: null,
      feasible: true,
      seed_coverage: 2 / 36,
      kept_order: null,
      dropped: { unknown_job: 1, duplicate_operation: 0 },
      corrected: { machines: 1, ends: 0 },
      inserted: 34,
    });
    expect(outcome.violations_before).toBeGreaterThan(34);
    expect(stderr).toBe(
      `ft06: repaired, feasible, makespan ${outcome.makespan}, 5.6 % of the operations from the plan, 34 inserted\n`,
    );
    const judged = await cli(['validate', 'ft06', out, '--json']);
    expect(judged.code).toBe(0);
    expect(JSON.parse(judged.stdout).makespan).toBe(outcome.makespan);
  });

  it('leaves a feasible plan as it is', async () => {
    const directory = temporaryDirectory();
    const [plan, out] = ['plan.csv', 'same.csv'].map((name) => join(directory, name));
    await cli(['plan', 'ft06', '--out', plan]);
    const { code, stdout } = await cli(['repair', 'ft06', plan, '--out', out, '--format', 'md']);
    expect(code).toBe(0);
    expect(stdout).toContain('| instance | phase | violations |');
    expect(stdout).toContain('| ft06 | plan | 0 |');
    expect((await cli(['repair', 'ft06', out, '--json'])).stdout).toContain('"inserted": 0');
  });

  it('reads a plan from stdin, an empty one as well, and doubts one for another instance', async () => {
    const input = '{"schema":"alas-jssp/plan@1","instance":"la01","entries":[]}';
    const { code, stdout, stderr } = await cli(['repair', 'ft06', '-'], { input });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^instance,phase,violations_before,.*\nft06,plan,\d+,,true,\d+,\d+,0,,0,0,36,makespan\n$/,
    );
    expect(stderr).toContain('warning: the plan names the instance la01, not ft06\n');
  });

  it('ends with exit code 1 where limits cannot be kept, and 2 where there is no plan', async () => {
    const file = join(temporaryDirectory(), 'shop.json');
    const operations = [{ machine: 0, duration: 5 }];
    const jobs = [0, 1].map(() => ({ operations, deadline: 5 }));
    writeFileSync(
      file,
      JSON.stringify({ schema: 'alas-jssp/instance@1', name: 'shop', machines: 1, jobs }),
    );
    const outcome = await cli(['repair', file, '-'], { input: '[]' });
    expect(outcome.stderr).toContain('no schedule keeps every limit: ');
    expect(outcome.code).toBe(1);
    const { code, stderr } = await cli(['repair', 'ft06', 'nowhere.json']);
    expect([code, stderr.split('\n').length]).toEqual([2, 2]);
  });
});

describe('alas-jssp show --gantt', () => {
  it('draws a plan 80 columns wide and reports its violations', async () => {
    const { code, stdout, stderr } = await cli([
      'show',
      'ft06',
      '--gantt',
      wrongPlan(),
      '--now',
      '4',
    ]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'ft06: makespan 6, one column is 1/11 of time',
        '         0          1          2          3          4          5',
        'Machine0 1────────────────────────────────           │',
        ...[1, 2, 3, 4, 5].map((k) =>
          k === 2
            ? `Machine2 ${' '.repeat(44)}│${' '.repeat(10)}1──────────`
            : `Machine${k} ${' '.repeat(44)}│`,
        ),
        `${' '.repeat(53)}now 4`,
        '',
      ].join('\n'),
    );
    expect(stderr).toMatch(/^the plan is invalid, \d+ violations: /);
  });

  it('draws for people only', async () => {
    const json = await cli(['show', 'ft06', '--gantt', wrongPlan(), '--json']);
    expect([json.code, json.stdout]).toEqual([2, '']);
    expect(json.stderr).toContain('--gantt draws for people and cannot be used with --format json');
    expect((await cli(['show', 'ft06', '--now', '4'])).stderr).toContain('--now goes with --gantt');
  });
});
