import { describe, expect, it } from 'vitest';
import type { LargeRow } from '../../packages/lab/src/large/large-rows.js';
import { largeTable, millionTable } from '../../packages/lab/src/large/tables.js';
import type { CpSatRow } from '../../packages/lab/src/search/beside.js';

const row = (changes: Partial<LargeRow>): LargeRow => ({
  instance: 'tai_100_100_1',
  suite: 'tai-100x100',
  budget_seconds: 60,
  threads: 2,
  seed: 0,
  jobs: 100,
  machines: 100,
  mean_load: 1000,
  makespan: 1980,
  lower_bound: 1500,
  bound_source: 'job length',
  upper_bound: 2000,
  gap_percent: -1,
  published_lower_bound: 1600,
  bounds_as_of: '2026-03',
  status: 'feasible',
  first_makespan: 3000,
  first_after: 0.1,
  reached_after: 58,
  below_best_known_after: 31.26,
  seconds: 60,
  processor_seconds: 90,
  iterations: 1,
  load: 2,
  peak_megabytes: 200,
  trace: [[58, 1980]],
  commit: '0123456789abcdef',
  machine: 'm',
  solved_at: '2026-11-27T00:00:00Z',
  ...changes,
});

const cpSat = (changes: Partial<CpSatRow>): CpSatRow => ({
  instance: 'tai_100_100_1',
  budget_seconds: 60,
  threads: 2,
  makespan: 2500,
  lower_bound: 0,
  status: 'feasible',
  seconds: 60,
  trace: [],
  machine: 'm',
  ...changes,
});

describe('the table of large shops', () => {
  it('has a line for each instance in the order of numbers, with every budget and the mean', () => {
    const text = largeTable(
      [
        row({ instance: 'tai_100_100_10', makespan: 2020, below_best_known_after: null }),
        row({}),
        row({ budget_seconds: 600, makespan: 1600, status: 'optimal', seconds: 100 }),
      ],
      [cpSat({})],
    );
    const lines = text.split('\n');
    expect(lines[0]).toBe(
      '- `tai-100x100`, 60 s: 1 of 2 below the best known makespan, mean 0.00 %, 0 proven optimal; 2 threads with 75 % of their time, load 2.0, at most 200 MB, 2026-11-27, commit 01234567.',
    );
    expect(lines[1]).toContain('600 s (1 of 2 solves): 1 of 1 below the best known makespan');
    const [first, second, mean] = lines.slice(5);
    expect(first).toBe(
      '| tai_100_100_1 | 1600–2000 | 1980 | -1.00 | 31.3 | 60 s | 1600 | -20.00 | 31.3 | proven, 100.0 s | 2500 |',
    );
    expect(second).toBe('| tai_100_100_10 | 1600–2000 | 2020 | 1.00 |  | 60 s |  |  |  |  |  |');
    expect(mean).toBe('| **mean** |  |  | **0.00** |  |  |  | **-20.00** |  |  |  |');
  });

  it('is empty where nothing is recorded', () => {
    expect(largeTable([], [])).toBe('');
    expect(millionTable([row({})], [])).toBe('');
  });

  it('divides makespans of generated shops by the lower bound and by the mean work of a machine', () => {
    const name = 'random-1000x1000-99-1';
    const text = millionTable(
      [row({ instance: name, suite: 'random', published_lower_bound: null })],
      [cpSat({ instance: name, makespan: null })],
    );
    expect(text.split('\n')[2]).toBe(
      `| ${name} | 60 | 3.0000 | 0.1 | 1980 | 1.9800 | 1.3200 | 60.0 | 200 | 2.0 | no schedule |`,
    );
    expect(text).toContain('is 1.6208 times the expected mean load');
  });
});
