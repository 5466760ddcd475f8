import { createRandom } from '@alas-jssp/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RealmProblem } from '../../../src/realm/problems/realm-problem.js';
import { generateRelief } from '../../../src/realm/relief/generate-relief.js';
import { readRelief } from '../../../src/realm/relief/read-relief.js';

const GIVEN = { speeds: 'fast:222.4/slow:55.6', base: '0/0', amounts: 'food:1/water:0.5' };

/** A small instance as the file states it: a degree from the base along the equator is some 111.2 km. */
function stated(seed: number) {
  const random = createRandom(seed);
  const needs = [['food'], ['water'], ['food', 'water']];
  return {
    instance_id: `relief-${seed}`,
    regions: Array.from({ length: random.integer(1, 2) }, (_, at) => ({
      id: `r${at}`,
      severity: random.integer(0, 1) === 0 ? 'soon' : 'later',
      needs: needs[random.integer(0, 2)],
      population: random.integer(1, 4),
      location: { lat: 0, lon: random.integer(1, 3) },
    })),
    resources: { food: random.integer(0, 4), water: random.integer(0, 3) },
    vehicles: [
      { id: 'heli', capacity: random.integer(1, 2), speed: 'fast' },
      { id: 'truck', capacity: random.integer(1, 3), speed: 'slow' },
    ].slice(0, random.integer(1, 2)),
    deadlines: { soon: random.integer(1, 4), later: random.integer(2, 7) },
  };
}

type Stated = ReturnType<typeof stated>;

/** The fewest people without a supply, over all sequences of trips and all amounts: nothing but the rules. */
function fewestWithout(one: Stated, blocked: Readonly<Record<string, number>>): number {
  // Two degrees an hour, or half a degree; a minute more where the way is a little longer than that.
  const minutes = (speed: string, lon: number) => lon * (speed === 'fast' ? 30 : 120);
  const sequences = one.vehicles.map(({ speed, capacity }) => {
    const all: number[][] = [];
    const visit = (back: number, room: readonly number[]): void => {
      all.push([...room]);
      if (room.reduce((sum, units) => sum + units, 0) > 14) return;
      for (const [at, region] of one.regions.entries()) {
        const way = minutes(speed, region.location.lon);
        const arrives = Math.max(back + way, 60 * (blocked[region.id] ?? 0));
        const deadline = 60 * one.deadlines[region.severity as 'soon' | 'later'];
        if (arrives > deadline) continue;
        visit(
          arrives + way,
          room.map((units, i) => (i === at ? units + capacity : units)),
        );
      }
    };
    visit(
      0,
      one.regions.map(() => 0),
    );
    return all;
  });
  const rooms = sequences.reduce<number[][]>(
    (some, own) => some.flatMap((a) => own.map((b) => a.map((units, at) => units + b[at]))),
    [one.regions.map(() => 0)],
  );
  const distinct = [...new Set(rooms.map((room) => room.join()))].map((text) =>
    text.split(',').map(Number),
  );
  return Math.min(...distinct.map((room) => fewestGiven(one, room)));
}

function fewestGiven({ regions, resources }: Stated, room: readonly number[]): number {
  const wants = regions.flatMap(({ needs, population }, at) =>
    needs.map((need) => ({
      at,
      need: need as 'food' | 'water',
      units: Math.ceil(population * (need === 'food' ? 1 : 0.5)),
      persons: need === 'food' ? 1 : 2,
    })),
  );
  const visit = (i: number, left: readonly number[], stock: typeof resources): number => {
    if (i === wants.length) return 0;
    const { at, need, units, persons } = wants[i];
    let best = Number.POSITIVE_INFINITY;
    for (let some = 0; some <= Math.min(units, left[at], stock[need]); some++) {
      const rest = left.map((free, k) => (k === at ? free - some : free));
      const missing = (units - some) * persons;
      best = Math.min(best, missing + visit(i + 1, rest, { ...stock, [need]: stock[need] - some }));
    }
    return best;
  };
  return visit(0, room, resources);
}

function problemOf(value: unknown): RealmProblem {
  const { problem, refused } = readRelief(value, undefined, GIVEN);
  if (problem === null) throw new Error(JSON.stringify(refused));
  return problem;
}

describe('disaster relief (P7)', () => {
  it('leaves as few people without a supply as the best of all trips and loads', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), async (seed) => {
        const instance = stated(seed);
        const problem = problemOf(instance);
        const found = await problem.search();
        expect(found.cost).toBe(fewestWithout(instance, {}));
        expect(problem.judge(found.plan)).toEqual({
          valid: true,
          violations: [],
          cost: found.cost,
        });
      }),
      { numRuns: 80 },
    );
  });

  it('does so after weather that blocks a region', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1_000_000),
        fc.integer({ min: 1, max: 4 }),
        async (seed, duration) => {
          const instance = stated(seed);
          const weather = { type: 'weather_event', region: 'r0', duration };
          const problem = problemOf({ ...instance, disruption_scenarios: [weather] });
          const after = problem.events[0].apply(null);
          const found = await after.search();
          expect(found.cost).toBe(fewestWithout(instance, { r0: duration }));
          expect(after.judge(found.plan).valid).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of ours can be planned, and random plans never beat the search', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { problem } = readRelief(generateRelief('one', seed), undefined, {
        speeds: 'fast:250/slow:60',
        base: 'middle',
        amounts: 'medical:0.2/food:1/water:0.5/shelter:0.25',
      });
      const found = await problem?.search();
      expect(found?.status).toBe('optimal');
      const random = problem?.judge(problem.random(seed));
      if (random?.valid) expect(random.cost).toBeGreaterThanOrEqual(found?.cost ?? 0);
    }
  });

  it('breaks the rule that a changed plan breaks', () => {
    const base = stated(1);
    const problem = problemOf({
      ...base,
      regions: [
        {
          id: 'r0',
          severity: 'soon',
          needs: ['food'],
          population: 4,
          location: { lat: 0, lon: 2 },
        },
      ],
      resources: { food: 3, water: 3 },
      vehicles: [{ id: 'heli', capacity: 2, speed: 'fast' }],
      deadlines: { soon: 4 },
    });
    const trip = (leave: string, loads: object, vehicle = 'heli', region = 'r0') => ({
      vehicle,
      region,
      leave,
      loads,
    });
    const codes = (...trips: unknown[]) =>
      problem.judge({ trips }).violations.map(({ code }) => code);
    expect(codes(trip('00:00', { food: 2 }), trip('02:00', { food: 1 }))).toEqual([]);
    expect(codes(trip('00:00', { food: 3 }))).toEqual(['over_capacity']);
    expect(codes(trip('00:00', { food: 2 }), trip('01:59', { food: 1 }))).toEqual(['overlap']);
    expect(codes(trip('00:00', { food: 2 }), trip('02:00', { food: 2 }))).toEqual(['over_stock']);
    expect(codes(trip('03:01', { food: 1 }))).toEqual(['late_delivery']);
    expect(codes(trip('00:00', { water: 1 }))).toEqual(['not_needed']);
    expect(codes(trip('00:00', {}, 'ship', 'r9'))).toEqual(['unknown_name', 'unknown_name']);
  });

  it('that states no speed, base and amounts is refused with what is missing', () => {
    const { problem, refused } = readRelief(stated(1), undefined, {});
    expect(problem).toBeNull();
    expect(refused.map(({ code }) => code)).toEqual([
      'unsaid_speed',
      'unsaid_base',
      'unsaid_amount',
    ]);
  });
});
