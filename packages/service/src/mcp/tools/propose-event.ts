import { errorLine, InputError } from '@alas-jssp/core/errors';
import type { OpenPolicy } from 'alas-jssp/internal/service';
import { measureRepair, repair } from 'alas-jssp/lcrp';
import * as z from 'zod';
import { clampedSchema, objectiveSchema, timeSchema } from '../../api/common.js';
import { wireTime } from '../../api/wire.js';
import { lostPinSchema } from '../../api/work-schemas.js';
import type { WorkSetting } from '../../compute/work.js';
import { wireLostPins } from '../../shops/lost-pins.js';
import { eventsInput, instanceInput, nowInput, planInput, policyInput } from '../inputs.js';
import {
  readGivenEvents,
  readGivenInstance,
  readGivenPolicy,
  readGivenSchedule,
} from '../requests.js';
import {
  instanceDocumentOf,
  planDocumentOf,
  type ToolAnswer,
  type ToolDocument,
  threadTool,
} from '../tool.js';
import { describeMoves, movesAnswer } from './moves.js';

/** The most listed moves of each trial after the first. */
const FEW = 3;

const input = z.object({
  instance: instanceInput,
  plan: planInput.describe('The current plan; it must be feasible'),
  events: eventsInput,
  now: nowInput.optional(),
  policies: z
    .array(policyInput)
    .min(1)
    .max(5)
    .default(['default'])
    .describe('Policies to compare, each tried on its own'),
  seed: z.int().min(0).default(0),
});

const trialAnswer = z.object({
  policy: z.string().describe('Its name; `policies[1]` and the like for one without a name'),
  clamped: z.array(clampedSchema).describe('Settings of the policy that the service reduced'),
  repaired: z.boolean(),
  reason: z.string().nullable().describe('Why there is no repair'),
  objective: objectiveSchema.nullable(),
  phase: z.string().nullable(),
  feasible: z.boolean().describe('False if a deadline is missed'),
  makespan: z.object({ before: z.number(), after: z.number() }).nullable(),
  tardiness: z.object({ before: z.number(), after: z.number() }).nullable(),
  lost_pins: z
    .array(lostPinSchema)
    .describe('Operations that the policy holds at their planned starts and that move, and why'),
  ...movesAnswer,
  plan: z.object({ uri: z.string() }).nullable(),
  instance: z.object({ uri: z.string() }).nullable().describe('The instance after the events'),
});

/** Computes the cost of events, by policy. */
export const proposeEvent = threadTool({
  name: 'propose_event',
  title: 'Try events out',
  description:
    'Computes the effect of events (a breakdown, a delay, a rush order, …) on a plan in execution, and repairs it under one or more policies: makespan and tardiness before and after, operations that move, and why. Changes nothing: continue with `plan` and `instance` of the chosen trial.',
  role: 'report',
  input,
  answer: z.object({ instance: z.string(), now: timeSchema, trials: z.array(trialAnswer) }),
  perform: async (given, setting) => {
    const instance = readGivenInstance(given.instance, setting);
    const schedule = readGivenSchedule(given.plan, instance);
    const { events, now } = readGivenEvents(given.events, given.now, instance);
    const shop = { schedule, events, now };
    const trials: z.input<typeof trialAnswer>[] = [];
    let documents: Record<string, ToolDocument> = {};
    for (const [index, policy] of given.policies.entries()) {
      setting.onProgress({ stage: 'working', best: null, lower_bound: null, iterations: null });
      const { length } = given.policies;
      const { policy: rules, clamped } = readGivenPolicy(policy, instance, setting, length);
      const most = index === 0 ? undefined : FEW;
      const trial = await tryOut(shop, rules, given.seed, { index, most }, setting);
      const name = typeof policy === 'string' ? policy : `policies[${index}]`;
      trials.push({ policy: name, clamped: [...clamped], ...trial.answer });
      documents = { ...documents, ...trial.documents };
    }
    return {
      answer: { instance: instance.name, now: wireTime(instance.timeScale, now), trials },
      documents,
    };
  },
});

async function tryOut(
  shop: Parameters<typeof repair>[0],
  policy: OpenPolicy,
  seed: number,
  { index, most }: { readonly index: number; readonly most: number | undefined },
  { signal }: WorkSetting,
): Promise<ToolAnswer<Omit<z.input<typeof trialAnswer>, 'policy' | 'clamped'>>> {
  try {
    const result = await repair(shop, policy, { seed, signal });
    const { makespan, tardiness } = measureRepair(result);
    const documents = {
      [`plan-${index}`]: planDocumentOf(result.schedule),
      [`instance-${index}`]: instanceDocumentOf(result.schedule),
    };
    const answer = {
      repaired: true,
      reason: null,
      objective: result.policy.objective,
      phase: result.phase,
      feasible: result.judgement.feasible,
      makespan: { before: makespan.before, after: makespan.final },
      tardiness:
        result.schedule.instance.due === null
          ? null
          : { before: tardiness.before, after: tardiness.final },
      lost_pins: wireLostPins(result),
      ...describeMoves(result, most),
      plan: { uri: `#plan-${index}` },
      instance: { uri: `#instance-${index}` },
    };
    return { answer, documents };
  } catch (error) {
    // Events that are invalid under one policy are invalid under all.
    const isOfPolicy = !(error instanceof InputError) || error.code === 'too_few_edits';
    if (!isOfPolicy || signal.aborted) throw error;
    const none = { feasible: false, objective: null, phase: null, makespan: null, tardiness: null };
    const noMoves = {
      lost_pins: [],
      moved: 0,
      by_cause: {},
      worst: [],
      more: 0,
      plan: null,
      instance: null,
    };
    const answer = { repaired: false, reason: errorLine(error), ...none, ...noMoves };
    return { answer };
  }
}
