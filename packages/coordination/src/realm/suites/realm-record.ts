import { checkJson, faultError, InputError, parseJson, readBytes } from '@alas-jssp/core';
import * as z from 'zod';
import { TEAM_ENDINGS, TEAM_TOPOLOGIES } from '../../teams/team.js';
import { REALM_SUITES } from './suite.js';

/** The schema id on each line of a file of records of suites. */
export const REALM_RUN_SCHEMA = 'alas-coordination/realm-run@1';

const count = z.int().min(0);
const figure = z.number().nullable();
const finding = z.strictObject({ code: z.string(), message: z.string() });
/** Percent above the proven bound; null without one, or if the plan is invalid. */
const priced = { cost: figure, gap_percent: figure };

/** One plan of a planner, before any event or after one. */
const step = z.strictObject({
  /** The event before it in words; null for the first plan. */
  event: z.string().nullable(),
  /** The time at which the event becomes known; null if before anything is done. */
  now: z.string().nullable(),
  /** Whether the plan before the event is still valid after it; null for the first plan. */
  still_valid: z.boolean().nullable(),
  /** The proven lower bound of the cost; null if there is none. */
  bound: figure,
  /** The outcome of the search; `infeasible`: it is proven that none of the plans that it considers keeps all rules. */
  search: z.enum(['optimal', 'feasible', 'infeasible', 'open']),
  claimed: z.strictObject({ feasible: z.boolean().nullable(), cost: figure }),
  /** How the answer was parsed; null if no model was asked. */
  answer: z
    .strictObject({
      text: z.string(),
      form: z.enum(['json', 'table', 'prose', 'none']),
      unread: z.array(z.string()),
      finish: z.enum(['stop', 'length', 'refusal']),
      key: z.string(),
    })
    .nullable(),
  /** The rounds of a team, or of a model with feedback; null if one request was made, or none. */
  team: z
    .strictObject({
      topology: z.enum(TEAM_TOPOLOGIES),
      /** The number of the round whose plan is kept, from 0; null if there is no plan. */
      kept: count.nullable(),
      ending: z.enum(TEAM_ENDINGS),
      /** Requests of each round, and the judge's verdict on its plan; null without a plan. */
      rounds: z.array(
        z.strictObject({
          requests: count,
          valid: z.boolean().nullable(),
          violations: count.nullable(),
          cost: figure,
        }),
      ),
    })
    .nullable(),
  /** Null if there is none, or none could be parsed. */
  plan: z.unknown(),
  judged: z
    .strictObject({ valid: z.boolean(), violations: z.array(finding), ...priced })
    .nullable(),
  /** The plan after repair; null if there is nothing to repair, or none was found. */
  repaired: z
    .strictObject({ plan: z.unknown(), edits: count, edit_radius: z.number().min(0), ...priced })
    .nullable(),
  tokens: z.strictObject({ input: count, output: count }),
  cost_usd: figure,
  seconds: z.strictObject({ plan: z.number().min(0), repair: z.number().min(0) }),
  /** One line: the reason for a missing plan or repair. */
  error: z.string().nullable(),
});

/** One planner on one instance of a suite: its plan, and its plans after the events of the instance. */
const realmRecordSchema = z.strictObject({
  schema: z.literal(REALM_RUN_SCHEMA),
  suite: z.enum(REALM_SUITES),
  instance: z.string().min(1),
  origin: z.enum(['published', 'generated']),
  /** Facts that the published file leaves open, as the user stated them. */
  completed: z.record(z.string(), z.string()),
  contradictions: z.array(finding),
  /** Reasons for a refusal; empty if the instance was planned. */
  refused: z.array(finding),
  assumptions: z.array(z.string()),
  /** The unit of costs; null if refused. */
  unit: z.string().nullable(),
  /** The completed instance; null if refused. */
  facts: z.unknown(),
  planner: z.string().min(1),
  /** How models were asked; null for other planners. */
  team: z.strictObject({ topology: z.enum(TEAM_TOPOLOGIES), rounds: count }).nullable(),
  replicate: count,
  seed: z.int(),
  steps: z.array(step),
});

export type RealmRecord = z.output<typeof realmRecordSchema>;
export type RealmStep = RealmRecord['steps'][number];

/** The unique key of a record within a file. */
export function realmRecordKey(
  record: Pick<
    RealmRecord,
    'suite' | 'instance' | 'completed' | 'planner' | 'team' | 'replicate' | 'seed'
  >,
): string {
  const { suite, instance, completed, planner, team, replicate, seed } = record;
  const stated = Object.entries(completed).toSorted();
  const way = [team?.topology ?? null, team?.rounds ?? null];
  return JSON.stringify([suite, instance, stated, planner, ...way, replicate, seed]);
}

/** One record as a line of a file, with its keys in the order of the schema. */
export function formatRealmRecord(record: RealmRecord): string {
  return `${JSON.stringify(realmRecordSchema.parse(record))}\n`;
}

/** Whether the first line of a file is a record of a suite, also of another version. @throws InputError `no_file` */
export function isRealmRecords(file: string): boolean {
  const [first] = Buffer.from(readBytes(file)).toString('utf8').split('\n', 1);
  return first.includes(`"${REALM_RUN_SCHEMA.replace(/\d+$/, '')}`);
}

/**
 * Reads records of suites. An incomplete last line, as a killed run leaves it, is ignored.
 *
 * @throws InputError `no_file`, `bad_json`, `bad_record` or `duplicate_record`, with line and JSON path
 */
export function readRealmRecords(file: string): RealmRecord[] {
  const lines = Buffer.from(readBytes(file)).toString('utf8').split('\n');
  lines.pop();
  const first = new Map<string, number>();
  return lines.map((text, i) => {
    const line = i + 1;
    const record = atLine(line, () => {
      const checked = checkJson<RealmRecord>(realmRecordSchema, parseJson(Buffer.from(text), file));
      if (checked.fault !== undefined) throw faultError('bad_record', checked.fault, file);
      return checked.data;
    });
    const key = realmRecordKey(record);
    const other = first.get(key);
    if (other !== undefined) {
      const problem = `this is the same instance, planner and replicate as in line ${other}`;
      throw new InputError('duplicate_record', problem, 'keep one of the two lines', {
        file,
        line,
      });
    }
    first.set(key, line);
    return record;
  });
}

/** Adds the line number to errors of `work`. */
function atLine<T>(line: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, location, value } = error;
    throw new InputError(code, problem, hint, { ...location, line }, value);
  }
}
