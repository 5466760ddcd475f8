import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { generateSupply } from '../../src/realm/supply/generate-supply.js';
import { generateTour } from '../../src/realm/tour/generate-tour.js';
import { cli } from './cli.js';

const directories: string[] = [];

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'suite-'));
  directories.push(made);
  return made;
}

afterEach(() => {
  for (const made of directories.splice(0)) rmSync(made, { recursive: true, force: true });
});

describe('alas-coordination run --suite', () => {
  it('plans published files and generated instances, and reports them from the records', async () => {
    const data = directory();
    mkdirSync(join(data, 'P1', 'custom'), { recursive: true });
    for (const name of ['p1_instance_001', 'p1_instance_002']) {
      const value = generateTour(name, name.length + Number(name.at(-1)));
      writeFileSync(join(data, 'P1', 'custom', `${name}.json`), JSON.stringify(value));
    }
    writeFileSync(join(data, 'P1', 'p1_broken.json'), '{');
    const out = join(data, 'run.jsonl');
    const args = ['run', '--suite', 'realm-p1', '--data', data, '--out', out, '--format', 'json'];
    const first = await cli([...args, '--planner', 'search']);
    expect(first.code).toBe(1);
    const [row] = JSON.parse(first.stdout).rows;
    expect(row).toMatchObject({ instances: 3, refused: 1, plans: 2, valid: 2, optimal: 2 });
    const before = readFileSync(out, 'utf8');
    const again = await cli([...args, '--planner', 'search']);
    expect(again.stderr).toContain('3 records there already');
    expect(readFileSync(out, 'utf8')).toBe(before);
    const report = await cli(['report', out, '--format', 'json']);
    expect(JSON.parse(report.stdout)).toEqual(JSON.parse(again.stdout));
  });

  it('makes the same instances and plans from the same seed', async () => {
    const args = ['run', '--suite', 'realm-p1', '--generated', '3', '--format', 'json'];
    const run = async (seed: string) => {
      const { stdout } = await cli([...args, '--seed', seed]);
      return JSON.parse(stdout).rows.map(({ seconds: _, ...row }: Record<string, unknown>) => row);
    };
    expect(await run('7')).toEqual(await run('7'));
    expect(await run('7')).not.toEqual(await run('8'));
  });

  it('counts events that no valid plan reaches as not planned', async () => {
    const args = ['run', '--suite', 'realm-p7', '--generated', '4', '--format', 'json'];
    const { rows } = JSON.parse((await cli(args)).stdout);
    const after = rows.filter(({ stage }: { stage: string }) => stage === 'replan');
    expect(after.map(({ plans }: { plans: number }) => plans)).toEqual([8, 8]);
  });

  it('says how to complete what is refused, and lists what can be completed', async () => {
    const data = directory();
    writeFileSync(join(data, 'p10_one.json'), JSON.stringify(generateSupply('p10_one', 1)));
    const { code, stderr } = await cli(['run', '--suite', 'realm-p10', '--data', data]);
    expect(code).toBe(1);
    expect(stderr).toContain('--complete states what is missing (demand, prices)');
    const listed = await cli(['list', 'suites', '--json']);
    expect(JSON.parse(listed.stdout).suites).toContainEqual(
      expect.objectContaining({ suite: 'realm-p10', complete: 'demand=100', needed: 'yes' }),
    );
  });

  it.each([
    [['--suite', 'realm-p1'], 'realm-p1 has no files here'],
    [['--suite', 'realm-p1', '--data', 'nowhere'], 'nowhere: this is no directory'],
    [
      ['--suite', 'realm-p1', '--generated', '1', '--problem', 'wedding'],
      '--problem does not go with a suite',
    ],
    [['--generated', '1'], '--generated belongs to a suite'],
    [['--suite', 'realm-p1', '--generated', '1', '--complete', 'speed=3'], "no completion 'speed'"],
    [['--suite', 'realm-p1', '--generated', '1', '--complete', 'visit=x'], '--complete visit'],
    [['--suite', 'realm-p1', '--generated', '1', '--planner', 'papers'], "no planner 'papers'"],
  ])('refuses %j with one line', async (args, problem) => {
    const { code, stderr } = await cli(['run', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
