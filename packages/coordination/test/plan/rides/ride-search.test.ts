import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.js';
import { formatClock } from '../../../src/model/clock.js';
import { metresOfDrive } from '../../../src/model/cost.js';
import type { Drive } from '../../../src/model/plan.js';
import { type Problem, type Ride, readProblem } from '../../../src/model/problem.js';
import { bundledProblem } from '../../../src/papers/bundled.js';
import { startEffort } from '../../../src/plan/effort.js';
import { planCoordination } from '../../../src/plan/plan.js';
import { directTours } from '../../../src/plan/rides/direct-tours.js';
import { createRideNetwork, type RideNetwork } from '../../../src/plan/rides/ride-network.js';
import { searchRides } from '../../../src/plan/rides/ride-search.js';
import { driveRoute, type Stop } from '../../../src/plan/rides/routes.js';
import { createTour, routeOfTour } from '../../../src/plan/rides/tours.js';
import { findFaults } from '../../oracle/oracle.js';
import { randomRides } from './random-rides.js';

/** The drives that so many iterations of insertion find. */
function insertedDrives(problem: Problem, iterations: number, seed = 0): Drive[] | null {
  const net = createRideNetwork(problem);
  if (net === null) return null;
  const effort = startEffort({ budget: { iterations }, seed });
  const search = searchRides(net, { effort, share: effort.share, onBetter: () => {} });
  for (;;) {
    const step = search.next();
    if (!step.done) continue;
    return step.value?.flatMap((tour) => routeOfTour(net, tour)?.drives ?? []) ?? null;
  }
}

const metresOfDrives = (problem: Problem, drives: readonly Drive[]) =>
  drives.reduce((sum, drive) => sum + metresOfDrive(problem, drive), 0);

const places = ['a', 'b', 'c', 'd'];
const place = fc.constantFrom(...places);
const rideParts = fc.record({
  from: place,
  to: place,
  begin: fc.integer({ min: 540, max: 660 }),
  window: fc.integer({ min: 0, max: 60 }),
  deadline: fc.integer({ min: 20, max: 90 }),
  /** Minutes before the deadline from which on people may arrive. */
  early: fc.option(fc.integer({ min: 0, max: 40 }), { nil: null }),
  size: fc.integer({ min: 1, max: 2 }),
});
const vehicleParts = fc.record({
  at: place,
  seats: fc.integer({ min: 1, max: 4 }),
  range_km: fc.integer({ min: 40, max: 200 }),
});
const roadMinutes = fc.array(fc.integer({ min: 3, max: 40 }), { minLength: 6, maxLength: 6 });
const fleet = fc.array(vehicleParts, { minLength: 1, maxLength: 3 });
type Parts<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

const ownRide = { from: 'a', to: 'c', begin: 540, window: 30, deadline: 60, early: null, size: 1 };
const ownCar = { at: 'a', seats: 2, range_km: 100 };

/** Rides of random windows between four places whose roads keep to no triangle, and are slow for a while. */
function problemOf(
  rides: readonly Parts<typeof rideParts>[],
  vehicles: readonly Parts<typeof vehicleParts>[],
  times: readonly number[],
  isSlow: boolean,
) {
  const pairs = places.flatMap((from, i) => places.slice(i + 1).map((to) => ({ from, to })));
  const names = rides.map(({ size }, i) => Array.from({ length: size }, (_, k) => `p${i}-${k}`));
  return readProblem({
    ...{ schema: 'alas-coordination/problem@1', name: 'random' },
    places: places.map((id) => ({ id })),
    roads: pairs.map((pair, i) => ({ ...pair, minutes: times[i], km: times[i] })),
    traffic: isSlow ? [{ from: '09:30', until: '10:10', places: ['b'], factor: 2 }] : [],
    people: rides.flatMap(({ from }, i) => names[i].map((id) => ({ id, at: from }))),
    vehicles: vehicles.map((one, i) => ({ id: `v${i}`, ...one })),
    rides: rides.map(({ from, to, begin, window, deadline, early }, i) => {
      const arrives = begin + window + deadline;
      return {
        ...{ id: `r${i}`, people: names[i], from, to },
        pickup: [formatClock(begin), formatClock(begin + window)],
        arrive: [early === null ? null : formatClock(arrives - early), formatClock(arrives)],
      };
    }),
  });
}

/** The fewest metres of all routes with all rides, one order of stops after the other. */
function enumerate(problem: Problem): number {
  const vehicles = [...problem.vehicles.values()];
  const best = (vehicle: (typeof vehicles)[number], rides: readonly Ride[]): number => {
    let least = rides.length === 0 ? 0 : Number.POSITIVE_INFINITY;
    const go = (stops: readonly Stop[]) => {
      const route = stops.length === 2 * rides.length && driveRoute(problem, vehicle, stops);
      if (route) least = Math.min(least, route.metres);
      for (const ride of rides) {
        const own = stops.filter((stop) => stop.ride === ride).length;
        if (own < 2) go([...stops, { ride, isPickup: own === 0 }]);
      }
    };
    go([]);
    return least;
  };
  const rides = [...problem.rides.values()];
  const may = (ride: Ride, v: number) => ride.vehicles?.includes(vehicles[v].id) ?? true;
  const assign = (at: number, groups: readonly (readonly Ride[])[]): number => {
    if (at === rides.length) {
      return groups.reduce((sum, group, v) => sum + best(vehicles[v], group), 0);
    }
    const options = groups.map((_, v) =>
      may(rides[at], v)
        ? assign(
            at + 1,
            groups.map((group, other) => (other === v ? [...group, rides[at]] : group)),
          )
        : Number.POSITIVE_INFINITY,
    );
    return Math.min(...options);
  };
  return assign(
    0,
    vehicles.map(() => []),
  );
}

describe('the search for rides', () => {
  const some = fc.array(rideParts, { minLength: 1, maxLength: 6 });

  it('makes no plan that the judge does not accept, and the same again', () => {
    let made = 0;
    fc.assert(
      fc.property(some, fleet, roadMinutes, fc.boolean(), (...parts) => {
        const problem = problemOf(...parts);
        const actions = insertedDrives(problem, 20);
        expect(insertedDrives(problem, 20)).toEqual(actions);
        if (actions === null) return;
        made++;
        const verdict = judge(problem, { problem: 'random', actions, claims: {} });
        expect(verdict.violations).toEqual([]);
      }),
      { numRuns: 300, seed: 7 },
    );
    expect(made).toBeGreaterThan(50);
  });

  it('is never shorter than what enumeration finds, and the exact search never longer', () => {
    let [runs, inserted, proven] = [0, 0, 0];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 1e6 }), (n, seed) => {
        const problem = readProblem(randomRides(n, 2, seed));
        const least = enumerate(problem);
        const metres = metresOfDrives(problem, insertedDrives(problem, 60) ?? []);
        expect(metres).toBeGreaterThan(least - 1e-6);
        const { cost, status } = planCoordination(problem, { budget: { iterations: 600 } });
        expect(cost.metres).toBeLessThan(least + 1e-6);
        runs++;
        if (metres < least + 1e-6) inserted++;
        if (status === 'optimal') proven++;
      }),
      { numRuns: 30, seed: 7 },
    );
    expect(inserted / runs).toBeGreaterThan(0.9);
    expect(proven / runs).toBeGreaterThan(0.6);
  });

  it('knows the shortest tours in which nobody changes vehicles, as enumeration finds them', () => {
    const few = fc.array(rideParts, { minLength: 1, maxLength: 3 });
    let made = 0;
    fc.assert(
      fc.property(few, fleet, roadMinutes, (rides, vehicles, times) => {
        const sizes = rides.map((ride) => ({ ...ride, early: null }));
        const problem = problemOf(sizes, vehicles, times, false);
        const net = createRideNetwork(problem);
        if (net === null) return;
        const shortest = directTours(net);
        expect(shortest?.metres).toBeCloseTo(enumerate(problem), 6);
        if (shortest?.metres === Number.POSITIVE_INFINITY) return;
        made++;
        const tours = shortest?.stops.map((stops, v) => createTour(net, v, stops)) ?? [];
        const drives = tours.flatMap((tour) => (tour && routeOfTour(net, tour)?.drives) ?? []);
        expect(metresOfDrives(problem, drives)).toBeCloseTo(shortest?.metres ?? 0, 6);
        const { violations } = judge(problem, { problem: 'random', actions: drives, claims: {} });
        expect(violations).toEqual([]);
      }),
      { numRuns: 100, seed: 7 },
    );
    expect(made).toBeGreaterThan(30);
  });

  it('takes no tour for a bound where somebody might be quicker or turn', () => {
    const [rides, cars] = [[{ ...ownRide, early: null }], [ownCar]];
    const slow = problemOf(rides, cars, [10, 10, 10, 10, 10, 10], true);
    expect(directTours(createRideNetwork(slow) as RideNetwork)).not.toBeNull();
    const [traffic] = slow.traffic;
    const quick = { ...slow, traffic: [{ ...traffic, factor: 0.5 }] };
    expect(directTours(createRideNetwork(quick) as RideNetwork)).toBeNull();
    const plan = planCoordination(slow, { budget: '100-iterations' });
    expect(plan.directBound).toBe(10);
    const past = { plan: plan.plan, now: 540 };
    expect(planCoordination(slow, { budget: '100-iterations', past }).directBound).toBeNull();
  });

  it.each([
    [20, 5, 1],
    [25, 6, 2],
    [30, 8, 3],
  ])('plans %i rides by %i vehicles so that judge and oracle accept it', (rides, cars, seed) => {
    const problem = readProblem(randomRides(rides, cars, seed));
    const { plan, cost, lowerBound, status } = planCoordination(problem, {
      budget: { iterations: 100 },
      seed,
    });
    expect(judge(problem, plan).violations).toEqual([]);
    expect(findFaults(problem, plan)).toEqual([]);
    expect(lowerBound).toBeLessThanOrEqual(cost.total);
    expect(status).toBe('feasible');
  });

  it('is equal for equal seeds and iterations, and improves with more of them', () => {
    const problem = readProblem(randomRides(30, 8, 4));
    const search = (iterations: number, seed: number) => {
      const costs: number[] = [];
      const { plan, cost } = planCoordination(problem, {
        ...{ budget: { iterations }, seed },
        onImprovement: (better) => costs.push(better.cost),
      });
      expect(costs).toEqual(costs.toSorted((a, b) => b - a));
      expect(costs.at(-1)).toBeCloseTo(cost.total, 9);
      return { plan, total: cost.total };
    };
    const one = search(150, 1);
    expect(search(150, 1)).toEqual(one);
    expect(search(150, 2).plan).not.toEqual(one.plan);
    expect(one.total).toBeLessThan(search(1, 1).total);
  });

  it('plans the rides of the paper within two fifths of the optimum', () => {
    const problem = bundledProblem('ride-sharing');
    const drives = insertedDrives(problem, 300) ?? [];
    const metres = metresOfDrives(problem, drives);
    expect(judge(problem, { problem: problem.name, actions: drives, claims: {} }).valid).toBe(true);
    expect(metres).toBeGreaterThanOrEqual(87_000);
    expect(metres).toBeLessThanOrEqual(1.4 * 87_000);
  });

  it('leaves problems with activities to the exact search', () => {
    expect(insertedDrives(bundledProblem('wedding'), 10)).toBeNull();
  });
});
