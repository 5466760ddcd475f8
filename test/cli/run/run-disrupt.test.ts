import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

describe('alas-jssp run --disrupt', () => {
  it('executes the schedules of a suite by two methods, and saves what validate can judge', async () => {
    const out = join(temporaryDirectory(), 'run');
    const args = ['--disrupt', 'medium', '--repair', 'right-shift,lcrp', '--save-schedules'];
    const run = await cli(['run', '--suite', 'ft06,la01', ...args, '--out', out, '--format', 'md']);
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('4 records: 4 feasible'),
    });
    expect(run.stdout).toContain('| planner | method | status | makespan | growth % |');
    expect(run.stdout).toMatch(/\| ft \| dispatch:best \| lcrp \| 1 \| .* ms \|/);
    expect(run.stdout).toContain('| growth % | edited | rank changes | repairs | p50 | p99 |');
    const name = 'la01__dispatch-best__full__lcrp__0.json';
    const [instance, plan] = ['instances', 'schedules'].map((folder) => join(out, folder, name));
    const judged = await cli(['validate', instance, plan]);
    expect(judged.code).toBe(0);
    const records = readFileSync(join(out, 'records.jsonl'), 'utf8').trimEnd().split('\n');
    const { makespan, disruption } = JSON.parse(records[3]);
    expect(judged.stderr).toMatch(new RegExp(`^la01__.*: valid, makespan ${makespan}`));
    expect(disruption.outcome.makespan.realised).toBe(makespan);

    const compared = ['--method', 'lcrp', '--baseline-method', 'right-shift'];
    const { code, stdout } = await cli(['compare', out, out, ...compared, '--format', 'csv']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^better,.*,lcrp,right-shift,/m);
    const resumed = await cli(['run', '--resume', out, '--json']);
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout).manifest.spec.disruption.methods).toEqual([
      'right-shift',
      'lcrp',
    ]);
  });

  it('repairs nothing without --repair', async () => {
    const run = await cli(['run', '--suite', 'ft06', '--disrupt', 'heavy', '--no-out', '--json']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('1 of 1 record without a feasible outcome\n');
    const { manifest, records } = JSON.parse(run.stdout);
    expect(manifest.spec).toMatchObject({ repair: false, disruption: { methods: ['none'] } });
    expect(records[0]).toMatchObject({ status: 'infeasible', disruption: { finished: false } });
  });

  it.each([
    [['--disrupt', 'medum'], /^alas-jssp: the disruption 'medum': .*did you mean medium\?\n$/],
    [
      ['--repair', 'affected'],
      /^alas-jssp: --repair affected repairs disrupted schedules, .*; add --disrupt/,
    ],
    [['--disrupt', 'light', '--repair', 'lcrp,'], /: name a method between the commas; /],
    [['--disrupt', 'light', '--repair', 'lcrp,none,lcrp'], /; 'lcrp' is there twice; /],
    [['--policy', 'default'], /^alas-jssp: --policy goes with --disrupt only; /],
  ])('refuses %j with one line and writes nothing', async (args, line) => {
    const out = join(temporaryDirectory(), 'run');
    const { code, stdout, stderr } = await cli(['run', '--suite', 'ft06', ...args, '--out', out]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(existsSync(out)).toBe(false);
  });

  it('names the event of a file that does not fit', async () => {
    const file = join(temporaryDirectory(), 'events.json');
    const events = [
      { kind: 'breakdown', machine: 2, from: 3, to: 4 },
      { kind: 'restored', at: 1, machine: 9 },
    ];
    writeFileSync(file, JSON.stringify({ schema: 'alas-jssp/events@1', events }));
    const { code, stderr } = await cli(['run', '--suite', 'ft06', '--disrupt', file, '--no-out']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `alas-jssp: ${file}:$.events[1].machine: this is "Machine9", which does not exist; use Machine0 to Machine5\n`,
    );
  });
});
