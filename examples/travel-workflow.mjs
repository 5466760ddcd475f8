// The workflow of travel-saga.mjs: a plan, then bookings, each with what cancels it and what checks it.
import { defineWorkflow, inputValidator, step, stepValidator } from '@alas-jssp/workflow';
import * as z from 'zod';
import { recordsAt } from './booking-service.mjs';

export const kinds = ['outbound', 'hotel-berlin', 'train', 'hotel-cologne', 'inbound'];

const Booking = z.looseObject({ cost: z.number() });
const Request = z.object({ city: z.string().default('Berlin') });
const Plan = z.object(Object.fromEntries(kinds.map((kind) => [kind, Booking])));

/** Stands for a language model: expensive at first, cheaper after feedback, and careless about names. */
function plan({ city }, { feedback }) {
  const night = feedback.length === 0 ? 700 : 150;
  return {
    outbound: { from: 'SFO', to: city, day: 1, cost: 900 },
    'hotel-berlin': { city: 'Berlin', day: 1, nights: 4, cost: 4 * night },
    train: { from: 'Berlin', to: 'Köln', day: 5, cost: 80 },
    'hotel-cologne': { city: 'Cologne', day: 5, nights: 2, cost: 2 * night },
    inbound: { from: 'Cologne', to: 'SFO', day: 7, cost: 950 },
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
