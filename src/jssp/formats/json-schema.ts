import { isObject } from '@alas-jssp/core/json-path';
import * as z from 'zod';
import {
  commonFields,
  downtimeSchema,
  headSchema,
  jobSchema,
  namedMachines,
} from './instance-schema.js';
import { resourceSchema, shopHeadSchema, shopJobSchema } from './shop-schema.js';
import { TIME_KEYS } from './time-fields.js';

/** The parts of a document that are read one by one, in its place. */
const sharedParts = {
  machines: z.union([headSchema.shape.machines, namedMachines]),
  downtimes: z.array(downtimeSchema).optional(),
  shifts_until: commonFields.time.optional(),
};

const jobs = z.strictObject({
  ...headSchema.shape,
  ...sharedParts,
  jobs: z.array(jobSchema).min(1),
});

const shop = z.strictObject({
  ...shopHeadSchema.shape,
  ...sharedParts,
  jobs: z.array(shopJobSchema).min(1),
  resources: z.array(resourceSchema).optional(),
});

const DATES: ReadonlySet<string> = new Set(Object.values(TIME_KEYS).flat());

/**
 * The JSON Schema (draft 2020-12) of instance files, made from the schemas that read them: `instance@1` and
 * `instance@2`. What names refer to, and the order of times, is checked by the reader only.
 */
export function instanceJsonSchema(): object {
  const schema = z.toJSONSchema(z.union([jobs, shop]), {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === (commonFields.machine as z.core.$ZodType)) {
        jsonSchema.anyOf = [{ type: 'string' }, { type: 'integer', minimum: 0 }];
      }
    },
  });
  allowDates(schema);
  return { ...schema, title: 'Instance of alas-jssp' };
}

/** Allows times of ISO 8601 where times are points in time: a document with a time scale may have them. */
function allowDates(schema: unknown): void {
  if (Array.isArray(schema)) schema.forEach(allowDates);
  if (!isObject(schema)) return;
  const { properties } = schema;
  for (const [key, value] of Object.entries(isObject(properties) ? properties : {})) {
    if (!DATES.has(key) || !isObject(value) || value.type !== 'integer') continue;
    Object.assign(properties as object, { [key]: { anyOf: [value, { type: 'string' }] } });
  }
  Object.values(schema).forEach(allowDates);
}
