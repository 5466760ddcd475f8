import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, readEvents } from '../../src/events/events.js';
import { judge } from '../../src/judge/judge.js';
import { readPlan } from '../../src/model/plan.js';
import { readProblem } from '../../src/model/problem.js';
import { earliestArrival } from '../../src/model/travel.js';
import { planCoordination } from '../../src/plan/plan.js';
import { readRealm } from '../../src/realm/read-realm.js';
import type { RealmReading } from '../../src/realm/realm-reading.js';
import { repairCoordination } from '../../src/repair/repair.js';
import { dinnerInstance, request, ridesInstance, weddingInstance } from './instances.js';

const codes = ({ contradictions, refused }: RealmReading) => ({
  contradictions: contradictions.map(({ code }) => code),
  refused: refused.map(({ code }) => code),
});
const requests = (...ride_requests: object[]) => readRealm(ridesInstance({ ride_requests }));

describe('an instance of rides', () => {
  it('becomes a problem that says what was decided', () => {
    const { problem, events, refused } = readRealm(ridesInstance());
    expect({ events, refused }).toEqual({ events: null, refused: [] });
    const read = readProblem(problem);
    expect(read.facts.assumptions.join('\n')).toMatch(/a kilometre is a minute/);
    expect(read.rides.get('ride-ann')).toMatchObject({
      pickup: { earliest: 540, latest: 570 },
      arrive: { latest: 610 },
    });
    expect(read.vehicles.get('van')).toMatchObject({ seats: 3, range: 160_000, drivers: null });
    expect(read.roads.get('old-town')?.get('quay')).toMatchObject({ minutes: 12, metres: 12_000 });
  });

  it('has a plan by way of another place where that is shorter', () => {
    const problem = readProblem(readRealm(ridesInstance()).problem);
    const { plan, cost } = planCoordination(problem, { budget: { iterations: 100_000 } });
    expect(judge(problem, plan).violations).toEqual([]);
    expect(cost.metres).toBe(34_000);
  });

  it('has ends of a reversed window change places', () => {
    const reading = requests(request('ann', 'mill', 'quay', { time_window: [10.5, 10] }));
    expect(reading.contradictions[0]).toEqual({
      code: 'roundabout_roads',
      message:
        '2 of 6 roads, counted in each direction, are longer than a way by other places, such as mill to quay: 30 km, or 22 km',
    });
    expect(reading.contradictions[1]).toEqual({
      code: 'reversed_window',
      message: 'ann: the window ends at 10:00, before it begins at 10:30: read as 10:00 to 10:30',
    });
    expect(reading.problem?.rides?.[0].pickup).toEqual(['10:00', '10:30']);
  });

  it('tells a deadline that makes less of the window, and refuses one that nobody can meet', () => {
    const late = requests(request('ann', 'mill', 'quay', { deadline: 5 }));
    expect(codes(late).contradictions).toContain('late_from_window_end');
    expect(late.problem?.rides?.[0]).toMatchObject({ arrive: [null, '09:35'] });
    const never = requests(request('ann', 'mill', 'quay', { time_window: [9, 9.1], deadline: 15 }));
    expect(never.problem).toBeNull();
    expect(never.refused).toEqual([
      {
        code: 'unreachable',
        message:
          'ann: mill to quay takes 22 min, from 09:00 at the earliest, and the deadline is 09:21',
      },
    ]);
  });

  it('leaves out passengers who are there already, and refuses unknown and repeated names', () => {
    const there = requests(request('ann', 'mill', 'mill'), request('bob', 'mill', 'quay'));
    expect(codes(there).contradictions).toContain('already_there');
    expect(there.problem?.rides).toHaveLength(1);
    const strange = requests(request('ann', 'mill', 'moon'), request('ann', 'mill', 'quay'));
    expect(codes(strange).refused).toEqual(['unknown_place', 'repeated_name']);
  });

  it('refuses requests for which no vehicle has fuel or a seat', () => {
    for (const more of [{ fuel: 10 }, { capacity: 0 }]) {
      const vehicle = { vehicle_id: 'van', location: 'mill', capacity: 3, fuel: 80, ...more };
      const { refused } = readRealm(ridesInstance({ vehicles: [vehicle] }));
      expect(refused[0]).toMatchObject({ code: 'out_of_fuel' });
    }
  });

  it('reads unequal distances as one-way roads, and distances to nowhere not at all', () => {
    const city_map = {
      locations: ['mill', 'quay', 'isle'],
      distances: { 'mill-quay': 30, 'quay-mill': 20 },
    };
    const ride_requests = [request('ann', 'mill', 'quay')];
    const vehicles = [{ vehicle_id: 'van', location: 'mill', capacity: 3, fuel: 80 }];
    const reading = readRealm(ridesInstance({ city_map, ride_requests, vehicles }));
    expect(codes(reading)).toEqual({ contradictions: ['unequal_distances'], refused: [] });
    const { roads } = readProblem(reading.problem);
    expect(roads.get('mill')?.get('quay')?.minutes).toBe(30);
    expect(roads.get('quay')?.get('mill')?.minutes).toBe(20);
    const lost = readRealm(
      ridesInstance({ city_map, vehicles, ride_requests: [request('ann', 'mill', 'isle')] }),
    );
    expect(lost.refused[0].message).toBe('ann: no road leads from mill to isle');
  });

  it('never makes a problem that cannot be read', () => {
    const hour = fc.integer({ min: 0, max: 1440 }).map((minute) => minute / 60);
    const place = fc.constantFrom('mill', 'old-town', 'quay');
    const one = fc.record({
      ...{ pickup: place, dropoff: place, time_window: fc.tuple(hour, hour) },
      deadline: fc.integer({ min: 0, max: 90 }),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 5 }), (rides) => {
        const { problem, refused } = requests(
          ...rides.map((ride, i) => ({ passenger_id: `p${i}`, ...ride })),
        );
        expect(problem === null).toBe(refused.length > 0);
        if (problem !== null) readProblem(problem);
      }),
      { numRuns: 200 },
    );
  });
});

describe('disruptions', () => {
  const when = { start_time: 10, duration: 60 };
  const disruptions = [
    { type: 'accident', location: 'mill', ...when, impact: 'local_traffic_congestion' },
    { type: 'traffic_delay', route: 'quay-old-town', delay: 7, ...when },
    { type: 'road_closure', route: 'mill-old-town', ...when },
    { type: 'construction', route: 'old-town-mill', ...when },
  ];
  const reading = readRealm(ridesInstance({ disruptions }));
  const [accident, delay, closure, construction] = readEvents(reading.events);

  it('become events that are known when they begin', () => {
    expect(accident).toEqual({
      ...{ kind: 'traffic', at: '10:00', until: '11:00', places: ['mill'], factor: 2 },
    });
    expect(closure).toMatchObject({ kind: 'closed_road', at: '10:00', until: '11:00' });
    expect(construction).toMatchObject({ kind: 'traffic', factor: 1.5 });
    expect(reading.problem?.assumptions?.join('\n')).toMatch(/both directions/);
  });

  it('of a delay add it to the road, in both directions', () => {
    const after = applyEvent(readProblem(reading.problem), delay);
    expect(earliestArrival(after, 'old-town', 'quay', 600)).toBe(619);
    expect(earliestArrival(after, 'quay', 'old-town', 600)).toBe(619);
    expect(earliestArrival(after, 'quay', 'old-town', 660)).toBe(672);
  });

  it('close a road, which the judge knows', () => {
    const after = applyEvent(readProblem(reading.problem), closure);
    const plan = readPlan({
      ...{ schema: 'alas-coordination/plan@1', problem: 'own_rides' },
      actions: [
        {
          ...{ do: 'drive', vehicle: 'van', from: 'mill', to: 'old-town' },
          ...{ start: '10:30', end: '10:40' },
        },
      ],
    });
    expect(judge(after, plan).violations.map(({ code }) => code)).toContain('closed_road');
  });

  it('have a plan repaired', () => {
    const early = [{ ...disruptions[2], start_time: 8.5, duration: 120 }];
    const { problem, events } = readRealm(ridesInstance({ disruptions: early }));
    const before = planCoordination(readProblem(problem), { budget: { iterations: 1000 } });
    const [closed] = readEvents(events);
    const now = 8 * 60 + 30;
    const after = applyEvent(readProblem(problem), closed);
    const repaired = repairCoordination(after, before.plan, {
      now,
      budget: { iterations: 10_000 },
    });
    expect(judge(after, repaired.plan, { plan: before.plan, now }).violations).toEqual([]);
    expect([before.cost.metres, repaired.cost.metres]).toEqual([34_000, 42_000]);
  });

  it('at unknown places have the instance refused', () => {
    const lost = [
      { type: 'accident', location: 'moon', ...when },
      { type: 'construction', route: 'mill-moon', ...when },
    ];
    expect(codes(readRealm(ridesInstance({ disruptions: lost }))).refused).toEqual([
      'unknown_place',
      'unknown_place',
    ]);
  });
});

describe('weddings and dinners', () => {
  it('are refused with all that they lack', () => {
    expect(readRealm(weddingInstance).refused).toEqual([
      {
        code: 'place_without_travel',
        message: "no travel time leads to or from 'depot', where bus is",
      },
      {
        code: 'route_without_travel',
        message: "the road_closure is on 'depot-S', of which there is no travel time",
      },
      { code: 'errand_without_place', message: 'errands without place or minutes: music, cake' },
      {
        code: 'unsaid_goal',
        message: 'who has to be where, and when, is not stated: there is only wedding_deadline',
      },
    ]);
    expect(readRealm(dinnerInstance).refused.map(({ message }) => message)).toEqual([
      "no travel time leads to or from 'house', where eve, car are",
      'tasks without minutes: soup, pie',
      "'stew' comes before or after something, and is no task",
      'nobody is said to be able to do pie',
      'who has to be where, and when, is not stated: there is only dinner_deadline, max_cooks',
    ]);
  });
});

describe('what is no instance', () => {
  it.each([
    [{}, /neither ride_requests nor guests nor family_members/],
    [ridesInstance({ instance_id: '../x' }), /\$\.instance_id.*letters, digits/],
    [ridesInstance({ colour: 'red' }), /the key "colour" is unknown/],
    [ridesInstance({ disruptions: [{ type: 'flood' }] }), /\$\.disruptions\[0\]/],
  ])('%# is refused with its path', (value, message) => {
    expect(() => readRealm(value, 'own.json')).toThrow(message);
  });
});
