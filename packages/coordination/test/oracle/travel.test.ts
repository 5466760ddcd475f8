import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/events/events.js';
import { formatClock } from '../../src/model/clock.js';
import type { Problem, Road } from '../../src/model/problem.js';
import {
  arrival,
  doneBy,
  earliestArrival,
  formatRoadPoint,
  parseRoadPoint,
  waysBetween,
} from '../../src/model/travel.js';
import { randomCase } from './generate.js';
import { arrivalOf, progressOf, routesOf } from './oracle-travel.js';

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const minutes = fc.integer({ min: 0, max: 250 });
const part = fc.integer({ min: 0, max: 20 });

function roadsOf(problem: Problem): Road[] {
  return [...problem.roads.values()].flatMap((row) => [...row.values()]);
}

/** Checks something of every road of random problems. */
function ofRoads(
  check: (problem: Problem, road: Road, depart: number, portion: number) => void,
): void {
  fc.assert(
    fc.property(seeds, minutes, part, (seed, depart, twentieths) => {
      const { problem } = randomCase(seed);
      for (const road of roadsOf(problem)) check(problem, road, depart, twentieths / 20);
    }),
    { numRuns: 150 },
  );
}

describe('travel', () => {
  it('never lets anybody arrive earlier who leaves later by the same road', () => {
    ofRoads((problem, { from, to }, depart) => {
      const leaves = [0, 1, 5, 30].map((later) =>
        earliestArrival(problem, from, to, depart + later),
      );
      const arrivals = leaves.filter((one) => one !== null);
      expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
      expect(Math.min(depart, ...arrivals)).toBe(depart);
    });
  });

  it('arrives at the first minute at which all of a road is done', () => {
    ofRoads((problem, road, depart) => {
      const [way] = waysBetween(problem, road.from, road.to);
      const arrives = arrival(problem, way, depart);
      if (arrives === null) return;
      expect(doneBy(problem, road, depart, arrives)).toBeCloseTo(road.minutes, 6);
      if (arrives === depart) return;
      expect(doneBy(problem, road, depart, arrives - 1)).toBeLessThan(road.minutes);
    });
  });

  it('agrees with going minute by minute, between places and points of roads', () => {
    ofRoads((problem, road, depart, portion) => {
      const { from, to } = road;
      const now = depart + Math.round(40 * portion);
      expect(doneBy(problem, road, depart, now)).toBeCloseTo(
        progressOf(problem, from, to, depart, now),
        6,
      );
      const point = formatRoadPoint({ from, to, done: portion * road.minutes });
      for (const [start, goal] of [
        [from, to],
        [from, point],
        [point, to],
        [point, from],
      ]) {
        const ways = waysBetween(problem, start, goal).map((way) => arrival(problem, way, depart));
        const routes = routesOf(problem, start, goal).map((way) => arrivalOf(problem, way, depart));
        expect(ways).toEqual(routes);
      }
    });
  });

  it('takes as long in two parts as in one, up to the rounding of each', () => {
    ofRoads((problem, road, depart, portion) => {
      const { from, to } = road;
      const whole = earliestArrival(problem, from, to, depart);
      const now = depart + Math.floor(portion * ((whole ?? depart) - depart));
      const done = doneBy(problem, road, depart, now);
      if (whole === null || done >= road.minutes) return;
      const point = formatRoadPoint({ from, to, done });
      expect(parseRoadPoint(problem, point)?.done).toBeCloseTo(done, 2);
      const [onward] = waysBetween(problem, point, to);
      // Who stands at the beginning of a road may find it closed.
      const rest = arrival(problem, onward, now);
      if (rest !== null) expect(Math.abs(rest - whole)).toBeLessThanOrEqual(1);
    });
  });

  it('has what is left of a journey take M times as long from when traffic gets M times as slow', () => {
    ofRoads((problem, { from, to }, depart, portion) => {
      const bare = { ...problem, traffic: [] };
      const whole = earliestArrival(bare, from, to, depart);
      if (whole === null) return;
      const now = depart + Math.floor(portion * (whole - depart));
      const slowed = applyEvent(
        { ...bare, facts: { ...problem.facts, traffic: [] } },
        { kind: 'traffic', at: formatClock(now), factor: 3 },
      );
      const told = now - depart + 3 * (whole - now);
      expect(earliestArrival(slowed, from, to, depart)).toBe(depart + told);
    });
  });

  it('lets nobody enter a closed road, and who is on it go on', () => {
    ofRoads((problem, { from, to }, depart) => {
      const closed = applyEvent(problem, {
        ...{ kind: 'closed_road', at: formatClock(depart), roads: [[from, to]] },
        until: formatClock(depart + 10),
      });
      const [way] = waysBetween(closed, from, to);
      expect(arrival(closed, way, depart)).toBeNull();
      expect(arrival(closed, way, depart + 9)).toBeNull();
      expect(arrival(closed, way, depart + 10)).toBe(arrival(problem, way, depart + 10));
      expect(arrival(closed, way, depart - 1)).toBe(arrival(problem, way, depart - 1));
    });
  });
});
