import { createRandom } from '@alas-jssp/core';
import { formatClock } from '../../model/clock.js';
import {
  answerClaims,
  answerClock,
  answerNamed,
  answerObject,
  answerRows,
} from '../problems/answer-json.js';
import { type PlanStatement, planJsonRequest } from '../problems/plan-prompt.js';
import type {
  RealmAnswer,
  RealmProblem,
  RealmRepair,
  RealmSearch,
} from '../problems/realm-problem.js';
import {
  costOfGroups,
  type GroupTour,
  type GroupTours,
  readGroupTours,
  wantedStart,
  writeGroupTours,
} from './groups.js';
import { judgeGroups } from './judge-groups.js';
import { searchGroups } from './search-groups.js';

const ASSUMPTIONS = [
  'Arrivals, preferred times and availability are hours of the day; a tour lies within the availability of its guide.',
  'Each group has a tour of its own; a guide leads one at a time, without a break between two.',
  'A group wants to start at its preferred time, or when it arrives if that is later. It costs a minute for each minute before or after that.',
  'Guides are busy in balance: the busiest one costs a minute for each minute more than the least busy one leads.',
];

/** Tours of several groups as a problem of a suite. */
export function groupsProblem(problem: GroupTours, facts: unknown): RealmProblem {
  return {
    instance: problem.name,
    facts,
    assumptions: ASSUMPTIONS,
    unit: 'minutes off wanted starts, and of imbalance',
    judge: (plan) => judgeGroups(problem, readGroupTours(plan)),
    search: async () => searchResult(problem),
    random: (seed) => writeGroupTours(randomTours(problem, seed)),
    request: () => planJsonRequest(describeGroups(problem), EXAMPLE),
    decode: (text) => decodeGroups(problem, text),
    repair: async (plan) => repairGroups(problem, readGroupTours(plan)),
    events: [],
  };
}

function searchResult(problem: GroupTours): RealmSearch {
  const began = performance.now();
  const found = searchGroups(problem);
  const seconds = (performance.now() - began) / 1000;
  if (found === null) {
    const reason = 'no division of the groups among the guides keeps all times';
    return { plan: null, cost: null, bound: null, status: 'infeasible', seconds, reason };
  }
  const { tours, cost } = found;
  return {
    plan: writeGroupTours(tours),
    cost,
    bound: cost,
    status: 'optimal',
    seconds,
    reason: null,
  };
}

/** Each group with any guide, at any quarter of an hour at which both are there, if there is one. */
function randomTours({ groups, guides, minutes }: GroupTours, seed: number): GroupTour[] {
  const random = createRandom(seed);
  return groups.map(({ id, arrives }) => {
    const guide = guides[random.integer(0, guides.length - 1)];
    const from = Math.max(arrives, guide.from);
    const quarters = Math.max(0, Math.floor((guide.until - minutes - from) / 15));
    return { group: id, guide: guide.id, start: from + 15 * random.integer(0, quarters) };
  });
}

/** A changed tour costs more than all waits of any plan. */
const CHANGE = 1_000_000;

/** The valid plan with the fewest groups at another guide or another time, then the cheapest. */
function repairGroups(problem: GroupTours, plan: readonly GroupTour[]): RealmRepair | null {
  const isKept = (tour: GroupTour) =>
    plan.some(
      ({ group, guide, start }) =>
        group === tour.group && guide === tour.guide && start === tour.start,
    );
  const found = searchGroups(
    problem,
    (tour, group) => Math.abs(tour.start - wantedStart(group)) + (isKept(tour) ? 0 : CHANGE),
    plan.map(({ start }) => start),
  );
  if (found === null) return null;
  const edits = found.tours.filter((tour) => !isKept(tour)).length;
  const cost = costOfGroups(problem, found.tours);
  return { plan: writeGroupTours(found.tours), cost, edits, radius: edits / problem.groups.length };
}

const EXAMPLE = {
  tours: [
    { group: 'school', guide: 'ann', start: '09:30' },
    { group: 'club', guide: 'ben', start: '10:00' },
  ],
  feasible: true,
  cost: 30,
};

function describeGroups({ name, groups, guides, minutes, mostPeople }: GroupTours): PlanStatement {
  return {
    task: `Problem '${name}': plan tours of a campus for groups of visitors. Each group has one tour of its own, led by one guide. A tour takes ${minutes} minutes, is for at most ${mostPeople} people, starts when the group is there or later, and lies within the times of its guide, who leads one tour at a time.`,
    sections: [
      {
        name: 'Groups',
        lines: groups.map(
          ({ id, size, arrives, prefers }) =>
            `${id}: ${size} people, arrives at ${formatClock(arrives)}, prefers to start at ${formatClock(prefers)}`,
        ),
      },
      {
        name: 'Guides',
        lines: guides.map(
          ({ id, from, until, mostPeople: most }) =>
            `${id}: available from ${formatClock(from)} to ${formatClock(until)}, leads at most ${most} people`,
        ),
      },
    ],
    objective:
      'A group wants to start at its preferred time, or when it arrives if that is later. The best plan costs least: one for each minute that a tour starts before or after that, and one for each minute that the busiest guide leads more than the least busy one.',
  };
}

function decodeGroups({ groups, guides }: GroupTours, text: string): RealmAnswer {
  const answer = answerObject(text, 'tours');
  const claims = answerClaims(answer);
  if (answer === null) return { plan: null, claims, form: 'none', unread: [] };
  const unread: string[] = [];
  const tours = answerRows(answer, 'tours').flatMap((row, i) => {
    const start = answerClock(row.start);
    if (start === null) unread.push(`tours[${i}].start: ${JSON.stringify(row.start ?? null)}`);
    const named = (value: unknown, of: readonly { readonly id: string }[]) =>
      answerNamed(
        value,
        of.map(({ id }) => id),
      );
    if (start === null) return [];
    return [{ group: named(row.group, groups), guide: named(row.guide, guides), start }];
  });
  return { plan: writeGroupTours(tours), claims, form: 'json', unread };
}
