import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import { parseClock } from '../../src/model/clock.js';
import type { Action } from '../../src/model/plan.js';
import { type Problem, readProblem } from '../../src/model/problem.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';
import { statementsOf } from '../../src/model/statements.js';
import { planCoordination } from '../../src/plan/plan.js';
import { changesBetween } from '../../src/repair/changes.js';
import { randomCase } from '../oracle/generate.js';
import { findFaults } from '../oracle/oracle.js';

type RideFile = NonNullable<ProblemFile['rides']>[number];
const p1: RideFile = { id: 'r1', people: ['p1'], from: 'A', to: 'C', pickup: ['8:00', '8:05'] };
const p2: RideFile = { id: 'r2', people: ['p2'], from: 'B', to: 'C', pickup: ['8:10', '8:12'] };

/** A car with a driver of its own at A; B and C are 10 minutes from A. */
function star(rides: readonly RideFile[], more: Partial<ProblemFile> = {}): Problem {
  const from = new Map(rides.map((ride) => [ride.people[0], ride.from]));
  return readProblem({
    ...{ schema: 'alas-coordination/problem@1', name: 'star' },
    places: ['A', 'B', 'C'].map((id) => ({ id })),
    roads: ['B', 'C'].map((to) => ({ from: 'A', to, minutes: 10, km: 10 })),
    people: [...from].map(([id, at]) => ({ id, at })),
    vehicles: [{ id: 'car', at: 'A', seats: 3 }],
    rides: [...rides],
    ...more,
  });
}

function drive(start: string, way: string, people: string[], vehicle = 'car'): Action {
  const begin = parseClock(start);
  const [from, to] = way.split('-');
  const times = { start: begin, end: begin + 10 };
  return { ...{ do: 'drive', vehicle, who: null, with: people, from, to }, ...times };
}

/** Codes of the judge, which the oracle finds, too. */
function codesOf(problem: Problem, actions: readonly Action[]): string[] {
  const plan = { problem: problem.name, actions, claims: {} };
  const codes = judge(problem, plan).violations.map(({ code }) => code);
  expect(findFaults(problem, plan).map(({ code }) => code)).toEqual(codes);
  return codes;
}

const roundTrip = [
  drive('8:00', 'A-B', ['p1']),
  drive('8:10', 'B-A', ['p1', 'p2']),
  drive('8:20', 'A-C', ['p1', 'p2']),
];

describe('a ride', () => {
  it('begins where its passenger gets in, though they come by again', () => {
    const problem = star([p1, p2]);
    expect(codesOf(problem, roundTrip)).toEqual([]);
    const plan = { problem: 'star', actions: roundTrip, claims: {} };
    const { promises } = changesBetween(problem, { ...plan, actions: [] }, plan);
    const pickup = promises.find(({ person }) => person === 'p1');
    expect(pickup).toMatchObject({ what: 'pick-up at A (r1)', before: null, after: 480 });
    const { cost, status } = planCoordination(problem, { budget: { iterations: 3000 } });
    expect({ total: cost.total, status }).toEqual({ total: 30, status: 'optimal' });
  });

  it('ends where its passenger gets out, though they come by before', () => {
    // At C too early, for somebody else; the car comes back.
    const problem = star([
      { ...p1, arrive: ['8:30', null] },
      { ...p1, id: 'r2', people: ['p2'], arrive: [null, '8:15'] },
    ]);
    const loop = [
      drive('8:05', 'A-C', ['p1', 'p2']),
      drive('8:15', 'C-A', ['p1']),
      drive('8:25', 'A-C', ['p1']),
    ];
    expect(codesOf(problem, loop)).toEqual([]);
    const { cost } = planCoordination(problem, { budget: { iterations: 3000 } });
    expect(cost.total).toBe(30);
  });

  it('begins in a car that stands', () => {
    const later: RideFile = { ...p2, from: 'A' };
    const problem = star([p1, later]);
    expect(codesOf(problem, [drive('8:10', 'A-C', ['p1', 'p2'])])).toEqual([]);
    const { cost, status } = planCoordination(problem, { budget: { iterations: 3000 } });
    expect({ total: cost.total, status }).toEqual({ total: 10, status: 'optimal' });
  });

  it('is stated by when its passenger gets in, and from when on they leave', () => {
    const [, second] = statementsOf(star([p1, p2])).filter(({ kind }) => kind === 'ride');
    expect(second.facts).toBe('p2 from B to C; leaves from 08:10 on; gets in by 08:12');
  });

  it('does not begin before car and passenger are both there to stay', () => {
    const from = (id: string, time: string) => ({
      people: [{ id: 'p1', at: 'A', ...(id === 'p1' && { from: time }) }],
      vehicles: [{ id: 'car', at: 'A', seats: 3, ...(id === 'car' && { from: time }) }],
    });
    for (const id of ['p1', 'car']) {
      expect(codesOf(star([p1], from(id, '8:05')), [drive('8:10', 'A-C', ['p1'])])).toEqual([]);
      const late = codesOf(star([p1], from(id, '8:06')), [drive('8:10', 'A-C', ['p1'])]);
      expect(late).toEqual(['pickup_outside']);
    }
    const away = [drive('7:50', 'A-B', []), drive('8:00', 'B-A', []), drive('8:15', 'A-C', ['p1'])];
    expect(codesOf(star([p1]), away)).toEqual(['pickup_outside']);
    const activities = [{ id: 'call', at: ['A'], minutes: 3, all: ['p1'] }];
    const call = (start: string): Action => ({
      ...{ do: 'activity', activity: 'call', who: ['p1'], at: 'A' },
      ...{ start: parseClock(start), end: parseClock(start) + 3 },
    });
    const calls = star([p1], { activities });
    expect(codesOf(calls, [call('8:02'), drive('8:10', 'A-C', ['p1'])])).toEqual([]);
    expect(codesOf(calls, [call('8:03'), drive('8:10', 'A-C', ['p1'])])).toEqual([
      'pickup_outside',
    ]);
  });

  it('does not begin in a car that is not ready to be used', () => {
    const rent = { id: 'rent', at: ['A'], minutes: 5 };
    const vehicles = [{ id: 'car', at: 'A', seats: 3, after: ['rent'] }];
    const rents = (start: string): Action => ({
      ...{ do: 'activity', activity: 'rent', who: [], at: 'A' },
      ...{ start: parseClock(start), end: parseClock(start) + 5 },
    });
    const problem = star([p1], { activities: [rent], vehicles });
    expect(codesOf(problem, [rents('8:00'), drive('8:10', 'A-C', ['p1'])])).toEqual([]);
    expect(codesOf(problem, [rents('8:01'), drive('8:10', 'A-C', ['p1'])])).toEqual([
      'pickup_outside',
    ]);
  });

  it('is of the trip that keeps company, where several are as good', () => {
    const free = { ...p1, pickup: undefined };
    const loop = (who: string[]) => [
      drive('8:00', 'A-B', who),
      drive('8:10', 'B-A', ['p1', 'p2']),
      drive('8:20', 'A-C', ['p1', 'p2']),
    ];
    const other: RideFile = { ...p1, id: 'r2', people: ['p2'] };
    // p2 has got in before 8:05, and p1 with them.
    const together = star([{ ...free, together: ['r2'] }, other]);
    expect(codesOf(together, loop(['p1', 'p2']))).toEqual([]);
    const apart = star([free, { ...p2, to: 'A', apart: ['r1'] }]);
    const shared = [...loop(['p1']).slice(0, 2), drive('8:20', 'A-C', ['p1'])];
    expect(codesOf(apart, shared)).toEqual([]);
    const always = star([{ ...p1 }, { ...p2, to: 'A', apart: ['r1'] }]);
    expect(codesOf(always, shared)).toEqual(['not_apart']);
  });

  it('is made by the drives of all its people, who may part', () => {
    // p2 is aboard from the beginning as p1 is, p3 gets in when the car comes by again.
    const two: RideFile = { id: 'r2', people: ['p2', 'p3'], from: 'A', to: 'C' };
    const people = ['p1', 'p2', 'p3'].map((id) => ({ id, at: 'A' }));
    const problem = star([{ ...p1, together: ['r2'] }, two], { people });
    const last = drive('8:20', 'A-C', ['p1', 'p2', 'p3']);
    const loop = (who: string[]) => [drive('8:00', 'A-B', who), drive('8:10', 'B-A', who), last];
    expect(codesOf(problem, loop(['p1', 'p2']))).toEqual([]);
    expect(codesOf(problem, loop(['p1']))).toEqual(['not_together']);
  });

  it('of somebody who goes to and fro a thousand times is judged at once', () => {
    const times = Array.from({ length: 6000 }, (_, i) => {
      const begin = 480 + 10 * i;
      const ways = { from: i % 2 === 0 ? 'A' : 'C', to: i % 2 === 0 ? 'C' : 'A' };
      const who = { do: 'drive', vehicle: 'car', who: null, with: ['p1', 'p2'] } as const;
      return { ...who, ...ways, start: begin, end: begin + 10 };
    });
    const problem = star([
      { ...p1, pickup: undefined, apart: ['r2'] },
      { ...p1, id: 'r2', people: ['p2'], pickup: undefined },
    ]);
    const { violations } = judge(problem, { problem: 'star', actions: times, claims: {} });
    expect(violations).toEqual([]);
  });
});

it('of a generated plan is asked for as it is made', () => {
  const { problem, plan } = randomCase(1375416821);
  expect(findFaults(problem, plan)).toEqual([]);
  expect(judge(problem, plan).violations).toEqual([]);
});
