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
import { shuffled } from '../problems/shuffled.js';
import { judgeTour } from './judge-tour.js';
import { searchTour, timesOf } from './search-tour.js';
import {
  type CampusPlan,
  type CampusTour,
  readTourPlan,
  walkedMinutes,
  walkMinutes,
  writeTourPlan,
} from './tour.js';

const ASSUMPTIONS = [
  'Distances are minutes on foot, from the first place to the second one; a way through a third place is not taken.',
  'Windows are hours of the day in which a visit begins; a visitor may wait for one.',
  'A tour begins at any time of the day.',
];

/** A tour as a problem of a suite. */
export function tourProblem(tour: CampusTour, facts: unknown): RealmProblem {
  return {
    instance: tour.name,
    facts,
    assumptions: ASSUMPTIONS,
    unit: 'minutes on foot',
    judge: (plan) => judgeTour(tour, readTourPlan(plan)),
    search: async () => searchResult(tour),
    random: (seed) => writeTourPlan(randomTour(tour, seed)),
    request: () => planJsonRequest(describeTour(tour), EXAMPLE),
    decode: (text) => decodeTour(tour, text),
    repair: async (plan) => repairTour(tour, readTourPlan(plan)),
    events: [],
  };
}

function searchResult(tour: CampusTour): RealmSearch {
  const began = performance.now();
  const { plan, cost, bound } = searchTour(tour);
  const seconds = (performance.now() - began) / 1000;
  if (plan === null) {
    const isProven = !Number.isFinite(bound);
    return {
      plan: null,
      cost: null,
      bound: isProven ? null : bound,
      status: isProven ? 'infeasible' : 'open',
      seconds,
      reason: isProven
        ? 'no order of visits keeps all windows and the limit of the tour'
        : 'no tour was found',
    };
  }
  const status = bound >= cost ? 'optimal' : 'feasible';
  return { plan: writeTourPlan(plan), cost, bound, status, seconds, reason: null };
}

/** All places in random order, as late as windows allow, or from 9:00 if they cannot be kept. */
function randomTour(tour: CampusTour, seed: number): CampusPlan {
  const order = shuffled(createRandom(seed), tour.places);
  const timed = timesOf({ ...tour, maxMinutes: Number.POSITIVE_INFINITY }, order, true);
  if (timed !== null) return timed;
  let at = 540;
  const stops = [tour.start, ...order, tour.end];
  const times = stops.slice(1).map((to, i) => {
    const minutes = walkMinutes(tour, stops[i], to);
    at += (Number.isFinite(minutes) ? minutes : 0) + (i > 0 ? tour.visitMinutes : 0);
    return at;
  });
  return { start: 540, visits: order.map((place, i) => ({ place, at: times[i] })), end: at };
}

/** A step that the invalid plan does not have costs as much as no tour does. */
const NEW_STEP = 1_000_000;

/** The valid tour with the fewest steps from place to place that the plan does not have, then the fewest minutes. */
function repairTour(tour: CampusTour, plan: CampusPlan): RealmRepair | null {
  const visited = plan.visits.map(({ place }) => place);
  const stops = [tour.start, ...visited, tour.end];
  const steps = new Set(stops.slice(1).map((to, at) => `${stops[at]}\n${to}`));
  const { plan: found } = searchTour(
    tour,
    (from, to) => walkMinutes(tour, from, to) + (steps.has(`${from}\n${to}`) ? 0 : NEW_STEP),
  );
  if (found === null) return null;
  const order = found.visits.map(({ place }) => place);
  const after = [tour.start, ...order, tour.end];
  const edits = after.slice(1).filter((to, at) => !steps.has(`${after[at]}\n${to}`)).length;
  const cost = walkedMinutes(tour, order);
  return { plan: writeTourPlan(found), cost, edits, radius: edits / (after.length - 1) };
}

const EXAMPLE = {
  start: '09:10',
  visits: [
    { place: 'museum', at: '09:30' },
    { place: 'garden', at: '11:00' },
  ],
  end: '11:20',
  feasible: true,
  cost: 55,
};

function describeTour(tour: CampusTour): PlanStatement {
  const { name, start, end, places, minutes, windows, visitMinutes, maxMinutes, limits } = tour;
  const limit = limits === 'elapsed' ? 'from start to end, with waits' : 'on foot';
  return {
    task: `Problem '${name}': plan one tour of a campus. The tour starts at ${start}, visits each place once, and ends at ${end}. A visit takes ${visitMinutes} minutes. The tour takes at most ${maxMinutes} minutes ${limit}. Waiting before a visit is allowed.`,
    sections: [
      {
        name: 'Opening hours',
        lines: places.map((place) => {
          const window = windows.get(place);
          const when =
            window === undefined ? 'at any time' : `from ${window.map(formatClock).join(' to ')}`;
          return `${place}: a visit begins ${when}`;
        }),
      },
      {
        name: 'Minutes to walk',
        lines: Array.from(
          minutes,
          ([from, row]) =>
            `from ${from}: ${Array.from(row, ([to, time]) => `${to} ${time}`).join(', ')}`,
        ),
      },
    ],
    objective: `The best tour has the fewest minutes on foot: that is its cost. "start" is when it leaves ${start}, "at" when a visit begins, "end" when it arrives at ${end}.`,
  };
}

function decodeTour(tour: CampusTour, text: string): RealmAnswer {
  const answer = answerObject(text, 'visits');
  const claims = answerClaims(answer);
  if (answer === null) return { plan: null, claims, form: 'none', unread: [] };
  const unread: string[] = [];
  const rows = answerRows(answer, 'visits').flatMap((row, i) => {
    const at = answerClock(row.at);
    if (at === null) unread.push(`visits[${i}].at: ${JSON.stringify(row.at ?? null)}`);
    const place = answerNamed(row.place, [...tour.places, tour.start, tour.end]);
    return at === null ? [] : [{ place, at }];
  });
  // The ends of the tour are often listed as visits, and are none.
  const isEnd = (place: string) => !tour.places.includes(place);
  const first =
    rows.length > 0 && rows[0].place === tour.start && isEnd(tour.start) ? rows.shift() : undefined;
  const last =
    rows.length > 0 && rows[rows.length - 1].place === tour.end && isEnd(tour.end)
      ? rows.pop()
      : undefined;
  const start = answerClock(answer.start) ?? first?.at ?? null;
  const end = answerClock(answer.end) ?? last?.at ?? null;
  if (start === null) unread.push('start');
  if (end === null) unread.push('end');
  if (start === null || end === null) return { plan: null, claims, form: 'json', unread };
  return { plan: writeTourPlan({ start, visits: rows, end }), claims, form: 'json', unread };
}
