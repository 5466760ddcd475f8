import { suggestNames } from '@alas-jssp/core/nearest-names';
import { ROW_NAMES } from 'alas-jssp/shop';
import * as z from 'zod';
import {
  changeOfEnd,
  changeOfNumber,
  clampedSchema,
  eventSchema,
  instanceSchema,
  labelSchema,
  moveSchema,
  objectiveSchema,
  operationSchema,
  planSchema,
  policySchema,
  timeSchema,
} from './common.js';

/** The id of a shop, in URLs and in the log. */
export const shopIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
    'give 1 to 100 of the letters a to z, digits, ".", "_" and "-", a letter or digit first',
  );

/** The clock of a shop, which begins at `start`; null: commands carry their times. */
export const clockSchema = z
  .strictObject({
    /** Shop seconds per wall-clock second; 1 for a real shop. */
    speed: z.number().positive().max(100_000),
    /** The time of the shop when it is opened. Default: 0, the beginning of its plan. */
    start: timeSchema.optional(),
  })
  .meta({
    id: 'Clock',
    description:
      'A clock advances the time of the shop: `speed` is the number of shop seconds per wall-clock second (1 for a real shop). It begins at `start`, by default at 0, the beginning of the plan.',
  });

/** POST /shops */
export const newShopSchema = z
  .strictObject({
    /** Default: generated. */
    id: shopIdSchema.optional(),
    instance: instanceSchema,
    /** Feasible; default: the result of `planner`. */
    plan: planSchema.optional(),
    /** A rule such as `dispatch:best` (the default), or `search:5s`. */
    planner: z.string().max(200).optional(),
    policy: policySchema.optional(),
    seed: z.int().min(0).max(0xffff_ffff).optional(),
    clock: clockSchema.nullable().optional(),
  })
  .meta({ id: 'NewShop', examples: [{ id: 'hall-3', instance: 'ft06', policy: 'default' }] });

/** The summary of a shop. */
export const shopSummarySchema = z
  .object({
    id: shopIdSchema,
    instance: z.string(),
    status: z.enum(['open', 'closed', 'failed']),
    /** The followed version, from 1. */
    version: z.int().min(1),
    /** The time of the shop now. */
    now: timeSchema,
    jobs: z.int(),
    machines: z.int(),
    operations: z.int(),
    /** The objective of its repairs. */
    objective: objectiveSchema,
    makespan: timeSchema,
    /** Whether it waits for commands, or for a decision on its proposal. */
    waits_for: z.enum(['command', 'approval']).nullable(),
    /** Settings of its policy that the service reduced; only in the answer to opening a shop. */
    clamped: z.array(clampedSchema).optional(),
  })
  .meta({ id: 'ShopSummary' });

/**
 * A shop of the log that is not open, and why. `unavailable`: its log is damaged, or another process owns it.
 * `quarantined`: its computation did not return in time; `POST /shops/{id}/release` opens it again.
 */
const unavailableShopSchema = z
  .object({ id: z.string(), status: z.enum(['unavailable', 'quarantined']), trouble: z.string() })
  .meta({ id: 'UnavailableShop' });

/** An entry of GET /shops. */
export const listedShopSchema = z.union([shopSummarySchema, unavailableShopSchema]);
/** Warnings about a plan, for example that it extends past the known shifts. */
const warnings = z.array(z.string());

/** The current state of a machine. */
export const machineStateSchema = z.object({
  machine: labelSchema,
  /** `down`: in a reported downtime; `closed`: outside of its shifts. */
  status: z.enum(['running', 'idle', 'down', 'closed']),
  /** The running operation, also while a downtime interrupts it. */
  running: operationSchema.nullable(),
  /** The end of the downtime, if it is down. */
  down_until: timeSchema.nullable(),
  /** The time at which its shift continues, if it is closed. */
  closed_until: timeSchema.nullable(),
  /** The next operations, at most `next` of the query. */
  next: z.array(operationSchema),
});

/** A reported downtime that is not over: a breakdown or future maintenance. */
const breakdownSchema = z.object({
  machine: labelSchema,
  from: timeSchema,
  to: timeSchema,
  /** Whether its end is an estimate. */
  estimated: z.boolean(),
  /** The same in units of the shop. */
  from_units: z.int(),
  to_units: z.int(),
});

/** A job that the plan ends after its due date. */
export const lateJobSchema = z.object({
  job: labelSchema,
  due: timeSchema,
  end: timeSchema,
  /** In units of the shop. */
  late_by: z.int(),
  weight: z.int(),
});

/** A row of a dry run, by its name. */
export const rowSchema = z
  .enum(ROW_NAMES, {
    error: ({ input }) =>
      typeof input === 'string' ? suggestNames(input.slice(0, 80), ROW_NAMES) : undefined,
  })
  .meta({
    id: 'Row',
    description: 'A repair option of a dry run; `shop` is the policy of the shop.',
  });

/** The proposal that waits for approval. */
export const proposalSchema = z
  .object({
    /** The name of the approval, such as `version-3`. */
    name: z.string(),
    version: z.int(),
    method: z.string(),
    /** The repair row of the report; null: the policy of the shop. */
    row: rowSchema.nullable(),
    objective: objectiveSchema,
    makespan: changeOfEnd,
    moved: z.int(),
    moves: z.array(moveSchema),
    /** Moves that are not listed. */
    more: z.int(),
    /** The time at which the command was received, in units of the shop. */
    reported_at: z.int(),
    /** The command or its events, in a sentence. */
    command: z.string(),
    /** The events and the repair, in lines. */
    lines: z.array(z.string()),
    /** The jobs that would end after their due dates. */
    late: z.array(lateJobSchema),
    warnings,
    /** The caller of the command. */
    by: z.string().nullable(),
  })
  .meta({ id: 'Proposal' });

/** GET /shops/{id}/moves */
export const movesSchema = z
  .object({
    version: z.int(),
    /** All moves, without new operations. */
    moved: z.int(),
    moves: z.array(moveSchema),
    /** `from` of the next page; null on the last page. */
    next: z.int().nullable(),
  })
  .meta({ id: 'Moves' });

/** GET /shops/{id} */
export const shopStateSchema = shopSummarySchema
  .extend({
    time_scale: z.object({ epoch: z.string(), unit: z.int(), zone: z.string() }).nullable(),
    clock: clockSchema.nullable(),
    /** The time of the shop in its unit, and the wall-clock time of the answer. */
    now_units: z.int(),
    at: z.iso.datetime(),
    machine_states: z.array(machineStateSchema),
    breakdowns: z.array(breakdownSchema),
    late: z.array(lateJobSchema),
    total_weighted_tardiness: z.number(),
    proposal: proposalSchema.nullable(),
    warnings,
    /** The id of the last change, from which `GET /changes` can continue. */
    last_change: z.string(),
  })
  .meta({ id: 'ShopState' });

/** POST /shops/{id}/events */
export const reportSchema = z
  .strictObject({
    events: z.array(eventSchema).min(1).max(1000),
    /** The time of the report. Default: the clock of the shop, or else the latest `at`. */
    now: timeSchema.optional(),
    /** The repair row; a dry run tries only this one. Default: the policy of the shop. */
    row: rowSchema.optional(),
  })
  .meta({
    id: 'Report',
    examples: [{ events: [{ kind: 'breakdown', machine: 'Machine2', from: 10, to: 25 }], now: 10 }],
  });

/** A job of a request: its label, or its number from 1. */
const jobSchema = z.union([labelSchema, z.int().min(1)], 'give the label of a job, or its number');

/** POST /shops/{id}/starts: manually proposed starts. */
export const wishSchema = z
  .strictObject({
    starts: z
      .array(
        z.strictObject({
          job: jobSchema,
          step: z.int().min(1),
          start: timeSchema,
          /** The machine that shall do it, by name or number. Default: the one it has. */
          machine: z.union([labelSchema, z.int().min(0)]).optional(),
        }),
      )
      .min(1)
      .max(10_000),
    now: timeSchema.optional(),
    /** The version to change; refused (409, `other_version`) if it is not the followed one. */
    version: z.int().min(1).optional(),
  })
  .meta({ id: 'Wish', examples: [{ starts: [{ job: 'Job1', step: 2, start: 30 }], now: 12 }] });

/** POST /shops/{id}/undo */
export const undoSchema = z
  .strictObject({ version: z.int().min(1), now: timeSchema.optional() })
  .meta({ id: 'Undo', examples: [{ version: 1, now: 14 }] });

/** POST /shops/{id}/withdraw */
export const withdrawalSchema = z
  .strictObject({
    /** The version that the mistaken report created. */
    version: z.int().min(1),
    /** Events that replace the report. */
    instead: z.array(eventSchema).min(1).max(1000).optional(),
    now: timeSchema.optional(),
  })
  .meta({ id: 'Withdrawal', examples: [{ version: 2, now: 12 }] });

/** POST /shops/{id}/decline */
export const declineSchema = z
  .strictObject({ reason: z.string().max(1000).default('') })
  .meta({ id: 'Decline', examples: [{ reason: 'Job5 has to stay' }] });

/** The outcome of a command. */
export const outcomeSchema = z
  .object({
    /**
     * `committed`: a new version is followed. `waiting`: a proposal waits for a decision.
     * `queued`: the command waits behind a proposal. `skipped`: it had no effect, for the `reasons`.
     * `declined`: the proposal was declined; `version` is the followed one instead.
     * `failed`: no method found a repair, and the shop ended.
     */
    status: z.enum(['committed', 'waiting', 'queued', 'skipped', 'declined', 'failed']),
    version: z.int(),
    now: timeSchema,
    /** The repair row of the report; null: the policy of the shop. */
    row: rowSchema.nullable(),
    /** Settings of the row that the service reduced. */
    clamped: z.array(clampedSchema),
    /** The objective of the repair. */
    objective: objectiveSchema,
    makespan: changeOfEnd.nullable(),
    total_weighted_tardiness: changeOfNumber.nullable(),
    method: z.string().nullable(),
    /** The jobs that then end after their due dates. */
    late: z.array(lateJobSchema),
    moved: z.int(),
    moves: z.array(moveSchema),
    more: z.int(),
    /** Events that arrived too late or are no longer valid. */
    skipped: z.array(z.object({ event: eventSchema, reason: z.string() })),
    reasons: z.array(z.string()),
    lines: z.array(z.string()),
    warnings,
    /** The id of the change in `GET /changes`; null while it is queued. */
    change: z.string().nullable(),
    /** True if the request was repeated, and this is the earlier outcome. */
    repeated: z.boolean(),
  })
  .meta({ id: 'Outcome' });

/** POST /shops/{id}/events?dry-run: the cost of events by policy; /starts?dry-run: the cost of starts. */
export const dryRunSchema = z
  .object({
    version: z.int(),
    now: timeSchema,
    trials: z.array(
      z.object({
        policy: z.string(),
        /** Other rows of the shop with the same schedule. */
        same: z.array(z.string()),
        objective: objectiveSchema,
        /** False if no method of the policy finds a repair. `reasons` say why, and which pins a repair violates. */
        repaired: z.boolean(),
        reasons: z.array(z.string()),
        /** Settings of the policy that the service reduced. */
        clamped: z.array(clampedSchema),
        method: z.string().nullable(),
        makespan: changeOfEnd.nullable(),
        total_weighted_tardiness: changeOfNumber.nullable(),
        /** The jobs that would end after their due dates, the worst first. */
        late: z.array(lateJobSchema),
        moved: z.int(),
        moves: z.array(moveSchema),
        more: z.int(),
        /** In a dry run of starts: all starts to send to `/starts` for this schedule; empty for events. */
        starts: z.array(wishSchema.shape.starts.element),
      }),
    ),
    skipped: outcomeSchema.shape.skipped,
  })
  .meta({ id: 'DryRun' });

/** An event of GET /shops/{id}/changes; its `id` is that of the server-sent event. */
export const changeSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['opened', 'proposal', 'committed', 'declined', 'skipped', 'closed', 'failed']),
    version: z.int(),
    now: timeSchema,
    now_units: z.int(),
    /** The caller and its role. */
    by: z.string().nullable(),
    role: z.string().nullable(),
    makespan: changeOfEnd.nullable(),
    moved: z.int(),
    /** Whether a report created its version and can be withdrawn. */
    report: z.boolean(),
    /** The command or its events in a sentence, without the outcome. */
    command: z.string(),
    lines: z.array(z.string()),
    warnings,
  })
  .meta({ id: 'Change' });

/** An entry of GET /shops/{id}/calendars. */
export const calendarSchema = z
  .object({
    /** The machine whose operations it contains; null for all machines. */
    machine: labelSchema.nullable(),
    /** Its URL, relative to that of the service. */
    path: z.string(),
  })
  .meta({ id: 'CalendarAddress' });

export type CalendarAddress = z.infer<typeof calendarSchema>;
export type NewShopRequest = z.infer<typeof newShopSchema>;
export type ShopSummary = z.infer<typeof shopSummarySchema>;
export type LateJob = z.infer<typeof lateJobSchema>;
export type ListedShop = z.infer<typeof listedShopSchema>;
export type ShopStateAnswer = z.infer<typeof shopStateSchema>;
export type ReportRequest = z.infer<typeof reportSchema>;
export type WishRequest = z.infer<typeof wishSchema>;
export type UndoRequest = z.infer<typeof undoSchema>;
export type WithdrawalRequest = z.infer<typeof withdrawalSchema>;
export type OutcomeAnswer = z.infer<typeof outcomeSchema>;
export type DryRunAnswer = z.infer<typeof dryRunSchema>;
export type MovesAnswer = z.infer<typeof movesSchema>;
export type ChangeAnswer = z.infer<typeof changeSchema>;
