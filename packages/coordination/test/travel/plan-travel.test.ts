import { describe, expect, it } from 'vitest';
import { bundledTrip } from '../../src/travel/bundled-trips.js';
import { judgeTravel } from '../../src/travel/judge/judge-travel.js';
import type { TravelPlanFile } from '../../src/travel/model/travel-plan.js';
import { readTravel } from '../../src/travel/model/travel-problem.js';
import type { TravelFile } from '../../src/travel/model/travel-schema.js';
import { planTravel } from '../../src/travel/plan/plan-travel.js';
import { allJourneys } from './random-plans.js';
import { randomTrip } from './random-trips.js';
import { travelOracle } from './travel-oracle.js';

type Bookings = TravelPlanFile['bookings'];

/** The cost of the cheapest trip, by trying all journeys with all hotels; null if there is none. */
function bruteForce(trip: TravelFile): number | null {
  let least: number | null = null;
  const { hotels = [], trains = [], flights = [] } = trip.offers;
  const timeOf = (offer: string) => [...flights, ...trains].find(({ id }) => id === offer);
  const count = trip.travellers.length;
  for (const journey of allJourneys(trip)) {
    const passes = [
      ...new Set(journey.flatMap((one) => (one.kind === 'train' ? (one.pass ?? []) : []))),
    ];
    let plans: Bookings[] = [
      [
        ...journey.map(({ from: _, to: __, ...booking }) => booking as Bookings[number]),
        ...passes.map((offer) => ({ kind: 'pass' as const, offer })),
      ],
    ];
    for (const [i, { to, offer }] of journey.slice(0, -1).entries()) {
      // All nights between the days of arrival and departure, and a day around them: the oracle finds out which fit.
      const [came, goes] = [timeOf(offer)?.arrives, timeOf(journey[i + 1].offer)?.departs];
      const first = Date.parse(`${came?.slice(0, 10)}T00:00Z`);
      const last = Date.parse(`${goes?.slice(0, 10)}T00:00Z`);
      if (last <= first) {
        plans = [];
        break;
      }
      const days = (at: number) => new Date(at).toISOString().slice(0, 10);
      const windows = [-1, 0, 1].flatMap((a) =>
        [-1, 0].map((b) => [first + a * 86_400_000, last + b * 86_400_000]),
      );
      const stays = hotels
        .filter(({ city }) => city === to)
        .flatMap(({ id, beds = 2 }) =>
          windows.flatMap(
            ([from, until]): Bookings =>
              until <= from
                ? []
                : [
                    {
                      kind: 'hotel',
                      offer: id,
                      from: days(from),
                      until: days(until),
                      rooms: Math.ceil(count / beds),
                    },
                  ],
          ),
        );
      plans = plans.flatMap((plan) => stays.map((stay) => [...plan, stay]));
    }
    for (const plan of plans) {
      const { broken, cost } = travelOracle(trip, plan);
      if (broken.size === 0) least = Math.min(least ?? cost, cost);
    }
  }
  return least;
}

describe('the search for trips', () => {
  it('finds the cheapest of all trips, or proves that there is none', () => {
    const statuses = { optimal: 0, none: 0, stopped: 0 };
    for (let seed = 0; seed < 200; seed++) {
      const trip = randomTrip(seed);
      // The oracle tries all: only small trips.
      const { flights = [], trains = [] } = trip.offers;
      if (trip.stays.length > 2 || flights.length + trains.length > 22) continue;
      const result = planTravel(readTravel(trip));
      const least = bruteForce(trip);
      statuses[result.status]++;
      expect([seed, result.lowerBound]).toEqual([
        seed,
        least === null ? null : Math.round(100 * least),
      ]);
    }
    expect(statuses.optimal).toBeGreaterThan(12);
    expect(statuses.none).toBeGreaterThan(10);
  });

  it('gives plans that the judge accepts, at the cost that the judge finds, the best first', () => {
    for (let seed = 0; seed < 120; seed++) {
      const problem = readTravel(randomTrip(seed));
      const { found, lowerBound } = planTravel(problem, { count: 4 });
      for (const { plan, money, cost } of found) {
        const verdict = judgeTravel(problem, plan);
        expect(verdict).toMatchObject({ valid: true, cost: { money, total: cost } });
      }
      const costs = found.map(({ cost }) => cost);
      expect(costs).toEqual(costs.toSorted((a, b) => a - b));
      if (found.length > 0) expect(costs[0]).toBe(lowerBound);
    }
  });

  it('keeps what it shall keep, and begins nothing before now', () => {
    for (let seed = 0; seed < 60; seed++) {
      const problem = readTravel(randomTrip(seed));
      const best = planTravel(problem).found[0];
      if (best === undefined) continue;
      for (const [i, booking] of best.plan.bookings.entries()) {
        const again = planTravel(problem, { keep: [booking] });
        expect([seed, i, again.lowerBound]).toEqual([seed, i, best.cost]);
      }
      const all = planTravel(problem, { keep: best.plan.bookings, now: Number.POSITIVE_INFINITY });
      expect(all.lowerBound).toBe(best.cost);
      expect(planTravel(problem, { now: Number.POSITIVE_INFINITY }).status).toBe('none');
    }
  });

  it('stops where it is told to, with a bound', () => {
    const trip = bundledTrip('berlin-cologne');
    const whole = planTravel(trip);
    const stopped = planTravel(trip, { labels: 20 });
    expect(stopped).toMatchObject({ status: 'stopped', found: [] });
    expect(stopped.lowerBound).toBeLessThanOrEqual(whole.lowerBound ?? 0);
    expect(stopped.lowerBound).toBeGreaterThan(0);
  });
});
