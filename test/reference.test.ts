import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cli, temporaryDirectory } from './cli/cli.js';

// Reference data and a judge that share no code with this project lie beside some checkouts.
const root = fileURLToPath(new URL('..', import.meta.url));
const shared = join(root, '..', 'shared');
const text = (...path: string[]) => readFileSync(join(...path), 'utf8').replaceAll('\r\n', '\n');

describe.skipIf(!existsSync(shared))('beside the reference data', () => {
  it('has the same checksums, Taillard seeds and paper instances', () => {
    const files = [
      ['instances.csv', 'checksums.csv'],
      ['taillard-seeds.csv', 'taillard-seeds.csv'],
      ['paper-instances.csv', 'paper.csv'],
    ];
    for (const [theirs, ours] of files) {
      const lines = (content: string) => content.trim().split('\n').sort();
      expect(lines(text(root, 'benchmarks', ours))).toEqual(
        lines(text(shared, 'reference', theirs)),
      );
    }
  });

  it('has the same bounds', async () => {
    const { stdout } = await cli(['list', 'instances', '--suite', 'all', '--json']);
    const ours = JSON.parse(stdout).instances.map(
      (row: Record<string, unknown>) =>
        `${row.instance},${row.lower_bound},${row.upper_bound},${row.as_of}`,
    );
    const [, ...theirs] = text(shared, 'reference', 'bounds.csv').trim().split('\n');
    expect(ours.sort()).toEqual(theirs.sort());
  });

  it('has the same claims of the paper', () => {
    const ours = JSON.parse(text(root, 'benchmarks', 'paper-claims.json')).tables;
    const theirs = JSON.parse(text(shared, 'reference', 'paper-tables.json'));
    const names = [
      ['success', 'success_rate_percent'],
      ['optimality', 'optimal_rate_percent'],
      ['ablation', 'ablation_optimal_rate_percent'],
      ['time', 'execution_seconds_mean'],
      ['tokens', 'tokens_mean'],
    ];
    for (const [own, other] of names) {
      expect(ours[own].rows).toEqual(theirs[other].map(Object.values));
    }
  });

  it('saves runs whose every schedule an independent judge accepts', async () => {
    const out = join(temporaryDirectory(), 'run');
    const planners = ['--planner', 'dispatch:best', '--planner', 'insertion'];
    await cli(['run', '--suite', 'all', ...planners, '--out', out, '--save-schedules']);
    const judge = [join(shared, 'tools', 'check.py'), join(shared, 'reference', 'instances.csv')];
    const verdict = execFileSync('python3', [...judge, join(root, 'benchmarks'), out], {
      encoding: 'utf8',
    });
    expect(verdict.trim()).toBe('484 feasible, 0 bad, 484 records, 484 claimed feasible');
  });
});
