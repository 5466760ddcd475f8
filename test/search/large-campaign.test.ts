import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  keepSchedule,
  keptProblems,
  keptRecords,
  keptSchedule,
} from '../../packages/lab/src/campaign/kept-schedules.js';
import { writePlans } from '../../packages/lab/src/large/plans.js';
import type { Benchmark } from '../../packages/lab/src/search/benchmark.js';
import { sourcesOf } from '../../packages/lab/src/search/sets.js';
import { resolveSource } from '../../src/jssp/index.js';
import { optimize } from '../../src/search/optimize.js';
import { cli } from '../cli/cli.js';
import { temporaryDirectory } from '../temporary-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shared = join(root, '../shared');
const judge = join(shared, 'tools/check.py');

/** Judges a run folder by a script that shares no code with the project. */
function judgeRun(benchmarks: string, run: string) {
  const args = [judge, join(root, 'benchmarks/large-checksums.csv'), benchmarks, run];
  return spawnSync('python3', args, { encoding: 'utf8' });
}

describe('a schedule of a large shop', () => {
  const source = resolveSource('tai_100_100_1') as Benchmark;

  it('is kept as a compressed certificate that the command line verifies', async () => {
    const folder = join(temporaryDirectory(), 'best-1s');
    const { schedule } = await optimize(source.load(), { budget: { seconds: 1 } });
    expect(keepSchedule(folder, schedule, {}, source, 'compressed certificate')).toBe(true);
    expect(keptSchedule(folder, source)?.start).toEqual(schedule.start);
    expect(keptProblems(folder, { below: false })).toEqual([]);
    const certificate = join(folder, 'certificates/tai_100_100_1.json.gz');
    const { stdout } = await cli(['verify', certificate, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, makespan: schedule.makespan });

    const target = temporaryDirectory();
    writePlans(folder, target, [source]);
    const run = join(target, 'best-1s');
    expect(readdirSync(join(run, 'schedules'))).toHaveLength(1);
    expect(keptRecords(run)).toMatchObject([{ makespan: schedule.makespan, feasible: true }]);
    if (!existsSync(judge)) return;
    const verdict = judgeRun(join(root, 'benchmarks'), run);
    expect(verdict.stdout).toBe('1 feasible, 0 bad, 1 records, 1 claimed feasible\n');
  });

  it('is kept of generated shops, too, without bounds of the literature', async () => {
    const folder = temporaryDirectory();
    const [shop] = sourcesOf('random-6x5-99-3');
    const { schedule } = await optimize(shop.load(), { budget: { iterations: 500 } });
    keepSchedule(folder, schedule, {}, shop, 'compressed certificate');
    expect(keptRecords(folder)).toMatchObject([{ instance: 'random-6x5-99-3', upper_bound: null }]);
    expect(keptProblems(folder, { below: false, sourceOf: () => shop })).toEqual([]);
    const [other] = sourcesOf('random-6x5-99-4');
    const changed = { ...other, name: shop.name };
    const wrong = keptProblems(folder, { below: false, sourceOf: () => changed }).join('\n');
    expect(wrong).toMatch(/the checksum is that of another instance/);
  });
});

describe('the recorded large shops', () => {
  const home = join(root, 'results/reference/large');
  const folders = existsSync(home)
    ? readdirSync(home).filter((name) => name.startsWith('best-'))
    : [];

  it('of the packaged suite have certificates that hold', () => {
    const packaged = new Map(sourcesOf('tai-100x100').map((each) => [each.name, each]));
    const sourceOf = (instance: string) => packaged.get(instance);
    for (const name of folders) {
      expect(keptProblems(join(home, name), { below: false, sourceOf })).toEqual([]);
    }
  });

  // `bench -- large --plans` writes all of them for the judge, which takes two seconds for each of tai-100x1000.
  it.skipIf(!existsSync(judge))('are accepted by another judge', { timeout: 60_000 }, () => {
    for (const name of folders) {
      const target = temporaryDirectory();
      const all = sourcesOf(`tai-100x100,tai-100x1000=${join(shared, 'large')}`);
      const sources = all.filter((each) => /^tai_100_(100_\d+|1000_[38])$/.test(each.name));
      writePlans(join(home, name), target, sources);
      const verdict = judgeRun(shared, join(target, name));
      expect([verdict.status, verdict.stdout]).toEqual([0, expect.stringContaining(' 0 bad')]);
    }
  });
});
