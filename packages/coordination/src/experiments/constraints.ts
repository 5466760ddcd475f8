import { judge } from '../judge/judge.js';
import type { Past } from '../judge/past.js';
import type { Violation } from '../judge/violation.js';
import type { CoordinationPlan } from '../model/plan.js';
import { type Problem, readProblem } from '../model/problem.js';
import type { ProblemFacts } from '../model/problem-schema.js';
import { statementsOf } from '../model/statements.js';

/** One constraint of a problem that can be stated on its own, and omitted. */
export interface StatedConstraint {
  /** Where it is in the file of the problem, such as `places/T/open`. */
  readonly id: string;
  /** In words, with the thing that it limits. */
  readonly says: string;
  /** Activities and rides without which a plan keeps it only because it does nothing. */
  readonly subjects: readonly string[];
}

/** The lists of a problem, and the fields of their entries that limit plans. */
const FIELDS = {
  places: ['open'],
  people: ['from', 'until', 'leaves_after'],
  vehicles: ['from', 'until', 'after', 'range_km'],
  activities: ['start', 'end', 'after', 'watched_by', 'uses'],
  rides: ['pickup', 'arrive', 'vehicles', 'together', 'apart'],
} as const;

type ListKey = keyof typeof FIELDS;
type Entry = Readonly<Record<string, unknown>> & { readonly id: string };

/** The constraints of a problem, in the order of its file. Roads, people, activities and rides themselves are none. */
export function constraintsOf(problem: Problem): StatedConstraint[] {
  const { facts } = problem;
  const none = linesOf(keepConstraints(problem, new Set()));
  return idsOf(facts).map((id) => {
    const lines = linesOf(keepConstraints(problem, new Set([id])));
    const says = lines.filter((line) => !none.includes(line)).join('; ');
    return { id, says, subjects: subjectsOf(facts, id) };
  });
}

/** The problem with only some of its constraints. */
export function keepConstraints(problem: Problem, kept: ReadonlySet<string>): Problem {
  const { facts } = problem;
  const lists = (Object.keys(FIELDS) as ListKey[]).map((list) => [
    list,
    entriesOf(facts, list).map((entry) => {
      const dropped = FIELDS[list].filter((field) => !kept.has(`${list}/${entry.id}/${field}`));
      return Object.fromEntries(
        Object.entries(entry).filter(([key]) => !dropped.some((field) => field === key)),
      );
    }),
  ]);
  const traffic = facts.traffic.filter((_, at) => kept.has(`traffic/${at}`));
  return readProblem({ ...facts, ...Object.fromEntries(lists), traffic });
}

/**
 * The constraints that a plan keeps, by the judge: stated alone, such a constraint adds no violation to those without
 * any, and everything that it limits is done.
 */
export function keptBy(
  problem: Problem,
  plan: CoordinationPlan,
  past: Past | undefined,
): ReadonlySet<string> {
  const unclaimed = { ...plan, claims: {} };
  const violations = (kept: ReadonlySet<string>) =>
    judge(keepConstraints(problem, kept), unclaimed, past).violations;
  const without = violations(new Set());
  const known = new Set(without.map(keyOf));
  const undone = new Set(
    without
      .filter(({ code }) => code === 'missing_activity' || code === 'not_served')
      .flatMap(({ activity, ride }) => activity ?? ride ?? []),
  );
  const kept = constraintsOf(problem)
    .filter(({ subjects }) => !subjects.some((one) => undone.has(one)))
    .filter(({ id }) => violations(new Set([id])).every((one) => known.has(keyOf(one))));
  return new Set(kept.map(({ id }) => id));
}

function keyOf({ code, action, person, vehicle, activity, ride, message }: Violation): string {
  return JSON.stringify([code, action, person, vehicle, activity, ride, message]);
}

/** The statements of a problem as lines. */
function linesOf(problem: Problem): string[] {
  return statementsOf(problem).map(({ kind, name, facts }) => `${kind} ${name}: ${facts}`);
}

function idsOf(facts: ProblemFacts): string[] {
  const fields = (Object.keys(FIELDS) as ListKey[]).flatMap((list) =>
    entriesOf(facts, list).flatMap((entry) =>
      FIELDS[list]
        .filter((field) => isStated(entry[field]))
        .map((field) => `${list}/${entry.id}/${field}`),
    ),
  );
  return [...fields, ...facts.traffic.map((_, at) => `traffic/${at}`)];
}

function isStated(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function entriesOf(facts: ProblemFacts, list: ListKey): readonly Entry[] {
  return facts[list] as readonly Entry[];
}

function subjectsOf(
  { activities, rides, people, vehicles }: ProblemFacts,
  constraint: string,
): string[] {
  const [list, id, field] = constraint.split('/');
  const due = activities.filter(({ optional }) => !optional);
  if (list === 'activities' || list === 'rides') return [id];
  if (list === 'places') return due.filter(({ at }) => at.includes(id)).map((one) => one.id);
  if (field === 'leaves_after') return people.find((one) => one.id === id)?.leaves_after ?? [];
  if (field === 'after') return vehicles.find((one) => one.id === id)?.after ?? [];
  return [...due, ...rides].map((one) => one.id);
}
