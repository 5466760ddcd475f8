import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { benchmarks } from '../../src/jssp/benchmark-index.js';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import { writeFlexible } from '../../src/jssp/formats/flexible.js';
import { parseInstance, readInstance } from '../../src/jssp/formats/read-instance.js';
import type { Instance } from '../../src/jssp/instance.js';
import { modeCount } from '../../src/jssp/shop-parts.js';
import {
  benchmarkByChecksum,
  findBenchmark,
  resolveSource,
  resolveSources,
} from '../../src/jssp/suites.js';

const all = resolveSources('flexible');

/** The longest job in its fastest modes. `load` chooses the fastest ones. */
function longestJob({ jobs, jobOf, duration }: Instance): number {
  const length = new Float64Array(jobs);
  duration.forEach((time, op) => {
    length[jobOf[op]] += time;
  });
  return Math.max(...length);
}

describe('the flexible benchmarks', () => {
  it('have their numbers, size and sane bounds', () => {
    for (const source of all) {
      const instance = source.load();
      const known = benchmarks().get(source.name);
      expect([instance.name, instanceChecksum(instance)]).toEqual([source.name, source.sha256]);
      expect([instance.jobs, instance.machines, instance.operations, modeCount(instance)]).toEqual([
        known?.jobs,
        known?.machines,
        known?.operations,
        known?.modes,
      ]);
      expect(instance.duration.reduce((sum, d) => sum + d, 0)).toBe(known?.totalWork);
      const { lower = 0, upper = 0, asOf = '' } = source.bounds ?? {};
      expect(Number.isInteger(lower) && Number.isInteger(upper) && lower <= upper).toBe(true);
      expect(lower).toBeGreaterThanOrEqual(longestJob(instance));
      expect(asOf).toMatch(/^\d{4}(-\d{2})?$/);
    }
  });

  it('are each in a file of its name in the directory of its suite', () => {
    for (const { name, suite, path } of all) {
      expect(basename(path)).toBe(`${name}.fjs.gz`);
      expect(basename(dirname(path))).toBe(suite);
    }
    const { path, sha256 } = resolveSource('mk01');
    expect(instanceChecksum(readInstance(path))).toBe(sha256);
    expect(resolveSource(path).bounds?.upper).toBe(40);
  });

  it('are classic benchmarks where no operation has an alternative', () => {
    const single = resolveSource('la01_sdata');
    expect(single.load().modes).toBeNull();
    expect(single.sha256).toBe(findBenchmark('la01')?.sha256);
    expect(benchmarkByChecksum(single.sha256 ?? '')?.name).toBe('la01');
  });

  it('keep their numbers in our own writing', () => {
    for (const name of ['mk01', 'dpp01a', 'kacem4', 'behnke1', 'la05_vdata']) {
      const { load, sha256 } = resolveSource(name);
      const again = parseInstance(writeFlexible(load()), { file: `${name}.fjs` });
      expect(instanceChecksum(again)).toBe(sha256);
    }
  });
});

const shared = fileURLToPath(new URL('../../../shared/fjsp', import.meta.url));

describe.skipIf(!existsSync(shared))('beside the reference data', () => {
  const reference = () => {
    const [, ...rows] = readFileSync(join(shared, 'bounds.csv'), 'utf8').trim().split(/\r?\n/);
    return rows.map((row) => row.split(','));
  };

  it('have the same names and bounds', () => {
    const ours = all.map(({ name, bounds }) => [name, `${bounds?.lower}`, `${bounds?.upper}`]);
    const theirs = reference().map(([name, , , , lower, upper]) => [name, lower, upper]);
    expect(ours.sort()).toEqual(theirs.sort());
  });

  it('have the same numbers', () => {
    for (const [name, file, , , , , digest] of reference()) {
      const text = readFileSync(join(shared, file), 'utf8');
      const tokens = text.trim().split(/\s+/);
      expect(createHash('sha256').update(tokens.join(' ')).digest('hex')).toBe(digest);
      expect(instanceChecksum(parseInstance(text, { file: `${name}.fjs` }))).toBe(
        findBenchmark(name)?.sha256,
      );
    }
  });
});
