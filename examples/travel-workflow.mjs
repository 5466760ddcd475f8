// The workflow of travel-saga.mjs, its handlers, compensators and validators.
import { inputValidator, stepValidator, workflowSchema } from '@alas-jssp/workflow';
import { recordsAt } from './booking-service.mjs';

export const kinds = ['outbound', 'hotel-berlin', 'train', 'hotel-cologne', 'inbound'];

const booking = (id) => ({
  id,
  type: 'task',
  effect: 'compensable',
  policyRef: id,
  input: { booking: `input.${id}` },
});

/** The workflow. */
export const trip = workflowSchema.parse({
  schema: 'alas-jssp/workflow@1',
  name: 'trip',
  nodes: [
    { id: 'plan', type: 'task', policyRef: 'plan' },
    { ...booking('outbound'), input: { booking: 'outputs.plan.outbound' } },
    {
      id: 'ground',
      type: 'parallel',
      input: {
        'hotel-berlin': 'outputs.plan.hotel-berlin',
        train: 'outputs.plan.train',
        'hotel-cologne': 'outputs.plan.hotel-cologne',
      },
      branches: {
        berlin: { nodes: [booking('hotel-berlin')], edges: [] },
        cologne: {
          nodes: [booking('train'), booking('hotel-cologne')],
          edges: [{ from: 'train', to: 'hotel-cologne' }],
        },
      },
    },
    { ...booking('inbound'), input: { booking: 'outputs.plan.inbound' } },
  ],
  edges: [
    { from: 'plan', to: 'outbound' },
    { from: 'outbound', to: 'ground' },
    { from: 'ground', to: 'inbound' },
  ],
  defaultPolicy: 'plain',
  policies: {
    plain: {},
    plan: {
      timeout: { seconds: 60 },
      retry: { maxAttempts: 2 },
      backoff: { mode: 'fixed', base: 0 },
    },
    ...Object.fromEntries(
      kinds.map((kind) => [
        kind,
        {
          timeout: { seconds: 60 },
          idempotencyKey: {},
          compensation: { handler: kind, safeReinvoke: true },
        },
      ]),
    ),
  },
});

/** Stands for a language model: dear at first, cheaper when told, and careless about names. */
const planner = {
  run({ city = 'Berlin' }, { feedback }) {
    const night = feedback.length === 0 ? 700 : 150;
    return {
      outbound: { from: 'SFO', to: city, day: 1, cost: 900 },
      'hotel-berlin': { city: 'Berlin', day: 1, nights: 4, cost: 4 * night },
      train: { from: 'Berlin', to: 'Köln', day: 5, cost: 80 },
      'hotel-cologne': { city: 'Cologne', day: 5, nights: 2, cost: 2 * night },
      inbound: { from: 'Cologne', to: 'SFO', day: 7, cost: 950 },
    };
  },
};

const totalOf = (plan) => kinds.reduce((sum, kind) => sum + plan[kind].cost, 0);

/** The handlers, compensators and validators. */
export const registryOf = (url) => {
  const calls = kinds.map((kind) => [kind, recordsAt(url, kind)]);
  return {
    handlers: {
      plan: planner,
      ...Object.fromEntries(calls.map(([kind, { handler }]) => [kind, handler])),
    },
    compensators: Object.fromEntries(calls.map(([kind, { compensator }]) => [kind, compensator])),
    validators: {
      plan: stepValidator({
        schema: { type: 'object', required: kinds },
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
      }),
    },
    inputValidators: {
      'hotel-berlin': inputValidator({
        after: ['outbound'],
        agreements: [
          { name: 'city', places: ['#/booking/city', 'outbound#/booking/to'] },
          { name: 'day', places: ['#/booking/day', 'outbound#/booking/day'] },
        ],
      }),
      'hotel-cologne': inputValidator({
        after: ['outbound', 'ground/cologne/train'],
        agreements: [
          { name: 'city', places: ['#/booking/city', 'ground/cologne/train#/booking/to'] },
        ],
      }),
    },
  };
};
