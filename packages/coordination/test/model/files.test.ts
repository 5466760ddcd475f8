import { InputError } from 'alas-jssp';
import { describe, expect, it } from 'vitest';
import { readPlan, writePlan } from '../../src/model/plan.js';
import { readProblem } from '../../src/model/problem.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../src/model/problem-schema.js';
import { bundledNames, bundledPlan } from '../../src/papers/bundled.js';

const problem = (): ProblemFile => ({
  schema: PROBLEM_SCHEMA,
  name: 'two',
  places: [{ id: 'A', open: [['08:00', '12:00']] }, { id: 'B' }],
  roads: [{ from: 'A', to: 'B', minutes: 10 }],
  traffic: [{ places: ['A'], factor: 2 }],
  people: [{ id: 'ann', at: 'A', leaves_after: ['pack'] }],
  vehicles: [{ id: 'van', at: 'A', seats: 2, drivers: ['ann'] }],
  activities: [{ id: 'pack', at: ['A'], minutes: 5, start: ['08:00', null], any: ['ann'] }],
  resources: [{ id: 'oven', capacity: 1 }],
  rides: [{ id: 'r', people: ['ann'], from: 'A', to: 'B', arrive: [null, '10:00'] }],
  preferences: [{ id: 'p', text: 'x', weight: 1, passenger: 'ann', drivers: ['ann'] }],
});

/** The problem with a value put elsewhere: `roads.0.to`. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(problem()) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((at, key) => at[key] as Record<string, unknown>, copy);
  parent[last] = value;
  return copy;
}

function refusal(read: () => unknown): InputError {
  try {
    read();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('the file of a problem', () => {
  it('is read', () => {
    expect(readProblem(problem()).people.get('ann')?.leavesAfter).toEqual(['pack']);
  });

  it.each([
    ['schema', 'alas-coordination/problem@9', '$.schema'],
    ['speed', 3, '$'],
    ['places', [], '$.places'],
    ['roads.0.to', 'C', '$.roads[0].to'],
    ['roads.0.minutes', 1.5, '$.roads[0].minutes'],
    ['roads.0.minutes', -1, '$.roads[0].minutes'],
    ['traffic.0.places', ['A', 'C'], '$.traffic[0].places[1]'],
    ['traffic.0.closed', true, '$.traffic[0]'],
    ['traffic.0.factor', undefined, '$.traffic[0]'],
    ['people.0.at', 'C', '$.people[0].at'],
    ['people.0.from', 'noon', '$.people[0].from'],
    ['people.0.from', '13:00 PM', '$.people[0].from'],
    ['people.0.leaves_after', ['sleep'], '$.people[0].leaves_after[0]'],
    ['people.1', { id: 'ann', at: 'B' }, '$.people[1].id'],
    ['vehicles.0.drivers', ['bob'], '$.vehicles[0].drivers[0]'],
    ['vehicles.1', { id: 'ann', at: 'A', seats: 1 }, '$.vehicles[1].id'],
    ['vehicles.0.drivers', ['ann', 'ann'], '$.vehicles[0].drivers[1]'],
    ['vehicles.0.seats', '2', '$.vehicles[0].seats'],
    ['activities.0.at', [], '$.activities[0].at'],
    ['activities.0.count', 2, '$.activities[0]'],
    ['activities.0.start', ['09:00', '08:00'], '$.activities[0].start'],
    ['activities.0.after', ['pack'], '$.activities[0].after'],
    ['activities.0.uses', ['stove'], '$.activities[0].uses[0]'],
    ['places.0.open', [['12:00', '08:00']], '$.places[0].open[0]'],
    ['rides.0.people', ['bob'], '$.rides[0].people[0]'],
    ['rides.0.people', ['ann', 'ann'], '$.rides[0].people[1]'],
    ['rides.0.apart', ['r'], '$.rides[0].apart[0]'],
    ['rides.0.together', ['r2'], '$.rides[0].together[0]'],
    ['rides.0.vehicles', ['bus'], '$.rides[0].vehicles[0]'],
    ['preferences.0.drivers', undefined, '$.preferences[0]'],
    ['objective', { km: 1e308 }, '$.objective.km'],
    ['preferences.0.passenger', 'bob', '$.preferences[0].passenger'],
  ])('with %s = %j is refused at %s', (path, value, at) => {
    // As a file holds it: what is undefined is left out.
    const file = JSON.parse(JSON.stringify(changed(path, value)));
    const { code, location, hint } = refusal(() => readProblem(file, 'p.json'));
    expect({ code, ...location }).toEqual({ code: 'bad_problem', file: 'p.json', path: at });
    expect(hint).not.toMatch(/undefined|invalid/i);
  });
});

describe('the file of a plan', () => {
  const action = { do: 'drive', vehicle: 'van', who: 'ann', from: 'A', to: 'B' };
  const plan = (change: object = {}, more: object = {}) => ({
    schema: 'alas-coordination/plan@1',
    problem: 'two',
    actions: [{ ...action, start: '9:00', end: '9:10 AM', ...change }],
    ...more,
  });

  it('is read', () => {
    expect(readPlan(plan()).actions[0]).toMatchObject({ start: 540, end: 550, with: [] });
  });

  it.each([
    [plan({ do: 'fly' }), '$.actions[0].do'],
    [plan({ start: '25' }), '$.actions[0].start'],
    [plan({ start: undefined }), '$.actions[0].start'],
    [plan({ with: 'ann' }), '$.actions[0].with'],
    [plan({ at: 'A' }), '$.actions[0]'],
    [plan({}, { claims: { km: '3' } }), '$.claims.km'],
    [plan({}, { problem: '' }), '$.problem'],
    [[], '$'],
  ])('%j is refused at %s', (file, at) => {
    const read = () => readPlan(JSON.parse(JSON.stringify(file)), 'p.json');
    const { code, location, hint } = refusal(read);
    expect({ code, ...location }).toEqual({ code: 'bad_plan', file: 'p.json', path: at });
    expect(hint).not.toMatch(/invalid/i);
  });

  it.each(bundledNames('plans'))('is written as it was read: %s', (name) => {
    const read = bundledPlan(name);
    expect(readPlan(writePlan(read))).toEqual(read);
  });
});
