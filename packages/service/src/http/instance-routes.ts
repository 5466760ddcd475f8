import {
  type Benchmark,
  benchmarks,
  benchmarksOf,
  loadBenchmark,
} from 'alas-jssp/internal/service';
import { suiteNames } from 'alas-jssp/jssp';
import * as z from 'zod';
import { namedBenchmark } from '../api/request-parts.js';
import { wireInstance } from '../api/wire.js';
import { benchmarkSchema } from '../api/work-schemas.js';
import { answersOf } from './answers.js';
import type { Routes } from './context.js';

/** Adds the routes of benchmarks, which take only their names, so that no file can be requested. */
export function addInstanceRoutes(app: Routes): void {
  const tags = ['instances'];
  app.get(
    '/instances',
    {
      config: { role: 'view' },
      schema: {
        tags,
        operationId: 'listInstances',
        summary: 'Lists the benchmarks',
        querystring: z.strictObject({
          suite: z.enum(suiteNames as [string, ...string[]]).optional(),
        }),
        response: answersOf({ 200: z.array(benchmarkSchema) }),
      },
    },
    async ({ query: { suite } }) => {
      const found = suite === undefined ? [...benchmarks().values()] : benchmarksOf(suite);
      return (found ?? []).map(benchmarkLine);
    },
  );
  app.get(
    '/instances/:name',
    {
      config: { role: 'view' },
      schema: {
        tags,
        operationId: 'showInstance',
        summary: 'A benchmark as a document, with its best known bounds',
        params: z.object({ name: z.string().min(1).max(100) }),
        response: answersOf(
          { 200: z.object({ benchmark: benchmarkSchema, instance: z.looseObject({}) }) },
          [404],
        ),
      },
    },
    async ({ params: { name } }) => {
      const benchmark = namedBenchmark(name);
      const instance = wireInstance(loadBenchmark(benchmark));
      return { benchmark: benchmarkLine(benchmark), instance };
    },
  );
}

function benchmarkLine({ name, suite, jobs, machines, operations, bounds }: Benchmark) {
  const { lower: lower_bound, upper: upper_bound } = bounds;
  return { name, suite, jobs, machines, operations, lower_bound, upper_bound };
}
