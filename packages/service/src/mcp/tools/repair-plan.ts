import { planPolicy, withObjective } from 'alas-jssp/internal/service';
import { boundsFor } from 'alas-jssp/jssp';
import { repairPlan } from 'alas-jssp/lcrp';
import { validate } from 'alas-jssp/validator';
import * as z from 'zod';
import { clampedSchema, objectiveSchema } from '../../api/common.js';
import { instanceInput, planInput, policyInput } from '../inputs.js';
import { readGivenInstance, readGivenPlan, readGivenPolicy } from '../requests.js';
import { planDocumentOf, threadTool } from '../tool.js';
import { gapOf } from './validate-plan.js';

/** Makes any plan feasible. */
export const repairPlanTool = threadTool({
  name: 'repair_plan',
  title: 'Repair a wrong plan',
  description:
    'Makes an invalid plan feasible, keeping its order where possible. A feasible plan is returned unchanged. For a plan disrupted by events use propose_event.',
  role: 'report',
  input: z.object({
    instance: instanceInput,
    plan: planInput,
    policy: policyInput.optional(),
    seed: z.int().min(0).default(0),
  }),
  answer: z.object({
    instance: z.string(),
    objective: objectiveSchema,
    feasible: z.boolean(),
    violations_before: z.number(),
    makespan: z.number(),
    makespan_rebuilt: z.number().describe('Before anything was reordered'),
    gap_percent: z.number().nullable(),
    covered_share: z.number().describe('Operations whose claim was usable, of 1'),
    kept_order_share: z.number().nullable().describe('Claimed pairs that are kept, of 1'),
    inserted: z.number(),
    dropped: z.number(),
    corrected: z.number(),
    clamped: z.array(clampedSchema).describe('Settings of the policy that the service reduced'),
    plan: z.object({ uri: z.string() }),
  }),
  perform: async ({ instance: given, plan: claimed, policy, seed }, setting) => {
    const instance = readGivenInstance(given, setting);
    const plan = readGivenPlan(claimed, instance);
    const { policy: rules, clamped } =
      policy === undefined
        ? { policy: undefined, clamped: [] }
        : readGivenPolicy(policy, instance, setting);
    const before = validate(instance, plan, { limit: 0 }).total;
    const { signal } = setting;
    const repaired = await repairPlan(instance, plan, { seed, signal }, rules);
    const { schedule, feasible, rebuilt, seedCoverage, keptOrder, inserted } = repaired;
    const { makespan } = schedule;
    const known = boundsFor(instance);
    return {
      answer: {
        instance: instance.name,
        objective: withObjective(instance, rules ?? planPolicy).objective,
        feasible,
        violations_before: before,
        makespan,
        makespan_rebuilt: rebuilt.makespan,
        gap_percent: known === null ? null : gapOf(makespan, known.upper),
        covered_share: seedCoverage,
        kept_order_share: keptOrder,
        inserted,
        dropped: sum(repaired.dropped),
        corrected: sum(repaired.corrected),
        clamped: [...clamped],
        plan: { uri: '#plan' },
      },
      documents: { plan: planDocumentOf(schedule) },
    };
  },
});

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((a, b) => a + b, 0);
}
