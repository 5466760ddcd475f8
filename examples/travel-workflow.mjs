// The workflow of travel-saga.mjs: a plan, then bookings, each with what cancels it and what checks it.
import { defineWorkflow, inputValidator, step, stepValidator } from '@alas-jssp/workflow';
import * as z from 'zod';
import { recordsAt } from './booking-service.mjs';

export const kinds = ['outbound', 'hotel-berlin', 'train', 'hotel-cologne', 'inbound'];

const Booking = z.looseObject({ cost: z.number() });
const Request = z.object({ city: z.string().default('Berlin') });
const Plan = z.object(Object.fromEntries(kinds.map((kind) => [kind, Booking])));

/** Offers that we invented: hotels by city, the best first; prices for a night. */
const hotels = {
  Berlin: [
    { stars: 5, price: 700 },
    { stars: 3, price: 150 },
  ],
  Cologne: [
    { stars: 5, price: 700 },
    { stars: 3, price: 150 },
  ],
};

/**
 * Chooses out of the offers as a careless model does: without a word of the budget, the best hotels; after feedback
 * about it, the best that are within it, by trying all pairs. It is careless about names as well. The planner of
 * `@alas-jssp/coordination` (`alas-coordination travel`) reads offers from a file, and its optimum is proven.
 */
function plan({ city }, { feedback }) {
  const flights = { outbound: 900, inbound: 950 };
  const train = 80;
  const limit = feedback.length === 0 ? Number.POSITIVE_INFINITY : 5000;
  const pairs = hotels.Berlin.flatMap((berlin) =>
    hotels.Cologne.map((cologne) => ({
      berlin,
      cologne,
      stars: berlin.stars + cologne.stars,
      total: flights.outbound + flights.inbound + train + 4 * berlin.price + 2 * cologne.price,
    })),
  ).filter(({ total }) => total <= limit);
  const [{ berlin, cologne }] = pairs.toSorted((a, b) => b.stars - a.stars || a.total - b.total);
  return {
    outbound: { from: 'SFO', to: city, day: 1, cost: flights.outbound },
    'hotel-berlin': { city: 'Berlin', day: 1, nights: 4, cost: 4 * berlin.price },
    train: { from: 'Berlin', to: 'Köln', day: 5, cost: train },
    'hotel-cologne': { city: 'Cologne', day: 5, nights: 2, cost: 2 * cologne.price },
    inbound: { from: 'Cologne', to: 'SFO', day: 7, cost: flights.inbound },
  };
}

const totalOf = (plan) => kinds.reduce((sum, kind) => sum + plan[kind].cost, 0);

const judgePlan = stepValidator({
  constraints: [
    {
      name: 'budget',
      check: 'constraint',
      otherwise: 'feedback',
      test: ({ value }) =>
        totalOf(value) > 5000 ? `${totalOf(value)} is more than 5000` : undefined,
    },
    {
      name: 'names of cities',
      check: 'consistency',
      test: ({ value }) => (value.train.to === 'Köln' ? 'Köln is Cologne here' : undefined),
      correct: ({ value }) => ({ ...value, train: { ...value.train, to: 'Cologne' } }),
    },
  ],
});

/** What a booking must agree on with those before it. */
const agreements = {
  'hotel-berlin': inputValidator({
    after: ['outbound'],
    agreements: [
      { name: 'city', places: ['#/booking/city', 'outbound#/booking/to'] },
      { name: 'day', places: ['#/booking/day', 'outbound#/booking/day'] },
    ],
  }),
  'hotel-cologne': inputValidator({
    after: ['outbound', 'ground/cologne/train'],
    agreements: [{ name: 'city', places: ['#/booking/city', 'ground/cologne/train#/booking/to'] }],
  }),
};

/**
 * The trip with the services at an address.
 *
 * @param {string} url
 */
export function tripAt(url) {
  const planning = step('plan', {
    input: Request,
    output: Plan,
    run: plan,
    validate: (_, judged) => judgePlan(judged),
    retry: 2,
    backoff: { mode: 'fixed', base: 0 },
  });
  const bookings = kinds.map((kind) => {
    const { handler, compensator } = recordsAt(url, kind);
    return step(kind, {
      input: z.object({ booking: Booking }),
      run: handler.run,
      externalRef: handler.externalRef,
      undo: compensator.run,
      validateInput: agreements[kind],
    });
  });
  const [outbound, berlinHotel, train, cologneHotel, inbound] = bookings;
  return defineWorkflow('trip', { input: Request }, (flow, request) => {
    const planned = flow.step(planning, request);
    flow.step(outbound, { booking: planned.outbound });
    const stays = {
      berlin: planned['hotel-berlin'],
      train: planned.train,
      cologne: planned['hotel-cologne'],
    };
    flow.parallel('ground', stays, {
      berlin: (branch, stay) => branch.step(berlinHotel, { booking: stay.berlin }),
      cologne(branch, stay) {
        branch.step(train, { booking: stay.train });
        return branch.step(cologneHotel, { booking: stay.cologne });
      },
    });
    return flow.step(inbound, { booking: planned.inbound });
  });
}
