import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { InputError } from '@alas-jssp/core/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchmarks, paperNames, suiteNames } from '../../src/jssp/benchmark-index.js';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import { type Instance, instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';
import {
  benchmarkByChecksum,
  benchmarkSource,
  boundsFor,
  findBenchmark,
  type InstanceSource,
  resolveSource,
  resolveSources,
} from '../../src/jssp/suites.js';

const all = resolveSources('all');
const ft06 = resolveSource('ft06');
const names = (sources: readonly InstanceSource[]) => sources.map((source) => source.name);

/** Makespans that no schedule can beat: the longest job and the busiest machine. */
function trivialBound({ jobs, machines, operations, jobOf, machine, duration }: Instance): number {
  const length = new Float64Array(jobs);
  const load = new Float64Array(machines);
  for (let op = 0; op < operations; op++) {
    length[jobOf[op]] += duration[op];
    load[machine[op]] += duration[op];
  }
  return Math.max(...length, ...load);
}

/** The number of instances of each suite; a new suite adds its own. */
const SIZES: readonly (readonly [suite: string, size: number])[] = [
  ['dmu', 80],
  ['ta', 80],
  ['abz', 5],
  ['swv', 20],
  ['yn', 4],
  ['ft', 3],
  ['la', 40],
  ['orb', 10],
  ['classic', 189],
  ['all', 242],
  ['paper', 45],
  ['mk', 15],
  ['dpp', 18],
  ['mt', 7],
  ['setb4', 7],
  ['seti5', 7],
  ['kacem', 4],
  ['fattahi', 20],
  ['behnke', 60],
  ['hurink-edata', 66],
  ['hurink-rdata', 66],
  ['hurink-sdata', 66],
  ['hurink-vdata', 66],
  ['flexible', 402],
  ['tai-100x100', 10],
];

describe('the benchmarks', () => {
  it.each(all)('have $name with its numbers, size and sane bounds', (source) => {
    const instance = source.load();
    const known = benchmarks().get(source.name);
    expect(instance.name).toBe(source.name);
    expect(instanceChecksum(instance)).toBe(source.sha256);
    expect(instance).toMatchObject({
      jobs: known?.jobs,
      machines: known?.machines,
      operations: known?.operations,
    });
    expect(instance.duration.reduce((sum, d) => sum + d, 0)).toBe(known?.totalWork);

    const { lower = 0, upper = 0, asOf = '' } = source.bounds ?? {};
    expect(Number.isInteger(lower) && Number.isInteger(upper)).toBe(true);
    expect(lower).toBeLessThanOrEqual(upper);
    expect(lower).toBeGreaterThanOrEqual(trivialBound(instance));
    expect(asOf).toMatch(/^\d{4}-\d{2}$/);
  });

  it('are refused when their file has other numbers than it should', () => {
    const known = benchmarks().get('ft06');
    if (known === undefined) throw new Error('ft06 is missing');
    const changed = benchmarkSource({ ...known, path: findBenchmark('ft10')?.path ?? '' });
    expect(() => changed.load()).toThrow(
      /ft10\.txt: the numbers are not those of ft06 .*; restore/,
    );
  });

  it('are each in a file of its name in the directory of its suite', () => {
    for (const { name, suite, path } of all) {
      expect(basename(path)).toBe(`${name}.txt`);
      expect(basename(dirname(path))).toBe(suite);
    }
  });

  it('have the well-known bounds', () => {
    expect(ft06.bounds).toEqual({ lower: 55, upper: 55, asOf: '2026-08' });
    expect(findBenchmark('mt10')?.bounds?.upper).toBe(930);
  });
});

describe('suites', () => {
  it.each(SIZES)('%s has %i different instances', (suite, size) => {
    expect(suiteNames).toContain(suite);
    expect(new Set(names(resolveSources(suite))).size).toBe(size);
    expect(resolveSources(suite.toUpperCase())).toEqual(resolveSources(suite));
  });

  it('are all tested above', () => {
    const sizes: Record<string, number> = Object.fromEntries(SIZES);
    expect(suiteNames.filter((suite) => !Object.hasOwn(sizes, suite))).toEqual([]);
    expect(suiteNames).toHaveLength(SIZES.length);
  });

  it('list their instances in the order of their numbers', () => {
    const expected = Array.from({ length: 80 }, (_, i) => `dmu${String(i + 1).padStart(2, '0')}`);
    expect(names(resolveSources('dmu'))).toEqual(expected);
    expect(names(resolveSources('abz'))).toEqual(['abz5', 'abz6', 'abz7', 'abz8', 'abz9']);
  });

  it('put the five classic ones first and in order', () => {
    expect(resolveSources('classic')).toEqual(resolveSources('dmu,ta,abz,swv,yn'));
    expect(all.slice(0, 189)).toEqual(resolveSources('classic'));
  });

  it('follow the paper in the suite of the paper', () => {
    expect(names(resolveSources('paper'))).toEqual([...paperNames().values()]);
    expect(names(resolveSources('paper')).slice(0, 4)).toEqual(['abz7', 'abz8', 'abz9', 'dmu03']);
  });
});

describe('files', () => {
  let home: string;
  const small = '2 2\n0 3 1 4\n1 2 0 5\n';

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'alas-suites-'));
    for (const folder of ['mine', 'other', 'empty', 'mine/deeper']) mkdirSync(join(home, folder));
    for (const name of ['s10.txt', 's2.std', 's1.jsp', 'deeper/d1.txt']) {
      writeFileSync(join(home, 'mine', name), small);
    }
    writeFileSync(join(home, 'mine', 's3.txt.gz'), gzipSync(small));
    writeFileSync(join(home, 'mine', 'notes.md'), 'not an instance');
    writeFileSync(join(home, 'other', 's1.jssp'), small);
    writeFileSync(join(home, 'empty', 'notes.md'), 'not an instance');
    copyFileSync(ft06.path, join(home, 'other', 'copied.txt'));
    writeFileSync(join(home, 'other', 'ft06.txt'), small);
  });

  afterAll(() => rmSync(home, { recursive: true }));

  it('are instances named after the file and its directory', () => {
    const source = resolveSource(join(home, 'mine', 's3.txt.gz'));
    expect(source).toMatchObject({ name: 's3', suite: 'mine', bounds: null, sha256: null });
    expect(source.load()).toMatchObject({ name: 's3', jobs: 2, machines: 2, operations: 4 });
  });

  it('may be given relative to the working directory', () => {
    const path = relative('.', join(home, 'mine', 's1.jsp'));
    expect(resolveSource(path)).toMatchObject({ name: 's1', suite: 'mine', path });
  });

  it('of a directory come in natural order, without other files and deeper directories', () => {
    const expected = ['s1', 's2', 's3', 's10'];
    expect(names(resolveSources(join(home, 'mine')))).toEqual(expected);
    expect(names(resolveSources(`${join(home, 'mine')}/`))).toEqual(expected);
  });

  it('are found by a glob, braces and all', () => {
    expect(names(resolveSources(`${home}/mine/*.{txt,jsp}`))).toEqual(['s1', 's10']);
    expect(names(resolveSources(`${home}/mine/**/*.txt`))).toEqual(['d1', 's10']);
    const fromHere = relative('.', home).replaceAll('\\', '/');
    expect(names(resolveSources(`${fromHere}/mine/s?.*`))).toEqual(['s1', 's2', 's3']);
  });

  it('win over the benchmark of the same name when written as a path', () => {
    const path = join(home, 'other', 'ft06.txt');
    expect(resolveSource(path)).toMatchObject({ suite: 'other', bounds: null });
    expect(resolveSource(path).load().jobs).toBe(2);
  });

  it('of the benchmarks folder are the benchmarks themselves', () => {
    expect(resolveSource(ft06.path)).toBe(ft06);
    expect(resolveSources(dirname(ft06.path))).toEqual(resolveSources('ft'));
  });

  it('get the bounds of the benchmark with the same numbers', () => {
    expect(boundsFor(resolveSource(join(home, 'other', 'copied.txt')).load())).toEqual(ft06.bounds);
    expect(boundsFor(resolveSource(join(home, 'other', 's1.jssp')).load())).toBeNull();
  });

  it('of one name in two places are refused, because records identify instances by name', () => {
    const clash = `${join(home, 'mine', 's1.jsp')},${join(home, 'other', 's1.jssp')}`;
    expect(() => resolveSources(clash)).toThrow(/both called s1; rename/);
    expect(() => resolveSources(`ft06,${join(home, 'other', 'ft06.txt')}`)).toThrow(InputError);
  });

  it('must be there: an empty directory and a glob without a match are refused', () => {
    expect(() => resolveSources(join(home, 'empty'))).toThrow(/empty holds no instance file/);
    expect(() => resolveSources(`${home}/empty/*`)).toThrow(InputError);
    expect(() => resolveSources(`${home}/nowhere/*.txt`)).toThrow(InputError);
    expect(() => resolveSources(join(home, 'nowhere'))).toThrow(/no suite, instance, file/);
  });
});

describe('resolveSources', () => {
  it('takes a list in its order and each instance once', () => {
    expect(names(resolveSources('yn, la1,ft,TA01,mt06,,yn2'))).toEqual([
      'yn1',
      'yn2',
      'yn3',
      'yn4',
      'la01',
      'ft06',
      'ft10',
      'ft20',
      'ta01',
    ]);
  });

  it('takes a list that is too long to be a path', () => {
    expect(resolveSources(names(all).join(','))).toEqual(all);
  });

  it('suggests the nearest names for one that is unknown', () => {
    expect(() => resolveSources('dmv')).toThrow(/called "dmv"; did you mean dmu/);
    expect(() => resolveSources('ta01,swv21')).toThrow(/called "swv21"; did you mean swv01/);
    expect(() => resolveSources('ta011x')).toThrow(/did you mean ta01, ta11\?/);
    expect(() => resolveSources('rcmax_20_15_6')).toThrow(/did you mean rcmax_20_15_5/);
  });

  it('says what it takes where nothing is near', () => {
    expect(() => resolveSources('something-else')).toThrow(
      `give a suite (${suiteNames.join(', ')})`,
    );
    for (const nothing of ['', ' ', ',']) expect(() => resolveSources(nothing)).toThrow(InputError);
  });
});

describe('resolveSource', () => {
  it('finds one instance by any of its names', () => {
    for (const name of ['abz7', 'abz07', 'ABZ7.txt']) {
      expect(resolveSource(name)).toBe(findBenchmark('abz7'));
    }
  });

  it('refuses a suite and names one of its instances', () => {
    expect(() => resolveSource('dmu')).toThrow(
      'dmu denotes 80 instances; name one of them, such as dmu01',
    );
  });

  it('refuses a folder and names one of its files as it can be given', () => {
    const home = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(home, name), '1 1\n0 3\n');
    const file = join(home, 'a.txt');
    expect(() => resolveSource(home)).toThrow(`2 instances; name one of them, such as ${file}`);
    expect(resolveSource(file).name).toBe('a');
    rmSync(home, { recursive: true });
  });
});

describe('benchmarkByChecksum', () => {
  it('finds each benchmark by its numbers alone', () => {
    for (const source of all) expect(benchmarkByChecksum(source.sha256 ?? '')).toBe(source);
  });

  it('finds nothing for other numbers or an instance with more to it', () => {
    const instance = ft06.load();
    const released = replaceInstance(instance, { release: new Int32Array(36).fill(1) });
    expect(boundsFor(replaceInstance(instance, { name: 'renamed' }))).toEqual(ft06.bounds);
    expect(boundsFor(released)).toBeNull();
    expect(boundsFor(instanceFromJobs('tiny', [[[0, 1]]]))).toBeNull();
  });
});
