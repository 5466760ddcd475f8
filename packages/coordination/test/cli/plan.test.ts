import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPlan } from '../../src/model/plan.js';
import { randomRides } from '../plan/rides/random-rides.js';
import { cli } from './cli.js';

const table = ['--format', 'table'];

describe('alas-coordination plan', () => {
  it('prints a plan that validate reads and accepts, with what is known of it', async () => {
    const { code, stdout, stderr } = await cli(
      'plan ride-sharing --budget 1m-iterations --json'.split(' '),
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout).search).toMatchObject({
      ...{ cost: 87, lower_bound: 87, gap_percent: 0, status: 'optimal', seed: 0 },
    });
    expect(stderr).toMatch(/cost \d+\.\d after .*s\n/);
    const verdict = await cli(['validate', 'ride-sharing', '-', ...table], stdout);
    expect(verdict.code).toBe(0);
    expect(verdict.stdout).toMatch(/^ride-sharing: valid, ends at \d\d:\d\d, 87\.0 km\n$/);
  });

  it('writes the plan into a file, and shows it by time and by actor', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'coordination-')), 'plan.json');
    const args = ['plan', 'thanksgiving', '--budget', '1m-iterations', ...table];
    const byTime = await cli([...args, '--out', out, '--quiet']);
    expect(byTime).toMatchObject({ code: 0, stderr: '' });
    expect(byTime.stdout).toMatch(
      /thanksgiving: optimal, cost 120\.0, bound 120\.0 \(gap 0\.0 %\), 120\.0 km/,
    );
    const { actions } = readPlan(JSON.parse(readFileSync(out, 'utf8')));
    expect(actions.length).toBeGreaterThan(4);
    const starts = byTime.stdout.match(/^ *\d\d:\d\d/gm)?.map((line) => line.trim());
    expect(starts).toEqual(starts?.toSorted());
    expect(starts).toHaveLength(actions.length);
    const byActor = await cli([...args, '--by', 'actor']);
    expect(byActor.stdout).toMatch(/james +\d\d:\d\d +\d\d:\d\d +James drives/);
  });

  it('gives the best so far when it is interrupted', async () => {
    const problem = JSON.stringify(randomRides(20, 5, 1));
    const args = ['plan', '-', '--budget', '1h', '--json'];
    const { code, stdout, stderr } = await cli(args, problem, (text, interrupt) => {
      if (text.startsWith('cost')) setImmediate(interrupt);
    });
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted: the search ends with the best so far');
    expect(JSON.parse(stdout).search.status).toBe('interrupted');
  });

  it('tells that no plan was found, and refuses budgets that are none', async () => {
    const none = await cli(['plan', 'wedding', '--budget', '3-iterations', ...table]);
    expect(none.code).toBe(1);
    expect(none.stdout).toBe(
      'no plan for wedding was found in 3 states of the exact search; whether there is one is not known\n',
    );
    const bad = await cli(['plan', 'wedding', '--budget', 'soon']);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("'soon' is no budget");
  });
});
