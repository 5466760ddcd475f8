import { checkJson, faultError, InputError, parseJson, readBytes } from '@alas-jssp/core';
import * as z from 'zod';
import { EXPERIMENTS } from '../experiments/experiments.js';
import { type PlanFile, planSchema } from '../model/plan.js';
import { clock, id, problemSchema } from '../model/problem-schema.js';
import { REPAIR_PHASES } from '../repair/repair.js';
import { TEAM_VARIANTS } from '../teams/team.js';
import { ANSWER_FORMS, figures, judgedSchema } from './judged-schema.js';
import { teamRecordSchema } from './team-record.js';

/** The schema id in files of records, on each line. */
export const RUN_SCHEMA = 'alas-coordination/run@1';

const count = z.int().min(0);
const figure = z.number().nullable();

/** One plan of one planner for one problem: its claims, the judge's verdict, and the repair. */
export const runRecordSchema = z.strictObject({
  schema: z.literal(RUN_SCHEMA),
  /** The name of the problem. */
  problem: id,
  /** The full problem at the time of planning, so that the record is self-contained. */
  facts: problemSchema,
  /** The plan before a change, and the time at which the change became known: begun actions must stay. */
  past: z.strictObject({ plan: planSchema, now: clock }).nullable(),
  planner: z.string().min(1),
  /** The name of a printed plan, if the planner is `papers`. */
  source: z.string().nullable(),
  replicate: count,
  /** The experiment and its condition; null for an ordinary run. */
  experiment: z
    .strictObject({
      name: z.enum(EXPERIMENTS),
      condition: z.string().min(1),
      /** The context that the model was given; absent in records of earlier versions. */
      context: z
        .strictObject({
          arm: z.string().min(1),
          /** Estimated tokens of other text between the statement of the constraints and the question. */
          filler: count,
          /** The limit of the memory of the arm, in estimated tokens; null if it has none. */
          memory: count.nullable(),
          /** Estimated tokens of the prompt. */
          shown: count,
        })
        .optional(),
      /** Constraints stated early: whether the prompt had them, and whether the plan keeps them. */
      constraints: z
        .array(z.strictObject({ id: z.string().min(1), shown: z.boolean(), kept: z.boolean() }))
        .optional(),
    })
    .nullable(),
  /** The ablation of the loop. */
  variant: z.enum(TEAM_VARIANTS).default('full'),
  /** How the plan came about where a team, or several rounds, made it; null for a single request. */
  team: teamRecordSchema.nullable().default(null),
  /** The place in a stream of events: step 0 is the plan before them; null outside of streams. */
  disruption: z
    .strictObject({
      step: count,
      /** The number of steps with events. */
      of: count,
      /** The time at which the events of this step become known; null at step 0. */
      at: clock.nullable(),
      /** Its events in words. */
      events: z.array(z.string()),
    })
    .nullable()
    .default(null),
  /** The proven lower bound of the price; null if there is none. */
  bound: figure,
  /** Claims of the planner about its plan, or, if it judges, about the plan that it is shown. */
  claimed: z.strictObject({
    feasible: z.boolean().nullable(),
    km: figure,
    finish: clock.nullable(),
  }),
  /** How its answer was parsed; null if no model was asked. */
  answer: z
    .strictObject({
      text: z.string(),
      form: z.enum(ANSWER_FORMS),
      /** Lines and values that could not be parsed without a guess. */
      unread: z.array(z.string()),
      finish: z.enum(['stop', 'length', 'refusal']),
      /** SHA-256 of request and replicate, the key of the stored answer. */
      key: z.string(),
    })
    .nullable(),
  /** Null if there is none, or none could be parsed. */
  plan: planSchema.nullable(),
  /** False claims are among the violations, but do not make a plan invalid. */
  judged: judgedSchema.nullable(),
  /** The plan after repair; null if there is nothing to repair, or no valid plan near it was found. */
  repaired: z
    .strictObject({
      plan: planSchema,
      phase: z.enum(REPAIR_PHASES),
      /** Added, removed and moved actions, and their share of all actions of both plans. */
      edits: count,
      edit_radius: z.number().min(0),
      /** People whose actions have changed. */
      told: z.array(z.string()),
      ...figures,
    })
    .nullable(),
  tokens: z.strictObject({ input: count, output: count }),
  /** US dollars; null if the price of the model is unknown. */
  cost_usd: figure,
  /** Seconds of the planner, and of the repair. */
  seconds: z.strictObject({ plan: z.number().min(0), repair: z.number().min(0) }),
  /** One line: the reason for a missing plan or repair. */
  error: z.string().nullable(),
});

export type CoordinationRecord = z.output<typeof runRecordSchema>;

/** The unique key of a record within a file. */
export function coordinationRecordKey(
  record: Pick<
    CoordinationRecord,
    'problem' | 'planner' | 'source' | 'experiment' | 'replicate'
  > & {
    readonly variant?: CoordinationRecord['variant'];
    readonly team?: Pick<
      NonNullable<CoordinationRecord['team']>,
      'topology' | 'most_rounds'
    > | null;
    readonly disruption?: Pick<NonNullable<CoordinationRecord['disruption']>, 'step'> | null;
  },
): string {
  const { problem, planner, source, replicate, experiment, variant, team, disruption } = record;
  const plain = [problem, planner, source, experiment?.name, experiment?.condition, replicate];
  const loop = [variant ?? 'full', team?.topology, team?.most_rounds, disruption?.step];
  return [...plain, ...loop].join('\n');
}

/** A plan in the format of records. */
export function plainPlan(plan: PlanFile): NonNullable<CoordinationRecord['plan']> {
  return planSchema.parse(plan);
}

/** One record as a line of a file of records, with its keys in the order of the schema. */
export function formatCoordinationRecord(record: CoordinationRecord): string {
  return `${JSON.stringify(runRecordSchema.parse(record))}\n`;
}

/**
 * Reads a file of records. An incomplete last line, as a killed run leaves it, is ignored.
 *
 * @throws InputError `no_file`, `bad_json`, `bad_record` or `duplicate_record`, with line and JSON path
 */
export function readCoordinationRecords(file: string): CoordinationRecord[] {
  const lines = Buffer.from(readBytes(file)).toString('utf8').split('\n');
  lines.pop();
  const first = new Map<string, number>();
  const records = lines.map((text, i) => {
    const record = checkRecord(text, file, i + 1);
    const key = coordinationRecordKey(record);
    const other = first.get(key);
    if (other !== undefined) {
      const problem = `this is the same problem, planner, condition, team, step and replicate as in line ${other}`;
      const hint = 'keep one of the two lines';
      throw new InputError('duplicate_record', problem, hint, { file, line: i + 1 });
    }
    first.set(key, i + 1);
    return record;
  });
  if (records.length === 0) {
    const hint = 'give a file that alas-coordination run has written';
    throw new InputError('no_records', 'there are no records in it', hint, { file });
  }
  return records;
}

function checkRecord(text: string, file: string, line: number): CoordinationRecord {
  const value = inLine(line, () => parseJson(Buffer.from(text), file));
  const checked = checkJson<CoordinationRecord>(runRecordSchema, value);
  if (checked.fault === undefined) return checked.data;
  const { fault } = checked;
  return inLine(line, () => {
    throw faultError('bad_record', fault, file);
  });
}

/** Adds the line number to errors of `work`. */
function inLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, location, value } = error;
    throw new InputError(code, problem, hint, { ...location, line }, value);
  }
}
