import { checkJson, faultError } from '@alas-jssp/core';
import * as z from 'zod';
import { formatClock, parseClock } from './clock.js';
import type { Problem } from './problem.js';
import { clock, id } from './problem-schema.js';

/** The schema id in files of plans. */
export const PLAN_SCHEMA = 'alas-coordination/plan@1';

const times = { start: clock, end: clock };

const drive = z.strictObject({
  do: z.literal('drive'),
  vehicle: id,
  /** The driver; absent if the vehicle has its own driver. */
  who: id.optional(),
  with: z.array(id).default([]),
  /** A place, or a point on a road such as `NY>home@60`. */
  from: id,
  to: id,
  ...times,
});
const doing = z.strictObject({
  do: z.literal('activity'),
  activity: id,
  who: z.array(id).default([]),
  at: id,
  ...times,
});
const stay = z.strictObject({ do: z.literal('stay'), who: z.array(id).min(1), at: id, ...times });

/** A plan in its file format. */
export const planSchema = z.strictObject({
  schema: z.literal(PLAN_SCHEMA),
  problem: id,
  source: z.string().optional(),
  notes: z.array(z.string()).default([]),
  actions: z.array(z.discriminatedUnion('do', [drive, doing, stay])),
  /** Figures that the planner claims for the plan. */
  claims: z.strictObject({ km: z.number().optional(), finish: clock.optional() }).default({}),
  /** Figures of the search that found it; none of them is judged. */
  search: z
    .strictObject({
      /** At the prices of the problem. */
      cost: z.number(),
      /** Lower bound of the cost of all plans. */
      lower_bound: z.number(),
      /** Lower bound of the cost of plans in which rides have no changes of vehicles, as far as it is known. */
      direct_bound: z.number().optional(),
      /** Null if the bound is 0. */
      gap_percent: z.number().nullable(),
      status: z.enum(['optimal', 'feasible', 'interrupted']),
      seconds: z.number(),
      iterations: z.int(),
      seed: z.int(),
    })
    .optional(),
});

export type PlanFile = z.input<typeof planSchema>;

interface Timed {
  readonly start: number;
  readonly end: number;
}

/** A drive of a vehicle, with its passengers. */
export interface Drive extends Timed {
  readonly do: 'drive';
  readonly vehicle: string;
  /** Null if the vehicle has its own driver. */
  readonly who: string | null;
  readonly with: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** An activity of some people. */
export interface Doing extends Timed {
  readonly do: 'activity';
  readonly activity: string;
  readonly who: readonly string[];
  readonly at: string;
}

/** A claim that some people are at a place. It is checked, and changes nothing. */
export interface Stay extends Timed {
  readonly do: 'stay';
  readonly who: readonly string[];
  readonly at: string;
}

export type Action = Drive | Doing | Stay;

/** A plan: the actions of people and vehicles with place and time in minutes since midnight. */
export interface CoordinationPlan {
  readonly problem: string;
  readonly actions: readonly Action[];
  readonly claims: { readonly metres?: number; readonly finish?: number };
  /** The author of the plan, or its place of publication. */
  readonly source?: string;
  /** How ambiguities of the source were resolved. */
  readonly notes?: readonly string[];
}

/**
 * Parses a plan from the contents of its file.
 *
 * @throws InputError `bad_plan` with the JSON path of the malformed part
 */
export function readPlan(value: unknown, file?: string): CoordinationPlan {
  const checked = checkJson<z.output<typeof planSchema>>(planSchema, value);
  if (checked.fault !== undefined) throw faultError('bad_plan', checked.fault, file);
  const { problem, actions, claims, source, notes } = checked.data;
  return {
    problem,
    ...(source !== undefined && { source }),
    ...(notes.length > 0 && { notes }),
    actions: actions.map((action) => {
      const when = { start: parseClock(action.start), end: parseClock(action.end) };
      return action.do === 'drive'
        ? { ...action, ...when, who: action.who ?? null }
        : { ...action, ...when };
    }),
    claims: {
      ...(claims.km !== undefined && { metres: Math.round(1000 * claims.km) }),
      ...(claims.finish !== undefined && { finish: parseClock(claims.finish) }),
    },
  };
}

/** A plan in its file format. */
export function writePlan(plan: CoordinationPlan): PlanFile {
  const { metres, finish } = plan.claims;
  return {
    schema: PLAN_SCHEMA,
    problem: plan.problem,
    ...(plan.source !== undefined && { source: plan.source }),
    ...(plan.notes !== undefined && { notes: [...plan.notes] }),
    actions: plan.actions.map((action) => {
      const when = { start: formatClock(action.start), end: formatClock(action.end) };
      if (action.do !== 'drive') return { ...action, who: [...action.who], ...when };
      const { who, ...rest } = action;
      return { ...rest, ...(who !== null && { who }), with: [...action.with], ...when };
    }),
    claims: {
      ...(metres !== undefined && { km: metres / 1000 }),
      ...(finish !== undefined && { finish: formatClock(finish) }),
    },
  };
}

/** All people and vehicles that take part in an action. */
export function actorsOf(action: Action): string[] {
  if (action.do !== 'drive') return [...action.who];
  const { vehicle, who } = action;
  return [vehicle, ...(who === null ? [] : [who]), ...action.with];
}

/** Whether a person takes part in an action. */
export function takesPart(action: Action, person: string): boolean {
  return action.do === 'drive'
    ? action.who === person || action.with.includes(person)
    : action.who.includes(person);
}

/** The minute until which an action occupies its actors: some activities occupy them only at their beginning. */
export function engagedUntil({ activities }: Problem, action: Action): number {
  if (action.do !== 'activity') return action.end;
  return Math.min(action.end, action.start + (activities.get(action.activity)?.busy ?? 0));
}

/** The key of an action without its times: equal for actions of the same people and vehicles at the same places. */
export function partKey(action: Action): string {
  if (action.do === 'drive') {
    const { vehicle, who, from, to } = action;
    return ['drive', vehicle, who, from, to, ...action.with.toSorted()].join('\n');
  }
  const activity = action.do === 'activity' ? action.activity : '';
  return [action.do, activity, action.at, ...action.who.toSorted()].join('\n');
}

/** The key of an action: equal exactly for equal actions. */
export function actionKey(action: Action): string {
  return `${partKey(action)}\n${action.start}\n${action.end}`;
}
