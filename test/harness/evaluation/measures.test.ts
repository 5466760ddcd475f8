import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anytime } from '../../../src/harness/evaluation/anytime.js';
import { bestKnown } from '../../../src/harness/evaluation/best-known.js';
import {
  performanceProfile,
  profileAt,
} from '../../../src/harness/evaluation/performance-profile.js';
import { plannerTests } from '../../../src/harness/evaluation/planner-tests.js';
import type { RunRecord } from '../../../src/harness/records/record.js';
import { makeRecord } from '../fixtures.js';

const record = (planner: string, instance: string, makespan: number | null, changes = {}) =>
  makeRecord({ planner, instance, makespan, ...changes });

/** Records of some planners on some instances, each cell at most a few times, some of them failures. */
const records = fc
  .array(
    fc.record({
      planner: fc.constantFrom('a', 'b', 'c'),
      instance: fc.constantFrom('i1', 'i2', 'i3', 'i4'),
      suite: fc.constantFrom('abz'),
      makespan: fc.option(fc.integer({ min: 100, max: 200 })),
      times: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
    }),
    { maxLength: 30 },
  )
  .map((cells) =>
    cells.map(({ times, makespan, ...names }, replicate): RunRecord => {
      const improvements = times.map((seconds, k) => ({
        seconds,
        value: (makespan ?? 150) + 10 * (times.length - k),
        lower_bound: 60 + k,
      }));
      return makeRecord({ ...names, makespan, replicate, improvements });
    }),
  );

describe('anytime', () => {
  it('measures from 0 to one horizon, by instance', () => {
    const improvements = (value: number) => [{ seconds: 2, value, lower_bound: null }];
    const { rows, horizon_seconds } = anytime(
      [
        record('a', 'i1', 200, { improvements: improvements(200) }),
        record('a', 'i1', 100, { improvements: improvements(100), replicate: 1 }),
        record('a', 'i2', null),
        record('b', 'i1', 125, { improvements: improvements(125) }),
      ],
      { horizon: 10, targets: [25, 0] },
    );
    expect(horizon_seconds).toBe(10);
    expect(rows).toHaveLength(2);
    // i1: (2 + 8/2 + 2) / 2 = 4; i2: 10.
    expect(rows[0]).toMatchObject({
      planner: 'a',
      records: 3,
      instances: 2,
      solved: 2,
      primal_integral_seconds: 7,
      mean_gap_percent: 70,
      final_gap_percent: 62.5,
      primal_dual_integral_seconds: null,
      targets: [
        { percent: 25, reached_percent: 25, median_seconds: null },
        { percent: 0, reached_percent: 25, median_seconds: null },
      ],
      curve: [
        { seconds: 0, gap_percent: 100 },
        { seconds: 2, gap_percent: 62.5 },
      ],
    });
    expect(rows[1].targets).toEqual([
      { percent: 25, reached_percent: 100, median_seconds: 2 },
      { percent: 0, reached_percent: 0, median_seconds: null },
    ]);
  });

  it('leaves out what was realised under disruptions, and what nobody solves', () => {
    const { rows, left_out } = anytime([
      makeRecord({ makespan: 150, method: 'lcrp' }),
      makeRecord({ makespan: null, instance: 'mine', upper_bound: null }),
      makeRecord({ makespan: 100 }),
    ]);
    expect(left_out).toEqual({ executed: 1, without_reference: 1 });
    expect(rows[0].records).toBe(1);
  });

  it('tells how far bounds are from the best', () => {
    const bounded = (bound: number) => [{ seconds: 1, value: 100, lower_bound: bound }];
    const { rows } = anytime(
      [
        record('a', 'i1', 100, { improvements: bounded(80), claimed_lower_bound: 80 }),
        record('a', 'i2', 100, { improvements: bounded(90) }),
        record('a', 'i3', 100),
        record('b', 'i1', 100, { improvements: bounded(120), claimed_lower_bound: 120 }),
      ],
      { horizon: 2 },
    );
    expect(rows[0]).toMatchObject({ bounded: 2, claimed: 1 });
    expect(rows[0].bound_gap_percent).toBeCloseTo(15, 9);
    // 1 + 0.2, 1 + 0.1, and 2 without a bound.
    expect(rows[0].primal_dual_integral_seconds).toBeCloseTo((1.2 + 1.1 + 2) / 3, 9);
    expect(rows[1]).toMatchObject({ bounded: 0, bound_gap_percent: null });
  });

  it('lets faulty plans set no standard', () => {
    const { rows } = anytime([
      makeRecord({ makespan: 90, synthetic: true, planner: 'degraded:0.1', upper_bound: null }),
      makeRecord({ makespan: 100, upper_bound: null }),
    ]);
    expect(rows.map(({ final_gap_percent }) => final_gap_percent)).toEqual([0, 0]);
    expect(rows[0].synthetic).toBe(true);
  });

  it('has curves that never rise, and whose area is the integral', () => {
    fc.assert(
      fc.property(records, (some) => {
        for (const row of anytime(some, { horizon: 20 }).rows) {
          const { curve } = row;
          const area = curve.reduce(
            (sum, point, k) =>
              sum + (point.gap_percent / 100) * ((curve[k + 1]?.seconds ?? 20) - point.seconds),
            0,
          );
          expect(area).toBeCloseTo(row.primal_integral_seconds, 6);
          const gaps = curve.map(({ gap_percent }) => gap_percent);
          expect(gaps).toEqual(gaps.toSorted((x, y) => y - x));
          expect(gaps.at(-1)).toBeCloseTo(row.final_gap_percent, 9);
          const shares = row.targets.map(({ reached_percent }) => reached_percent);
          expect(shares).toEqual(shares.toSorted((x, y) => y - x));
        }
      }),
    );
  });

  it('is better for a planner whose schedules are better', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 1, max: 20 }), (some, less) => {
        // The upper bound is 100 and everything above it: the standard does not move.
        const worse = some.map((one) => ({
          ...one,
          makespan: one.makespan && one.makespan + less,
        }));
        const shifted = worse.map((one) => ({
          ...one,
          improvements: one.improvements.map((step) => ({
            ...step,
            value: (step.value ?? 0) + less,
          })),
          stages: { plan: null, repair: null, optimize: null },
        }));
        const before = anytime(some, { horizon: 20 }).rows;
        const after = anytime(shifted, { horizon: 20 }).rows;
        before.forEach((row, k) => {
          expect(after[k].primal_integral_seconds).toBeGreaterThanOrEqual(
            row.primal_integral_seconds - 1e-9,
          );
        });
      }),
    );
  });
});

describe('performanceProfile', () => {
  const three = [
    ...[record('a', 'i1', 100), record('a', 'i2', 200), record('a', 'i3', null)],
    ...[record('b', 'i1', 150), record('b', 'i2', 160), record('b', 'i3', 120)],
    ...[record('a', 'i4', 100)],
  ];

  it('has for each ratio the share of instances that are no worse', () => {
    const { instances, instances_left_out, planners } = performanceProfile(three);
    expect([instances, instances_left_out]).toEqual([3, 1]);
    const [a, b] = planners;
    expect(a).toMatchObject({ best_percent: expect.closeTo(100 / 3) });
    expect(a.points.map(({ ratio }) => ratio)).toEqual([1, 1.25]);
    expect(a.solved_percent).toBeCloseTo(200 / 3);
    expect(b.points).toEqual([
      { ratio: 1, percent: expect.closeTo(200 / 3) },
      { ratio: 1.5, percent: expect.closeTo(100) },
    ]);
  });

  it('rises, and ends at the share that is solved', () => {
    fc.assert(
      fc.property(
        records,
        fc.constantFrom('value' as const, 'seconds' as const),
        (some, measure) => {
          const profile = performanceProfile(some, { measure, target: 30 });
          for (const planner of profile.planners) {
            const { points } = planner;
            for (const key of ['ratio', 'percent'] as const) {
              const line = points.map((point) => point[key]);
              expect(line).toEqual(line.toSorted((x, y) => x - y));
            }
            expect(points.every(({ ratio }) => ratio >= 1)).toBe(true);
            expect(profileAt(points, Number.MAX_VALUE)).toBe(planner.solved_percent);
            expect(planner.solved_percent).toBeLessThanOrEqual(100);
          }
          const solves = profile.planners.some(({ solved_percent }) => solved_percent > 0);
          expect(profile.planners.some(({ best_percent }) => best_percent > 0)).toBe(solves);
        },
      ),
    );
  });

  it('ends at the success of a planner with records of all instances', () => {
    const half = ['i1', 'i2', 'i3', 'i4'].map((name, k) => record('a', name, k < 2 ? 110 : null));
    const [{ solved_percent }] = performanceProfile(half).planners;
    expect(solved_percent).toBe(50);
  });
});

describe('plannerTests', () => {
  const instances = Array.from({ length: 9 }, (_, k) => `i${k}`);
  const far = instances.flatMap((name, k) => [
    record('a', name, 100 + k),
    record('b', name, 130 + k),
    record('c', name, k % 2 === 0 ? null : 140),
  ]);

  it('shows which of two is better, and counts a failure as a gap of 100 %', () => {
    const { rows } = plannerTests(far);
    expect(rows.map(({ a, b, better }) => [a.planner, b.planner, better])).toEqual([
      ['a', 'b', 'a'],
      ['a', 'c', 'a'],
      ['b', 'c', 'a'],
    ]);
    expect(rows[0]).toMatchObject({
      instances: 9,
      a_better: 9,
      b_better: 0,
      p_wilcoxon: 2 / 2 ** 9,
    });
    expect(rows[0].high).toBeLessThan(0);
    expect(rows[1].mean_b).toBeGreaterThan(60);
  });

  it('says why nothing is shown', () => {
    const { rows } = plannerTests([
      ...[record('a', 'i1', 100), record('b', 'i1', 120), record('c', 'i1', 100)],
      ...[record('d', 'i9', 100)],
    ]);
    const reasons = Object.fromEntries(
      rows.map(({ a, b, reason }) => [a.planner + b.planner, reason]),
    );
    expect(reasons).toMatchObject({ ab: 'too few', ac: 'all equal', ad: 'no pairs' });
  });

  it('leaves synthetic planners out', () => {
    const { rows } = plannerTests([
      record('a', 'i1', 100),
      record('b', 'i1', 100, { synthetic: true }),
    ]);
    expect(rows).toEqual([]);
  });

  it('is the same the other way round', () => {
    fc.assert(
      fc.property(records, (some) => {
        const swapped = some.map((one) => ({
          ...one,
          planner: { a: 'c', b: 'b', c: 'a' }[one.planner] ?? '',
        }));
        const key = (one: string, other: string) => [one, other].sort().join();
        const swap = (name: string) => ({ a: 'c', b: 'b', c: 'a' })[name] ?? '';
        const others = new Map(
          plannerTests(swapped).rows.map((row) => [
            key(swap(row.a.planner), swap(row.b.planner)),
            row,
          ]),
        );
        for (const row of plannerTests(some).rows) {
          const other = others.get(key(row.a.planner, row.b.planner));
          const sign = swap(other?.a.planner ?? '') === row.a.planner ? 1 : -1;
          expect(other?.p_wilcoxon ?? null).toBe(row.p_wilcoxon);
          expect(other?.p_wilcoxon_holm ?? null).toBe(row.p_wilcoxon_holm);
          expect(other?.difference ?? null).toBeCloseTo(sign * (row.difference ?? 0), 9);
        }
      }),
    );
  });

  it('takes replicates for no further evidence', () => {
    const twice = far.flatMap((one) => [one, { ...one, replicate: 1 }]);
    expect(plannerTests(twice)).toEqual(plannerTests(far));
  });
});

describe('bestKnown', () => {
  it('names the first of the best, and who else came there', () => {
    const [best] = bestKnown([
      record('a', 'i1', 112),
      record('b', 'i1', 104, { claimed_lower_bound: 102 }),
      record('c', 'i1', 104, { lower_bound: 95 }),
      record('degraded:0.1', 'i1', 100, { synthetic: true }),
      record('a', 'i1', 100, { method: 'lcrp' }),
    ]);
    expect(best).toMatchObject({
      instance: 'i1',
      planner: 'b',
      value: 104,
      also: ['c'],
      lower_bound: 95,
      upper_bound: 100,
      gap_percent: 4,
      standing: 'worse',
      records: 3,
    });
    expect(best.refuted).toMatchObject([{ planner: 'b', claimed_lower_bound: 102, value: 100 }]);
  });

  it.each([
    [100, 90, 100, 'equal'],
    [99, 90, 100, 'new'],
    [90, 90, 100, 'optimal'],
    [99, 90, null, 'unmeasured'],
    [null, 90, 100, 'none'],
  ] as const)('%s between %s and %s is %s', (makespan, lower_bound, upper_bound, standing) => {
    const [best] = bestKnown([record('a', 'i1', makespan, { lower_bound, upper_bound })]);
    expect(best.standing).toBe(standing);
  });
});

describe('a family of tests', () => {
  const instances = Array.from({ length: 9 }, (_, k) => `i${k}`);
  const variants = instances.flatMap((name, k) =>
    ['a', 'b'].flatMap((planner, p) =>
      ['full', 'no-repair'].map((variant, v) =>
        record(planner, name, 100 + k + 10 * p + 5 * v, { variant }),
      ),
    ),
  );
  const pairsOf = (family?: 'all' | 'planners' | 'variants') =>
    plannerTests(variants, { family }).rows.map(
      ({ a, b }) => `${a.planner} ${a.variant} – ${b.planner} ${b.variant}`,
    );

  it('has the pairs that the reader asks for', () => {
    expect(pairsOf()).toHaveLength(6);
    expect(pairsOf('variants')).toEqual(['a full – a no-repair', 'b full – b no-repair']);
    expect(pairsOf('planners')).toEqual(['a full – b full', 'a no-repair – b no-repair']);
  });

  it('is corrected for its own size', () => {
    const holmOf = (family: 'all' | 'variants') =>
      plannerTests(variants, { family }).rows.find(
        ({ a, b }) => a.planner === 'a' && b.planner === 'a',
      )?.p_wilcoxon_holm ?? 1;
    expect(holmOf('variants')).toBeLessThan(holmOf('all'));
  });
});
