import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from '../cli.js';

const lines = (text: string) => text.trim().split('\n');

describe('paper --list', () => {
  it('has a row for each table and figure, in every format', async () => {
    const { stdout, code } = await cli(['paper', '--list', '--json']);
    const { schema, rows } = JSON.parse(stdout);
    expect([code, schema]).toEqual([0, 'alas-jssp/paper-list@1']);
    expect(rows).toHaveLength(57);
    const csv = await cli(['paper', '--list']);
    expect(lines(csv.stdout)).toHaveLength(58);
    const md = await cli(['paper', 'sagallm', '--list', '--format', 'md']);
    expect(lines(md.stdout)).toHaveLength(17);
  });

  it('says how a row is reproduced', async () => {
    const { stdout } = await cli(['paper', 'alas/table-5', 'alas/table-32', '--list', '--json']);
    const [ablation, engines] = JSON.parse(stdout).rows;
    expect(ablation.status).toBe('with a key');
    expect(ablation.command).toBe('npx alas-jssp paper alas/table-5 --planner MODEL');
    expect(ablation.with_key[0]).toMatch(
      /^npx alas-jssp run --suite paper --planner 'MODEL\.alas=MODEL#/,
    );
    expect(engines).toMatchObject({ status: 'not', command: null, without_key: [], with_key: [] });
    expect(engines.note).toMatch(/Temporal/);
  });
});

describe('a row without a key', () => {
  it('gets a page with its commands and their output', async () => {
    const cwd = temporaryDirectory();
    const { stdout, stderr, code } = await cli(['paper', 'alas/table-6'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# ALAS, table 6: The execution loop/);
    expect(stdout).toContain('npx alas-jssp workflow blueprint --text --rounds 5');
    expect(stdout).toContain('repair (map until');
    expect(stderr).toContain('page in results/paper/alas/table-6.md');
    expect(readFileSync(join(cwd, 'results/paper/alas/table-6.md'), 'utf8')).toBe(stdout);
  });

  it('shows a plan before and after the repair', async () => {
    const cwd = temporaryDirectory();
    const { stdout, code } = await cli(['paper', 'alas/figure-3', '-q'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('| shop | lcrp | 4 | growth | 38 | 44 | 40 |');
    expect(existsSync(join(cwd, 'results/paper/alas/figure-3/repaired.json'))).toBe(true);
  });

  it('is one document with --json', async () => {
    const cwd = temporaryDirectory();
    const { stdout } = await cli(['paper', 'alas/table-9', '--json'], { cwd });
    const { schema, rows } = JSON.parse(stdout);
    expect([schema, rows.length]).toEqual(['alas-jssp/paper-pages@1', 1]);
    expect(rows[0]).toMatchObject({ id: 'alas/table-9', complete: true });
    expect(rows[0].commands[0].output).toContain('algorithm (string)');
  });
});

describe('a row with a key', () => {
  const small = ['--planner', 'degraded:0.2', '--suite', 'ft06', '--threads', '2'];

  it('runs once for all tables that share its runs', async () => {
    const cwd = temporaryDirectory();
    const first = await cli(['paper', 'alas/table-5', ...small], { cwd });
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('Table 5. Ablation');
    expect(first.stdout).toContain('Claimed in table 5 of the paper');
    expect(first.stdout).toMatch(/\| degraded:0.2 \(synthetic\) \| no-repair \|/);
    expect(first.stdout).not.toContain('Table 4.');
    const records = join(cwd, 'results/paper/runs/shops-alas/degraded-0.2/records.jsonl');
    const before = readFileSync(records, 'utf8');
    const second = await cli(['paper', 'alas/table-12', ...small], { cwd });
    expect(second.code).toBe(0);
    expect(readFileSync(records, 'utf8')).toBe(before);
  });

  it('refuses runs with other settings', async () => {
    const cwd = temporaryDirectory();
    await cli(['paper', 'alas/table-5', ...small], { cwd });
    const { stderr, code } = await cli(['paper', 'alas/table-5', ...small, '--threads', '3'], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/other settings: .*replicates/);
  });

  it('is not run without a model', async () => {
    const { stderr, code } = await cli(['paper', 'alas/table-5']);
    expect(code).toBe(1);
    expect(stderr).toContain('alas/table-5 needs a model: name one with --planner');
  });
});

describe('paper refuses', () => {
  it.each([
    [['paper'], /name a row, or give --list/],
    [['paper', 'alas/table-99'], /no paper has a row 'alas\/table-99'/],
    [['paper', 'alas/table-3', '--list', '--estimate'], /exclude each other/],
    [['paper', 'alas/table-3', '--planner', 'nobody'], /nobody/],
    [['paper', 'alas/table-3', '--planner', 'openai:m#no=1'], /there is no setting 'no'/],
  ])('%j', async (args, message) => {
    const { stderr, code } = await cli(args, { cwd: temporaryDirectory() });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(lines(stderr)).toHaveLength(1);
  });
});
