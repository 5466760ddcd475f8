import { isObject } from '@alas-jssp/core/json-path';
import * as z from 'zod';
import { MAX_TIME } from '../../instance.js';
import { MAX_TOTAL_WEIGHT } from '../../instance-checks.js';
import { MAX_COUNT } from '../rows.js';

/** The largest time of PyJobShop, which means "none" for deadlines and latest starts. */
export const NO_LIMIT = 2 ** 42;

const index = z.int('give a number from 0').min(0).max(MAX_COUNT);
const time = z.int(`give a whole number from 0 to ${MAX_TIME}`).min(0).max(MAX_TIME);
const limit = z.int('give a whole number, 0 or more').min(0);
const weight = z
  .int(`give a whole number from 0 to ${MAX_TOTAL_WEIGHT}`)
  .min(0)
  .max(MAX_TOTAL_WEIGHT);
const demand = z.int(`give a whole number from 0 to ${MAX_COUNT}`).min(0).max(MAX_COUNT);
const delay = z.int('give a whole number').min(-MAX_TIME).max(MAX_TIME);
const name = z.string().default('');
const breaks = z.array(z.tuple([time, limit], 'give a list of start and end')).default([]);
const pair = { task1: index, task2: index };
const timing = z.array(z.strictObject({ ...pair, delay: delay.default(0) })).default([]);
const pairs = z.array(z.strictObject(pair)).default([]);
/** Constraints that are refused if there are any: only their number counts. */
const others = z.array(z.unknown()).default([]);

const resource = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('machine'),
      breaks,
      no_idle: z.boolean().default(false),
      name,
    }),
    z.strictObject({ type: z.literal('renewable'), capacity: limit, breaks, name }),
    z.strictObject({ type: z.literal('consumable'), capacity: limit, breaks, name }),
  ],
  { error: 'give a resource with the type "machine", "renewable" or "consumable"' },
);

/** The objective: weights of measures. */
const objective = z.strictObject({
  weight_makespan: limit.default(0),
  weight_tardy_jobs: limit.default(0),
  weight_total_flow_time: limit.default(0),
  weight_total_tardiness: limit.default(0),
  weight_total_earliness: limit.default(0),
  weight_max_tardiness: limit.default(0),
  weight_total_setup_time: limit.default(0),
});

/** `ProblemData.to_json` of PyJobShop 0.0.9 (Lan and Berkhout 2025, doi:10.48550/arXiv.2502.13483). */
export const pyJobShopSchema = z.strictObject(
  {
    jobs: z.array(
      z.strictObject({
        weight: weight.default(1),
        release_date: time.default(0),
        deadline: limit.default(NO_LIMIT),
        due_date: z.int('give a whole number or null').nullable().default(null),
        tasks: z.array(index).default([]),
        name,
      }),
    ),
    resources: z.array(resource),
    tasks: z
      .array(
        z.strictObject({
          job: index.nullable().default(null),
          earliest_start: time.default(0),
          latest_start: limit.default(NO_LIMIT),
          earliest_end: limit.default(0),
          latest_end: limit.default(NO_LIMIT),
          allow_idle: z.boolean().default(false),
          allow_breaks: z.boolean().default(false),
          optional: z.boolean().default(false),
          name,
        }),
      )
      .min(1, 'give at least one task'),
    modes: z.array(
      z.strictObject({
        task: index,
        resources: z.array(index),
        duration: time,
        demands: z.array(demand).default([]),
        name,
      }),
    ),
    constraints: z
      .strictObject({
        start_before_start: timing,
        start_before_end: timing,
        end_before_start: timing,
        end_before_end: timing,
        start_at_start: timing,
        start_at_end: timing,
        end_at_start: timing,
        end_at_end: timing,
        identical_resources: pairs,
        different_resources: pairs,
        consecutive: pairs,
        same_sequence: others,
        setup_times: z
          .array(z.strictObject({ machine: index, ...pair, duration: time }))
          .default([]),
        mode_dependencies: others,
        select_all_or_none: others,
        select_at_least_one: others,
        select_exactly_one: others,
      })
      .prefault({}),
    objective: objective.prefault({}),
  },
  'give an object with the keys jobs, resources, tasks, modes',
);

/** The checked data of a file of PyJobShop. */
export type PyJobShopData = z.infer<typeof pyJobShopSchema>;

/** Detects instances of PyJobShop, which have no schema key, by their other keys. */
export function isPyJobShopFile(document: unknown): document is Record<string, unknown> {
  if (!isObject(document) || 'schema' in document) return false;
  return ['tasks', 'modes', 'resources'].every((key) => Array.isArray(document[key]));
}
