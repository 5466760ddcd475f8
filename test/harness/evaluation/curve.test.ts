import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CurveStep,
  curveOf,
  gapIntegral,
  monotone,
  primalDualGap,
  primalGap,
} from '../../../src/harness/evaluation/curve.js';
import { makeRecord, optimizedRecord } from '../fixtures.js';

const step = fc.record({
  seconds: fc.integer({ min: 0, max: 40 }).map((quarter) => quarter / 4),
  value: fc.option(fc.integer({ min: 100, max: 300 })),
  lower_bound: fc.option(fc.integer({ min: 50, max: 100 })),
});
const steps = fc.array(step, { maxLength: 12 });
const integral = (curve: readonly CurveStep[], until = 10) =>
  gapIntegral(curve, ({ value }) => primalGap(value, 100), until);

describe('gapIntegral', () => {
  it('is the area under the steps', () => {
    const curve = monotone([
      { seconds: 1, value: 200, lower_bound: null },
      { seconds: 3, value: 125, lower_bound: 100 },
      { seconds: 8, value: 100, lower_bound: null },
    ]);
    // 1 for 1 s, 1/2 for 2 s, 1/5 for 5 s, 0 for 2 s.
    expect(integral(curve)).toBeCloseTo(3, 12);
    expect(integral(curve, 2)).toBeCloseTo(1.5, 12);
    // 1 for 3 s, 1/5 for 5 s, 0 for 2 s.
    expect(gapIntegral(curve, primalDualGap, 10)).toBeCloseTo(4, 12);
  });

  it('lies between the last gap and 1, all the time', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const curve = monotone(some);
        const last = curve.at(-1)?.value ?? null;
        expect(integral(curve)).toBeGreaterThanOrEqual(10 * primalGap(last, 100) - 1e-9);
        expect(integral(curve)).toBeLessThanOrEqual(10);
        expect(gapIntegral(curve, primalDualGap, 10)).toBeLessThanOrEqual(10);
        // The gap to a bound is never smaller than that to the best, which no bound exceeds.
        expect(gapIntegral(curve, primalDualGap, 10)).toBeGreaterThanOrEqual(
          integral(curve) - 1e-9,
        );
      }),
    );
  });

  it('never grows with a further improvement, nor with an earlier one', () => {
    fc.assert(
      fc.property(steps, step, (some, further) => {
        const before = integral(monotone(some));
        expect(integral(monotone([...some, further]))).toBeLessThanOrEqual(before + 1e-9);
        const earlier = some.map((one) => ({ ...one, seconds: one.seconds / 2 }));
        expect(integral(monotone(earlier))).toBeLessThanOrEqual(before + 1e-9);
      }),
    );
  });

  it('is the same without steps that improve nothing, and in any order', () => {
    fc.assert(
      fc.property(steps, (some) => {
        const curve = monotone(some);
        expect(monotone(curve)).toEqual(curve);
        expect(monotone(some.toReversed())).toEqual(curve);
        const redundant = curve.flatMap((one) => [
          one,
          { ...one, seconds: one.seconds + 0.1, lower_bound: null },
        ]);
        expect(monotone(redundant)).toEqual(curve);
      }),
    );
  });
});

describe('curveOf', () => {
  const seconds = { ...makeRecord().seconds, plan: 1, repair: 2 };

  it('ends with what the record ended with', () => {
    const record = makeRecord({
      makespan: 104,
      improvements: [{ seconds: 0.1, value: 110, lower_bound: 90 }],
    });
    expect(curveOf(record)).toEqual([
      { seconds: 0.1, value: 110, lower_bound: 90 },
      { seconds: 0.25, value: 104, lower_bound: 90 },
    ]);
  });

  it('takes bounds that are refuted for none', () => {
    const improvements = [
      { seconds: 0.1, value: null, lower_bound: 80 },
      { seconds: 0.2, value: 110, lower_bound: 105 },
    ];
    const [, last] = curveOf(makeRecord({ makespan: 110, improvements }), 100);
    expect(last).toEqual({ seconds: 0.2, value: 110, lower_bound: 80 });
  });

  it('has no values where there is no schedule in the end', () => {
    const improvements = [{ seconds: 0.1, value: 110, lower_bound: 80 }];
    const failed = makeRecord({ makespan: null, status: 'error', improvements });
    expect(curveOf(failed)).toEqual([{ seconds: 0.1, value: null, lower_bound: 80 }]);
    expect(curveOf(makeRecord({ makespan: null }))).toEqual([]);
  });

  it('counts answers from a store with the time that they took', () => {
    const record = makeRecord({
      makespan: 101,
      seconds,
      improvements: [
        { seconds: 1, value: 120, lower_bound: null },
        { seconds: 3.5, value: 101, lower_bound: null },
      ],
    });
    const asked = {
      ...record,
      stages: {
        ...record.stages,
        plan: { ...(record.stages.plan ?? optimizedRecord(1, 1).stages.optimize), seconds: 31 },
        repair: { ...optimizedRecord(1, 1).stages.plan, seconds: 12 },
      },
    } as typeof record;
    expect(curveOf(asked).map((one) => one.seconds)).toEqual([31, 43.5]);
    // Agents that answer at the same time take half of the sum of their times.
    const atOnce = { ...asked, answer_seconds: 43, answer_elapsed_seconds: 21.5 };
    expect(curveOf(atOnce).map((one) => one.seconds)).toEqual([15.5, 22]);
  });
});
