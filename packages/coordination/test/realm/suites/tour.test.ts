import { createRandom } from '@alas-jssp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RealmProblem } from '../../../src/realm/problems/realm-problem.js';
import { generateTour } from '../../../src/realm/tour/generate-tour.js';
import { readTour } from '../../../src/realm/tour/read-tour.js';

/** An instance as the file states it: the oracle reads no code of ours. */
interface Stated {
  readonly locations: readonly string[];
  readonly start_location: string;
  readonly end_location: string;
  readonly distances: Readonly<Record<string, number>>;
  readonly time_windows: Readonly<Record<string, readonly [number, number]>>;
  readonly max_duration: number;
}

/** The fewest minutes on foot of all orders and all starting minutes, or null: nothing but the rules. */
function bestTour(stated: Stated, limits: 'elapsed' | 'walking', visit: number): number | null {
  const { locations, start_location: from, end_location: to, distances } = stated;
  const places = locations.filter((one) => one !== from && one !== to);
  let best: number | null = null;
  for (const order of orders(places)) {
    const stops = [from, ...order, to];
    const legs = stops.slice(1).map((stop, i) => distances[`${stops[i]}-${stop}`]);
    const walked = legs.reduce((sum, leg) => sum + leg, 0);
    if (best !== null && walked >= best) continue;
    if (limits === 'walking' && walked > stated.max_duration) continue;
    for (let start = 0; start < 1440; start++) {
      let at = start;
      let isKept = true;
      for (const [i, place] of order.entries()) {
        at += legs[i] + (i > 0 ? visit : 0);
        const [open, close] = stated.time_windows[place] ?? [0, 1000];
        at = Math.max(at, 60 * open);
        isKept &&= at <= 60 * close;
      }
      at += legs[legs.length - 1] + (order.length > 0 ? visit : 0);
      if (isKept && (limits === 'walking' || at - start <= stated.max_duration)) best = walked;
    }
  }
  return best;
}

function orders(places: readonly string[]): string[][] {
  if (places.length === 0) return [[]];
  return places.flatMap((one) =>
    orders(places.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}

/** A small instance at random: not all have a tour. */
function stated(seed: number): Stated & { readonly instance_id: string } {
  const random = createRandom(seed);
  const locations = ['gate', 'a', 'b', 'c', 'd'].slice(0, random.integer(2, 5));
  const distances = Object.fromEntries(
    locations.flatMap((from) =>
      locations.filter((to) => to !== from).map((to) => [`${from}-${to}`, random.integer(5, 60)]),
    ),
  );
  const windows = locations.slice(1).map((place) => {
    const open = random.integer(8, 13);
    return [place, [open, open + random.integer(0, 3)]];
  });
  return {
    instance_id: `tour-${seed}`,
    locations,
    start_location: 'gate',
    end_location: 'gate',
    distances,
    time_windows: Object.fromEntries(windows),
    max_duration: random.integer(60, 400),
  };
}

function problemOf(value: unknown, given: Readonly<Record<string, string>> = {}): RealmProblem {
  const { problem, refused } = readTour(value, undefined, given);
  if (problem === null) throw new Error(JSON.stringify(refused));
  return problem;
}

describe('a campus tour (P1)', () => {
  it('has the minutes on foot of the best of all orders and starts, or none if there is none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1_000_000),
        fc.constantFrom('elapsed' as const, 'walking' as const),
        fc.constantFrom(0, 20),
        async (seed, limits, visit) => {
          const instance = stated(seed);
          const problem = problemOf(instance, { duration: limits, visit: String(visit) });
          const found = await problem.search();
          const best = bestTour(instance, limits, visit);
          expect(found.cost).toBe(best);
          expect(found.status).toBe(best === null ? 'infeasible' : 'optimal');
          if (best !== null) {
            expect(problem.judge(found.plan)).toEqual({ valid: true, violations: [], cost: best });
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('of ours always has a tour', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const problem = problemOf(generateTour('one', seed));
      expect((await problem.search()).status).toBe('optimal');
    }
  });

  it('is repaired with no more new steps than any valid tour has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), fc.nat(1000), async (seed, other) => {
        const problem = problemOf(stated(seed), { duration: 'walking' });
        const { status } = await problem.search();
        const plan = problem.random(other);
        const repaired = (await problem.repair?.(plan)) ?? null;
        expect(repaired === null).toBe(status === 'infeasible');
        if (repaired === null) return;
        expect(problem.judge(repaired.plan)).toMatchObject({ valid: true, cost: repaired.cost });
        if (problem.judge(plan).valid) expect(repaired.edits).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('breaks the rule that a changed plan breaks', async () => {
    const problem = problemOf(generateTour('one', 3));
    const { plan } = await problem.search();
    const tour = plan as { start: string; end: string; visits: { place: string; at: string }[] };
    const codes = (changed: unknown) => problem.judge(changed).violations.map(({ code }) => code);
    expect(codes({ ...tour, visits: tour.visits.slice(1) })).toContain('missing_visit');
    expect(codes({ ...tour, visits: [...tour.visits, tour.visits[0]] })).toContain(
      'repeated_visit',
    );
    expect(codes({ ...tour, start: tour.visits[0].at })).toContain('too_fast');
    expect(codes({ ...tour, end: '40:00' })).toContain('too_long');
    expect(codes({ ...tour, visits: [{ place: 'moon', at: '10:00' }] })).toContain('unknown_place');
    const late = tour.visits.map(({ place }, i) => ({ place, at: `${30 + i}:00` }));
    expect(codes({ ...tour, visits: late })).toContain('outside_window');
  });

  it('as it is published has no tour: the gym opens three hours after the library closes', async () => {
    const published = {
      instance_id: 'p1_example',
      locations: ['entrance', 'library', 'gym'],
      start_location: 'entrance',
      end_location: 'entrance',
      distances: {
        'entrance-library': 5,
        'entrance-gym': 5,
        'library-entrance': 5,
        'library-gym': 5,
        'gym-entrance': 5,
        'gym-library': 5,
      },
      time_windows: { library: [9, 12], gym: [15, 18] },
      max_duration: 180,
    };
    expect((await problemOf(published).search()).status).toBe('infeasible');
    const walked = await problemOf(published, { duration: 'walking' }).search();
    expect(walked).toMatchObject({ status: 'optimal', cost: 15 });
  });

  it('reads the answer of a model, with its claims, whatever case and ends it writes', () => {
    const problem = problemOf(generateTour('one', 3));
    const read = problem.decode(`Here is my plan:
\`\`\`json
{"start": "9:00", "visits": [{"place": "entrance", "at": "09:00"}, {"place": "Student Center", "at": "10:30 AM"}],
 "end": "11:00", "feasible": true, "cost": 42}
\`\`\``);
    expect(read.claims).toEqual({ feasible: true, cost: 42 });
    expect(read.plan).toMatchObject({ start: '09:00', visits: [{ at: '10:30' }], end: '11:00' });
    expect(problem.decode('I cannot do that.').plan).toBeNull();
  });

  it('is refused where its map misses a location', () => {
    const one = { ...stated(5), end_location: 'nowhere' };
    expect(readTour(one, undefined, {})).toMatchObject({
      problem: null,
      refused: [{ code: 'unknown_place', message: "there is no location 'nowhere'" }],
    });
  });
});
