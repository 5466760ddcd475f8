import { describe, expect, it } from 'vitest';
import {
  costMeasure,
  optimalityMeasure,
  optimalityOrZeroMeasure,
  reachedStages,
  spendingStages,
  successMeasure,
  timeMeasure,
  tokensMeasure,
} from '../../../src/harness/paper/values.js';
import { costOfTime, measureStage, type RunRecord } from '../../../src/harness/records/record.js';
import { makeRecord, optimizedRecord } from '../fixtures.js';

const bounds = { lower_bound: 90, upper_bound: 100 };
const stage = (makespan: number | null, seconds = 0.5) =>
  measureStage(makespan, bounds, costOfTime(seconds));
const search = { status: 'feasible' as const, lower_bound: 90, iterations: 9 };

/** An infeasible plan of a stored answer, which once took 40 s, repaired to 125 and searched on to 105. */
const whole = makeRecord({
  makespan: 105,
  stages: {
    plan: {
      ...stage(null, 40),
      tokens: { input: 700, output: 300, estimated: false },
      cost_usd: 0.25,
    },
    repair: { ...stage(125, 2), cost_usd: null },
    optimize: { ...stage(105, 3), ...search },
  },
  tokens: { input: 800, output: 400, estimated: false },
  cost_usd: null,
  seconds: { plan: 1, validate: 0, repair: 2, optimize: 3, execute: null, total: 7 },
});
const blind = makeRecord({
  makespan: null,
  status: 'error',
  variant: 'no-validation',
  stages: { plan: null, repair: null, optimize: null },
});

describe('stages of records', () => {
  it('are those that any of them went through', () => {
    expect(reachedStages([makeRecord()])).toEqual(['plan']);
    expect(reachedStages([makeRecord(), optimizedRecord(130, 104)])).toEqual(['plan', 'optimize']);
    expect(reachedStages([whole])).toEqual(['plan', 'repair', 'optimize']);
    expect(reachedStages([makeRecord({ makespan: 9, method: 'lcrp' })])).toEqual([
      'plan',
      'execute',
    ]);
  });

  it('begin with the search where nobody judges the plan before, also if that always fails', () => {
    expect(reachedStages([blind])).toEqual(['optimize']);
    expect(spendingStages([blind])).toEqual(['plan', 'optimize', 'total']);
  });
});

describe('values of a record', () => {
  it('are those of the planner alone, after the repair, and after the search', () => {
    const of = (measure: typeof successMeasure) =>
      (['plan', 'repair', 'optimize', 'total'] as const).map((at) => measure.valueOf(whole, at));
    expect(of(successMeasure)).toEqual([0, 100, 100, 100]);
    expect(of(optimalityMeasure)).toEqual([null, 80, 10000 / 105, 10000 / 105]);
    expect(of(optimalityOrZeroMeasure)).toEqual([0, 80, 10000 / 105, 10000 / 105]);
    expect(of(timeMeasure)).toEqual([40, 2, 3, 46]);
    expect(of(tokensMeasure)).toEqual([1000, 0, 0, 1200]);
    expect(of(costMeasure)).toEqual([0.25, null, 0, null]);
  });

  it('go on from the stage before where one did not run', () => {
    const planned = makeRecord({ makespan: 110 });
    expect(successMeasure.valueOf(planned, 'optimize')).toBe(100);
    expect(optimalityMeasure.valueOf(planned, 'optimize')).toBe(10000 / 110);
    expect(tokensMeasure.valueOf(planned, 'optimize')).toBeNull();
  });

  it('take the clock of the provider for plans of a model that nobody judged, too', () => {
    const seconds7 = { plan: 9, validate: 0, repair: null, optimize: 3, execute: null, total: 13 };
    const tokens = { input: 7, output: 3, estimated: false };
    const asked = makeRecord({
      ...{ makespan: 105, variant: 'no-validation', tokens, seconds: seconds7 },
      llm: {} as RunRecord['llm'],
      stages: { plan: null, repair: null, optimize: { ...stage(105, 3), ...search } },
    });
    const timeOf = (record: RunRecord) =>
      (['plan', 'optimize', 'total'] as const).map((at) => timeMeasure.valueOf(record, at));
    expect(timeOf({ ...asked, answer_seconds: 40 })).toEqual([40, 3, 44]);
    // Without an answer only the wall clock is known, which is not mixed with the provider's.
    expect(timeOf(asked)).toEqual([null, 3, null]);
    const heuristic = { ...asked, llm: null, tokens: { ...tokens, input: 0, output: 0 } };
    expect(timeOf(heuristic)).toEqual([9, 3, 13]);
  });

  it('are unknown of a plan that nobody judged, and failures of the search after it', () => {
    expect(successMeasure.valueOf(blind, 'plan')).toBeNull();
    expect(optimalityOrZeroMeasure.valueOf(blind, 'plan')).toBeNull();
    expect(successMeasure.valueOf(blind, 'optimize')).toBe(0);
    expect(optimalityOrZeroMeasure.valueOf(blind, 'total')).toBe(0);
  });

  it('tell what a plan took that nobody judged', () => {
    const spent = { tokens: { input: 700, output: 300, estimated: false }, cost_usd: 0.25 };
    const asked = { ...blind, ...spent };
    expect(['plan', 'total'].map((at) => tokensMeasure.valueOf(asked, at as 'plan'))).toEqual([
      1000, 1000,
    ]);
    expect(['plan', 'total'].map((at) => costMeasure.valueOf(asked, at as 'plan'))).toEqual([
      0.25, 0.25,
    ]);
    expect(tokensMeasure.valueOf(asked, 'optimize')).toBeNull();
  });

  it('have no optimality where there is no upper bound', () => {
    const unknown: RunRecord = makeRecord({ makespan: 110, upper_bound: null });
    expect(optimalityMeasure.valueOf(unknown, 'plan')).toBeNull();
    expect(optimalityOrZeroMeasure.valueOf(unknown, 'plan')).toBeNull();
    const failed = makeRecord({ makespan: null, upper_bound: null });
    expect(optimalityOrZeroMeasure.valueOf(failed, 'plan')).toBeNull();
  });

  it('have no optimality of what was realised, feasible or not', () => {
    for (const makespan of [110, null]) {
      const executed = makeRecord({ makespan, method: 'lcrp' });
      expect(optimalityMeasure.valueOf(executed, 'execute')).toBeNull();
      expect(optimalityOrZeroMeasure.valueOf(executed, 'total')).toBeNull();
      expect(successMeasure.valueOf(executed, 'total')).toBe(makespan === null ? 0 : 100);
    }
  });
});
