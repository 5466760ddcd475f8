import { describe, expect, it } from 'vitest';
import { applyEvent } from '../../src/events/events.js';
import { judge } from '../../src/judge/judge.js';
import { parseClock } from '../../src/model/clock.js';
import { PLAN_SCHEMA, type PlanFile, readPlan } from '../../src/model/plan.js';
import { readProblem } from '../../src/model/problem.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../src/model/problem-schema.js';
import { planCoordination } from '../../src/plan/plan.js';
import { repairCoordination } from '../../src/repair/repair.js';
import { findFaults } from '../oracle/oracle.js';
import { repairChangingRides } from './from-scratch.js';

type RideFile = NonNullable<ProblemFile['rides']>[number];

const road = (from: string, to: string, minutes: number) => ({ from, to, minutes, km: minutes });
/** Rides of the afternoon, so many that no exact search is made. */
const afternoon = Array.from({ length: 14 }, (_, i): RideFile => {
  const [from, to] = i % 2 === 0 ? ['C', 'A'] : ['A', 'C'];
  const hour = 13 + Math.floor(i / 2);
  const pickup: [string, string] =
    i % 2 === 0 ? [`${hour}:00`, `${hour}:10`] : [`${hour}:30`, `${hour}:40`];
  return { id: `q${i}`, people: [`p-q${i}`], from, to, pickup };
});

function problemOf(rides: readonly RideFile[], vehicles: NonNullable<ProblemFile['vehicles']>) {
  const all = [...rides, ...afternoon];
  const begins = new Map(
    all.toReversed().flatMap(({ people, from }) => people.map((id) => [id, from])),
  );
  return readProblem({
    ...{ schema: PROBLEM_SCHEMA, name: 'left', places: ['A', 'B', 'C', 'D'].map((id) => ({ id })) },
    roads: [road('A', 'B', 10), road('B', 'C', 10), road('A', 'C', 20), road('B', 'D', 10)],
    people: Array.from(begins, ([id, at]) => ({ id, at })),
    vehicles,
    rides: all,
  });
}

function planOf(actions: PlanFile['actions']) {
  return readPlan({ schema: PLAN_SCHEMA, problem: 'left', actions });
}

type Repair = Parameters<typeof repairCoordination>;

function repaired(problem: Repair[0], plan: Repair[1], at: string, iterations = 200) {
  const past = { plan, now: parseClock(at) };
  const repair = repairCoordination(problem, plan, { now: past.now, budget: { iterations } });
  expect(judge(problem, repair.plan, past).violations).toEqual([]);
  expect(findFaults(problem, repair.plan, past)).toEqual([]);
  return repair;
}

const drive = (
  vehicle: string,
  who: string[],
  from: string,
  to: string,
  start: string,
  end: string,
) => ({ do: 'drive', vehicle, with: who, from, to, start, end }) as const;

describe('rides that are left, too many for the exact search', () => {
  const kim: RideFile = {
    id: 'kim',
    people: ['kim'],
    from: 'A',
    to: 'C',
    pickup: ['08:00', '08:05'],
  };
  const [one, two] = ['one', 'two'].map((id) => ({ id, at: 'A', seats: 1 }));

  it('let people get out where they are if the seat is needed for somebody who is in a hurry', () => {
    const hurry: RideFile = {
      id: 'lee',
      people: ['lee'],
      from: 'B',
      to: 'D',
      pickup: ['08:10', '08:12'],
    };
    const problem = problemOf([kim, hurry], [one]);
    const plan = planOf([drive('one', ['kim'], 'A', 'B', '08:00', '08:10')]);
    expect(repaired(problem, plan, '08:05').phase).toBe('anew');
  });

  it('let people be fetched who have got out on their way, or whose vehicle is out of service there', () => {
    const problem = problemOf([kim], [one, two]);
    const plan = planOf([drive('one', ['kim'], 'A', 'B', '08:00', '08:10')]);
    const broken = applyEvent(problem, { kind: 'breakdown', at: '08:10', vehicle: 'one' });
    const { phase, plan: made } = repaired(broken, plan, '08:10');
    expect(phase).toBe('reroute');
    const takes = made.actions.filter(
      (action) => action.do === 'drive' && action.with.includes('kim'),
    );
    expect(takes.map((action) => action.do === 'drive' && action.vehicle)).toEqual(['one', 'two']);
    const left = planOf([
      drive('one', ['kim'], 'A', 'B', '08:00', '08:10'),
      drive('one', [], 'B', 'D', '08:10', '08:20'),
    ]);
    expect(repaired(problem, left, '08:15').phase).toBe('reroute');
  });

  it('keep people aboard who have got in while the vehicle waits for others', () => {
    const later: RideFile = {
      id: 'lee',
      people: ['lee'],
      from: 'A',
      to: 'C',
      pickup: ['08:10', '08:12'],
    };
    const problem = problemOf([kim, later], [{ ...one, seats: 2 }]);
    expect(repaired(problem, planOf([]), '08:07').phase).toBe('reroute');
  });

  it('are made by vehicles whose drive takes longer, as roads are slow', () => {
    const problem = problemOf([{ ...kim, arrive: [null, '09:00'] }], [one]);
    const first = planCoordination(problem, { budget: '100-iterations' }).plan;
    const slow = applyEvent(problem, {
      ...{
        kind: 'traffic',
        at: '08:05',
        roads: [
          ['A', 'B'],
          ['A', 'C'],
        ],
        factor: 2,
        until: '08:40',
      },
    });
    expect(repaired(slow, first, '08:05').plan.actions.length).toBeGreaterThan(10);
  });

  it('say how much was tried if there is no plan', () => {
    const never: RideFile = {
      id: 'lee',
      people: ['lee'],
      from: 'D',
      to: 'C',
      pickup: ['08:06', '08:07'],
    };
    const problem = problemOf([never], [one]);
    const repair = () =>
      repairCoordination(problem, planOf([]), { now: 485, budget: '50-iterations' });
    expect(repair).toThrow(/no plan for left was found in 50 iterations of insertion/);
  });
});

describe('people who ride twice', () => {
  const there: RideFile = {
    id: 'there',
    people: ['kim'],
    from: 'A',
    to: 'C',
    pickup: ['08:00', '08:05'],
  };
  const back: RideFile = {
    id: 'back',
    people: ['kim'],
    from: 'C',
    to: 'A',
    pickup: ['08:30', '09:30'],
  };
  const cars = ['one', 'two'].map((id) => ({ id, at: 'A', seats: 1 }));

  it('are planned by tours, as many as they are', () => {
    const problem = problemOf([there, back], cars);
    const { plan } = planCoordination(problem, { budget: '100-iterations' });
    expect(judge(problem, plan).violations).toEqual([]);
    expect(findFaults(problem, plan)).toEqual([]);
  });

  it.each(['before', 'on', 'after'])(
    'are taken along %s their first ride when others ask for one',
    (when) => {
      const at = { before: '07:30', on: '08:10', after: '08:22' }[when] ?? '';
      const problem = problemOf([there, back], cars);
      const { plan } = planCoordination(problem, { budget: '100-iterations' });
      const ride = { id: 'lee', people: ['lee'], from: 'B', to: 'D', together: [], apart: [] };
      const asked = applyEvent(problem, {
        ...{ kind: 'request', at, people: [{ id: 'lee', at: 'B', leaves_after: [] }] },
        ride: { ...ride, pickup: ['08:20', '08:50'] },
      });
      expect(repaired(asked, plan, at).phase).toBe('reroute');
    },
  );

  it('go where their second ride begins if the first one is cancelled', () => {
    const problem = problemOf([there, back], cars);
    const { plan } = planCoordination(problem, { budget: '100-iterations' });
    const cancelled = applyEvent(problem, { kind: 'cancellation', at: '07:30', ride: 'there' });
    repaired(cancelled, plan, '07:30');
  });
});

it.each([false, true])(
  'finds a repair of changing rides wherever planning from scratch does, people riding back: %s',
  (twice) => {
    const {
      losses,
      wrong,
      steps,
      repaired: made,
    } = repairChangingRides([1, 2, 118], twice, { iterations: 150 });
    expect(losses).toEqual([]);
    expect(wrong).toEqual([]);
    expect(made).toBeGreaterThan(steps / 3);
  },
);
