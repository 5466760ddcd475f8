import { describe, expect, it } from 'vitest';
import { constraintsOf, keepConstraints, keptBy } from '../../src/experiments/constraints.js';
import {
  bundledNames,
  bundledPlan,
  bundledProblem,
  type CoordinationPlan,
} from '../../src/index.js';

const wedding = bundledProblem('wedding');
const ids = constraintsOf(wedding).map(({ id }) => id);

/** The constraints of the wedding that a plan does not keep. */
const lostBy = (plan: CoordinationPlan) => {
  const kept = keptBy(wedding, plan, undefined);
  return ids.filter((id) => !kept.has(id));
};

describe('constraints that are stated one by one', () => {
  it('are those of the problem: opening hours, arrivals, windows and orders', () => {
    expect(ids).toEqual([
      'places/G/open',
      'places/T/open',
      'people/alex/from',
      'people/jamie/from',
      'people/pat/from',
      'people/chris/from',
      'vehicles/pats-car/from',
      'vehicles/chris-car/from',
      'activities/photos/start',
      'activities/photos/after',
    ]);
    const [, tailor] = constraintsOf(wedding);
    expect(tailor.says).toBe('place T: tailor; open from 00:00 to 14:00');
  });

  it.each(bundledNames('problems'))('make up the whole of %s', (name) => {
    const problem = bundledProblem(name);
    const all = constraintsOf(problem);
    expect(keepConstraints(problem, new Set(all.map(({ id }) => id))).facts).toEqual(problem.facts);
    const none = keepConstraints(problem, new Set());
    expect(constraintsOf(none)).toEqual([]);
    for (const { says } of all) expect(says).not.toBe('');
  });

  it('are kept by a valid plan, and broken one by one', () => {
    const plan = bundledPlan('wedding');
    expect(lostBy(plan)).toEqual([]);
    // What SagaLLM says of its table 6: Pat is at the tailor after closing time, and nothing else.
    expect(lostBy(bundledPlan('sagallm-table-6'))).toEqual(['places/T/open']);
    const late = plan.actions.map((one) =>
      one.do === 'activity' && one.activity === 'photos'
        ? { ...one, start: one.start + 10, end: one.end + 10 }
        : one,
    );
    expect(lostBy({ ...plan, actions: late })).toEqual(['activities/photos/start']);
  });

  it('are not kept by a plan that does nothing', () => {
    expect(lostBy({ problem: 'wedding', actions: [], claims: {} })).toEqual(ids);
  });

  it('of an activity are not kept without it', () => {
    const plan = bundledPlan('wedding');
    const actions = plan.actions.filter((one) => one.do !== 'activity' || one.activity !== 'gift');
    expect(lostBy({ ...plan, actions })).toContain('places/G/open');
  });
});
