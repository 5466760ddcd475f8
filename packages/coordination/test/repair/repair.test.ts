import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEvent, type CoordinationEvent } from '../../src/events/events.js';
import { judge } from '../../src/judge/judge.js';
import { parseClock } from '../../src/model/clock.js';
import type { CoordinationPlan } from '../../src/model/plan.js';
import { earliestArrival } from '../../src/model/travel.js';
import { bundledPlan, bundledProblem } from '../../src/papers/bundled.js';
import { planCoordination } from '../../src/plan/plan.js';
import { changesBetween } from '../../src/repair/changes.js';
import { type CoordinationRepair, repairCoordination } from '../../src/repair/repair.js';

const traffic: CoordinationEvent = { kind: 'traffic', at: '13:00', places: ['B'], factor: 3 };
const cancelled: CoordinationEvent = { kind: 'cancellation', at: '08:05', ride: 'r2' };
const asked: CoordinationEvent = {
  kind: 'request',
  at: '08:10',
  people: [{ id: 'p5', at: 'F', leaves_after: [] }],
  ride: {
    id: 'r5',
    people: ['p5'],
    from: 'F',
    to: 'G',
    arrive: [null, '09:30'],
    together: [],
    apart: [],
  },
};
const late = (at: string): CoordinationEvent => ({
  ...{ kind: 'delay', at, person: 'james', until: '16:00' },
});

const dinner = () =>
  planCoordination(bundledProblem('thanksgiving'), { budget: { seconds: 300 } }).plan;

describe.each([
  ['a wedding in traffic', 'wedding', () => bundledPlan('wedding'), [traffic]],
  [
    'rides, one cancelled and one asked for',
    'ride-sharing',
    () => bundledPlan('ride-sharing'),
    [cancelled, asked],
  ],
  ['a dinner with a flight that is late, told at noon', 'thanksgiving', dinner, [late('12:00')]],
  [
    'a dinner with a flight that is late, told when it should land',
    'thanksgiving',
    dinner,
    [late('13:00')],
  ],
] as const)('%s', (_, name, first, events) => {
  const steps: { repair: CoordinationRepair; anew: number; valid: boolean; promised: number }[] =
    [];
  let problem = bundledProblem(name);
  let plan: CoordinationPlan = first();
  for (const event of events) {
    const past = { plan, now: parseClock(event.at) };
    problem = applyEvent(problem, event);
    const repair = repairCoordination(problem, plan, { now: past.now, budget: { seconds: 300 } });
    const other = planCoordination(problem, { past, budget: { seconds: 300 } }).plan;
    steps.push({
      repair,
      anew: changesBetween(problem, plan, other).changes.length,
      valid: judge(problem, repair.plan, past).valid,
      promised: repair.promises.length,
    });
    plan = repair.plan;
  }

  it('ends with plans that the judge accepts, and that rewrite nothing', () => {
    expect(steps.map(({ valid }) => valid)).toEqual(events.map(() => true));
  });

  it('changes less than planning anew', () => {
    for (const { repair, anew } of steps) expect(repair.changes.length).toBeLessThan(anew);
  });

  it('is not planned anew', () => {
    for (const { repair } of steps) expect(repair.phase).not.toBe('anew');
  });
});

it('leaves a plan alone that still holds', () => {
  const problem = applyEvent(bundledProblem('wedding'), {
    ...traffic,
    places: ['T'],
    from: '14:30',
  });
  const plan = bundledPlan('wedding');
  expect(repairCoordination(problem, plan, { now: parseClock('13:00') })).toMatchObject({
    ...{ phase: 'keep', changes: [], told: [], promises: [], plan },
  });
});

it('refuses events that contradict what has happened', () => {
  const plan = bundledPlan('alas-table-21');
  const problem = applyEvent(bundledProblem('thanksgiving'), late('14:30'));
  expect(() => repairCoordination(problem, plan, { now: parseClock('14:30') })).toThrow(
    'what is told at 14:30 contradicts what has happened: James is available from 16:00 only, not 13:00 to 13:30',
  );
});

it('has somebody else do what was planned for who drops out, and keeps what they have done', () => {
  const event = { kind: 'drop_out', at: '15:45', person: 'james' } as const;
  const before = bundledProblem('thanksgiving');
  const problem = applyEvent(before, event);
  expect(problem.activities.get('rent')).toMatchObject({ all: [], any: ['james'], count: 0 });
  const done = bundledPlan('alas-table-21');
  const codes = judge(problem, done, { plan: done, now: parseClock('15:45') }).violations;
  expect(codes.map(({ code }) => code)).toEqual(['not_available', 'not_available']);
});

it('has an activity that is under way go on as long as it takes now', () => {
  const event = { kind: 'longer', at: '16:30', activity: 'luggage-emily', minutes: 120 } as const;
  const plan = bundledPlan('alas-table-22');
  const start = plan.actions.find(
    (one) => one.do === 'activity' && one.activity === 'luggage-emily',
  )?.start;
  expect(start).toBe(parseClock('14:30'));
  const problem = applyEvent(bundledProblem('thanksgiving'), { ...event, at: '14:45' });
  const { plan: repaired } = repairCoordination(problem, plan, {
    now: parseClock('14:45'),
    budget: '20k-iterations',
  });
  expect(repaired.actions).toContainEqual(
    expect.objectContaining({ activity: 'luggage-emily', start, end: parseClock('16:30') }),
  );
});

it('does not fetch whose ride is cancelled', () => {
  const problem = applyEvent(bundledProblem('ride-sharing'), cancelled);
  const { plan, phase } = repairCoordination(problem, bundledPlan('ride-sharing'), { now: 485 });
  const aboard = plan.actions.flatMap((one) => (one.do === 'drive' ? one.with : []));
  expect(phase).toBe('reroute');
  expect(new Set(aboard)).toEqual(new Set(['p1', 'p3', 'p4']));
});

it('has the rest of a journey take so many times as long: T_new = T_elapsed + M · (T_total − T_elapsed)', () => {
  const problem = bundledProblem('wedding');
  const trip = fc.record({
    depart: fc.integer({ min: 700, max: 900 }),
    elapsed: fc.integer({ min: 0, max: 40 }),
    factor: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(trip, ({ depart, elapsed, factor }) => {
      const now = depart + elapsed;
      const at = `${Math.floor(now / 60)}:${String(now % 60).padStart(2, '0')}`;
      const slow = applyEvent(problem, { ...traffic, at, factor });
      const arrives = earliestArrival(slow, 'B', 'W', depart);
      expect(arrives).toBe(depart + elapsed + factor * (40 - elapsed));
    }),
  );
});

it('gives up waits in activities before it changes who does what', () => {
  const problem = applyEvent(bundledProblem('wedding'), traffic);
  const { phase, changes } = repairCoordination(problem, bundledPlan('wedding'), { now: 13 * 60 });
  expect(phase).toBe('retime');
  expect(changes.map(({ kind }) => kind)).toEqual(Array(5).fill('moved'));
});
