import { objectiveOf } from 'alas-jssp/internal/service';
import { boundsFor, objectives } from 'alas-jssp/jssp';
import { optimize } from 'alas-jssp/search';
import * as z from 'zod';
import { instanceInput, planInput } from '../inputs.js';
import { readGivenInstance, readGivenSchedule } from '../requests.js';
import { planDocumentOf, threadTool } from '../tool.js';
import { gapOf } from './validate-plan.js';

/** Searches for a good plan. */
export const optimizeTool = threadTool({
  name: 'optimize',
  title: 'Search for a good plan',
  description:
    'Searches for a plan with a short makespan (or little tardiness) for some seconds, from scratch or from a feasible plan, with a proven lower bound. The result is never worse than the start plan.',
  role: 'report',
  input: z.object({
    instance: instanceInput,
    start: planInput.optional(),
    seconds: z
      .number()
      .positive()
      .max(3600)
      .default(5)
      .describe('Cut to the limit of the server; calls of more than 50 need a patient client'),
    objective: z
      .enum(objectives)
      .optional()
      .describe('Default: total weighted tardiness where jobs have due dates, else the makespan'),
    seed: z.int().min(0).default(0),
  }),
  answer: z.object({
    instance: z.string(),
    objective: z.string(),
    value: z.number(),
    makespan: z.number(),
    lower_bound: z.number().describe('Of the objective'),
    status: z.string().describe('optimal: value and bound meet'),
    gap_percent: z.number().nullable().describe('Above the best known makespan'),
    seconds: z.number(),
    iterations: z.number(),
    plan: z.object({ uri: z.string() }),
  }),
  perform: async ({ instance: given, start, seconds, seed, ...asked }, setting) => {
    const instance = readGivenInstance(given, setting);
    const { objective = objectiveOf(instance) } = asked;
    const known = boundsFor(instance);
    const most = Math.min(seconds, setting.seconds);
    const bound =
      known === null || objective !== 'makespan'
        ? undefined
        : { value: known.lower, source: 'literature' };
    const { schedule, value, lowerBound, status, stats } = await optimize(instance, {
      objective,
      budget: { seconds: most },
      seed,
      start: start === undefined ? undefined : readGivenSchedule(start, instance),
      signal: setting.signal,
      bound,
      onProgress: ({ best, iterations, lowerBound: proven }) =>
        setting.onProgress({
          stage: 'working',
          best: Number.isFinite(best) ? best : null,
          lower_bound: proven.value,
          iterations,
        }),
    });
    return {
      answer: {
        instance: instance.name,
        objective,
        value,
        makespan: schedule.makespan,
        lower_bound: lowerBound.value,
        status,
        gap_percent: known === null ? null : gapOf(schedule.makespan, known.upper),
        seconds: Math.round(stats.seconds * 100) / 100,
        iterations: stats.iterations,
        plan: { uri: '#plan' },
      },
      documents: { plan: planDocumentOf(schedule) },
    };
  },
});
