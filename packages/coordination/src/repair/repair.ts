import { AlasError, InputError } from 'alas-jssp';
import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import type { Violation } from '../judge/violation.js';
import { formatClock } from '../model/clock.js';
import { costOfPlan, type PlanCost } from '../model/cost.js';
import { type Action, actorsOf, type CoordinationPlan, engagedUntil } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { earliestArrival } from '../model/travel.js';
import { putOffEarly } from '../plan/just-in-time.js';
import { inOrder } from '../plan/next-actions.js';
import { type PlanOptions, planCoordination } from '../plan/plan.js';
import { type Changes, changesBetween } from './changes.js';
import { leaveLater, rerouteRides } from './reroute.js';

/** The steps of a repair, in the order in which they are tried. */
export const REPAIR_PHASES = ['keep', 'retime', 'reroute', 'near', 'wider', 'anew'] as const;
export type RepairPhase = (typeof REPAIR_PHASES)[number];

/** The changes that each step of a repair makes, in words. */
export const REPAIR_PHASE_WORDS: Readonly<Record<RepairPhase, string>> = {
  keep: 'the plan still holds',
  retime: 'the same actions, at other times',
  reroute: 'rides put into the ways of vehicles, or left out of them',
  near: 'other actions of those who were hit',
  wider: 'other actions of those who were hit and of those who act with them',
  anew: 'planned anew, but for what has begun',
};

/** The budget of each repair step if equal repairs must give equal plans. */
export const REPAIR_BUDGET = '20k-iterations';

export interface RepairOptions extends Pick<PlanOptions, 'budget' | 'seed' | 'signal'> {
  /** The minute at which the changes are known: actions that begin before it stay. */
  readonly now: number;
}

/** A repaired plan, the step that found it, and its changes. */
export interface CoordinationRepair extends Changes {
  readonly plan: CoordinationPlan;
  readonly phase: RepairPhase;
  /** Faults of the previous plan. */
  readonly violations: readonly Violation[];
  readonly cost: PlanCost;
  readonly costBefore: PlanCost;
  /** People and vehicles that were free to do something else. */
  readonly freed: readonly string[];
}

/**
 * Repairs a plan after its problem has changed, in the order of the Localized Cascading Repair Protocol: keep the plan
 * if it is still valid; move its actions in time, if necessary with shorter activities; insert rides into the routes of
 * vehicles, or remove rides; replan the actors that the faults concern; then repeatedly also those who share actions
 * with them; at last replan all. Begun actions stay. From `near` on the plan with the fewest changed actions is chosen,
 * then the cheapest. The plan claims nothing.
 *
 * @param problem the changed problem
 * @throws InputError `bad_event` if the changed problem contradicts the past
 * @throws AlasError `no_plan` if it is proven that no plan is left, `none_found` if none was found in time
 */
export function repairCoordination(
  problem: Problem,
  before: CoordinationPlan,
  { now, ...means }: RepairOptions,
): CoordinationRepair {
  const past: Past = { plan: before, now };
  requirePossible(problem, before, now);
  const { violations } = judge(problem, { ...before, claims: {} }, past);
  const result = (plan: CoordinationPlan, phase: RepairPhase, freed: readonly string[]) => ({
    plan,
    phase,
    violations,
    freed,
    cost: costOfPlan(problem, plan),
    costBefore: costOfPlan(problem, before),
    ...changesBetween(problem, before, plan),
  });
  const needless = needlessDrives(problem, before.actions, now);
  if (violations.length === 0 && needless.length === 0)
    return result({ ...before, claims: {} }, 'keep', []);
  const isAccepted = (plan: CoordinationPlan) => judge(problem, plan, past).valid;
  const retimed = [before, shortened(problem, before, now)].map((plan) =>
    retime(problem, plan, now),
  );
  const kept = needless.length > 0 ? undefined : retimed.find(isAccepted);
  if (kept !== undefined) return result(kept, 'retime', []);
  const rerouted = rerouteRides(problem, before, now, means);
  if (rerouted !== null && isAccepted(rerouted)) {
    const later = leaveLater(problem, rerouted, before, isAccepted);
    return result(putOffEarly(problem, later, past, before.actions), 'reroute', []);
  }
  const everybody = [...problem.people.keys(), ...problem.vehicles.keys()];
  const hit = hitBy(problem, before.actions, violations);
  let free = new Set([...hit, ...needless.flatMap(actorsOf)]);
  if (hasNewRide(violations))
    for (const who of idleFrom(problem, before.actions, now)) free.add(who);
  for (let phase: RepairPhase = 'near'; free.size < everybody.length; phase = 'wider') {
    const fixed = before.actions.filter(
      (one) => one.start >= now && one.do !== 'stay' && !actorsOf(one).some((who) => free.has(who)),
    );
    const found = tryPlan(problem, { ...means, past, fixed, keeps: before.actions, free });
    if (found !== null && isAccepted(found)) return result(found, phase, [...free]);
    const wider = withNeighbours(before.actions, free);
    if (wider.size === free.size) break;
    free = wider;
  }
  const { plan } = planCoordination(problem, { ...means, past, keeps: before.actions });
  if (isAccepted(plan)) return result(plan, 'anew', everybody);
  const [fault] = judge(problem, plan, past).violations;
  throw new AlasError('none_found', `no plan was found that the judge accepts: ${fault.message}`);
}

function tryPlan(problem: Problem, options: PlanOptions): CoordinationPlan | null {
  try {
    return planCoordination(problem, options).plan;
  } catch (error) {
    if (error instanceof AlasError && ['no_plan', 'none_found'].includes(error.code)) return null;
    throw error;
  }
}

/** The same actions in the same order, each as early as possible, but not before its planned time. */
function retime(
  problem: Problem,
  { actions, ...plan }: CoordinationPlan,
  now: number,
): CoordinationPlan {
  const freeAt = new Map<string, number>();
  const moved = inOrder(actions.filter(({ do: kind }) => kind !== 'stay')).map((action): Action => {
    const actors = actorsOf(action);
    const ready = Math.max(0, ...actors.map((who) => freeAt.get(who) ?? startOf(problem, who)));
    const start = action.start < now ? action.start : Math.max(action.start, ready);
    const end = action.end <= now ? action.end : endOf(problem, action, start);
    const moved = { ...action, start, end };
    const until = engagedUntil(problem, moved);
    for (const who of actors) freeAt.set(who, Math.max(until, freeAt.get(who) ?? 0));
    return moved;
  });
  return { ...plan, actions: inOrder(moved), claims: {} };
}

/** The plan with the shortest permitted durations of future activities. */
function shortened(problem: Problem, plan: CoordinationPlan, now: number): CoordinationPlan {
  const actions = plan.actions.map((action) =>
    action.do === 'activity' && action.start >= now
      ? { ...action, end: action.start + (problem.activities.get(action.activity)?.minutes ?? 0) }
      : action,
  );
  return { ...plan, actions };
}

function startOf({ people, vehicles }: Problem, who: string): number {
  return people.get(who)?.from ?? vehicles.get(who)?.from ?? 0;
}

function endOf(problem: Problem, action: Action, start: number): number {
  if (action.do !== 'drive') {
    const minutes = action.do === 'activity' ? problem.activities.get(action.activity)?.minutes : 0;
    return start + Math.max(minutes ?? 0, action.end - action.start);
  }
  const { from, to } = action;
  const arrives = earliestArrival(problem, from, to, start) ?? start;
  // A planned wait on the way is kept as long as it helps.
  return Math.max(arrives, start === action.start ? action.end : arrives);
}

/**
 * Checks that the new facts do not contradict the past, such as a delay of a person who has already arrived.
 *
 * @throws InputError `bad_event`
 */
export function requirePossible(
  problem: Problem,
  { actions, ...plan }: CoordinationPlan,
  now: number,
): void {
  const { violations } = judge(problem, { ...plan, actions, claims: {} });
  const fault = violations.find(
    ({ action }) =>
      action !== undefined && actions[action].end <= now && actions[action].start < now,
  );
  if (fault === undefined) return;
  const message = `what is told at ${formatClock(now)} contradicts what has happened: ${fault.message}`;
  throw new InputError('bad_event', message, 'tell what is still to come', {}, fault);
}

/** People and vehicles in violations, and the other actors of the actions at fault. */
function hitBy(
  problem: Problem,
  actions: readonly Action[],
  violations: readonly Violation[],
): Set<string> {
  const hit = new Set<string>();
  for (const { action, person, vehicle, activity, ride } of violations) {
    if (person !== undefined) hit.add(person);
    if (vehicle !== undefined) hit.add(vehicle);
    if (action !== undefined) for (const who of actorsOf(actions[action])) hit.add(who);
    const { all = [], any = [] } = problem.activities.get(activity ?? '') ?? {};
    for (const who of [...all, ...any]) hit.add(who);
    for (const who of problem.rides.get(ride ?? '')?.people ?? []) hit.add(who);
  }
  return hit;
}

/** Future drives with a passenger who has no ride and no activity any more. */
function needlessDrives(problem: Problem, actions: readonly Action[], now: number): Action[] {
  const wanted = new Set([
    ...[...problem.rides.values()].flatMap(({ people }) => people),
    ...[...problem.activities.values()].flatMap(({ all, any }) => [...all, ...any]),
  ]);
  return actions.filter(
    (one) =>
      one.do === 'drive' && one.start >= now && one.with.some((person) => !wanted.has(person)),
  );
}

function hasNewRide(violations: readonly Violation[]): boolean {
  return violations.some(({ code }) => code === 'not_served');
}

/** Vehicles without further actions, and their permitted drivers without further actions. */
function idleFrom({ vehicles }: Problem, actions: readonly Action[], now: number): string[] {
  const busy = new Set(actions.filter(({ end }) => end > now).flatMap(actorsOf));
  const idle = [...vehicles.values()].filter(({ id }) => !busy.has(id));
  return idle.flatMap(({ id, drivers }) => [
    id,
    ...(drivers ?? []).filter((one) => !busy.has(one)),
  ]);
}

/** Some actors, and all who share an action with one of them. */
function withNeighbours(actions: readonly Action[], some: ReadonlySet<string>): Set<string> {
  const near = actions.map(actorsOf).filter((actors) => actors.some((who) => some.has(who)));
  return new Set([...some, ...near.flat()]);
}
