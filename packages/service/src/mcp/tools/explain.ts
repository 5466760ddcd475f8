import { costOfLimits, explainRepair, repair } from 'alas-jssp/lcrp';
import * as z from 'zod';
import { clampedSchema } from '../../api/common.js';
import { eventsInput, instanceInput, nowInput, planInput, policyInput } from '../inputs.js';
import {
  readGivenEvents,
  readGivenInstance,
  readGivenPolicy,
  readGivenSchedule,
} from '../requests.js';
import { threadTool } from '../tool.js';
import { describeMove, describeMoves, movesAnswer } from './moves.js';

/** Explains a repair. */
export const explainTool = threadTool({
  name: 'explain',
  title: 'Explain a repair',
  description:
    'Explains why operations of a plan move when it is repaired after events: exactly one cause each, counts by cause, the ten that move most, and the cost of the limits of the policy. The address in `report` lists every move.',
  role: 'report',
  input: z.object({
    instance: instanceInput,
    plan: planInput,
    events: eventsInput,
    now: nowInput.optional(),
    policy: policyInput.optional(),
    seed: z.int().min(0).default(0),
  }),
  answer: z.object({
    instance: z.string(),
    makespan: z.object({ before: z.number(), after: z.number() }),
    ...movesAnswer,
    limits_cost: z
      .object({ objective: z.string(), within: z.number(), without: z.number() })
      .nullable()
      .describe('The objective with the limits of the policy and without; null: it has none'),
    clamped: z.array(clampedSchema).describe('Settings of the policy that the service reduced'),
    report: z.object({ uri: z.string() }),
  }),
  perform: async ({ instance: given, plan, events: news, now: at, policy, seed }, setting) => {
    const instance = readGivenInstance(given, setting);
    const schedule = readGivenSchedule(plan, instance);
    const { events, now } = readGivenEvents(news, at, instance);
    const { policy: rules, clamped } = readGivenPolicy(policy, instance, setting, 2);
    const { signal } = setting;
    const result = await repair({ schedule, events, now }, rules, { seed, signal });
    const all = explainRepair(result).map((edit) => describeMove(edit, result));
    return {
      answer: {
        instance: instance.name,
        makespan: { before: schedule.makespan, after: result.schedule.makespan },
        ...describeMoves(result),
        limits_cost: await costOfLimits(result, { signal }),
        clamped: [...clamped],
        report: { uri: '#report' },
      },
      documents: {
        report: {
          name: 'report',
          description: 'Every move with its cause',
          text: JSON.stringify({ moves: all }),
        },
      },
    };
  },
});
