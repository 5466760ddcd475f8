import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  keepSchedule,
  keptProblems,
  keptRecords,
  keptSchedule,
} from '../../packages/lab/src/campaign/kept-schedules.js';
import { createSchedule, resolveSource, type Schedule } from '../../src/jssp/index.js';
import { optimize } from '../../src/search/optimize.js';
import { temporaryDirectory } from '../temporary-directory.js';

const records = fileURLToPath(new URL('../../results/reference/records', import.meta.url));

type Row = Record<string, unknown>;

describe('the records of the campaign', () => {
  it('are feasible schedules of their instances, below the bounds they name', () => {
    expect(keptProblems(records, { below: true })).toEqual([]);
  });
});

describe('a schedule that is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'alas-jssp-'));
  const source = resolveSource('ft06');

  beforeAll(async () => {
    const { schedule } = await optimize(source.load(), { budget: { iterations: 2000 } });
    expect(keepSchedule(folder, schedule, { seed: 0 })).toBe(true);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  /** A copy of the folder in which something is changed. */
  const changed = (file: string, change: (row: Row) => void): string => {
    const copy = join(temporaryDirectory(), 'changed');
    cpSync(folder, copy, { recursive: true });
    const row = JSON.parse(readFileSync(join(copy, file), 'utf8'));
    change(row);
    writeFileSync(join(copy, file), `${JSON.stringify(row)}\n`);
    return copy;
  };
  const plan = 'schedules/ft06__search__campaign__0.json';
  const certificate = 'certificates/ft06.json';

  it('is read again, has no faults, and only a better one takes its place', () => {
    const kept = keptSchedule(folder, source) as Schedule;
    expect(kept.makespan).toBe(55);
    expect(keptProblems(folder, { below: false })).toEqual([]);
    expect(keptRecords(folder)).toMatchObject([{ instance: 'ft06', makespan: 55, seed: 0 }]);
    expect(keepSchedule(folder, kept, { seed: 1 })).toBe(false);
    expect(keptRecords(folder)).toMatchObject([{ seed: 0 }]);
  });

  it('is no record unless it is below the bound that it names', () => {
    expect(keptProblems(folder, { below: true })).toEqual([
      'ft06: 55 is not below the bound of 55',
    ]);
    // A bound that the literature had in another month, and was weaker.
    const name = (row: Row): void => {
      Object.assign(row, { upper_bound: 57, bounds_as_of: '2020-01' });
    };
    const copy = changed('records.jsonl', name);
    const claims = JSON.parse(readFileSync(join(copy, certificate), 'utf8'));
    claims.upper_bound = { value: 57, source: 'literature, 2020-01' };
    writeFileSync(join(copy, certificate), JSON.stringify(claims));
    expect(keptProblems(copy, { below: true })).toEqual([]);
    // The bound of the month that is known here is another one.
    claims.upper_bound.source = 'literature, 2026-08';
    writeFileSync(join(copy, certificate), JSON.stringify(claims));
    expect(keptProblems(copy, { below: true })).not.toEqual([]);
  });

  it.each<[string, string, (row: Row) => void, RegExp]>([
    ['a plan that overlaps', plan, (row) => shift(row), /not feasible/],
    ['another instance', certificate, (row) => rehash(row), /another instance/],
    [
      'another instance, says the record',
      'records.jsonl',
      (row) => rehash(row),
      /another instance/,
    ],
    [
      'a better makespan than it has',
      'records.jsonl',
      (row) => improve(row),
      /ends at 55, not at 54/,
    ],
    ['start times too early', certificate, (row) => hurry(row), /makespan|before|overlap/],
    [
      'a bound that the certificate does not name',
      'records.jsonl',
      (row) => raise(row),
      /name the bound of 99/,
    ],
  ])('is refused with %s', (_, file, change, message) => {
    const problems = keptProblems(changed(file, change), { below: false });
    expect(problems.join('\n')).toMatch(message);
  });

  it('is refused without its files, and they without a record', () => {
    const copy = changed('records.jsonl', (row) => Object.assign(row, { instance: 'ft10' }));
    const problems = keptProblems(copy, { below: false }).join('\n');
    expect(problems).toMatch(/ft06.json: no record names it/);
    expect(problems).toMatch(/ft10: .*ft10\.json: there is no such file/);
  });

  it('cannot be one that the validator refuses', () => {
    const instance = source.load();
    const schedule = createSchedule(instance, new Int32Array(instance.operations));
    expect(() => keepSchedule(join(temporaryDirectory(), 'bad'), schedule, {})).toThrow(
      'no certificate',
    );
  });
});

function shift(row: Row): void {
  const [, second] = row.entries as { start: number; end: number }[];
  second.start -= 1;
  second.end -= 1;
}

function rehash(row: Row): void {
  const owner = (row.sha256 === undefined ? row.instance : row) as Row;
  owner.sha256 = 'f'.repeat(64);
}

function improve(row: Row): void {
  row.makespan = 54;
}

function hurry(row: Row): void {
  (row.starts as number[]).fill(0);
}

function raise(row: Row): void {
  row.upper_bound = 99;
}
