import { existsSync, readFileSync } from 'node:fs';
import { checkJson, faultError, parseJson } from '@alas-jssp/core';
import * as z from 'zod';
import { TEAM_ENDINGS, TEAM_TOPOLOGIES, TEAM_VARIANTS } from '../../teams/team.js';
import { TRAVEL_VIOLATION_CODES } from '../judge/travel-violation.js';
import { travelPlanSchema } from '../model/travel-plan.js';

/** The schema id of records of runs of planners on trips. */
export const TRAVEL_RUN_SCHEMA = 'alas-coordination/travel-run@1';

const count = z.int().min(0);

/** A verdict on a plan; money in the currency of the trip. */
const judged = z.strictObject({
  valid: z.boolean(),
  violations: z.array(
    z.strictObject({ code: z.enum(TRAVEL_VIOLATION_CODES), message: z.string() }),
  ),
  money: z.number(),
  /** Money and penalties of broken preferences. */
  cost: z.number(),
  /** By how much it costs more than the optimum; null for invalid plans and without an optimum. */
  gap_percent: z.number().nullable(),
});

/** A run of a planner on a trip. */
export const travelRecordSchema = z.strictObject({
  schema: z.literal(TRAVEL_RUN_SCHEMA),
  problem: z.string(),
  planner: z.string(),
  replicate: count,
  topology: z.enum(TEAM_TOPOLOGIES),
  variant: z.enum(TEAM_VARIANTS),
  most_rounds: count,
  /** The cost of the cheapest trip, which the search proves; null if there is none. */
  optimum: z.number().nullable(),
  /** Claims of the planner. */
  claimed: z.strictObject({ feasible: z.boolean().nullable(), total: z.number().nullable() }),
  /** The plan of the first round, before any feedback; null if none was read. */
  alone: judged.nullable(),
  /** The plan that was kept after all rounds. */
  judged: judged.nullable(),
  plan: travelPlanSchema.nullable(),
  /** Null in variant `no-repair`, without a plan, and if there is no repair. */
  repaired: z
    .strictObject({ level: count, edits: count, edit_radius: z.number(), judged })
    .nullable(),
  /** Each round: its requests, and the verdict on its plan. */
  rounds: z.array(
    z.strictObject({
      requests: count,
      valid: z.boolean().nullable(),
      violations: count.nullable(),
      self_verdict: z.boolean().nullable(),
      error: z.string().nullable(),
    }),
  ),
  ending: z.enum(TEAM_ENDINGS).nullable(),
  /** The texts of all answers, by role, in order. */
  answers: z.array(z.strictObject({ role: z.string(), purpose: z.string(), text: z.string() })),
  tokens: z.strictObject({ input: count, output: count }),
  cost_usd: z.number().nullable(),
  seconds: z.number(),
  error: z.string().nullable(),
});

export type TravelRecord = z.output<typeof travelRecordSchema>;
export type TravelJudged = z.output<typeof judged>;

/** The key of a record: equal for equal work. */
export function travelRecordKey(
  one: Pick<
    TravelRecord,
    'problem' | 'planner' | 'replicate' | 'topology' | 'variant' | 'most_rounds'
  >,
): string {
  const { problem, planner, replicate, topology, variant, most_rounds } = one;
  return [problem, planner, replicate, topology, variant, most_rounds].join('\n');
}

/** Reads the records of a file; none if there is no file. @throws InputError `bad_record` */
export function readTravelRecords(file: string): TravelRecord[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    const value = parseJson(new TextEncoder().encode(line), `${file}:${i + 1}`);
    const checked = checkJson<TravelRecord>(travelRecordSchema, value);
    if (checked.fault !== undefined)
      throw faultError('bad_record', checked.fault, `${file}:${i + 1}`);
    return [checked.data];
  });
}
