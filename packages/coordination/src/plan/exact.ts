import { type Action, actionKey, actorsOf } from '../model/plan.js';
import type { Problem } from '../model/problem.js';
import { createOutlook } from './bounds.js';
import type { Effort } from './effort.js';
import { isComplete, nextStates, type Restriction } from './next-actions.js';
import type { PlanState } from './state.js';

/** The result of an exact search. */
export interface ExactResult {
  /** The cheapest complete state; null if none was found. */
  readonly best: PlanState | null;
  /** Lower bound of the cost of all plans; 0 if the number of changes takes precedence over the cost. */
  readonly lowerBound: number;
  /** Whether the search was exhaustive. */
  readonly isProven: boolean;
}

/** Limits of a search for a repair. */
export interface SearchLimits extends Restriction {
  /** The previous actions: plans with fewer other actions are better; the cost comes second. */
  readonly keeps?: readonly Action[] | null;
  /** A known complete state: the search looks only for cheaper ones. */
  readonly first?: PlanState | null;
  /** Whether the plan of a complete state is accepted. Default: all are. */
  readonly accepts?: (state: PlanState) => boolean;
}

/** Maximum number of states kept for dominance checks, limited by memory. */
const MOST_REMEMBERED = 500_000;
/** The weight of one change, above the cost of any plan. */
const CHANGE = 1e7;

/**
 * Searches all plans whose actions begin as early as possible, in the order of their starts, by depth-first branch and
 * bound with the cheapest continuation first. Of two states with equal positions and equal progress, one that is later
 * for some actor and no cheaper is dominated and pruned. An iteration examines one state; the search yields between
 * iterations.
 */
export function* searchExactly(
  problem: Problem,
  roots: readonly PlanState[],
  effort: Effort,
  { keeps = null, first = null, accepts = () => true, ...limits }: SearchLimits = {},
): Generator<void, ExactResult> {
  const seen: Seen = { labels: new Map(), size: 0 };
  const outlook = createOutlook(problem);
  const known = new Set((keeps ?? []).map(actionKey));
  const others = ({ actions }: PlanState) =>
    keeps === null ? 0 : actions.filter((action) => !known.has(actionKey(action))).length;
  const costOf = (state: PlanState) => costOfState(problem, state) + CHANGE * others(state);
  const bound = (state: PlanState) =>
    costOf(state) + (problem.objective.km * outlook.metresLeft(state)) / 1000;
  let best = first;
  let least = first === null ? Number.POSITIVE_INFINITY : costOf(first);
  let refused = Number.POSITIVE_INFINITY;
  const open = roots.map((state) => ({ state, floor: bound(state) }));
  while (open.length > 0 && !effort.isOver()) {
    yield;
    const { state, floor } = open.pop() as (typeof open)[number];
    if (floor >= least - 1e-9) continue;
    effort.count();
    if (isComplete(problem, state)) {
      if (!accepts(state)) {
        // A different plan of the same cost might be accepted, so a refused plan limits the proven bound.
        refused = Math.min(refused, floor);
        continue;
      }
      best = state;
      least = costOf(state);
      effort.improve(costOfState(problem, state));
      continue;
    }
    const children = nextStates(problem, state, limits)
      .filter(outlook.isHopeful)
      .map((next) => ({ state: next, floor: Math.max(floor, bound(next)) }))
      .filter(
        ({ state: next, floor: cost }) =>
          cost < least - 1e-9 && isNew(problem, seen, next, others(next)),
      )
      .toSorted((a, b) => b.floor - a.floor || b.state.time - a.state.time);
    open.push(...children);
  }
  const rest = open.filter(({ floor }) => floor < least - 1e-9);
  // The cost of a plan does not include changes.
  const low = rest.reduce((lowest, { floor }) => Math.min(lowest, floor), Math.min(least, refused));
  const lowerBound = keeps === null ? low : 0;
  return { best, lowerBound, isProven: rest.length === 0 && refused >= least - 1e-9 };
}

/** The cost of a state at the prices of the problem. */
function costOfState(problem: Problem, state: PlanState): number {
  const { km, finish_minutes, idle_minutes } = problem.objective;
  const weights = problem.preferences.filter(({ id }) => state.broken.has(id));
  const finish = Math.max(0, ...state.actions.map(({ end }) => end));
  return (
    (km * state.metres) / 1000 +
    finish_minutes * finish +
    idle_minutes * state.idle +
    weights.reduce((sum, { weight }) => sum + weight, 0)
  );
}

/**
 * The numbers by which states of the same key are compared: a state dominates another if none of its numbers is
 * greater.
 */
type StateLabel = readonly number[];

/** Examined states, by positions and progress. */
interface Seen {
  readonly labels: Map<string, StateLabel[]>;
  size: number;
}

function isNew(problem: Problem, seen: Seen, state: PlanState, others: number): boolean {
  const key = [
    ...[...state.people.values(), ...state.vehicles.values()].map(({ at }) => at),
    [...state.started.keys()].toSorted().join(),
    [...state.rides.values()].join(),
    [...state.broken].toSorted().join(),
    ...historyOf(problem, state),
    ...Array.from(state.journeys, ([key, trips]) =>
      [key, ...trips.flat().map(({ vehicle, start }) => `${vehicle} ${start}`)].join(),
    ).toSorted(),
  ].join('\n');
  const label = [others, ...labelOf(problem, state)];
  const labels = seen.labels.get(key) ?? [];
  if (labels.some((one) => isNoWorse(one, label))) return false;
  if (seen.size >= MOST_REMEMBERED) return true;
  const rest = labels.filter((one) => !isNoWorse(label, one));
  seen.size += 1 + rest.length - labels.length;
  seen.labels.set(key, [...rest, label]);
  return true;
}

/**
 * The part of the history that future prices depend on: actions in activities with preferences, and, if waiting has a
 * price, the people who have begun any action.
 */
function historyOf({ preferences, objective, people }: Problem, { actions }: PlanState): string[] {
  const minded = new Set(preferences.flatMap(({ activities }) => activities ?? []));
  const doers = actions.flatMap((one) =>
    one.do === 'activity' && minded.has(one.activity) ? [actionKey(one)] : [],
  );
  if (objective.idle_minutes === 0) return doers.toSorted();
  const begun = [...people.keys()].filter((who) =>
    actions.some((one) => actorsOf(one).includes(who)),
  );
  return [...doers.toSorted(), begun.join()];
}

function labelOf(problem: Problem, state: PlanState): StateLabel {
  const label = [state.time, costOfState(problem, state)];
  for (const { since, free } of state.people.values()) {
    label.push(free, since);
    // A person free earlier waits longer, so neither state dominates if waiting has a price.
    if (problem.objective.idle_minutes > 0) label.push(-free);
  }
  for (const { since, free, driven } of state.vehicles.values()) label.push(since, free, driven);
  for (const [id, { end }] of [...state.started].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    label.push(end);
    if (problem.activities.get(id)?.watchedBy !== null) label.push(-end);
  }
  return label;
}

function isNoWorse(one: StateLabel, other: StateLabel): boolean {
  return one.every((value, i) => value <= other[i]);
}
