import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

describe('alas-jssp show', () => {
  it('prints size, bounds and machine loads', async () => {
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

  it('prints all of it in one table of CSV and in two of Markdown', async () => {
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

  it('prints weights and tardiness if jobs have due dates', async () => {
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
    expect(readFileSync(svg, 'utf8').match(/class="bar operation"/g)).toHaveLength(36);
    const html = join(directory, 'plan.html');
    expect((await cli(['show', 'ft06', '--gantt', plan, '--html', html])).stderr).toContain(
      'wrote',
    );
    expect(readFileSync(html, 'utf8')).toContain('id="schedule/plan"');
    expect((await cli(['show', 'ft06', '--svg', svg])).stderr).toContain('--svg goes with --gantt');
  });

  it('writes a plan as a workbook, and as the calendar of a machine', async () => {
    const directory = temporaryDirectory();
    const at = (name: string) => join(directory, name);
    const workshop = (name: string) => `examples/workshop/${name}`;
    const from = ['--map', workshop('map.json'), '--calendar', workshop('calendar.json')];
    await cli(['import', workshop('orders.csv'), ...from, '--out', at('shop.json')]);
    await cli(['plan', at('shop.json'), '--planner', 'dispatch:mwkr', '--out', at('plan.json')]);
    const show = (...more: string[]) =>
      cli(['show', at('shop.json'), '--gantt', at('plan.json'), ...more]);
    const files = ['--xlsx', at('plan.xlsx'), '--ics', at('plan.ics'), '--machine', 'Lathe 1'];
    const { code, stdout, stderr } = await show(...files);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toBe(`wrote ${at('plan.xlsx')}\nwrote ${at('plan.ics')}\n`);
    const { sheets } = await readXlsx(readFileSync(at('plan.xlsx')));
    expect(sheets[0].rows.slice(0, 2).map((row) => row.slice(0, 2))).toEqual([
      ['Order', 'Due'],
      ['WO-4711', new Date('2026-11-23T20:00Z')],
    ]);
    const places = readFileSync(at('plan.ics'), 'utf8').match(/LOCATION:.*/g);
    expect(new Set(places)).toEqual(new Set(['LOCATION:Lathe 1']));
    expect((await show('--ics', at('x.ics'), '--machine', 'Lathe 9')).stderr).toContain(
      'there is no machine "Lathe 9"; did you mean Lathe 1, Lathe 2?',
    );
    expect((await show('--machine', 'Lathe 1')).stderr).toContain('goes with --xlsx or --ics');
    const plain = await cli(['plan', 'ft06', '--out', at('ft06.json')]);
    expect(plain.code).toBe(0);
    const refused = await cli(['show', 'ft06', '--gantt', at('ft06.json'), '--ics', at('x.ics')]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('no clock')]);
  });

  it('draws a bar for each machine', async () => {
    const { stdout } = await cli(['show', 'mt06', '--format', 'table']);
    expect(stdout).toContain('best known makespan 55, proven optimal (2026-08)');
    expect(stdout.match(/█+/g)).toHaveLength(6);
  });
});
