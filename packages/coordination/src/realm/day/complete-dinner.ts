import { type CoordinationEvent, EVENTS_SCHEMA } from '../../events/events.js';
import { formatClock, parseClock } from '../../model/clock.js';
import { PROBLEM_SCHEMA } from '../../model/problem-schema.js';
import { type RealmFinding, type RealmReading, readingOf } from '../realm-reading.js';
import type { RealmGathering } from '../realm-schema.js';
import { badCompletion, completedNumber, completedTable } from '../suites/completions.js';
import type { RealmCompletions } from '../suites/suite.js';
import { completedRoads } from './completed-roads.js';

const SOURCE =
  'REALM-Bench (arXiv:2502.18836; github.com/genglongling/REALM-Bench), dinners, completed by the user';
const HOME = 'home';

/** Minutes before a flight at which its delay becomes known. */
const KNOWN_BEFORE = 60;

const ASSUMPTIONS = [
  'A minute on the road counts as one kilometre. Any member of the family drives a car, and takes one of its seats.',
  'A member without a flight is where it is stated from the beginning of the day, the others from the arrival of their flight on.',
  'Tasks are done at home by one member with the skill, who does nothing else meanwhile, before the dinner.',
  'No more tasks are done at once than the kitchen has room for, and than cooks are allowed.',
  `The delay of a flight becomes known ${KNOWN_BEFORE} minutes before it should arrive.`,
];

/** A dinner with the facts that the user has stated. @throws InputError `bad_complete` */
export function completeDinner(gathering: RealmGathering, given: RealmCompletions): RealmReading {
  const {
    instance_id: name,
    family_members: members,
    vehicles,
    cooking_tasks: tasks,
    constraints,
  } = gathering;
  const findings: RealmFinding[] = [];
  const minutes = Math.round(completedNumber('travel-times', given['travel-times'] ?? '', 0, 1440));
  const places = [
    ...new Set([
      HOME,
      ...members.flatMap(({ arrival }) => arrival ?? []),
      ...vehicles.flatMap(({ location }) => location ?? []),
    ]),
  ];
  checkWord('goals', given.goals, ['dinner']);
  checkWord('unknown-tasks', given['unknown-tasks'], ['drop']);
  const family = members.map(({ id }) => id);
  checkWord('cooks', given.cooks, ['anyone', ...family]);
  const long = minutesOf(tasks, given['task-minutes'] ?? '');
  const {
    dinner_deadline: deadline = '24:00',
    max_cooks: cooks,
    kitchen_capacity: room,
  } = constraints;
  const dinner = String(deadline);
  const most = Math.min(
    ...[cooks, room].map((one) => (typeof one === 'number' && one >= 1 ? one : tasks.length)),
  );
  const cooksOf = (task: string) => {
    const able = members.filter(({ skills }) => skills.includes(task)).map(({ id }) => id);
    if (able.length > 0) return able;
    return given.cooks === undefined || given.cooks === 'anyone' ? family : [given.cooks];
  };
  const events = eventsOf(gathering, findings);
  const make = (): Pick<RealmReading, 'problem' | 'events'> => ({
    problem: {
      schema: PROBLEM_SCHEMA,
      name,
      source: SOURCE,
      assumptions: ASSUMPTIONS,
      places: places.map((id) => ({ id })),
      roads: completedRoads(gathering, places, minutes),
      people: members.map(({ id, arrival, flight }) => {
        const from = flight == null ? undefined : gathering.flights[flight]?.arrival_time;
        return { id, at: arrival ?? HOME, ...(from !== undefined && { from }) };
      }),
      vehicles: vehicles.map(({ id, location, capacity }) => ({
        id,
        at: location ?? HOME,
        seats: Math.max(0, capacity - 1),
        drivers: family,
      })),
      resources: [{ id: 'kitchen', capacity: most }],
      activities: [
        ...tasks.map((task) => ({
          id: task,
          at: [HOME],
          minutes: long.get(task) ?? 0,
          any: cooksOf(task),
          uses: ['kitchen'],
          after: gathering.cooking_dependencies
            .filter(([before, after]) => after === task && tasks.includes(before))
            .map(([before]) => before),
        })),
        {
          id: 'dinner',
          at: [HOME],
          minutes: 0,
          start: [dinner, dinner],
          all: family,
          after: [...tasks],
        },
      ],
    },
    events:
      events.length === 0 ? null : { schema: EVENTS_SCHEMA, problem: name, source: SOURCE, events },
  });
  return readingOf(name, findings, make);
}

function minutesOf(tasks: readonly string[], text: string): ReadonlyMap<string, number> {
  const table = completedTable('task-minutes', text, tasks, [0, 1440]);
  const missing = tasks.find((task) => !table.has(task));
  if (missing === undefined)
    return new Map(Array.from(table, ([task, time]) => [task, Math.round(time)]));
  throw badCompletion('task-minutes', text, `'${missing}' is missing`, `add ${missing}:30`);
}

function checkWord(key: string, value: string | undefined, words: readonly string[]): void {
  if (value === undefined || words.includes(value)) return;
  throw badCompletion(
    key,
    value,
    `'${value}' is unknown`,
    `write ${key}=${words.join(`, or ${key}=`)}`,
  );
}

/** Delays of flights as delays of those who are on them, in the order in which they become known. */
function eventsOf(
  { disruptions, flights, family_members }: RealmGathering,
  findings: RealmFinding[],
): CoordinationEvent[] {
  return disruptions.flatMap(({ type, flight = '', delay }): CoordinationEvent[] => {
    const arrives = flights[flight]?.arrival_time;
    if (type !== 'flight_delay' || arrives === undefined || delay === undefined) {
      findings.push({
        code: 'unknown_place',
        message: `the ${type} of '${flight}' is not understood`,
      });
      return [];
    }
    const due = parseClock(arrives);
    return family_members
      .filter((member) => member.flight === flight)
      .map(({ id }) => ({
        kind: 'delay',
        at: formatClock(due - KNOWN_BEFORE),
        person: id,
        until: formatClock(due + Math.ceil(delay)),
      }));
  });
}
