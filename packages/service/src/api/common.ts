import { EVENT_KINDS } from 'alas-jssp/disruption';
import { MAX_TIME, objectives } from 'alas-jssp/jssp';
import * as z from 'zod';

// Types of all requests and answers. Jobs, machines and operations have the names of the shop if it has names, else
// "Job1" and "Machine0"; times are ISO 8601 if the shop has a clock, else integers.

/** A time in requests and answers: an integer in the unit of the shop, or ISO 8601 if the shop has a clock. */
export const timeSchema = z
  .union(
    [z.int().min(0).max(MAX_TIME), z.string().min(1).max(64)],
    `give a date of ISO 8601 where the shop has a clock, else a whole number from 0 to ${MAX_TIME}`,
  )
  .meta({ id: 'Time', description: 'Integer in the unit of the shop, or ISO 8601.' });

export type WireTime = z.infer<typeof timeSchema>;

/** The name of a job or a machine. */
export const labelSchema = z.string().min(1).max(200);

/** The name of a benchmark, or an instance in the JSON format of docs/reference/formats.md. */
export const instanceSchema = z
  .union(
    [z.string().min(1).max(200), z.looseObject({})],
    'give the name of a benchmark, or an instance as docs/reference/formats.md describes its JSON',
  )
  .meta({
    id: 'Instance',
    description: 'Name of a benchmark, or a document of docs/reference/formats.md.',
  });

/** A plan in the JSON format of docs/reference/formats.md: operations, or an object with operations. */
export const planSchema = z
  .union(
    [z.array(z.looseObject({})), z.looseObject({})],
    'give a list of operations with job, step, machine, start and end, or a plan as /optimize gives it',
  )
  .meta({ id: 'Plan', description: 'Operations with job, step, machine, start and end.' });

/** The minimised objective. */
export const objectiveSchema = z.enum(objectives).meta({ id: 'Objective' });

/** A repair policy: a name, or changes to the default (docs/reference/repair.md). */
export const policySchema = z
  .union(
    [z.string().min(1).max(200), z.looseObject({})],
    'give the name of a policy, or an object with what differs from the default (docs/reference/repair.md)',
  )
  .meta({
    id: 'Policy',
    description: 'Name of a policy, or changes to the default: docs/reference/repair.md.',
  });

/** An event in the form of docs/reference/disruption.md. */
export const eventSchema = z
  .looseObject({ kind: z.string(`use one of ${EVENT_KINDS.join(', ')}`).max(40) })
  .meta({
    id: 'Event',
    description:
      'A breakdown { machine, from, to }, restored { machine }, duration { job, step, factor or duration }, delay { job, step, until }, arrival { job: { name, operations, due } }, cancellation { job }, capacity { resource, from, to, amount } or alternative { job, step, machine, duration }: docs/reference/disruption.md.',
  });

/** An operation with its times. */
export const operationSchema = z
  .object({
    job: labelSchema,
    /** From 1. */
    step: z.int().min(1),
    /** The name of the operation, if it has one. */
    operation: z.string().optional(),
    machine: labelSchema,
    start: timeSchema,
    end: timeSchema,
  })
  .meta({ id: 'Operation' });

export type WireOperation = z.infer<typeof operationSchema>;

/** An operation whose start changed, and the reason. */
export const moveSchema = operationSchema
  .extend({
    /** The previous start; null for a new operation. */
    was: timeSchema.nullable(),
    /**
     * `event`: an event hit it. `job`, `machine`: it waits for its predecessor in its job or on its machine.
     * `place`: its position in the queue of its machine changed. `earlier`, `later`: the repair moved it.
     * `limit`: it is pinned, or gives way to a pinned operation. `new`: its job has just arrived.
     * Only if the plan was infeasible: `missing`: it had no start; `fault`: its start was invalid.
     */
    kind: z.enum([
      'event',
      'job',
      'machine',
      'reassigned',
      'place',
      'earlier',
      'limit',
      'later',
      'new',
      'missing',
      'fault',
    ]),
    /** One sentence: `WO-4711, turning waits 12 min: Lathe 2 is down until 14:10`. */
    cause: z.string(),
  })
  .meta({ id: 'Move' });

export type WireMove = z.infer<typeof moveSchema>;

/** A problem in the form of RFC 9457, with a hint. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    /** The code of the error, such as `bad_event`. */
    code: z.string(),
    hint: z.string().optional(),
    /** JSON path of the problem in the request. */
    path: z.string().optional(),
  })
  .meta({ id: 'Problem' });

/** The owner of the token of a request; without tokens every caller is `local` and may do everything. */
export const callerSchema = z
  .object({
    name: z.string(),
    /** Each role includes the rights of those before it. */
    role: z.enum(['view', 'report', 'decide']),
    /** Patterns of the ids of the shops that the token gives access to; default: all shops. */
    shops: z.array(z.string()).optional(),
  })
  .meta({ id: 'Caller' });

/** The caller of a request: the name, the role and the shops of its token. */
export type Caller = z.infer<typeof callerSchema>;

/** A policy setting that the service reduced from `asked` (null: not set) to `used`. */
export const clampedSchema = z
  .object({ setting: z.string(), asked: z.number().nullable(), used: z.number() })
  .meta({
    id: 'ClampedSetting',
    description: 'A setting of a policy that the service reduced, from `asked` to `used`.',
  });

export type ClampedSetting = z.infer<typeof clampedSchema>;

/** A value before and after a change. */
export const changeOfNumber = z.object({ before: z.number(), after: z.number() });

/** The end of all work before and after a change, in units of the shop, and as dates if it has a clock. */
export const changeOfEnd = changeOfNumber.extend({
  before_date: timeSchema.nullable().optional(),
  after_date: timeSchema.optional(),
});
