import { createRandom } from '@alas-jssp/core';
import { formatClock } from '../../model/clock.js';
import {
  answerClaims,
  answerClock,
  answerCount,
  answerNamed,
  answerObject,
  answerRows,
} from '../problems/answer-json.js';
import { type PlanStatement, planJsonRequest } from '../problems/plan-prompt.js';
import type {
  RealmAnswer,
  RealmEvent,
  RealmProblem,
  RealmSearch,
} from '../problems/realm-problem.js';
import { judgeRelief } from './judge-relief.js';
import {
  costOfRelief,
  type Relief,
  type ReliefTrip,
  readReliefPlan,
  tripMinutes,
  writeReliefPlan,
} from './relief.js';
import { searchRelief } from './search-relief.js';

/** Something that happens before any vehicle leaves. */
export interface ReliefEvent {
  readonly text: string;
  readonly apply: (relief: Relief) => Relief;
}

/** Deliveries of supplies as a problem of a suite. */
export function reliefProblem(
  relief: Relief,
  facts: unknown,
  assumptions: readonly string[],
  events: readonly ReliefEvent[],
): RealmProblem {
  return {
    instance: relief.name,
    facts,
    assumptions,
    unit: 'people without a supply that they need',
    judge: (plan) => judgeRelief(relief, readReliefPlan(plan)),
    search: async () => searchResult(relief),
    random: (seed) => writeReliefPlan(randomRelief(relief, seed)),
    request: () => planJsonRequest(describeRelief(relief), EXAMPLE),
    decode: (text) => decodeRelief(relief, text),
    events: events.map(
      ({ text, apply }, at): RealmEvent => ({
        text,
        at: null,
        apply: () => reliefProblem(apply(relief), facts, assumptions, events.slice(at + 1)),
      }),
    ),
  };
}

function searchResult(relief: Relief): RealmSearch {
  const began = performance.now();
  const { trips, isProven } = searchRelief(relief);
  const seconds = (performance.now() - began) / 1000;
  const cost = costOfRelief(relief, trips);
  const status = isProven ? 'optimal' : 'feasible';
  return {
    plan: writeReliefPlan(trips),
    cost,
    bound: isProven ? cost : 0,
    status,
    seconds,
    reason: null,
  };
}

/** The last minute that a plan can name. */
const LATEST = 900 * 60;

/** Two trips of each vehicle to any regions, one after the other, with any loads of what is needed there. */
function randomRelief(relief: Relief, seed: number): ReliefTrip[] {
  const random = createRandom(seed);
  return relief.vehicles.flatMap(({ id, capacity }) => {
    let leave = 0;
    return [0, 1].flatMap((): ReliefTrip[] => {
      const { id: region, needs } = relief.regions[random.integer(0, relief.regions.length - 1)];
      let free = capacity;
      const loads = Object.fromEntries(
        Array.from(needs, ([resource, needed]) => {
          const some = random.integer(0, Math.min(free, needed));
          free -= some;
          return [resource, some];
        }),
      );
      const trip = { vehicle: id, region, leave, loads };
      leave += 2 * tripMinutes(relief, id, region);
      return trip.leave > LATEST ? [] : [trip];
    });
  });
}

const EXAMPLE = {
  trips: [
    { vehicle: 'boat', region: 'coast', leave: '00:00', loads: { blankets: 40, bread: 100 } },
    { vehicle: 'boat', region: 'island', leave: '02:10', loads: { bread: 120 } },
  ],
  feasible: true,
  cost: 250,
};

function describeRelief(relief: Relief): PlanStatement {
  const { name, regions, vehicles, stock, persons } = relief;
  return {
    task: `Problem '${name}': plan deliveries of supplies from a base. All vehicles are at the base at 00:00. A trip goes from the base to one region and back; a vehicle is back before it leaves again. It carries only what the region needs, and no more than its capacity and the stock of the base allow. No delivery arrives after the deadline of its region.`,
    sections: [
      {
        name: 'Regions',
        lines: regions.map(({ id, needs, deadline, blockedUntil }) => {
          const needed = Array.from(needs, ([resource, units]) => `${units} units of ${resource}`);
          const blocked =
            blockedUntil > 0 ? `, no vehicle arrives before ${formatClock(blockedUntil)}` : '';
          return `${id}: needs ${needed.join(', ')}; deliveries arrive by ${formatClock(deadline)}${blocked}`;
        }),
      },
      {
        name: 'Vehicles',
        lines: vehicles.map(({ id, capacity, minutes }) => {
          const ways = Array.from(minutes, ([region, time]) => `${region} ${time}`).join(', ');
          return `${id}: carries at most ${capacity} units; minutes to a region, and the same back: ${ways}`;
        }),
      },
      {
        name: 'Stock of the base',
        lines: Array.from(
          stock,
          ([resource, units]) =>
            `${resource}: ${units} units; a unit supplies ${(persons.get(resource) ?? 0) / 1000} people`,
        ),
      },
    ],
    objective:
      'Not everything has to be delivered, but the best plan costs least: its cost is the number of people who miss a supply, summed over all needs of all regions. "leave" is the time from the beginning, in hours and minutes.',
  };
}

function decodeRelief(relief: Relief, text: string): RealmAnswer {
  const answer = answerObject(text, 'trips');
  const claims = answerClaims(answer);
  if (answer === null) return { plan: null, claims, form: 'none', unread: [] };
  const unread: string[] = [];
  const trips = answerRows(answer, 'trips').flatMap((row, i): ReliefTrip[] => {
    const leave = answerClock(row.leave);
    if (leave === null) {
      unread.push(`trips[${i}].leave: ${JSON.stringify(row.leave ?? null)}`);
      return [];
    }
    const loads: Record<string, number> = {};
    const stated = typeof row.loads === 'object' && row.loads !== null ? row.loads : {};
    for (const [resource, value] of Object.entries(stated)) {
      const units = answerCount(value);
      const name = answerNamed(resource, relief.stock.keys());
      if (units !== null) loads[name] = (loads[name] ?? 0) + units;
      else unread.push(`trips[${i}].loads.${resource}: ${JSON.stringify(value ?? null)}`);
    }
    const vehicle = answerNamed(
      row.vehicle,
      relief.vehicles.map(({ id }) => id),
    );
    return [
      {
        vehicle,
        region: answerNamed(
          row.region,
          relief.regions.map(({ id }) => id),
        ),
        leave,
        loads,
      },
    ];
  });
  return { plan: writeReliefPlan(trips), claims, form: 'json', unread };
}
