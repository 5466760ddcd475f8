import { describe, expect, it } from 'vitest';
import { applyEvent, type CoordinationEvent } from '../../src/events/events.js';
import { judge } from '../../src/judge/judge.js';
import { formatClock, parseClock } from '../../src/model/clock.js';
import {
  type Action,
  type CoordinationPlan,
  PLAN_SCHEMA,
  type PlanFile,
  readPlan,
} from '../../src/model/plan.js';
import { type Problem, readProblem } from '../../src/model/problem.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../src/model/problem-schema.js';
import { startEffort } from '../../src/plan/effort.js';
import { planCoordination } from '../../src/plan/plan.js';
import { planRides, ridesToPlan } from '../../src/plan/plan-rides.js';
import { repairCoordination } from '../../src/repair/repair.js';
import { findFaults } from '../oracle/oracle.js';
import { randomOf } from '../oracle/random.js';

const SIDE = 4;
const RIDES = 16;

/** Requests from place to place of a grid of streets, over a morning. */
function manyRides(seed: number): Problem {
  const random = randomOf(seed);
  const place = (x: number, y: number) => `x${x}y${y}`;
  const cells = Array.from({ length: SIDE * SIDE }, (_, i) => [i % SIDE, Math.floor(i / SIDE)]);
  const names = cells.map(([x, y]) => place(x, y));
  const roads = cells.flatMap(([x, y]) => [
    ...(x + 1 < SIDE ? [{ from: place(x, y), to: place(x + 1, y), minutes: 4, km: 3 }] : []),
    ...(y + 1 < SIDE ? [{ from: place(x, y), to: place(x, y + 1), minutes: 5, km: 4 }] : []),
  ]);
  const rides: NonNullable<ProblemFile['rides']> = [];
  const people: NonNullable<ProblemFile['people']> = [];
  for (let i = 0; i < RIDES; i++) {
    const from = random.pick(names);
    const to = random.pick(names.filter((name) => name !== from));
    const early = 8 * 60 + random.int(0, 180);
    const pickup: [string, string] = [formatClock(early), formatClock(early + 20)];
    people.push({ id: `p${i}`, at: from });
    rides.push({
      ...{ id: `r${i}`, people: [`p${i}`], from, to, pickup },
      arrive: [null, formatClock(early + 90)],
    });
  }
  const vehicles = [0, 1, 2, 3].map((i) => ({ id: `v${i}`, at: random.pick(names), seats: 3 }));
  const places = names.map((id) => ({ id }));
  const name = `many-rides-${seed}`;
  return readProblem({
    ...{ schema: PROBLEM_SCHEMA, name, places, roads, people, vehicles, rides },
    objective: { km: 1 },
  });
}

function planned(problem: Problem): CoordinationPlan {
  return planCoordination(problem, { budget: '600-iterations' }).plan;
}

describe.each([1, 2, 3])('many rides, seed %i', (seed) => {
  const problem = manyRides(seed);
  const plan = planned(problem);
  const now = 9 * 60;
  const happen = (event: CoordinationEvent) => {
    const changed = applyEvent(problem, event);
    const repair = repairCoordination(changed, plan, { now, budget: '50-iterations' });
    const past = { plan, now };
    expect(judge(changed, repair.plan, past).violations).toEqual([]);
    expect(findFaults(changed, repair.plan, past)).toEqual([]);
    return repair;
  };

  it('puts a new request into a way, and leaves the ways of others as they are', () => {
    const ride = {
      ...{ id: 'new', people: ['somebody'], from: 'x0y0', to: 'x3y3', together: [], apart: [] },
      pickup: ['09:30', '10:30'] as [string, string],
    };
    const people = [{ id: 'somebody', at: 'x0y0', leaves_after: [] }];
    const { phase, changes } = happen({ kind: 'request', at: '09:00', ride, people });
    expect(phase).toBe('reroute');
    const used = changes.flatMap(({ before, after }) => [before, after]);
    const vehicles = new Set(used.map((one) => (one?.do === 'drive' ? one.vehicle : undefined)));
    vehicles.delete(undefined);
    expect(vehicles.size).toBe(1);
  });

  it('leaves out a ride that is cancelled, and fetches everybody else', () => {
    const riders = (isBegun: boolean) =>
      plan.actions.flatMap((one) =>
        one.do === 'drive' && one.start < now === isBegun ? one.with : [],
      );
    const begun = new Set(riders(true));
    const rider = riders(false).find((one) => !begun.has(one)) ?? '';
    expect(rider).toMatch(/^p/);
    const { phase, plan: repaired } = happen({
      ...{ kind: 'cancellation', at: '09:00', ride: rider.replace('p', 'r') },
    });
    expect(phase).toBe('reroute');
    const aboard = repaired.actions.flatMap((one) => (one.do === 'drive' ? one.with : []));
    expect(aboard).not.toContain(rider);
  });
});

describe('a ride that fits nowhere', () => {
  const at = (id: string, place: string) => ({ id, at: place, seats: 1 });
  const road = (from: string, to: string, minutes: number) => ({ from, to, minutes, km: minutes });
  const wish = (id: string, from: string, to: string, latest: string) => ({
    ...{ id, people: [`p-${id}`], from, to },
    pickup: ['11:00', latest] as [string, string],
  });
  // The car at A is the nearest for both, and the only one that can be there in time for the second.
  const open = [wish('r1', 'A', 'C', '11:25'), wish('r2', 'A', 'D', '11:05')];
  const many = Array.from({ length: 12 }, (_, i) => ({
    ...{ id: `q${i}`, people: [`p-q${i}`], from: i % 2 === 0 ? 'C' : 'D', to: 'B' },
    pickup: [`${13 + i}:00`, `${13 + i}:20`] as [string, string],
  }));
  const problemOf = (rides: readonly (typeof open)[number][]) =>
    readProblem({
      ...{ schema: PROBLEM_SCHEMA, name: 'open rides' },
      places: ['A', 'B', 'C', 'D'].map((id) => ({ id })),
      roads: [road('A', 'B', 20), road('A', 'C', 10), road('A', 'D', 30), road('B', 'C', 25)],
      people: rides.map(({ people: [id], from }) => ({ id, at: from })),
      vehicles: [at('near', 'A'), at('far', 'B'), at('other', 'B'), at('last', 'D')],
      rides: [...rides],
    });

  it.each([
    ['a few', open],
    ['many', [...open, ...many]],
  ])('is made by vehicles that stand idle: %s', (_, rides) => {
    const problem = problemOf(rides);
    const before: CoordinationPlan = { problem: problem.name, actions: [], claims: {} };
    const now = 11 * 60;
    const { plan, phase } = repairCoordination(problem, before, { now, budget: '50-iterations' });
    expect(phase).toBe('reroute');
    expect(judge(problem, plan, { plan: before, now }).violations).toEqual([]);
    expect(findFaults(problem, plan, { plan: before, now })).toEqual([]);
  });

  it('is put to people who are aboard already, who stay there', () => {
    const drive: Action = {
      ...{ do: 'drive', vehicle: 'far', who: null, with: ['p-r0'], from: 'B', to: 'A' },
      ...{ start: 640, end: 660 },
    };
    const inside = { ...wish('r0', 'B', 'D', ''), pickup: ['10:00', '10:45'] as [string, string] };
    const more = problemOf([inside, ...open]);
    const before = { problem: more.name, actions: [drive], claims: {} };
    const past = { plan: before, now: 650 };
    const rides = ridesToPlan(more, past);
    const effort = startEffort({ budget: '20-iterations' });
    for (const isKept of [true, false]) {
      const search = planRides(rides as NonNullable<typeof rides>, effort, past, isKept);
      let step = search.next();
      while (step.done !== true) step = search.next();
      const { actions = [] } = step.value?.plan ?? {};
      expect(judge(more, { ...before, actions }, past).violations).toEqual([]);
      const carries = actions.filter((one) => one.do === 'drive' && one.with.includes('p-r0'));
      expect(carries.map((one) => one.do === 'drive' && one.vehicle)).toEqual(['far', 'far']);
    }
  });
});

describe('a vehicle that breaks down', () => {
  const road = (from: string, to: string) => ({ from, to, minutes: 10, km: 10 });
  const problem = readProblem({
    ...{ schema: PROBLEM_SCHEMA, name: 'breakdown', places: ['A', 'B', 'C'].map((id) => ({ id })) },
    roads: [road('A', 'B'), road('B', 'C'), road('A', 'C')],
    people: [{ id: 'kim', at: 'B' }],
    vehicles: ['one', 'two'].map((id) => ({ id, at: 'A', seats: 2 })),
    rides: [{ id: 'r', people: ['kim'], from: 'B', to: 'C', arrive: [null, '10:00'] }],
  });
  const drive = (
    vehicle: string,
    from: string,
    to: string,
    start: string,
    end: string,
    who: string[],
  ) => ({ do: 'drive', vehicle, with: who, from, to, start, end }) as const;
  const file: PlanFile = {
    ...{ schema: PLAN_SCHEMA, problem: 'breakdown' },
    actions: [
      drive('one', 'A', 'B', '08:30', '08:40', []),
      drive('one', 'B', 'C', '08:40', '08:50', ['kim']),
    ],
  };

  it.each([
    ['before it begins', '08:10', ['two', 'two']],
    ['on its way', '08:35', ['one', 'two', 'two']],
  ])('%s, has its passenger fetched by another', (_, at, vehicles) => {
    const plan = readPlan(file);
    const broken = applyEvent(problem, { kind: 'breakdown', at, vehicle: 'one' });
    const now = parseClock(at);
    const { phase, plan: repaired } = repairCoordination(broken, plan, { now });
    expect(phase).toBe('reroute');
    expect(judge(broken, repaired, { plan, now }).violations).toEqual([]);
    expect(findFaults(broken, repaired, { plan, now })).toEqual([]);
    expect(repaired.actions.map((one) => one.do === 'drive' && one.vehicle)).toEqual(vehicles);
  });
});
