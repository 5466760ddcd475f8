import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from './cli.js';

const records = (directory: string) =>
  readFileSync(join(directory, 'records.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('alas-jssp run', () => {
  it('runs the whole DMU suite to feasible schedules', async () => {
    const out = join(temporaryDirectory(), 'dmu');
    const { code, stdout } = await cli(['run', '--suite', 'dmu', '--out', out]);
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1 + 80);
    expect(records(out).filter(({ feasible }) => feasible)).toHaveLength(80);
  });

  it('prints one JSON document with --json and nothing on stderr with --quiet', async () => {
    const outcome = await cli(['run', '--suite', 'ft06', '--no-out', '--json', '--quiet']);
    expect(outcome.stderr).toBe('');
    const { manifest, records: rows, summary } = JSON.parse(outcome.stdout);
    expect(manifest.instances).toHaveLength(1);
    expect(rows).toMatchObject([{ instance: 'ft06', status: 'ok', upper_bound: 55 }]);
    expect(summary.overall).toMatchObject([{ records: 1, success_percent: 100 }]);
  });

  it('keeps what is done when interrupted, and goes on with --resume alone', async () => {
    const directory = temporaryDirectory();
    const slow = join(directory, 'slow.mjs');
    writeFileSync(
      slow,
      `export const planner = {
         name: 'slow',
         async plan(instance) {
           if (instance.name === 'la02' && process.env.FAST !== '1') {
             await new Promise((resolve) => setTimeout(resolve, 60_000));
           }
           return { entries: [] };
         },
       };`,
    );
    const out = join(directory, 'run');
    const args = ['run', '--suite', 'la01,la02', '--planner', `module:${slow}`];
    const interrupted = await cli([...args, '--workers', '1', '--out', out], {
      interrupt: () => {
        try {
          return records(out).length > 0;
        } catch {
          return false;
        }
      },
    });
    expect(interrupted.code).toBe(130);
    expect(interrupted.stderr).toContain(`continue with: alas-jssp run --resume ${out}`);
    expect(records(out)).toHaveLength(1);
    process.env.FAST = '1';
    const resumed = await cli(['run', '--resume', out]);
    delete process.env.FAST;
    expect(resumed.code).toBe(0);
    expect(records(out).map(({ instance }) => instance)).toEqual(['la01', 'la02']);
  });

  it('is a gate: exit code 1 with the rows that crossed a limit', async () => {
    const directory = temporaryDirectory();
    const baseline = join(directory, 'baseline');
    const worse = join(directory, 'worse');
    const run = (out: string, ...more: string[]) =>
      cli(['run', '--suite', 'ft', '--planner', 'dispatch:mwkr', '--out', out, ...more]);
    await run(baseline);
    const same = await run(worse, '--baseline', baseline, '--fail-on', 'success<100,gap>+0.2');
    expect(same.code).toBe(0);

    const lines = records(worse).map((record) =>
      JSON.stringify(
        record.instance === 'ft10'
          ? { ...record, makespan: record.makespan + 93, gap_percent: record.gap_percent + 10 }
          : record,
      ),
    );
    writeFileSync(join(worse, 'records.jsonl'), `${lines.join('\n')}\n`);
    const crossed = await cli(['compare', worse, baseline, '--fail-on', 'gap>+0.2']);
    expect(crossed.code).toBe(1);
    expect(crossed.stderr).toContain('limit crossed: dispatch:mwkr on ft: gap is');
    expect(crossed.stderr).toContain('ft10');
    expect(crossed.stdout).toContain('worse,ft10');
  });

  it('refuses to compare a run with one of other instances', async () => {
    const directory = temporaryDirectory();
    const [one, other] = ['one', 'other'].map((name) => join(directory, name));
    await cli(['run', '--suite', 'ft', '--out', one]);
    await cli(['run', '--suite', 'abz', '--out', other]);
    const { code, stderr } = await cli(['compare', one, other]);
    expect(code).toBe(2);
    expect(stderr).toContain('ft06');
  });
});
