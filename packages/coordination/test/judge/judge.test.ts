import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.js';
import type { Past } from '../../src/judge/past.js';
import { parseClock } from '../../src/model/clock.js';
import type { Action, Doing, Drive, Stay } from '../../src/model/plan.js';
import { readProblem } from '../../src/model/problem.js';
import type { ProblemFile } from '../../src/model/problem-schema.js';

const times = (start: string, end: string) => ({ start: parseClock(start), end: parseClock(end) });
const drive = (from: string, to: string, start: string, end: string): Drive => ({
  ...{ do: 'drive', vehicle: 'car', who: 'ann', with: [], from, to },
  ...times(start, end),
});
const doing = (activity: string, who: string[], at: string, start: string, end: string): Doing => ({
  ...{ do: 'activity', activity, who, at },
  ...times(start, end),
});
const stay = (at: string, start: string, end: string): Stay => ({
  ...{ do: 'stay', who: ['ann'], at },
  ...times(start, end),
});

/** Codes that the judge finds in a plan of Ann, Bob and a car at home; town is 10 minutes and 5 km away. */
function codesOf(facts: Partial<ProblemFile>, actions: readonly Action[], past?: Past): string[] {
  const problem = readProblem({
    ...{ schema: 'alas-coordination/problem@1', name: 'small' },
    places: [{ id: 'home' }, { id: 'town' }],
    roads: [{ from: 'home', to: 'town', minutes: 10, km: 5 }],
    people: [
      { id: 'ann', at: 'home' },
      { id: 'bob', at: 'home' },
    ],
    vehicles: [{ id: 'car', at: 'home', seats: 1, drivers: ['ann'] }],
    ...facts,
  });
  const { violations } = judge(problem, { problem: 'small', actions, claims: {} }, past);
  return violations.map(({ code }) => code);
}

const thereAndBack = [drive('home', 'town', '9:00', '9:10'), drive('town', 'home', '9:20', '9:30')];

describe('places', () => {
  it('are open across windows that meet', () => {
    const open = (...pairs: [string, string][]) => ({
      places: [{ id: 'home', open: pairs }, { id: 'town' }],
      activities: [{ id: 'cook', at: ['home'], minutes: 60 }],
    });
    const cooks = [doing('cook', ['bob'], 'home', '11:30', '12:30')];
    expect(codesOf(open(['12:00', '14:00'], ['9:00', '12:00']), cooks)).toEqual([]);
    expect(codesOf(open(['9:00', '13:00'], ['10:00', '11:00']), cooks)).toEqual([]);
    expect(codesOf(open(['9:00', '12:00'], ['12:01', '14:00']), cooks)).toEqual(['closed_place']);
  });
});

describe('rides', () => {
  it('are judged by the journey that is meant, not by a later one to the same place', () => {
    const rides = [
      {
        id: 'r',
        people: ['ann'],
        from: 'home',
        to: 'town',
        arrive: [null, '9:15'] as [null, string],
      },
    ];
    const again = drive('home', 'town', '10:00', '10:10');
    expect(codesOf({ rides }, [...thereAndBack, again])).toEqual([]);
    expect(codesOf({ rides }, [again])).toEqual(['arrival_outside']);
  });

  it('are over where they arrive', () => {
    const rides = [
      {
        id: 'r',
        people: ['ann'],
        from: 'home',
        to: 'town',
        arrive: [null, '9:15'] as [null, string],
      },
    ];
    const roundTrip = [...thereAndBack.slice(0, 1), drive('town', 'town', '9:30', '9:40')];
    expect(codesOf({ rides }, roundTrip)).toEqual([]);
  });
});

describe('presence', () => {
  it('begins when the last of several drives has ended, and not before somebody is available', () => {
    const long = drive('home', 'town', '9:00', '10:00');
    const within = { ...drive('town', 'town', '9:20', '9:30'), vehicle: 'van' };
    const vehicles = ['car', 'van'].map((id) => ({
      ...{ id, at: id === 'car' ? 'home' : 'town', seats: 1, drivers: ['ann'] },
    }));
    const claimed = stay('town', '9:40', '9:50');
    const found = codesOf({ vehicles }, [long, within, claimed]);
    expect(found).toEqual(['not_there', 'overlap']);
    const people = [{ id: 'ann', at: 'home', from: '12:00' }];
    const early = codesOf({ people }, [...thereAndBack, stay('home', '9:40', '9:50')]);
    expect(early).toEqual(['not_available', 'not_available', 'not_there']);
  });

  it('ends when somebody is not available any more', () => {
    const people = [{ id: 'ann', at: 'home', until: '8:00' }];
    const late = codesOf({ people }, [...thereAndBack, stay('home', '8:10', '8:20')]);
    expect(late).toEqual(['not_available', 'not_available', 'not_there']);
  });

  it('at a moment is where somebody arrives and leaves', () => {
    const through = [drive('home', 'town', '9:00', '9:10'), drive('town', 'home', '9:10', '9:20')];
    expect(codesOf({}, [...through, stay('town', '9:10', '9:10')])).toEqual([]);
    expect(codesOf({}, [...through, stay('town', '9:11', '9:11')])).toEqual(['not_there']);
  });
});

it('does not count what takes no time as a use of a resource', () => {
  const uses = ['oven'];
  const activities = ['a', 'b', 'c'].map((id) => ({ id, at: ['home'], minutes: 0, uses }));
  const facts = { activities, resources: [{ id: 'oven', capacity: 1 }] };
  const long = doing('a', [], 'home', '9:00', '10:00');
  const late = doing('b', [], 'home', '9:30', '10:30');
  const short = doing('c', [], 'home', '9:45', '9:45');
  expect(codesOf(facts, [long, late, short])).toEqual(['over_capacity']);
  expect(codesOf(facts, [long, { ...late, end: late.start }, short])).toEqual([]);
});

it('says who drives wrongly after the range is used up, too', () => {
  const vehicles = [{ id: 'car', at: 'home', seats: 1, drivers: ['ann'], range_km: 1 }];
  const [there, back] = thereAndBack;
  const people = [
    { id: 'ann', at: 'home' },
    { id: 'bob', at: 'town' },
  ];
  const found = codesOf({ vehicles, people }, [there, { ...back, who: 'bob' }]);
  expect(found).toEqual(['wrong_driver', 'out_of_range']);
});

it('judges plans of more actions than a call takes arguments', () => {
  const rest = { id: 'rest', at: ['home'], minutes: 0, any: ['bob'] };
  const again = doing('rest', ['bob'], 'home', '9:00', '9:00');
  const codes = codesOf({ activities: [rest] }, Array<Action>(150_000).fill(again));
  expect(new Set(codes)).toEqual(new Set(['repeated_activity']));
});

it('refuses to turn at a point of the road that has been passed', () => {
  const plan = { problem: 'small', actions: thereAndBack.slice(0, 1), claims: {} };
  const past = { plan, now: parseClock('9:06') };
  const turnAt = (done: number, end: string) => [
    drive('home', `home>town@${done}`, '9:00', '9:06'),
    drive(`home>town@${done}`, 'home', '9:06', end),
  ];
  expect(codesOf({}, turnAt(6, '9:12'), past)).toEqual([]);
  expect(codesOf({}, turnAt(2, '9:08'), past)).toEqual(['past_rewritten', 'past_invented']);
});
