import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

describe('alas-jssp show', () => {
  it('tells size, bounds and machine loads', async () => {
    const facts = JSON.parse((await cli(['show', 'ft06', '--json'])).stdout);
    expect(facts).toMatchObject({
      instance: 'ft06',
      jobs: 6,
      machines: 6,
      operations: 36,
      total_work: 197,
      best_known: { lower_bound: 55, upper_bound: 55 },
      lower_bounds: { best: 52, job_length: 47, machine_load: 43 },
      tardiness_lower_bound: null,
    });
    expect(facts.machine_loads[5]).toEqual({
      machine: 5,
      operations: 6,
      load: 43,
      share_percent: 100,
    });
  });

  it('tells all of it in one table of CSV, and in two of Markdown', async () => {
    const csv = (await cli(['show', 'ft06'])).stdout;
    expect(csv).toMatch(/^fact,machine,value\n/);
    for (const row of [
      'jobs,,6',
      'best_known.upper_bound,,55',
      'lower_bounds.best,,',
      'load,5,43',
    ]) {
      expect(csv).toContain(`\n${row}`);
    }
    const md = (await cli(['show', 'ft06', '--format', 'md'])).stdout;
    expect(md).toContain('| total_work | 197 |');
    expect(md).toMatch(/\n\n\| machine \| operations \| load \| of the busiest \|\n/);
  });

  it('tells of weights and tardiness where jobs have due dates', async () => {
    const out = join(temporaryDirectory(), 'tardy.json');
    const size = ['--jobs', '5', '--machines', '2', '--due-tightness', '0.5'];
    await cli(['generate', 'random', ...size, '--min-duration', '10', '--out', out]);
    const facts = JSON.parse((await cli(['show', out, '--json'])).stdout);
    expect(facts.constraints).toEqual(['due dates', 'weights']);
    expect(facts.tardiness_lower_bound).toBeGreaterThan(0);
    const { stdout } = await cli(['show', out, '--format', 'table']);
    expect(stdout).toContain(`total weighted tardiness at least ${facts.tardiness_lower_bound}\n`);
  });

  it('writes a plan as a drawing, and as a page', async () => {
    const directory = temporaryDirectory();
    const [plan, svg] = [join(directory, 'plan.json'), join(directory, 'plan.svg')];
    await cli(['plan', 'ft06', '--out', plan]);
    const { code, stdout, stderr } = await cli(['show', 'ft06', '--gantt', plan, '--svg', svg]);
    expect([code, stdout, stderr]).toEqual([0, '', `wrote ${svg}\n`]);
    expect(readFileSync(svg, 'utf8').match(/class="bar"/g)).toHaveLength(36);
    const html = join(directory, 'plan.html');
    expect((await cli(['show', 'ft06', '--gantt', plan, '--html', html])).stderr).toContain(
      'wrote',
    );
    expect(readFileSync(html, 'utf8')).toContain('id="schedule/plan"');
    expect((await cli(['show', 'ft06', '--svg', svg])).stderr).toContain('--svg goes with --gantt');
  });

  it('draws a bar for each machine', async () => {
    const { stdout } = await cli(['show', 'mt06', '--format', 'table']);
    expect(stdout).toContain('best known makespan 55, proven optimal (2026-08)');
    expect(stdout.match(/█+/g)).toHaveLength(6);
  });
});
