import {
  type ChartBar,
  type ChartFault,
  type ChartLimit,
  type ChartRow,
  type ChartShade,
  EMPTY_ROW,
  type MissingFault,
  PLAIN_BAR,
} from 'alas-jssp/chart';
import { drivesOf, engagementsOf, follow, type Presence } from '../judge/timeline.js';
import type { Violation } from '../judge/violation.js';
import { formatClock } from '../model/clock.js';
import { type Action, actorsOf } from '../model/plan.js';
import type { Activity, Person, Problem, Vehicle } from '../model/problem.js';
import type { Change } from '../repair/changes.js';
import { actionLabels, describeAction, nameOf, slowTimes } from './action-labels.js';
import { awayTimes, closedTimes, limitsOfActivity, limitsOfPerson } from './chart-limits.js';
import type { PlanView } from './plan-view.js';

/** A bar of an action, or of what people and vehicles do between actions. */
export interface PlanBar extends ChartBar {
  readonly kind: 'drive' | 'activity' | 'stay' | 'wait' | 'watch' | 'traffic' | 'ghost';
  readonly change: Change['kind'] | null;
}

/** The row of a person, a vehicle, an activity or a traffic change, over the time of a plan. */
export interface PlanChartRow extends ChartRow<PlanBar> {
  readonly group: 'People' | 'Vehicles' | 'Activities' | 'Roads';
  readonly id: string;
}

/** A violation with its number in the list of causes. */
interface NumberedViolation extends ChartFault {
  readonly violation: Violation;
}

/** The rows of a plan's chart: roads with traffic, people, vehicles, activities. */
export function chartRows(view: PlanView): PlanChartRow[] {
  const { problem, plan, groups } = view;
  const actions = plan.actions.map((action) => (action.end < action.start ? null : action));
  const numbered = groups.flatMap(({ root, cascades }, at) =>
    [root, ...cascades].map((violation) => ({
      violation,
      number: at + 1,
      message: `${violation.message} (${violation.code})`,
    })),
  );
  const row = (
    group: PlanChartRow['group'],
    { id, name }: { readonly id: string; readonly name: string },
    presences: readonly Presence[],
    limits: readonly ChartLimit[],
    shades: readonly ChartShade[],
    watches: readonly PlanBar[] = [],
  ): PlanChartRow => {
    const own = plan.actions.flatMap((action, at) =>
      concerns(action, id) ? barOf(view, numbered, action, at, id) : [],
    );
    const waits = group === 'Activities' ? [] : waitsBetween(presences, own);
    const ghosts = group === 'Activities' ? [] : ghostsOf(view, id);
    const bars = [...waits, ...watches, ...own, ...ghosts];
    const missing = missingOf(view, numbered, id, limits);
    return { ...EMPTY_ROW, group, id, name, limits, shades, bars, missing };
  };
  const presences = new Map(
    [...problem.people.values()].map((person) => [
      person.id,
      presencesOf(problem, person, actions),
    ]),
  );
  return [
    ...trafficRows(problem),
    ...Array.from(problem.people.values(), (person) =>
      row(
        'People',
        person,
        presences.get(person.id) ?? [],
        limitsOfPerson(problem, person),
        awayTimes(person),
      ),
    ),
    ...Array.from(problem.vehicles.values(), (vehicle) => {
      const parked = presencesOf(problem, vehicle, actions);
      return row('Vehicles', vehicle, parked, [], awayTimes(vehicle));
    }),
    ...Array.from(problem.activities.values(), (activity) => {
      const watches = watchesOf(problem, activity, actions, presences);
      const closed = closedTimes(problem, activity);
      return row('Activities', activity, [], limitsOfActivity(activity), closed, watches);
    }),
  ];
}

function concerns(action: Action, id: string): boolean {
  return actorsOf(action).includes(id) || (action.do === 'activity' && action.activity === id);
}

function barOf(
  { problem, changes, side }: PlanView,
  numbered: readonly NumberedViolation[],
  action: Action,
  at: number,
  row: string,
): PlanBar[] {
  const { start, end } = action;
  if (end < start) return [];
  const activity = action.do === 'activity' ? problem.activities.get(action.activity) : undefined;
  const isHere = row === activity?.id || activity === undefined;
  const faults = numbered.filter(
    ({ violation }) => violation.action === at && isAbout(violation, action, row),
  );
  return [
    {
      ...PLAIN_BAR,
      kind: action.do,
      place: action.do === 'stay' ? 'strip' : 'lane',
      isLabelledBeside: action.do === 'activity' && row === action.activity,
      start,
      item: at,
      faults,
      slow: slowTimes(problem, action),
      end: isHere ? end : Math.min(end, start + activity.busy),
      labels: actionLabels(problem, action, row),
      title: describeAction(problem, action),
      colour: colourOf(problem, action),
      change: changes?.changes.find((one) => one[side] === action)?.kind ?? null,
    },
  ];
}

/** Whether a violation is drawn in a row: it names the row, or none of the actors of its action. */
function isAbout(violation: Violation, action: Action, row: string): boolean {
  const named = namedBy(violation).filter((id) => concerns(action, id));
  return named.length === 0 || named.includes(row);
}

function namedBy({ person, vehicle, activity }: Violation): string[] {
  return [person, vehicle, activity].filter((id) => id !== undefined);
}

/** Faults of a row without an action: placed within the limits of the row, or in the rewritten past. */
function missingOf(
  { problem, now }: PlanView,
  numbered: readonly NumberedViolation[],
  row: string,
  limits: readonly ChartLimit[],
): MissingFault[] {
  const times = (side: ChartLimit['side']) =>
    limits.filter((limit) => limit.side === side).map(({ time }) => time);
  const from =
    times('from')
      .toSorted((a, b) => a - b)
      .at(0) ?? Number.NEGATIVE_INFINITY;
  const until =
    times('by')
      .toSorted((a, b) => b - a)
      .at(0) ?? Number.POSITIVE_INFINITY;
  return numbered.flatMap(({ violation, number, message }) => {
    const named = namedBy(violation);
    const people = problem.rides.get(violation.ride ?? '')?.people ?? [];
    const isHere = (named.length === 0 ? people : named).includes(row);
    if (violation.action !== undefined || !isHere) return [];
    const [first, last] =
      violation.found === undefined || now === null ? [from, until] : [violation.found, now];
    return { number, message, from: first, until: last };
  });
}

function colourOf({ vehicles, activities }: Problem, action: Action): number | null {
  if (action.do === 'stay') return null;
  const at =
    action.do === 'drive'
      ? [...vehicles.keys()].indexOf(action.vehicle)
      : vehicles.size + [...activities.keys()].indexOf(action.activity);
  return at < 0 ? null : at;
}

/** The presences of a person or a vehicle, as the judge follows them. */
function presencesOf(
  problem: Problem,
  mover: Person | Vehicle,
  actions: readonly (Action | null)[],
): readonly Presence[] {
  const engagements = problem.vehicles.has(mover.id)
    ? drivesOf(actions, mover.id)
    : engagementsOf(problem, actions, mover.id);
  return follow(mover, engagements, () => {}).presences;
}

/** Bars for the times at which a person or a vehicle waits at a place. */
function waitsBetween(presences: readonly Presence[], own: readonly PlanBar[]): PlanBar[] {
  const busy = own
    .filter(({ kind }) => kind !== 'stay')
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
  return presences.flatMap(({ at, from, until }) => {
    const free: [number, number][] = [];
    let time = from;
    for (const { start, end } of busy) {
      if (start >= until) break;
      if (start > time) free.push([time, start]);
      time = Math.max(time, end);
    }
    if (time < until) free.push([time, until]);
    return free.map(([start, end]) => plainBar('wait', start, end, at, `at ${at}`));
  });
}

/** Bars at the previous times of a row's postponed and advanced actions. */
function ghostsOf({ problem, changes, side }: PlanView, row: string): PlanBar[] {
  if (side === 'before') return [];
  return (changes?.changes ?? []).flatMap(({ kind, before }) => {
    if (kind !== 'moved' || before === null || !concerns(before, row)) return [];
    const title = `before: ${describeAction(problem, before)}`;
    return plainBar('ghost', before.start, before.end, '', title);
  });
}

/** Bars for the people who watch an activity at its place. */
function watchesOf(
  problem: Problem,
  { id, watchedBy }: Activity,
  actions: readonly (Action | null)[],
  presences: ReadonlyMap<string, readonly Presence[]>,
): PlanBar[] {
  return actions.flatMap((action) => {
    if (watchedBy === null || action?.do !== 'activity' || action.activity !== id) return [];
    return watchedBy.flatMap((person) =>
      (presences.get(person) ?? []).flatMap(({ at, from, until }) => {
        const [start, end] = [Math.max(from, action.start), Math.min(until, action.end)];
        if (at !== action.at || start >= end) return [];
        const times = `${formatClock(start)} to ${formatClock(end)}`;
        const title = `${nameOf(problem, person)} is at ${at}, ${times}`;
        return plainBar('watch', start, end, nameOf(problem, person), title);
      }),
    );
  });
}

function trafficRows({ traffic, facts }: Problem): PlanChartRow[] {
  return traffic.map(({ from, until, factor }, at) => {
    const { places = [], roads = [] } = facts.traffic[at];
    const name = [...places, ...roads.map((pair) => pair.join(' → '))].join(', ') || 'everywhere';
    const words = Number.isFinite(factor) ? `${factor} times as slow` : 'closed';
    const bars = [plainBar('traffic', from, until, words, `${name}: ${words}`)];
    return { ...EMPTY_ROW, group: 'Roads', id: `traffic-${at}`, name, bars };
  });
}

const PLACES = { wait: 'behind', ghost: 'before', watch: 'strip', traffic: 'lane' } as const;

/** A bar without an action. */
function plainBar(
  kind: keyof typeof PLACES,
  start: number,
  end: number,
  label: string,
  title: string,
): PlanBar {
  const labels = label === '' ? [] : [label];
  return { ...PLAIN_BAR, kind, place: PLACES[kind], start, end, labels, title };
}
