import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  measureQuality,
  measureStage,
  recordKey,
  recordSchema,
} from '../../../src/harness/records/record.js';
import { makeRecord } from '../fixtures.js';

const time = fc.integer({ min: 1, max: 1e6 });

describe('measureQuality', () => {
  it('calls only the upper bound itself 100% optimal, and gap and optimality agree', () => {
    fc.assert(
      fc.property(time, time, time, (makespan, upper_bound, lower_bound) => {
        const quality = measureQuality(makespan, { lower_bound, upper_bound });
        expect(quality.optimality_percent === 100).toBe(makespan === upper_bound);
        expect(quality.gap_percent === 0).toBe(makespan === upper_bound);
        expect(quality.proven_optimal).toBe(makespan === lower_bound);
        const ratio = 1 + (quality.gap_percent ?? Number.NaN) / 100;
        expect(((quality.optimality_percent ?? Number.NaN) / 100) * ratio).toBeCloseTo(1, 9);
      }),
    );
  });

  it('measures nothing without a makespan', () => {
    expect(measureQuality(null, { lower_bound: 0, upper_bound: 10 })).toEqual({
      makespan: null,
      gap_percent: null,
      optimality_percent: null,
      proven_optimal: false,
    });
  });

  it('proves a makespan optimal without an upper bound, but has no gap then', () => {
    expect(measureQuality(12, { lower_bound: 12, upper_bound: null })).toEqual({
      makespan: 12,
      gap_percent: null,
      optimality_percent: null,
      proven_optimal: true,
    });
  });

  it('has no gap to an upper bound of 0', () => {
    const quality = measureQuality(0, { lower_bound: 0, upper_bound: 0 });
    expect(quality).toMatchObject({ gap_percent: null, proven_optimal: true });
  });
});

describe('measureStage', () => {
  it('calls a stage feasible if it ended with a makespan, and measures its gap', () => {
    const bounds = { lower_bound: 90, upper_bound: 100 };
    const spent = { tokens: { input: 7, output: 5, estimated: true }, cost_usd: null, seconds: 2 };
    const good = { feasible: true, makespan: 110, gap_percent: 10 };
    expect(measureStage(110, bounds, spent)).toEqual({ ...good, ...spent });
    const bad = { feasible: false, makespan: null, gap_percent: null };
    expect(measureStage(null, bounds, spent)).toEqual({ ...bad, ...spent });
  });
});

describe('recordKey', () => {
  it('differs whenever instance, planner, variant, method or replicate does', () => {
    const identity = fc.record({
      instance: fc.string(),
      planner: fc.string(),
      variant: fc.string(),
      method: fc.option(fc.string()),
      replicate: fc.nat(3),
    });
    fc.assert(
      fc.property(identity, identity, (a, b) => {
        const equal = (Object.keys(a) as (keyof typeof a)[]).every((key) => a[key] === b[key]);
        expect(recordKey(a) === recordKey(b)).toBe(equal);
      }),
    );
  });
});

describe('recordSchema', () => {
  it('knows exactly the keys that the documentation of records promises', () => {
    expect(Object.keys(recordSchema.shape)).toEqual([
      'schema',
      'instance',
      'suite',
      'jobs',
      'machines',
      'planner',
      'synthetic',
      'variant',
      'method',
      'replicate',
      'seed',
      'objective',
      'status',
      'feasible',
      'makespan',
      'tardiness',
      'claimed_makespan',
      'claimed_lower_bound',
      'lower_bound',
      'lower_bound_source',
      'upper_bound',
      'gap_percent',
      'optimality_percent',
      'proven_optimal',
      'contradiction',
      'violations',
      'root_causes',
      'improvements',
      'stages',
      'repair',
      'disruption',
      'attribution',
      'llm',
      'process',
      'tokens',
      'cost_usd',
      'answer_seconds',
      'answer_elapsed_seconds',
      'seconds',
      'error',
    ]);
  });

  it('accepts a record and refuses one with a missing or wrong value', () => {
    const record = makeRecord();
    expect(recordSchema.parse(record)).toEqual(record);
    expect(recordSchema.safeParse({ ...record, makespan: 1.5 }).success).toBe(false);
    expect(recordSchema.safeParse({ ...record, suite: undefined }).success).toBe(false);
    expect(recordSchema.safeParse({ ...record, schema: 'alas-jssp/record@2' }).success).toBe(false);
  });
});
