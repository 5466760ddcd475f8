import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../cli.js';

const directory = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const degraded = join(directory, 'degraded');
const heuristic = join(directory, 'heuristic');

beforeAll(async () => {
  const variants = ['--variant', 'full,no-repair', '--optimize', '200-iterations'];
  const common = ['--suite', 'abz5,la01,la02', '--quiet', '--workers', '1'];
  await cli(['run', ...common, '--planner', 'degraded:0.2', ...variants, '--out', degraded]);
  await cli([
    'run',
    ...common,
    '--planner',
    'dispatch:best',
    '--save-schedules',
    '--out',
    heuristic,
  ]);
});

describe('alas-jssp report', () => {
  it('prints the summary that run prints', async () => {
    const { code, stdout } = await cli(['report', heuristic, '--format', 'md']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\| suite \| planner \| runs \|/);
    expect(stdout).toContain('| all | dispatch:best | 3 | 3 |');
    const summary = JSON.parse((await cli(['report', heuristic, degraded, '--json'])).stdout);
    expect(summary).toMatchObject({ schema: 'alas-jssp/report@1', records: 9, planned: 9 });
  });

  it('has statistics behind the summary, of which one table can be had alone', async () => {
    const all = await cli(['report', heuristic, degraded, '--format', 'md']);
    expect(all.code).toBe(0);
    expect(all.stdout).toContain('**Primal integral and time to target, from 0 to');
    expect(all.stdout).toContain('**The best schedule of each instance**');
    const profile = await cli(['report', heuristic, '--table', 'profile', '--format', 'latex']);
    expect(profile.stdout).toMatch(
      /^\\begin\{table\}\n\\centering\n\\caption\{Performance profile/,
    );
    expect(profile.stdout).toContain('dispatch:best & 100.0 & 100.0');
    const curves = await cli(['report', heuristic, '--table', 'curves', '--format', 'csv']);
    expect(curves.stdout).toMatch(
      /^suite,planner,variant,objective,synthetic,seconds,gap_percent\n/,
    );
    const none = await cli(['report', heuristic, '--table', 'curve']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('name one of summary,')]);
    const mixed = await cli(['report', heuristic, '--paper', '--horizon', '3']);
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('go with the general')]);
  });

  it('writes the best saved schedules with certificates, and none that is not what its record says', async () => {
    const best = join(directory, 'best');
    const { code, stdout } = await cli(['report', heuristic, '--best', best, '--json']);
    expect(code).toBe(0);
    const written = JSON.parse(stdout).best as { instance: string; value: number }[];
    expect(written.map(({ instance }) => instance)).toEqual(['abz5', 'la01', 'la02']);
    const verify = await cli(['verify', join(best, 'la01.certificate.json'), '--json']);
    expect(JSON.parse(verify.stdout)).toMatchObject({ valid: true, makespan: written[1].value });

    const copy = join(directory, 'copy');
    cpSync(heuristic, copy, { recursive: true });
    const file = join(copy, 'schedules', 'la01__dispatch-best__full__0.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"start": ?\d+/g, '"start": 1'));
    const spoilt = await cli(['report', copy, '--best', join(directory, 'other'), '--json']);
    expect(spoilt.code).toBe(1);
    expect(spoilt.stderr).toContain('la01 by dispatch:best');
    expect(JSON.parse(spoilt.stdout).best).toHaveLength(2);
    const records = join(copy, 'records.jsonl');
    const stated = readFileSync(records, 'utf8').replace(
      '"claimed_lower_bound":null',
      '"claimed_lower_bound":99999',
    );
    writeFileSync(records, stated);
    const { stderr } = await cli(['report', copy, '--format', 'csv']);
    expect(stderr).toMatch(
      /contradiction: dispatch:best states a lower bound of 99999 for abz5, but a schedule has 1234/,
    );
    const unsaved = await cli(['report', degraded, '--best', join(directory, 'third')]);
    expect([unsaved.code, unsaved.stderr]).toEqual([1, expect.stringContaining('0 schedules in')]);
  });

  it('finds the schedules of instances that had their due dates from the run', async () => {
    const late = join(directory, 'late');
    const objective = ['--objective', 'total-weighted-tardiness', '--due-tightness', '1.2'];
    const run = ['run', '--suite', 'ft06', '--planner', 'insertion', ...objective, '--quiet'];
    await cli([...run, '--save-schedules', '--workers', '1', '--out', late]);
    const best = join(directory, 'late-best');
    const { code, stdout } = await cli(['report', late, '--best', best, '--json']);
    expect(code).toBe(0);
    const [{ value, certificate, instance_file }] = JSON.parse(stdout).best;
    expect(value).toBeGreaterThan(0);
    const verified = await cli(['verify', certificate, '--instance', instance_file]);
    expect(verified.code).toBe(0);
    const [row] = JSON.parse((await cli(['report', late, '--json'])).stdout).statistics.best;
    expect(row).toMatchObject({ value, objective: objective[1], upper_bound: null });
  });

  it('studies who finds and who repairs faults in the plans of any run', async () => {
    const study = ['--study', '--faults', '1', '--format', 'md'];
    const { code, stdout } = await cli(['report', heuristic, degraded, ...study]);
    expect(code).toBe(0);
    expect(stdout).toContain('1 faults of each class in each of 3 valid schedules');
    expect(stdout).toMatch(/\| precedence swap \| 3 \| 3 \| 0 \| 3 \| 3 \|/);
    expect(stdout).toMatch(/\| all \| 69 \| 69 \| 0 \| 66 \|/);
    expect(stdout).toMatch(/\| all \| no-validation \| 69 \| 0\.0 /);
    // Error rate for each iteration: all plans are wrong, and none is after a round.
    expect(stdout).toMatch(
      /\| degraded:0\.2 \(synthetic\) \| full \| 0 \| 3 \| 3 \| 3 \| 100\.0 \|/,
    );
    expect(stdout).toMatch(
      /\| degraded:0\.2 \(synthetic\) \| full \| 1 \| 3 \| 3 \| 0 \| 0\.0 \| 0\.0 \|/,
    );
    expect(stdout).toMatch(
      /\| degraded:0\.2 \(synthetic\) \| no-repair \| 0 \| 3 \| 3 \| 3 \| 100\.0 \|/,
    );
    const json = JSON.parse(
      (await cli(['report', heuristic, '--study', '--faults', '1', '--json'])).stdout,
    );
    expect(json).toMatchObject({
      schema: 'alas-jssp/study@1',
      faults: 1,
      schedules: 3,
      judge: null,
    });
    const csv = await cli(['report', heuristic, '--study', '--faults', '1', '--format', 'csv']);
    expect(csv.stdout.split('\n')[0]).toMatch(/^fault,plans,by_validator,by_planner,by_neither/);
    expect(csv.stderr).toContain('no-validation');
  });

  it('refuses settings of a study where there is none', async () => {
    const { code, stderr } = await cli(['report', heuristic, '--faults', '1']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('go with --study')]);
    const both = await cli(['report', heuristic, '--study', '--paper']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('different reports')]);
    const judge = await cli(['report', heuristic, '--study', '--judge', 'insertion']);
    expect([judge.code, judge.stderr]).toEqual([2, expect.stringContaining('asks no model')]);
  });

  it('reports the stages of planners that ask a model separately, as run does', async () => {
    const tape = fileURLToPath(new URL('../../llm/cassettes/scripted', import.meta.url));
    const asked = join(directory, 'asked');
    const how = ['--planner', `replay:${tape}`, '--repair', '--quiet', '--out', asked];
    await cli(['run', '--suite', 'la01', ...how]);
    const { stdout } = await cli(['report', asked, '--format', 'md']);
    expect(stdout).toMatch(/\| planner alone \| 1 \| 0\/1 \|.*\n.*\| after repair \| 1 \| 1\/1 \|/);
    const csv = await cli(['report', asked, '--format', 'csv']);
    expect(csv.stdout).not.toContain('planner alone');
    expect(csv.stderr).toContain('planner alone');
  });

  it('prints the tables of the paper of several runs, tests and claims apart', async () => {
    const tests = ['--baseline', 'dispatch:best', '--claims'];
    const args = ['report', degraded, heuristic, '--paper', ...tests];
    const { code, stdout, stderr } = await cli([...args, '--format', 'md']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^\*\*Table \d+\./gm)).toHaveLength(7);
    expect(stdout.match(/^\*\*Claimed in table \d+/gm)).toHaveLength(7);
    expect(stdout).toContain('| degraded:0.2 (synthetic) | no-repair | plan | 0.0? |');
    expect(stdout).toContain('Tests are against dispatch:best (full)');
    const document = JSON.parse((await cli([...args, '--json'])).stdout);
    expect(document).toMatchObject({
      schema: 'alas-jssp/paper-report@1',
      baseline: { planner: 'dispatch:best', variant: 'full' },
      records: 9,
      claims: { schema: 'alas-jssp/paper-claims@1' },
    });
    expect((await cli([...args, '--json'])).stdout).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it('has no columns of a baseline without one, and breaks its lines between words', async () => {
    const alone = await cli(['report', heuristic, '--paper', '--format', 'md']);
    expect(alone.stdout).toContain('final results on all suites**');
    expect(alone.stdout).not.toContain('p (Wilcoxon)');
    const args = ['report', degraded, heuristic, '--paper', '--baseline', 'dispatch:best'];
    const { stdout } = await cli(args, { terminal: 100 });
    expect(stdout).toMatch(/mean.*p \(Wilcoxon\)/);
    const legend = stdout.slice(stdout.indexOf('Mean; 95 %')).split('\n');
    expect(legend.length).toBeGreaterThan(5);
    for (const line of legend) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('is one CSV table without anything else on stdout', async () => {
    const { stdout } = await cli(['report', degraded, '--paper', '--format', 'csv']);
    expect(stdout).toMatch(/^table,measure,planner,synthetic,variant,method,stage,suite,records,/);
    expect(stdout).toContain('success,success_percent,degraded:0.2,true,full,,plan,abz,1,');
  });

  it.each([
    [['--claims'], '--baseline and --claims go with --paper'],
    [['--paper', '--baseline', 'magic'], 'there are no records of the planner magic'],
    [['--paper', '--baseline', 'dispatch:best@half'], 'no records of a variant half'],
  ])('refuses %j', async (options, message) => {
    const { code, stderr } = await cli(['report', heuristic, ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses runs that do not go together, and directories without a run', async () => {
    const twice = await cli(['report', heuristic, heuristic]);
    expect(twice).toMatchObject({ code: 2 });
    expect(twice.stderr).toContain('both have records of dispatch:best (full) on abz5');
    expect(await cli(['report', directory])).toMatchObject({ code: 2 });
  });
});

describe('alas-jssp report --failures', () => {
  const answers = join(directory, 'answers.jsonl');
  const out = join(directory, 'answered');
  const row = '{"job":1,"step":1,"machine":2,"start":0,"end":1}';
  const texts = { ft06: 'I cannot.', ft10: `{"makespan": 5, "schedule": [${row}]}` };

  beforeAll(async () => {
    const lines = Object.entries(texts).map(([instance, response]) =>
      JSON.stringify({ id: `a/${instance}`, topology: 'crew', model: 'm', instance, response }),
    );
    writeFileSync(answers, lines.join('\n'));
    const planner = ['--planner', `transcripts:${answers}`];
    await cli(['run', '--suite', 'ft', ...planner, '--repair', '--quiet', '--out', out]);
  });

  it('prints why answers failed and where they are', async () => {
    const { code, stdout } = await cli(['report', out, '--failures', '--json']);
    expect(code).toBe(0);
    const { schema, planners, answers: failed } = JSON.parse(stdout);
    expect(schema).toBe('alas-jssp/failures@1');
    expect(planners).toHaveLength(1);
    expect(planners[0]).toMatchObject({
      topology: 'crew',
      models: ['m'],
      answers: 2,
      missing: 1,
      outcomes: { incomplete: 1, unreadable: 1, failed: 0 },
      claims: { stated: 1, right: 0, impossible: 1, compared: 1 },
      repairs: { asked: 0, by_model: 0, by_protocol: 2 },
      errors: [],
    });
    expect(planners[0].violations[0]).toMatchObject({ code: 'missing_operation', root_answers: 2 });
    const files = failed.map(({ files }: { files: string[] }) => files[0]);
    expect(files.map((file: string) => readFileSync(file.split('#')[0], 'utf8'))).toEqual(
      files.map(() => readFileSync(answers, 'utf8')),
    );
    expect(files[0]).toMatch(/#a\/ft06$/);
  });

  it('has a row for each failed answer in CSV, and tables beside it', async () => {
    const { stdout, stderr } = await cli(['report', out, '--failures', '--format', 'csv']);
    expect(stdout).toMatch(
      /^suite,instance,planner,variant,topology,replicate,outcome,root_causes,/,
    );
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toContain('Outcomes of the answers, before any repair\n');
    const latex = await cli(['report', out, '--failures', '--format', 'latex']);
    expect(latex.stdout).toContain('\\caption{Outcomes of the answers, before any repair}');
    const narrow = await cli(['report', out, '--failures'], { terminal: 80 });
    expect(narrow.stdout).toContain('; --json has all\n');
    expect(narrow.stdout).toContain('answers.jsonl#a/ft06\n');
  });

  it('has colours on a terminal, and nowhere if NO_COLOR is set', async () => {
    const args = ['report', out, '--failures'];
    const colored = await cli(args, { terminal: 80, env: { NO_COLOR: '', TERM: 'xterm' } });
    const plain = await cli(args, { terminal: 80, env: { NO_COLOR: '1', TERM: 'xterm' } });
    expect(stripVTControlCharacters(colored.stdout)).toBe(plain.stdout);
    expect(colored.stdout).not.toBe(plain.stdout);
  });
});
