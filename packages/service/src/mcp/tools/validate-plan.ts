import { boundsFor } from 'alas-jssp/jssp';
import { validate } from 'alas-jssp/validator';
import * as z from 'zod';
import { instanceInput, planInput } from '../inputs.js';
import { readGivenInstance, readGivenPlan } from '../requests.js';
import { threadTool, WORST } from '../tool.js';

/** Validates a plan. */
export const validatePlan = threadTool({
  name: 'validate_plan',
  title: 'Judge a plan',
  description:
    'Judges a plan by the instance alone: whether it is complete and feasible, its true makespan, or the ten worst root causes of its violations. The address in `report` lists every violation.',
  role: 'report',
  input: z.object({ instance: instanceInput, plan: planInput }),
  answer: z.object({
    instance: z.string(),
    valid: z.boolean(),
    makespan: z.number().nullable(),
    gap_percent: z
      .number()
      .nullable()
      .describe('Above the best known makespan; null where none is known'),
    violations: z.number(),
    counts: z.record(z.string(), z.number()),
    root_causes: z.array(
      z.object({ code: z.string(), explanation: z.string(), cascades: z.number() }),
    ),
    more: z.number().describe('Root causes that are not listed'),
    warnings: z.array(z.string()),
    report: z.object({ uri: z.string() }).nullable(),
  }),
  perform: async ({ instance: given, plan: claimed }, setting) => {
    const instance = readGivenInstance(given, setting);
    const known = boundsFor(instance);
    const bound = known === null ? undefined : { value: known.lower, source: 'literature' };
    const plan = readGivenPlan(claimed, instance);
    const report = validate(instance, plan, { bound });
    const { valid, makespan, total, counts, groups, warnings } = report;
    const worst = groups.toSorted((a, b) => b.cascades.length - a.cascades.length);
    const text = JSON.stringify(report);
    const all = { name: 'report', description: 'All violations, by root cause', text };
    return {
      answer: {
        instance: instance.name,
        valid,
        makespan,
        gap_percent: valid && known !== null ? gapOf(makespan ?? 0, known.upper) : null,
        violations: total,
        counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
        root_causes: worst.slice(0, WORST).map(({ root, cascades, explanation }) => ({
          code: root.code,
          explanation,
          cascades: cascades.length,
        })),
        more: Math.max(0, groups.length - WORST),
        warnings: warnings.slice(0, WORST).map(({ message }) => message),
        report: valid ? null : { uri: '#report' },
      },
      documents: valid ? {} : { report: all },
    };
  },
});

/** The gap to the best known value in percent, to two decimal places. */
export function gapOf(makespan: number, best: number): number {
  return Math.round((10_000 * (makespan - best)) / best) / 100;
}
