import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bundledTrip } from '../../src/travel/bundled-trips.js';
import { judgeTravel } from '../../src/travel/judge/judge-travel.js';
import { TRAVEL_VIOLATION_CODES } from '../../src/travel/judge/travel-violation.js';
import {
  readTravelPlan,
  TRAVEL_PLAN_SCHEMA,
  type TravelPlanFile,
  writeTravelPlan,
} from '../../src/travel/model/travel-plan.js';
import { readTravel } from '../../src/travel/model/travel-problem.js';
import { planTravel } from '../../src/travel/plan/plan-travel.js';
import { anyPlan, spoiled } from './random-plans.js';
import { randomTrip } from './random-trips.js';
import { travelOracle } from './travel-oracle.js';

type Bookings = TravelPlanFile['bookings'];

function planOf(bookings: Bookings, claims: TravelPlanFile['claims'] = {}) {
  return readTravelPlan({ schema: TRAVEL_PLAN_SCHEMA, problem: 'x', bookings, claims });
}

const trip = bundledTrip('berlin-cologne');
const best = writeTravelPlan(planTravel(trip).found[0].plan).bookings;
const codes = (bookings: Bookings) => [
  ...new Set(judgeTravel(trip, planOf(bookings)).violations.map(({ code }) => code)),
];

describe('the judge of trips', () => {
  /** Judges a trip's best plan, spoiled plans and any plans; returns the codes found. */
  function compare(seed: number, other: number): Set<string> {
    const seen = new Set<string>();
    const file = randomTrip(seed);
    const problem = readTravel(file);
    const found = planTravel(problem).found[0];
    const plan = found === undefined ? [] : writeTravelPlan(found.plan).bookings;
    for (const bookings of [plan, spoiled(file, plan, other), anyPlan(file, other)]) {
      const verdict = judgeTravel(problem, planOf(bookings));
      const oracle = travelOracle(file, bookings);
      const judged = new Set<string>(verdict.violations.map(({ code }) => code));
      expect([...judged].sort()).toEqual([...oracle.broken].sort());
      expect(verdict.cost.money).toBe(Math.round(100 * oracle.money));
      expect(verdict.cost.total).toBe(Math.round(100 * oracle.cost));
      for (const code of judged) seen.add(code);
    }
    return seen;
  }

  it('finds what an oracle of its own finds, in plans that were spoiled at random', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(1_000_000), (seed, other) => void compare(seed, other)),
      { numRuns: 100 },
    );
  });

  it('finds every kind of violation, each with the oracle', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 600; seed++) for (const code of compare(seed, seed)) seen.add(code);
    const elsewhere = ['past_rewritten', 'past_invented', 'false_claim', 'cancelled_offer'];
    const missed = TRAVEL_VIOLATION_CODES.filter((code) => !seen.has(code));
    expect(missed.filter((code) => !elsewhere.includes(code))).toEqual([]);
  });

  it('accepts the best plan of the bundled trip, and refuses what is wrong with others', () => {
    expect(codes(best)).toEqual([]);
    expect(codes(best.slice(1))).toEqual(['not_there', 'missing_stay', 'bed_elsewhere']);
    expect(codes(best.slice(0, -1))).toEqual(['not_home', 'bed_elsewhere']);
    expect(codes([...best, best[1]])).toEqual(['two_beds', 'over_budget']);
  });

  it('takes 45 minutes from hotel to station', () => {
    const train = trip.transports.get('BER-CGN-0625-06');
    expect(train?.departs).toBeDefined();
    // 06:46 − 45 min = 06:01: guests of a hotel from which nobody leaves before 06:00 reach it, later ones do not.
    const late = best.map((one) =>
      one.kind === 'hotel' && one.offer.startsWith('berlin')
        ? { ...one, offer: 'berlin-kiez' }
        : one,
    );
    expect(codes(late)).toEqual(['early_departure']);
  });

  it('finds false claims, and takes any name of a city', () => {
    const [flight, ...rest] = best;
    const says = (more: object) =>
      judgeTravel(trip, planOf([{ ...flight, ...more }, ...rest])).violations;
    expect(says({ from_city: 'SFO', to_city: 'berlin' })).toEqual([]);
    expect(says({ to_city: 'Bonn' })[0]).toMatchObject({ code: 'false_claim', bookings: [0] });
    expect(says({ departs: '2025-06-21T14:36' })[0].code).toBe('false_claim');
    expect(says({ price: 12 })[0].code).toBe('false_claim');
    expect(judgeTravel(trip, planOf(best, { total: 4770 })).valid).toBe(true);
    expect(judgeTravel(trip, planOf(best, { total: 4769 })).valid).toBe(false);
  });

  it('lets no plan rewrite the past, or begin in it', () => {
    const past = {
      bookings: planOf(best).bookings,
      now: trip.transports.get('BER-CGN-0625-06')?.arrivesUtc ?? 0,
    };
    expect(judgeTravel(trip, planOf(best), past).valid).toBe(true);
    const other = planTravel(trip, { count: 3 }).found[2].plan;
    const found = judgeTravel(trip, other, past).violations.map(({ code }) => code);
    expect(found).toContain('past_rewritten');
    const before = { bookings: [], now: past.now };
    expect(judgeTravel(trip, planOf(best), before).violations[0].code).toBe('past_invented');
  });

  it('knows cancelled offers', () => {
    const file = structuredClone(trip.facts);
    const flight = file.offers.flights.find(({ id }) => id === best[0].offer);
    Object.assign(flight as object, { cancelled: true });
    const [found] = judgeTravel(readTravel(file), planOf(best)).violations;
    expect(found).toMatchObject({ code: 'cancelled_offer', bookings: [0] });
  });
});
