import { type CoordinationEvent, EVENTS_SCHEMA } from '../../events/events.js';
import { formatClock, parseClock } from '../../model/clock.js';
import { PROBLEM_SCHEMA, type ProblemFile } from '../../model/problem-schema.js';
import { placesOfRoute } from '../realm-map.js';
import { type RealmFinding, type RealmReading, readingOf } from '../realm-reading.js';
import type { RealmGathering } from '../realm-schema.js';
import { badCompletion, completedNames, completedNumber } from '../suites/completions.js';
import type { RealmCompletions } from '../suites/suite.js';
import { completedRoads } from './completed-roads.js';

const SOURCE =
  'REALM-Bench (arXiv:2502.18836; github.com/genglongling/REALM-Bench), weddings, completed by the user';

const ASSUMPTIONS = [
  'All roads lead in both directions; a minute on the road counts as one kilometre.',
  'Vehicles have drivers of their own and carry as many guests as their capacity; the car of a guest is driven by that guest, who takes one of its seats.',
  'Any guest does an errand, alone; errands at the same place may be done by several at once.',
  'The gift shop is open from the time that is stated on, the tailor until the time that is stated.',
  'A route is the road in both directions; a delay is added to the minutes of its road, from its time on until the end of the day; a closure lasts its minutes.',
];

/** A wedding with the facts that the user has stated. @throws InputError `bad_complete` */
export function completeWedding(gathering: RealmGathering, given: RealmCompletions): RealmReading {
  const { instance_id: name, locations, vehicles, guests, errands, constraints } = gathering;
  const findings: RealmFinding[] = [];
  const minutes = Math.round(completedNumber('travel-times', given['travel-times'] ?? '', 0, 1440));
  const away = vehicles.flatMap(({ location }) => location ?? []);
  const places = [...new Set([...Object.keys(locations), ...away])];
  const roads = completedRoads(gathering, places, minutes);
  const where = completedNames('errands', given.errands ?? '', errands, places);
  const long = Math.round(completedNumber('errand-minutes', given['errand-minutes'] ?? '', 0, 600));
  const events = eventsOf(gathering, places, roads, findings);
  const open = (place: string): { open?: [string, string][] } => {
    const { gift_store_opens: opens, tailor_closes: closes } = constraints;
    const called = (locations[place] ?? '').toLowerCase();
    if (called.includes('gift') && typeof opens === 'string') return { open: [[opens, '24:00']] };
    if (called.includes('tailor') && typeof closes === 'string')
      return { open: [['00:00', closes]] };
    return {};
  };
  const people = guests.map(({ name: guest }) => guest);
  const make = (): Pick<RealmReading, 'problem' | 'events'> => ({
    problem: {
      schema: PROBLEM_SCHEMA,
      name,
      source: SOURCE,
      assumptions: ASSUMPTIONS,
      places: places.map((place) => ({
        id: place,
        name: locations[place] ?? place,
        ...open(place),
      })),
      roads,
      people: guests.map(({ name: guest, location, arrival_time: from }) => ({
        id: guest,
        at: location ?? places[0],
        ...(from !== undefined && { from }),
      })),
      vehicles: [
        ...vehicles.map(({ id, location, capacity }) => ({
          id,
          at: location ?? places[0],
          seats: capacity,
        })),
        ...guests
          .filter(({ has_car }) => has_car)
          .map(({ name: guest, location, arrival_time: from, car_capacity: seats }) => ({
            id: `car of ${guest}`,
            at: location ?? places[0],
            ...(from !== undefined && { from }),
            seats: (seats ?? 5) - 1,
            drivers: [guest],
          })),
      ],
      activities: [
        ...errands.map((errand) => ({
          id: errand,
          at: [where.get(errand) ?? places[0]],
          minutes: long,
          any: people,
          end: [null, deadlineOf(constraints)] satisfies [null, string],
        })),
        ...goalsOf(given.goals ?? '', constraints, people, places, locations),
      ],
    },
    events:
      events.length === 0 ? null : { schema: EVENTS_SCHEMA, problem: name, source: SOURCE, events },
  });
  return readingOf(name, findings, make);
}

function deadlineOf({ wedding_deadline: deadline }: RealmGathering['constraints']): string {
  return typeof deadline === 'string' ? deadline : '24:00';
}

/** Where all guests have to be, and when. @throws InputError `bad_complete` */
function goalsOf(
  goals: string,
  constraints: RealmGathering['constraints'],
  people: readonly string[],
  places: readonly string[],
  locations: RealmGathering['locations'],
): NonNullable<ProblemFile['activities']> {
  const venue =
    places.find((place) => (locations[place] ?? '').toLowerCase().includes('wedding')) ?? places[0];
  const { photo_time: photo } = constraints;
  const deadline = deadlineOf(constraints);
  const meet = (id: string, time: string) => ({
    id,
    at: [venue],
    minutes: 0,
    start: [time, time] satisfies [string, string],
    all: [...people],
  });
  if (goals === 'deadline') return [meet('wedding', deadline)];
  if (goals === 'photos' && typeof photo === 'string') return [meet('photos', photo)];
  const problem = goals === 'photos' ? 'there is no photo_time' : `'${goals}' is unknown`;
  throw badCompletion('goals', goals, problem, 'write goals=photos or goals=deadline');
}

/** Disruptions as events; those of unknown routes are reported instead. */
function eventsOf(
  { disruptions, locations }: RealmGathering,
  places: readonly string[],
  roads: NonNullable<ProblemFile['roads']>,
  findings: RealmFinding[],
): CoordinationEvent[] {
  const called = new Map(places.map((place) => [place, place]));
  const ends = disruptions.flatMap(({ route = '' }) => route.split('-'));
  for (const word of ends) {
    const alike = places.filter((place) =>
      (locations[place] ?? '').toLowerCase().includes(word.toLowerCase()),
    );
    if (called.has(word) || alike.length !== 1) continue;
    called.set(word, alike[0]);
    findings.push({
      code: 'read_as',
      message: `'${word}' is read as ${alike[0]} (${locations[alike[0]]})`,
    });
  }
  return disruptions.flatMap(
    ({ type, route = '', start_time: at, delay, duration }): CoordinationEvent[] => {
      const [a, b] = placesOfRoute(route, called)?.map((word) => called.get(word) ?? word) ?? [];
      const road = roads.find(
        ({ from, to }) => (from === a && to === b) || (from === b && to === a),
      );
      if (road === undefined || at === undefined) {
        findings.push({
          code: 'unknown_place',
          message: `there is no road '${route}' for the ${type}, or no time`,
        });
        return [];
      }
      const both: [string, string][] = [
        [road.from, road.to],
        [road.to, road.from],
      ];
      if (type === 'road_closure' && duration !== undefined) {
        return [
          {
            kind: 'closed_road',
            at,
            until: formatClock(parseClock(at) + Math.ceil(duration)),
            roads: both,
          },
        ];
      }
      if (type === 'traffic_delay' && delay !== undefined) {
        return [
          { kind: 'traffic', at, roads: both, factor: (road.minutes + delay) / road.minutes },
        ];
      }
      findings.push({
        code: 'unknown_place',
        message: `the ${type} on '${route}' is not understood`,
      });
      return [];
    },
  );
}
