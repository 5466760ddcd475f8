import type { ViolationCode } from '../../src/judge/violation.js';
import { actorsOf } from '../../src/model/plan.js';
import type { Injector } from './inject.js';
import { arrivalOf, routesOf } from './oracle-travel.js';

type Codes =
  | 'unknown_name'
  | 'wrong_times'
  | 'repeated_person'
  | 'past_rewritten'
  | 'past_invented'
  | 'too_fast'
  | 'not_there'
  | 'overlap'
  | 'no_driver'
  | 'repeated_activity'
  | 'wrong_person'
  | 'missing_activity'
  | 'false_claim';

/** Faults that are put into the plan. */
export const injectionsIntoPlan: Record<Extract<ViolationCode, Codes>, Injector> = {
  unknown_name: (random, { plan: { actions } }) => {
    const at = random.int(0, actions.length - 1);
    const action = actions[at];
    const wrong =
      action?.do === 'drive'
        ? random.pick([{ vehicle: 'v9' }, { to: 'p0>p9@1' }, { who: 'h9' }, { from: 'p9' }])
        : random.pick([{ at: 'p9' }, { who: ['h9'] }]);
    if (action === undefined) return null;
    return {
      actions: actions.with(at, { ...action, ...wrong } as typeof action),
      about: { action: at },
    };
  },
  wrong_times: (random, { plan: { actions } }) => {
    const at = random.int(0, actions.length - 1);
    if (actions.length === 0) return null;
    const end = actions[at].start - random.int(1, 9);
    return { actions: actions.with(at, { ...actions[at], end }), about: { action: at } };
  },
  repeated_person: (random, { drives, plan: { actions } }) => {
    if (drives.length === 0) return null;
    const { at, action } = random.pick(drives);
    const person = [...action.with, action.who].find((one) => one !== null);
    if (person === undefined) return null;
    const twice = { ...action, with: [...action.with, person] };
    return { actions: actions.with(at, twice), about: { action: at } };
  },
  past_rewritten: (random, { plan }) => {
    const { actions } = plan;
    const at = random.int(0, actions.length - 1);
    const action = actions[at];
    if (action === undefined || action.do === 'stay') return null;
    const past = { plan, now: action.start + random.int(1, 30) };
    const about =
      action.do === 'drive' ? { vehicle: action.vehicle } : { activity: action.activity };
    return { actions: actions.toSpliced(at, 1), past, about };
  },
  past_invented: (random, { plan }) => {
    const { actions } = plan;
    const at = random.int(0, actions.length - 1);
    if (actions.length === 0 || actions[at].do === 'stay') return null;
    const before = { ...plan, actions: actions.toSpliced(at, 1) };
    const past = { plan: before, now: actions[at].start + random.int(1, 30) };
    return { past, about: { action: at } };
  },
  too_fast: (random, { problem, drives, plan: { actions } }) => {
    if (drives.length === 0) return null;
    const { at, action } = random.pick(drives);
    const { from, to, start, vehicle } = action;
    const arrivals = routesOf(problem, from, to).map((way) => arrivalOf(problem, way, start));
    const end = Math.min(...arrivals.map((one) => one ?? 1e9)) - 1;
    if (end < start) return null;
    return { actions: actions.with(at, { ...action, end }), about: { action: at, vehicle } };
  },
  not_there: (random, { problem, doings, plan: { actions } }) => {
    const done = doings.filter(({ action }) => action.who.length > 0);
    if (done.length === 0) return null;
    const { at, action } = random.pick(done);
    const place = random.pick([...problem.places.keys()].filter((one) => one !== action.at));
    const elsewhere = actions.with(at, { ...action, at: place });
    return { actions: elsewhere, about: { action: at, person: action.who[0] } };
  },
  overlap: (random, { facts, drives, plan: { actions } }) => {
    const long = drives.filter(({ action }) => action.end > action.start + 1);
    if (long.length === 0) return null;
    const { action } = random.pick(long);
    const person = [...action.with, action.who].find((one) => one !== null);
    if (person === undefined) return null;
    const start = random.int(action.start + 1, action.end - 1);
    const extra = { id: 'extra', at: [action.to], minutes: 0 };
    const at = (facts.places ?? []).some(({ id }) => id === action.to) ? action.to : null;
    if (at === null) return null;
    return {
      facts: { ...facts, activities: [...(facts.activities ?? []), extra] },
      actions: [
        ...actions,
        { do: 'activity', activity: 'extra', who: [person], at, start, end: start },
      ],
      about: { action: actions.length, person },
    };
  },
  no_driver: (random, { drives, plan: { actions } }) => {
    const driven = drives.filter(({ action }) => action.who !== null);
    if (driven.length === 0) return null;
    const { at, action } = random.pick(driven);
    const without = { ...action, who: null };
    return { actions: actions.with(at, without), about: { action: at, vehicle: action.vehicle } };
  },
  repeated_activity: (random, { doings, plan: { actions } }) => {
    if (doings.length === 0) return null;
    const { action } = random.pick(doings);
    const about = { action: actions.length, activity: action.activity };
    return { actions: [...actions, action], about };
  },
  wrong_person: (random, { problem, doings, plan: { actions } }) => {
    const asked = doings.flatMap(({ at, action }) => {
      const { all = [], any = [] } = problem.activities.get(action.activity) ?? {};
      const others = [...problem.people.keys()].filter((one) => ![...all, ...any].includes(one));
      return all.length + any.length === 0 || others.length === 0 ? [] : [{ at, action, others }];
    });
    if (asked.length === 0) return null;
    const { at, action, others } = random.pick(asked);
    const person = random.pick(others);
    return {
      actions: actions.with(at, { ...action, who: [...action.who, person] }),
      about: { action: at, activity: action.activity, person },
    };
  },
  missing_activity: (random, { doings, plan: { actions } }) => {
    if (doings.length === 0) return null;
    const { at, action } = random.pick(doings);
    return { actions: actions.toSpliced(at, 1), about: { activity: action.activity } };
  },
  false_claim: (random, { plan: { actions, claims } }) => {
    const ends = actions.filter((one) => actorsOf(one).length > 0 && one.do !== 'stay');
    if (ends.length === 0) return null;
    const finish = Math.max(...actions.map(({ end }) => end)) + 1000;
    const metres = (claims.metres ?? 0) + 1_000_000;
    return { claims: random.chance(0.5) ? { finish } : { metres }, about: {} };
  },
};
