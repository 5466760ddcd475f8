import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { costOfPlan } from '../../src/model/cost.js';
import { readProblem } from '../../src/model/problem.js';
import { bundledNames, bundledPlan, bundledProblem } from '../../src/papers/bundled.js';
import { planCoordination } from '../../src/plan/plan.js';

/** Proven optima of the problems of the papers: kilometres, a minute on the road counting as one where none are stated. */
const optima: Readonly<Record<string, number>> = {
  'ride-sharing': 87,
  thanksgiving: 120,
  wedding: 115,
};

describe.each(Object.entries(optima))('%s', (name, km) => {
  const problem = bundledProblem(name);
  const result = planCoordination(problem, { budget: { seconds: 300 } });

  it('has a plan that the judge accepts', () => {
    expect(judge(problem, result.plan).violations).toEqual([]);
  });

  it('has its optimum proven', () => {
    expect(result).toMatchObject({ status: 'optimal', lowerBound: km, cost: { total: km } });
  });

  it('has the same plan again', () => {
    expect(planCoordination(problem, { budget: { seconds: 300 } }).plan).toEqual(result.plan);
  });

  it('has no plan of the papers that is valid and cheaper', () => {
    for (const printed of bundledNames('plans').map(bundledPlan)) {
      if (printed.problem !== name || !judge(problem, printed).valid) continue;
      expect(costOfPlan(problem, printed).total).toBeGreaterThanOrEqual(km);
    }
  });
});

it('puts nothing into the oven at midnight', () => {
  const { plan } = planCoordination(bundledProblem('thanksgiving'), { budget: { seconds: 300 } });
  const turkey = plan.actions.find((one) => one.do === 'activity' && one.activity === 'turkey');
  expect(turkey).toMatchObject({ start: 14 * 60, end: 18 * 60 });
});

it('tells a problem that has no plan from one for which none was found', () => {
  const problem = bundledProblem('wedding');
  const late = new Map(problem.people);
  for (const [id, person] of late) late.set(id, { ...person, from: 15 * 60 });
  expect(() => planCoordination({ ...problem, people: late })).toThrow(/there is no plan/);
  expect(() => planCoordination(problem, { budget: { iterations: 3 } })).toThrow(/was found/);
});

it('passes through a place without business there where that is shorter', () => {
  const ride = { people: ['ann'], pickup: ['09:00', null] as [string, null] };
  const problem = readProblem({
    ...{ schema: 'alas-coordination/problem@1', name: 'detour' },
    places: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    roads: [
      { from: 'a', to: 'b', minutes: 10, km: 10 },
      { from: 'b', to: 'c', minutes: 12, km: 12 },
      { from: 'a', to: 'c', minutes: 30, km: 30 },
    ],
    people: [{ id: 'ann', at: 'a' }],
    vehicles: [{ id: 'van', at: 'a', seats: 1 }],
    rides: [{ id: 'ride', from: 'a', to: 'c', ...ride }],
  });
  const { plan, cost, status } = planCoordination(problem, { budget: { iterations: 1000 } });
  expect(judge(problem, plan).violations).toEqual([]);
  expect({ total: cost.total, status }).toEqual({ total: 22, status: 'optimal' });
});
