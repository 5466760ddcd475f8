import type { Action, CoordinationPlan } from '../../src/model/plan.js';
import type { Problem } from '../../src/model/problem.js';
import { progressOf } from './oracle-travel.js';
import type { Random } from './random.js';

/** A plan that differs from another one here and there: in times, people, places, order, number or claims. */
export function mutated(
  random: Random,
  problem: Problem,
  plan: CoordinationPlan,
): CoordinationPlan {
  let { actions, claims } = plan;
  for (let i = random.int(1, 3); i > 0; i--) {
    if (actions.length === 0) break;
    const at = random.int(0, actions.length - 1);
    const kind = random.int(0, 9);
    if (kind === 0) actions = actions.toSpliced(at, 1);
    else if (kind === 1) actions = actions.toSpliced(random.int(0, actions.length), 0, actions[at]);
    else if (kind === 2) {
      const rest = actions.toSpliced(at, 1);
      actions = rest.toSpliced(random.int(0, rest.length), 0, actions[at]);
    } else if (kind === 3) claims = { ...claims, ...claimOf(random) };
    else actions = actions.with(at, changed(random, problem, actions[at], kind));
  }
  return { ...plan, actions, claims };
}

/** A plan in which a drive that is under way at a minute ends at a point of its road, and goes back or on from there. */
export function turned(
  random: Random,
  problem: Problem,
  plan: CoordinationPlan,
  now: number,
): CoordinationPlan {
  const at = plan.actions.findIndex(
    (one) => one.do === 'drive' && one.start < now && now < one.end && problem.places.has(one.from),
  );
  const drive = plan.actions[at];
  if (drive?.do !== 'drive' || !problem.places.has(drive.to)) return plan;
  const { from, to, start } = drive;
  const usual = problem.roads.get(from)?.get(to)?.minutes ?? 0;
  const done = Math.floor(1000 * progressOf(problem, from, to, start, now)) / 1000;
  const found = random.chance(0.7) ? done : random.int(0, usual);
  const point = `${from}>${to}@${found}`;
  const end = now + (random.chance(0.8) ? 0 : random.int(-2, 5));
  const onward = random.chance(0.5) ? from : to;
  const length = random.int(0, 2 * usual);
  const rest = { ...drive, from: point, to: onward, start: end, end: end + length };
  return { ...plan, actions: plan.actions.toSpliced(at, 1, { ...drive, to: point, end }, rest) };
}

function claimOf(random: Random): CoordinationPlan['claims'] {
  return random.chance(0.5) ? { finish: random.int(60, 300) } : { metres: random.int(0, 90_000) };
}

function changed(random: Random, problem: Problem, action: Action, kind: number): Action {
  const shift = random.chance(0.5) ? random.int(-3, 3) : random.int(-40, 40);
  if (kind === 4) return { ...action, start: Math.max(0, action.start + shift) };
  if (kind === 5) return { ...action, end: Math.max(0, action.end + shift) };
  if (kind === 6) {
    const by = Math.max(-action.start, -action.end, shift);
    return { ...action, start: action.start + by, end: action.end + by };
  }
  if (kind === 7) return otherPlace(random, problem, action);
  return otherPeople(random, problem, action);
}

function otherPlace(random: Random, problem: Problem, action: Action): Action {
  const place = placeOf(random, problem);
  if (action.do !== 'drive') return { ...action, at: place };
  const side = random.int(0, 2);
  if (side === 0) return { ...action, from: place };
  if (side === 1) return { ...action, to: place };
  const vehicle = random.chance(0.05) ? 'nothing' : random.pick([...problem.vehicles.keys()]);
  return { ...action, vehicle };
}

function placeOf(random: Random, problem: Problem): string {
  if (random.chance(0.05)) return 'nowhere';
  const roads = [...problem.roads.values()].flatMap((row) => [...row.values()]);
  if (roads.length === 0 || random.chance(0.7)) return random.pick([...problem.places.keys()]);
  const { from, to, minutes } = random.pick(roads);
  return `${from}>${to}@${random.int(0, 10 * minutes + 5) / 10}`;
}

function otherPeople(random: Random, problem: Problem, action: Action): Action {
  const person = random.chance(0.05) ? 'nobody' : random.pick([...problem.people.keys()]);
  if (action.do === 'activity' && random.chance(0.2)) {
    return { ...action, activity: random.pick([...problem.activities.keys(), 'nothing']) };
  }
  const change = (who: readonly string[]) => {
    const at = random.int(0, who.length);
    if (random.chance(0.3)) return [...who, person];
    return random.chance(0.5) ? who.toSpliced(at, 1) : who.toSpliced(at, 1, person);
  };
  if (action.do !== 'drive') return { ...action, who: change(action.who) };
  if (random.chance(0.5)) return { ...action, with: change(action.with) };
  return { ...action, who: random.chance(0.3) ? null : person };
}
