import * as z from 'zod';
import { LONGEST_NAME } from '../instance-names.js';
import { commonFields, headSchema, jobSchema, namedMachines } from './instance-schema.js';
import { MAX_COUNT } from './rows.js';

/** The name of the JSON format of instances with alternatives, setups, transport, graphs and resources. */
export const SHOP_SCHEMA = 'alas-jssp/instance@2';

const { time, machine, name } = commonFields;
const amount = z.int(`give a whole number from 1 to ${MAX_COUNT}`).min(1).max(MAX_COUNT);
const capacity = z.int(`give a whole number from 0 to ${MAX_COUNT}`).min(0).max(MAX_COUNT);
const needs = z.record(
  z.string(),
  amount,
  'give an object with the amount needed of each resource, such as {"Ana": 1}',
);
/** A family of setups by its name or number. */
const family = z.union([z.string(), z.int().min(0)], 'give the name of a family, or its number');
/** A step by its number from 1 or by the name of its operation. */
const step = z.union(
  [z.int().min(1), z.string().min(1)],
  'give the number of a step, from 1, or the name of its operation',
);

const modeSchema = z.strictObject(
  { machine, duration: time, needs: needs.optional(), setup_needs: needs.optional() },
  'give an object with the keys machine, duration and, if need be, needs, setup_needs',
);

const predecessor = z.strictObject(
  { step, min_lag: time.optional(), max_lag: time.optional() },
  'give a step, or an object with the key step and, if need be, min_lag, max_lag',
);

const operation = z.strictObject(
  {
    name: name.optional(),
    machine: machine.optional(),
    duration: time.optional(),
    needs: needs.optional(),
    setup_needs: needs.optional(),
    modes: z.array(modeSchema, 'give a list of modes').min(1, 'give at least one mode').optional(),
    mode: amount.optional(),
    family: family.optional(),
    after: z
      .array(
        z.union([step, predecessor], {
          error: ({ input }) =>
            typeof input === 'object'
              ? 'give an object with the key step and, if need be, min_lag, max_lag'
              : 'give the number of a step, from 1, or the name of its operation',
        }),
        'give a list of steps',
      )
      .optional(),
    release: time.optional(),
    frozen: time.optional(),
  },
  'give an object with the keys machine and duration, or modes, and, if need be, name, needs, setup_needs, mode, family, after, release, frozen',
);

/** A job whose operations may have alternatives, needs, a family and predecessors. */
export const shopJobSchema = jobSchema.extend({
  operations: z.array(operation, 'give a list of operations'),
});

const capacityTimes = z.strictObject(
  {
    from: time,
    to: time,
    capacity,
    estimated: z.literal(true, 'give true, or leave it out').optional(),
  },
  'give an object with the keys from, to, capacity and, if need be, estimated',
);

/** A resource, after the times of its calendar were converted to numbers. */
export const resourceSchema = z.strictObject(
  {
    name: name.optional(),
    capacity: capacity.default(1),
    calendar: z.array(capacityTimes, 'give a list of times').optional(),
  },
  'give an object with the keys name, capacity and, if need be, calendar',
);

const setupsSchema = z.strictObject(
  {
    machines: z.array(machine, 'give a list of machines').optional(),
    times: z
      .record(
        z.string(),
        z.record(z.string(), time, 'give an object with the time to each family'),
        'give an object with the times from each family',
      )
      .default({}),
    otherwise: time.default(0),
    first: z
      .union(
        [time, z.record(z.string(), time)],
        'give a time, or an object with the time of each family',
      )
      .default(0),
    anticipatory: z.boolean('give true or false').default(true),
  },
  'give an object with some of the keys machines, times, otherwise, first, anticipatory',
);

const transportSchema = z.strictObject(
  {
    from: machine.optional(),
    to: machine.optional(),
    time,
    both_ways: z.boolean('give true or false').default(false),
  },
  'give an object with the key time and, if need be, from, to, both_ways',
);

const shopParts = {
  schema: z.literal(SHOP_SCHEMA, `give "${SHOP_SCHEMA}", and use that format`),
  groups: z
    .record(
      z.string().max(LONGEST_NAME),
      z.array(machine, 'give a list of machines').min(1, 'give at least one machine'),
      'give an object with the machines of each group',
    )
    .optional(),
  families: z
    .union(
      [z.int().min(1).max(MAX_COUNT), z.array(z.string().min(1).max(LONGEST_NAME)).min(1)],
      'give the number of families, or a list of their names',
    )
    .optional(),
  setups: z.array(setupsSchema, 'give a list of setups').optional(),
  transport: z.array(transportSchema, 'give a list of transport times').optional(),
  resources: z.array(z.unknown(), 'give a list of resources').optional(),
};

/** The document without its jobs, downtimes and resources, which are checked one by one. */
export const shopHeadSchema = z.strictObject(
  { ...headSchema.shape, ...shopParts },
  'give an object with the keys schema, name, machines, jobs and, if need be, time_scale, groups, families, resources, setups, transport, downtimes, shifts_until',
);
/** The same for named machines. */
export const namedShopHeadSchema = shopHeadSchema.extend({ machines: namedMachines });

/** The keys of a document, and of its operations, that only this version of the format has. */
export const SHOP_KEYS = {
  document: ['groups', 'families', 'resources', 'setups', 'transport'],
  operation: ['modes', 'mode', 'needs', 'setup_needs', 'family', 'after'],
} as const;

export type JsonShopHead = z.infer<typeof shopHeadSchema>;
type JsonShopJob = z.infer<typeof shopJobSchema>;
export type JsonShopOperation = JsonShopJob['operations'][number];
export type JsonNeeds = z.infer<typeof needs>;
