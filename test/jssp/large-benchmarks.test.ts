import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchmarks, folderBenchmarks } from '../../src/jssp/benchmark-index.js';
import { lowerBound } from '../../src/jssp/bounds.js';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import { benchmarksInFolder } from '../../src/jssp/folder-suites.js';
import { boundsFor, resolveSource, resolveSources } from '../../src/jssp/suites.js';

const names = Array.from({ length: 10 }, (_, i) => `tai_100_1000_${i + 1}`);

describe('the suite tai-100x100', () => {
  it('has the numbers, sizes and bounds of the table', () => {
    for (const source of resolveSources('tai-100x100')) {
      const instance = source.load();
      const known = benchmarks().get(source.name);
      expect([instance.name, instanceChecksum(instance)]).toEqual([source.name, source.sha256]);
      expect([instance.jobs, instance.machines, instance.operations]).toEqual([100, 100, 10_000]);
      expect(instance.duration.reduce((sum, time) => sum + time, 0)).toBe(known?.totalWork);
      expect(source.bounds?.lower).toBeGreaterThanOrEqual(lowerBound(instance).value);
      expect(source.bounds?.upper).toBeGreaterThan(source.bounds?.lower ?? 0);
    }
  });

  it('knows its instances by the names of the publication, too', () => {
    for (const name of ['tai_j100_m100_1', 'TAI_100_100_01', 'tai100x100_1.txt']) {
      expect(resolveSource(name).name).toBe('tai_100_100_1');
    }
    expect(resolveSource('tai01').name).toBe('ta01');
  });
});

describe('the suite tai-100x1000', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'alas-large-'));
    mkdirSync(join(folder, 'part'));
    const { path } = resolveSource('tai_100_100_1');
    for (const name of names) copyFileSync(path, join(folder, `${name}.txt.gz`));
    writeFileSync(join(folder, 'part', 'tai_j100_m1000_4.txt'), '1 1\n0 1\n');
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds its files in a folder, in the order of the suite', () => {
    const sources = resolveSources(`TAI-100x1000=${folder}`);
    expect(sources.map(({ name }) => name)).toEqual(names);
    expect(sources[2].bounds).toEqual({ lower: 530560, upper: 538757, asOf: '2026-03' });
  });

  it('refuses a file with other numbers', () => {
    const [first] = resolveSources(`tai-100x1000=${folder}`);
    expect(() => first.load()).toThrow(/tai_100_1000_1\.txt\.gz: the numbers are not those of/);
  });

  it('refuses a folder that lacks files, and one that is none', () => {
    expect(() => resolveSources(`tai-100x1000=${join(folder, 'part')}`)).toThrow(
      /part lacks 9 of the 10 files of tai-100x1000: tai_100_1000_1, tai_100_1000_2, tai_100_1000_3, …/,
    );
    expect(() => resolveSources(`tai-100x1000=${folder}/nowhere`)).toThrow(/is no folder/);
  });

  it('says how to name its files where only its name is given', () => {
    expect(() => resolveSources('tai-100x1000')).toThrow(/tai-100x1000=FOLDER/);
    expect(() => resolveSource('tai_j100_m1000_7')).toThrow(/name the file of tai_100_1000_7/);
    expect(benchmarksInFolder('la=nowhere')).toBeUndefined();
  });

  it('has a table of ten', () => {
    expect([...folderBenchmarks().keys()]).toEqual(names);
    for (const { jobs, machines, operations, bounds } of folderBenchmarks().values()) {
      expect([jobs, machines, operations]).toEqual([100, 1000, 100_000]);
      expect(bounds.lower).toBeLessThan(bounds.upper);
    }
  });
});

const shared = fileURLToPath(new URL('../../../shared/large', import.meta.url));

describe.skipIf(!existsSync(shared))('beside the published files', () => {
  it('tai-100x1000 has their numbers, and files anywhere get its bounds', () => {
    const source = resolveSources(`tai-100x1000=${shared}`)[9];
    const instance = source.load();
    expect(instance.operations).toBe(100_000);
    expect(source.bounds?.lower).toBeGreaterThanOrEqual(lowerBound(instance).value);
    const { path } = source;
    expect(boundsFor(resolveSource(path).load())).toEqual(source.bounds);
  });
});
