import { describe, expect, test } from 'vitest';
import { resolveSource } from '../../src/jssp/suites.js';
import { dispatch, dispatchBest } from '../../src/search/construct/dispatch.js';
import { insertion } from '../../src/search/construct/insertion.js';
import { createHeuristicPlanner, heuristicPlannerSpecs } from '../../src/search/planners.js';

const ft06 = resolveSource('ft06').load();
const context = { seed: 11 };

describe('a specification', () => {
  test.each([
    ['dispatch:mwkr', 'dispatch:mwkr', dispatch(ft06, { rule: 'MWKR' })],
    ['Dispatch:FDD/MWKR', 'dispatch:fdd-mwkr', dispatch(ft06, { rule: 'FDD/MWKR' })],
    ['dispatch:spt:non-delay', 'dispatch:spt', dispatch(ft06, { rule: 'SPT' })],
    [
      'dispatch:spt:ACTIVE',
      'dispatch:spt:active',
      dispatch(ft06, { rule: 'SPT', generation: 'active' }),
    ],
    ['dispatch:random', 'dispatch:random', dispatch(ft06, { rule: 'random', seed: 11 })],
    ['dispatch:best', 'dispatch:best', dispatchBest(ft06, 11).schedule],
    ['insertion', 'insertion', insertion(ft06)],
  ])('%s names %s and plans with it', async (spec, name, schedule) => {
    const planner = createHeuristicPlanner(spec);
    expect(planner?.name).toBe(name);
    expect(await planner?.plan(ft06, context)).toEqual(schedule);
  });

  test.each(['file:plan.json', 'llm:best', 'insert', ''])('%j is left to others', (spec) => {
    expect(createHeuristicPlanner(spec)).toBeUndefined();
  });

  test.each([
    ['dispatch', "no dispatching rule ''"],
    ['dispatch:', "no dispatching rule ''"],
    ['dispatch:fastest', 'use one of best, spt, lpt'],
    ['dispatch:spt:lazy', 'end in :active'],
    ['dispatch:spt:active:active', 'end in :active'],
    ['dispatch:est:active', 'the same as dispatch:est'],
  ])('%s is refused with a hint', (spec, message) => {
    expect(() => createHeuristicPlanner(spec)).toThrow(message);
  });
});

test('every listed specification is the name of a planner', () => {
  expect(heuristicPlannerSpecs.length).toBeGreaterThan(20);
  for (const { spec, description } of heuristicPlannerSpecs) {
    expect(createHeuristicPlanner(spec)?.name).toBe(spec);
    expect(description).not.toBe('');
  }
});

test('a planner whose signal is aborted does not plan', async () => {
  const signal = AbortSignal.abort(new Error('stop'));
  const planner = createHeuristicPlanner('dispatch:best');
  await expect(planner?.plan(ft06, { seed: 0, signal })).rejects.toThrow('stop');
});
