import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '@alas-jssp/core/random';
import { describe, expect, it } from 'vitest';
import { buildHere } from '../../packages/lab/src/race/builds.js';
import { openRecords, race, type Standing } from '../../packages/lab/src/race/race.js';
import { interval } from '../../packages/lab/src/race/statistics.js';
import { trainingInstances } from '../../packages/lab/src/race/training.js';
import { temporaryDirectory } from '../temporary-directory.js';

describe('a race of the laboratory', () => {
  it('decides by equal solves, and makes none of them twice', async () => {
    const folder = temporaryDirectory();
    const build = await buildHere(join(folder, 'builds'));
    const records = join(folder, 'records.jsonl');
    const run = (): Promise<Standing[]> =>
      race({
        variants: [
          { name: 'usual', build, settings: {} },
          { name: 'in haste', build, settings: { cutoff: 2 } },
        ],
        instances: trainingInstances(['two-15x8']),
        records: openRecords(records),
        budget: { iterations: 1500 },
        islands: 2,
        most: 40,
        jobs: 2,
        alpha: 0.05,
        worth: 0,
      });
    const [standing] = await run();
    expect(standing).toMatchObject({ isKept: false });
    expect(standing.high).toBeLessThan(0);
    expect(standing.pairs.length).toBeLessThan(40);
    const lines = () => readFileSync(records, 'utf8').trim().split('\n');
    const before = lines();
    expect(before.length).toBeGreaterThanOrEqual(2 * standing.pairs.length);
    expect((await run())[0].pairs).toEqual(standing.pairs);
    expect(lines()).toEqual(before);
  });
});

describe('a training instance', () => {
  it('is the same every time, and of its kind', () => {
    const draw = () => trainingInstances(['two-6x4', 'ta-5x5']);
    const [first, second] = [draw().next().value, draw().next().value];
    expect(first).toEqual(second);
    expect(first).toMatchObject({ name: 'two-6x4-0', jobs: 6, machines: 4 });
    for (let op = 0; op < 24; op++) expect(first.machine[op] < 2).toBe(op % 4 < 2);
  });
});

describe('an interval', () => {
  const random = createRandom('interval');
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const differences = (mean: number, size: number) =>
    Array.from({ length: size }, () => mean + 0.5 * normal());

  it('holds the mean at all times at once', () => {
    const misses = Array.from({ length: 60 }, () => {
      const all = differences(0.3, 40);
      return [8, 12, 16, 24, 32, 40].some((length) => {
        const { low, high } = interval(all.slice(0, length), 0.05);
        return low > 0.3 || high < 0.3;
      });
    });
    // Three are expected at most, and ten one time in 700.
    expect(misses.filter((missed) => missed).length).toBeLessThan(10);
  });

  it('leaves out zero where there is a difference, soon', () => {
    expect(interval(differences(0.6, 20), 0.05).low).toBeGreaterThan(0);
    expect(interval(differences(0, 3), 0.05).high).toBe(Number.POSITIVE_INFINITY);
  });
});
