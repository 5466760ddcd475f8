import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { formatClock } from '../../src/model/clock.js';
import { metresOfDrive } from '../../src/model/cost.js';
import { readProblem } from '../../src/model/problem.js';
import { bundledProblem } from '../../src/papers/bundled.js';
import { insertRides } from '../../src/plan/insertion.js';
import { planCoordination } from '../../src/plan/plan.js';

const after = (rounds: number) => {
  let count = 0;
  return () => count++ >= rounds;
};

const places = ['a', 'b', 'c', 'd'];
const place = fc.constantFrom(...places);
const ride = fc.record({
  from: place,
  to: place,
  begin: fc.integer({ min: 540, max: 660 }),
  window: fc.integer({ min: 0, max: 60 }),
  deadline: fc.integer({ min: 20, max: 90 }),
  size: fc.integer({ min: 1, max: 2 }),
});
const vehicle = fc.record({
  at: place,
  seats: fc.integer({ min: 1, max: 4 }),
  range_km: fc.integer({ min: 40, max: 200 }),
});
const minutes = fc.array(fc.integer({ min: 3, max: 40 }), { minLength: 6, maxLength: 6 });

/** Rides of random windows between four places whose roads keep to no triangle. */
function problemOf(
  rides: readonly (typeof ride extends fc.Arbitrary<infer T> ? T : never)[],
  vehicles: readonly (typeof vehicle extends fc.Arbitrary<infer T> ? T : never)[],
  times: readonly number[],
) {
  const pairs = places.flatMap((from, i) => places.slice(i + 1).map((to) => ({ from, to })));
  const names = rides.map(({ size }, i) => Array.from({ length: size }, (_, k) => `p${i}-${k}`));
  return readProblem({
    ...{ schema: 'alas-coordination/problem@1', name: 'random' },
    places: places.map((id) => ({ id })),
    roads: pairs.map((pair, i) => ({ ...pair, minutes: times[i], km: times[i] })),
    people: rides.flatMap(({ from }, i) => names[i].map((id) => ({ id, at: from }))),
    vehicles: vehicles.map((one, i) => ({ id: `v${i}`, ...one })),
    rides: rides.map(({ from, to, begin, window, deadline }, i) => ({
      ...{ id: `r${i}`, people: names[i], from, to },
      pickup: [formatClock(begin), formatClock(begin + window)],
      arrive: [null, formatClock(begin + window + deadline)],
    })),
  });
}

const fleet = fc.array(vehicle, { minLength: 1, maxLength: 3 });

describe('insertion', () => {
  it('makes no plan that the judge does not accept, and the same again', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.array(ride, { minLength: 1, maxLength: 6 }), fleet, minutes, (...parts) => {
        const problem = problemOf(...parts);
        const actions = insertRides(problem, after(20));
        expect(insertRides(problem, after(20))).toEqual(actions);
        if (actions === null) return;
        made++;
        const verdict = judge(problem, { problem: 'random', actions, claims: {} });
        expect(verdict.violations).toEqual([]);
      }),
      { numRuns: 100, seed: 7 },
    );
    expect(made).toBeGreaterThan(20);
  });

  it('is never shorter than an optimum that is proven', () => {
    let proven = 0;
    fc.assert(
      fc.property(fc.array(ride, { minLength: 1, maxLength: 2 }), fleet, minutes, (...parts) => {
        const problem = problemOf(...parts);
        const actions = insertRides(problem, after(20));
        if (actions === null) return;
        const { cost, status } = planCoordination(problem, {
          budget: { iterations: 2000 },
        });
        const metres = actions.reduce((sum, drive) => sum + metresOfDrive(problem, drive), 0);
        expect(cost.metres).toBeLessThanOrEqual(metres);
        if (status === 'optimal') proven++;
      }),
      { numRuns: 40, seed: 7 },
    );
    expect(proven).toBeGreaterThan(10);
  });

  it('plans the rides of the paper within two fifths of the optimum', () => {
    const problem = bundledProblem('ride-sharing');
    const drives = insertRides(problem, after(300)) ?? [];
    const metres = drives.reduce((sum, drive) => sum + metresOfDrive(problem, drive), 0);
    expect(judge(problem, { problem: problem.name, actions: drives, claims: {} }).valid).toBe(true);
    expect(metres).toBeGreaterThanOrEqual(87_000);
    expect(metres).toBeLessThanOrEqual(1.4 * 87_000);
  });

  it('leaves problems with activities to the exact search', () => {
    expect(insertRides(bundledProblem('wedding'), after(10))).toBeNull();
  });
});
