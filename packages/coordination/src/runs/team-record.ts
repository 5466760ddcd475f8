import * as z from 'zod';
import { planSchema } from '../model/plan.js';
import { ROLE_KINDS, TEAM_ENDINGS, TEAM_TOPOLOGIES } from '../teams/team.js';
import { ANSWER_FORMS, judgedSchema } from './judged-schema.js';

const count = z.int().min(0);

/** A request of an agent and the answer to it. */
const turn = z.strictObject({
  role: z.string().min(1),
  /** The name of the task, such as `propose` or `check`. */
  purpose: z.string().min(1),
  text: z.string(),
  finish: z.enum(['stop', 'length', 'refusal']),
  /** The key of the stored answer. */
  key: z.string(),
  tokens: z.strictObject({ input: count, output: count }),
  cost_usd: z.number().nullable(),
  seconds: z.number().min(0),
});

/** The first plan of a team, or its answer to feedback. */
const round = z.strictObject({
  turns: z.array(turn),
  /** How the answer with the plan was parsed; null if no turn gave one. */
  form: z.enum(ANSWER_FORMS).nullable(),
  /** Whether it claims that the plan is feasible. */
  claimed: z.boolean().nullable(),
  plan: planSchema.nullable(),
  /** In all variants, also in those that do not hear of it. */
  judged: judgedSchema.nullable(),
  /** The own verdict of the planner, in variant `self-validation`. */
  self_verdict: z
    .strictObject({ feasible: z.boolean().nullable(), faults: z.array(z.string()) })
    .nullable(),
  /** Seconds of the requests; concurrent ones count once. */
  seconds: z.number().min(0),
  error: z.string().nullable(),
});

/** The work of a team on a plan. */
export const teamRecordSchema = z.strictObject({
  topology: z.enum(TEAM_TOPOLOGIES),
  /** The maximum number of rounds with feedback. */
  most_rounds: count,
  roles: z.array(z.strictObject({ id: z.string(), name: z.string(), kind: z.enum(ROLE_KINDS) })),
  /** The first plan, and all rounds with feedback; none if the plan before could not be carried out. */
  rounds: z.array(round),
  /** The round, from 0, whose plan is kept; null if there is none. */
  kept: count.nullable(),
  ending: z.enum([...TEAM_ENDINGS, 'blocked']),
});

export type TeamRecord = z.output<typeof teamRecordSchema>;
