import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createInstance,
  instanceFromJobs,
  MAX_TIME,
  replaceInstance,
} from '../../src/jssp/instance.js';
import { type Plan, planFromSchedule } from '../../src/jssp/plan.js';
import { createSchedule } from '../../src/jssp/schedule.js';
import { VIOLATION_CODES, validate } from '../../src/validator/index.js';
import { arbitraryCase, arbitraryPlan, arbitraryStarts, uncheckedSchedule } from './arbitraries.js';
import { completion, keyOf, oracle } from './oracle.js';

const arbitraryJudgement = arbitraryCase.chain(({ instance, starts }) =>
  fc.record({
    instance: fc.constant(instance),
    plan: arbitraryPlan(instance, starts),
    bound: fc.option(fc.record({ value: fc.nat(120), source: fc.constant('a paper') }), {
      nil: undefined,
    }),
  }),
);

const instance = instanceFromJobs('small', [
  [
    [0, 3],
    [1, 2],
    [2, 2],
  ],
  [
    [0, 2],
    [2, 1],
    [1, 4],
  ],
]);
const entry = (job: number, step: number, machine: number, start: number, end: number) => ({
  job,
  step,
  machine,
  start,
  end,
});
/** A valid plan that ends at 12. */
const valid = [
  entry(0, 0, 0, 0, 3),
  entry(0, 1, 1, 3, 5),
  entry(0, 2, 2, 5, 7),
  entry(1, 0, 0, 3, 5),
  entry(1, 1, 2, 7, 8),
  entry(1, 2, 1, 8, 12),
];
const withEntry = (index: number, changes: object): Plan => ({
  entries: valid.map((item, i) => (i === index ? { ...item, ...changes } : item)),
});

describe('validate', () => {
  it('finds exactly the violations that the oracle finds in any plan', () => {
    fc.assert(
      fc.property(arbitraryJudgement, ({ instance, plan, bound }) => {
        const report = validate(instance, plan, { bound, limit: Number.POSITIVE_INFINITY });
        const expected = oracle(instance, plan, bound);
        expect(report.violations.map(keyOf).sort()).toEqual(expected);
        expect(report.valid).toBe(expected.length === 0);
        expect(report.total).toBe(expected.length);
        expect(report.truncated).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts a valid plan and reports its makespan', () => {
    const report = validate(instance, { entries: valid, makespan: 12 });
    expect(report).toMatchObject({ valid: true, makespan: 12, violations: [], groups: [] });
    expect(report.warnings).toEqual([]);
  });

  it('judges a schedule as it judges the true plan of it', () => {
    fc.assert(
      fc.property(
        arbitraryCase.chain(({ instance, starts }) =>
          fc.tuple(fc.constant(instance), arbitraryStarts(instance, starts)),
        ),
        ([instance, starts]) => {
          const { entries } = planFromSchedule(
            createSchedule(
              instance,
              starts.map(() => 0),
            ),
          );
          const asPlan = entries.map((entry, op) => {
            const isUsable = starts[op] >= 0 && starts[op] <= MAX_TIME;
            const end = isUsable ? completion(instance, op, starts[op]) : 0;
            return { ...entry, start: starts[op], end };
          });
          const report = validate(instance, uncheckedSchedule(instance, starts));
          const expected = oracle(instance, {
            entries: asPlan.filter(({ start }) => start !== -1),
          });
          expect(report.violations.map(keyOf).sort()).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('lists violations in the order of the codes, the same way every time', () => {
    fc.assert(
      fc.property(arbitraryJudgement, ({ instance, plan, bound }) => {
        const first = validate(instance, plan, { bound });
        const ranks = first.violations.map(({ code }) => VIOLATION_CODES.indexOf(code));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        expect(validate(instance, plan, { bound })).toEqual(first);
      }),
    );
  });

  it('lists no more than the limit, a prefix of the whole list, and counts everything', () => {
    fc.assert(
      fc.property(arbitraryJudgement, fc.nat(8), ({ instance, plan, bound }, limit) => {
        const all = validate(instance, plan, { bound });
        const some = validate(instance, plan, { bound, limit });
        expect(some.violations).toEqual(all.violations.slice(0, limit));
        expect(some.counts).toEqual(all.counts);
        expect(some.total).toBe(all.total);
        expect(some.truncated).toBe(all.total > limit);
      }),
    );
  });

  it('counts every overlap of garbage without listing more than the limit', () => {
    const operations = 200_000;
    const garbage = createInstance({
      name: 'garbage',
      machines: 1,
      jobOffset: Int32Array.from({ length: operations + 1 }, (_, i) => i),
      machine: new Int32Array(operations),
      duration: new Int32Array(operations).fill(2),
    });
    const report = validate(garbage, createSchedule(garbage, new Int32Array(operations)));
    expect(report.counts.machine_overlap).toBe((operations * (operations - 1)) / 2);
    expect(report.violations).toHaveLength(10_000);
    expect(report.truncated).toBe(true);
  });

  it('describes violations in the terms of files', () => {
    const report = validate(instance, withEntry(1, { start: 2, end: 4 }));
    expect(report.violations).toEqual([
      {
        code: 'job_precedence',
        message: 'job 1, step 2 on machine 1 starts at 2, before job 1, step 1 ends at 3',
        scope: { job: 0, step: 1, machine: 1, op: 1 },
        start: 2,
        other: 0,
        otherEnd: 3,
      },
    ]);
  });

  it('proves an overlap with both intervals and how long it is', () => {
    const [violation] = validate(instance, withEntry(3, { start: 1, end: 3 })).violations;
    expect(violation).toMatchObject({
      code: 'machine_overlap',
      start: 1,
      end: 3,
      other: 0,
      otherStart: 0,
      otherEnd: 3,
      overlap: 2,
    });
  });

  it('reports a makespan below a proven bound as a contradiction with its source', () => {
    const bound = { value: 13, source: 'literature, 2026-08' };
    const report = validate(instance, { entries: valid, makespan: 12 }, { bound });
    expect(report.valid).toBe(false);
    expect(report.violations).toMatchObject([
      { code: 'below_lower_bound', makespan: 12, bound: 13, source: 'literature, 2026-08' },
    ]);
  });

  it('uses the longest job as a bound without being given one', () => {
    const report = validate(instance, { entries: valid, makespan: 6 });
    expect(report.counts).toMatchObject({ wrong_makespan: 1, below_lower_bound: 1 });
    expect(report.violations[1]).toMatchObject({
      claimed: true,
      bound: 9,
      source: 'machine heads and tails',
    });
    expect(report.groups).toHaveLength(1);
  });

  it('rejects a claimed makespan shorter than releases allow, complete or not', () => {
    const released = replaceInstance(instance, { release: Int32Array.of(50, 0, 0, 0, 0, 0) });
    const report = validate(released, { entries: valid.slice(1), makespan: 30 });
    expect(report.violations[0]).toMatchObject({
      code: 'below_lower_bound',
      makespan: 30,
      claimed: true,
      bound: 57,
      source: 'job length',
    });
  });

  it('judges a plan that names its instance, as files do, and takes null for no makespan', () => {
    const document = { schema: 'alas-jssp/plan@1', instance: 'small', entries: valid };
    expect(validate(instance, { ...document, makespan: 12 } as Plan).valid).toBe(true);
    expect(validate(instance, { ...document, makespan: null } as Plan).valid).toBe(true);
  });

  it.each<[unknown, string]>([
    [undefined, '$: this is missing; give a plan or a schedule'],
    [[], '$: this is an empty list; give a plan or a schedule'],
    [{}, '$.entries: this is missing; give a list of entries'],
    [{ entries: 'none' }, '$.entries: this is "none"; give a list of entries'],
    [{ entries: [null] }, '$.entries[0]: this is null; give an object with the numbers job, step'],
    [{ entries: new Array(1) }, '$.entries[0]: this is missing; give an object'],
    [
      { entries: [valid[0], { ...valid[1], job: 'Job1' }] },
      '$.entries[1].job: this is "Job1"; give a number, counted from 0, or parse',
    ],
    [{ entries: [{ ...valid[0], end: undefined }] }, '$.entries[0].end: this is missing; give'],
    [{ entries: [], makespan: '12' }, '$.makespan: this is "12"; give a number or leave it out'],
    [{ start: new Int32Array(6) }, '$.instance: this is missing; give the instance'],
  ])('refuses candidates that are not plans in form: %j', (candidate, message) => {
    const attempt = () => validate(instance, candidate as Plan);
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(message);
  });

  it('reports starts beyond all time in an unchecked schedule', () => {
    const start = Int32Array.of(0, 3, 5, 3, 7, MAX_TIME + 1);
    const report = validate(instance, uncheckedSchedule(instance, start));
    expect(report.counts.absurd_time).toBe(1);
    expect(report.makespan).toBeNull();
  });

  it('warns of suspicious plans that violate no rule', () => {
    const late = valid.map((item) => ({ ...item, start: item.start + 9, end: item.end + 9 }));
    const report = validate(instance, { entries: late });
    expect(report.valid).toBe(true);
    expect(report.warnings.map(({ code }) => code)).toEqual(['idle_start', 'beyond_horizon']);
    const other = instanceFromJobs('other', [[[0, 1]]]);
    const one = instanceFromJobs('one', [[[0, 1]]]);
    const schedule = createSchedule(other, new Int32Array(1));
    expect(validate(one, schedule).warnings.map(({ code }) => code)).toEqual(['other_instance']);
  });

  it('refuses options and schedules that make no sense', () => {
    expect(() => validate(instance, { entries: [] }, { limit: -1 })).toThrow(InputError);
    const bound = { value: Number.NaN, source: 'nowhere' };
    expect(() => validate(instance, { entries: [] }, { bound })).toThrow(/nowhere is NaN/);
    const other = instanceFromJobs('other', [[[0, 1]]]);
    const schedule = createSchedule(other, new Int32Array(1));
    expect(() => validate(instance, schedule)).toThrow(/1 start times for 6 operations/);
  });
});
