import { InputError } from '@alas-jssp/core/errors';
import { type Benchmark, benchmarksOf } from 'alas-jssp/internal/service';
import { suiteNames } from 'alas-jssp/jssp';
import * as z from 'zod';
import { directTool } from '../tool.js';

/** Lists benchmark instances, a page at a time. */
export const listInstances = directTool({
  name: 'list_instances',
  title: 'List benchmark instances',
  description:
    'Lists the job-shop benchmarks with sizes and best known makespans, and their suites.',
  role: 'view',
  input: z.object({
    suite: z
      .string()
      .default('all')
      .describe(`One of ${suiteNames.join(', ')}`),
    most_operations: z
      .int()
      .min(1)
      .optional()
      .describe('Only instances with at most this many operations'),
    offset: z.int().min(0).default(0).describe('Instances to skip'),
    limit: z.int().min(1).max(100).default(10).describe('Instances to list'),
  }),
  answer: z.object({
    suite: z.string(),
    suites: z.array(z.object({ suite: z.string(), instances: z.number() })),
    total: z.number(),
    instances: z.array(
      z.object({
        instance: z.string(),
        jobs: z.number(),
        machines: z.number(),
        lower_bound: z.number(),
        upper_bound: z.number(),
      }),
    ),
    next_offset: z.number().nullable(),
  }),
  run: async ({ suite, most_operations: most, offset, limit }) => {
    const members = suiteMembers(suite);
    const found = members.filter(({ operations }) => operations <= (most ?? operations));
    const end = offset + limit;
    return {
      answer: {
        suite,
        suites: suiteNames.map((name) => ({
          suite: name,
          instances: benchmarksOf(name)?.length ?? 0,
        })),
        total: found.length,
        instances: found.slice(offset, end).map(describeBenchmark),
        next_offset: end < found.length ? end : null,
      },
    };
  },
});

/**
 * The benchmarks of a suite.
 *
 * @throws InputError `unknown_suite`
 */
export function suiteMembers(suite: string): readonly Benchmark[] {
  const members = benchmarksOf(suite);
  if (members !== undefined) return members;
  throw new InputError(
    'unknown_suite',
    `there is no suite ${JSON.stringify(suite.slice(0, 40))}`,
    `use ${suiteNames.join(', ')}`,
  );
}

/** The row of a benchmark in the list. */
export function describeBenchmark({ name, jobs, machines, bounds }: Benchmark) {
  const { lower, upper } = bounds;
  return { instance: name, jobs, machines, lower_bound: lower, upper_bound: upper };
}
