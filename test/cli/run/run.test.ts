import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LogEntry, openLog } from '../../../packages/workflow/src/index.js';
import { cli, temporaryDirectory } from '../cli.js';

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

  it('gives every run a directory of its own, also in one second', async () => {
    const cwd = temporaryDirectory();
    for (let count = 0; count < 4; count++) {
      expect(await cli(['run', '--suite', 'ft06'], { cwd })).toMatchObject({ code: 0 });
    }
    expect(readdirSync(join(cwd, 'results'))).toHaveLength(4);
  });

  it('keeps finished records when interrupted, and resumes with --resume only', async () => {
    const directory = temporaryDirectory();
    const slow = join(directory, 'slow.mjs');
    writeFileSync(
      slow,
      `export const planner = {
         name: 'slow',
         async plan(instance) {
           if (instance.name === 'la02' && process.env.FAST !== '1') {
             await new Promise((resolve) => setTimeout(resolve, 600_000));
           }
           return { entries: [] };
         },
       };`,
    );
    const out = join(directory, 'run');
    const limits = ['--time-limit', '900', '--fail-on', 'errors>0'];
    const args = ['run', '--suite', 'la01,la02', '--planner', `module:${slow}`, ...limits];
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
    expect(interrupted.stderr).toContain(
      `continue with: alas-jssp run --resume ${out} --fail-on 'errors>0'\n`,
    );
    expect(records(out)).toHaveLength(1);
    const resumed = await cli(['run', '--resume', out], { env: { FAST: '1' } });
    const { spec: kept } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'));
    expect(kept.limits).toMatchObject({ seconds: 900 });
    // Both plans are empty: without limits that makes the answer "no".
    expect(resumed.code).toBe(1);
    expect(resumed.stderr).toContain('2 of 2 records without a feasible plan\n');
    expect(records(out).map(({ instance }) => instance)).toEqual(['la01', 'la02']);
  });

  it('counts the searches that Ctrl-C ended, whose best is kept, apart from what is finished', async () => {
    const cwd = temporaryDirectory();
    const isSearching = () => {
      if (!existsSync(join(cwd, 'run.db'))) return false;
      try {
        const log = openLog(join(cwd, 'run.db'), 'read');
        const runs = log.runs();
        const isOne = runs.some((runId) => isStarted([...log.read({ runId })], 'optimize'));
        log.close();
        return isOne;
      } catch {
        // It is being made.
        return false;
      }
    };
    const how = ['--optimize', '600s', '--log', 'run.db', '--out', 'run'];
    const { code, stderr } = await cli(['run', '--suite', 'ta41', ...how], {
      cwd,
      interrupt: isSearching,
    });
    expect(code).toBe(130);
    expect(stderr).toContain(
      'interrupted after 0 of 1 record, 1 more with the best so far of a search;',
    );
  });

  it('searches from every plan with --optimize, also when resumed with --resume only', async () => {
    const out = join(temporaryDirectory(), 'run');
    const budget = ['--optimize', '2k-iterations'];
    const args = ['run', '--suite', 'la03', '--planner', 'insertion', '--save-schedules'];
    const { code, stdout } = await cli([...args, ...budget, '--format', 'md', '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/status \| planned \| plan gap % \| makespan/);
    expect(stdout).toMatch(/success % \| plan gap % .* gap %/);
    const [{ stages, makespan }] = records(out);
    const { makespan: planned } = stages.plan;
    const { iterations } = stages.optimize;
    expect(makespan).toBeLessThan(stages.plan.makespan);
    const plan = join(out, 'schedules', 'la03__insertion__full__0.json');
    expect(JSON.parse((await cli(['validate', 'la03', plan, '--json'])).stdout)).toMatchObject({
      valid: true,
      makespan,
    });

    writeFileSync(join(out, 'records.jsonl'), '');
    const resumed = await cli(['run', '--resume', out, '--json']);
    expect(JSON.parse(resumed.stdout)).toMatchObject({
      manifest: { spec: { optimize: '2k-iterations' } },
      records: [{ makespan, stages: { plan: { makespan: planned }, optimize: { iterations } } }],
    });
  });

  it('says how a budget is written', async () => {
    const { code, stderr } = await cli(['run', '--suite', 'ft06', '--optimize', '5', '--no-out']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "alas-jssp: '5' is no budget; write it like 10s, 2m, 200k-iterations or target:1234\n",
    );
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
    expect(crossed.stderr).toContain('3 pairs: 0 better, 1 worse, 2 the same; 1 limit crossed\n');
    const calm = await cli([
      'compare',
      worse,
      baseline,
      '--format',
      'table',
      '--fail-on',
      'gap>50',
    ]);
    expect(calm).toMatchObject({ code: 0, stderr: 'no limit crossed\n' });
  });

  it('prints the comparison and the rows behind crossed limits where stdout is CSV', async () => {
    const baseline = join(temporaryDirectory(), 'baseline');
    await cli(['run', '--suite', 'ft', '--planner', 'dispatch:mwkr', '--out', baseline]);
    const lines = records(baseline).map((record) =>
      JSON.stringify(record.feasible ? { ...record, makespan: record.makespan - 1 } : record),
    );
    writeFileSync(join(baseline, 'records.jsonl'), `${lines.join('\n')}\n`);
    const gate = ['--baseline', baseline, '--fail-on', 'gap>+0,success<100'];
    const run = (...more: string[]) =>
      cli(['run', '--suite', 'ft', '--planner', 'dispatch:mwkr', '--no-out', ...gate, ...more]);

    const loud = await run();
    expect(loud.code).toBe(1);
    expect(loud.stdout.trim().split('\n')).toHaveLength(1 + 3);
    expect(loud.stderr).toMatch(/^worse +ft10 +ft +dispatch:mwkr/m);
    expect(loud.stderr).toMatch(/^gap>\+0 +ft +dispatch:mwkr +ft10/m);
    expect(loud.stderr).toMatch(/^3 records: 3 feasible, .*; 1 limit crossed$/m);
    expect(loud.stderr).toMatch(/^limit crossed: dispatch:mwkr on ft: gap is/m);

    const quiet = await run('--quiet');
    expect(quiet.stderr).toMatch(/^(limit crossed: .*\n)+$/);
    expect(quiet.code).toBe(1);

    const document = JSON.parse((await run('--json')).stdout);
    expect(document.schema).toBe('alas-jssp/run@1');
    expect(document.comparison.counts.worse).toBe(3);
    expect(document.crossings).toHaveLength(1);
  });

  it('refuses a baseline that does not fit before anything is run', async () => {
    const directory = temporaryDirectory();
    const [baseline, out] = ['baseline', 'out'].map((name) => join(directory, name));
    await cli(['run', '--suite', 'ft', '--out', baseline]);
    const refused = await cli(['run', '--suite', 'abz', '--baseline', baseline, '--out', out]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^alas-jssp: .*the baseline does not fit the run/);
    expect(existsSync(out)).toBe(false);
  });

  it('answers "no" with an infeasible plan, and leaves the answer to the limits if there are any', async () => {
    const planner = join(temporaryDirectory(), 'empty.mjs');
    writeFileSync(planner, 'export const planner = () => ({ entries: [] });');
    const run = (...limits: string[]) =>
      cli(['run', '--suite', 'ft06', '--planner', `module:${planner}`, '--no-out', ...limits]);
    expect((await run()).code).toBe(1);
    const tolerant = await run('--fail-on', 'success<0');
    expect(tolerant.code).toBe(0);
    expect(tolerant.stderr).toContain(
      '1 record: 0 feasible, 0 proven optimal, 1 infeasible; no limit crossed\n',
    );
  });

  it('is quiet about progress where it is over in no time', async () => {
    const { stderr } = await cli(['run', '--suite', 'ft', '--no-out', '--json']);
    expect(stderr).toBe('3 records: 3 feasible, 0 proven optimal\n');
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

  it('compares two planners of one run', async () => {
    const out = join(temporaryDirectory(), 'run');
    const planners = ['dispatch:best', 'dispatch:spt'].flatMap((spec) => ['--planner', spec]);
    await cli(['run', '--suite', 'ft', ...planners, '--out', out]);
    const against = ['--planner', 'dispatch:spt', '--baseline-planner', 'dispatch:best'];
    const { code, stdout } = await cli(['compare', out, out, ...against, '--json']);
    const { schema, comparison } = JSON.parse(stdout);
    expect(schema).toBe('alas-jssp/compare@1');
    expect(comparison.pairs).toHaveLength(3);
    expect(comparison.counts.better).toBe(0);
    expect(code).toBe(0);
  });
});

function isStarted(entries: readonly LogEntry[], node: string): boolean {
  return entries.some(({ nodeId, eventType }) => nodeId === node && eventType === 'StartNode');
}
