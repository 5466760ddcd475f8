// What it costs that the pipeline is a workflow: planning and validating the dmu suite through it,
// with no log and with a log in memory and in a file, against calling planner and validator
// directly. They alternate, so that what slows the machine down slows down all of them; the median
// repetition counts. Usage: npm run bench -- pipeline [--json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditableLog, createMemoryStore, openSqliteStore } from '@alas-jssp/workflow';
import {
  type Instance,
  lowerBound,
  type Planner,
  resolveSources,
  runPipeline,
  validate,
} from 'alas-jssp';
import { createPlanner } from 'alas-jssp/harness';
import { median, save } from './measure.js';

type Bound = ReturnType<typeof lowerBound>;

const REPETITIONS = 15;
const WARM_UP = 10;
const instances = resolveSources('dmu').map((source) => source.load());
const bounds = instances.map((instance) => lowerBound(instance));
const operations = instances.reduce((sum, instance) => sum + instance.operations, 0);
const folder = mkdtempSync(join(tmpdir(), 'bench-pipeline-'));

let run = 0;
const logged =
  (planner: Planner, store: AuditableLog) => async (instance: Instance, bound: Bound) => {
    const log = { store, runId: `run-${run++}` };
    await runPipeline(instance, planner, { seed: 1, bound, log });
  };
const waysOf = (
  planner: Planner,
): Record<string, (instance: Instance, bound: Bound) => Promise<unknown>> => ({
  directly: async (instance: Instance, bound: Bound) => {
    validate(instance, await planner.plan(instance, { seed: 1 }), { bound });
  },
  'as a workflow': (instance: Instance, bound: Bound) =>
    runPipeline(instance, planner, { seed: 1, bound }),
  'log in memory': (instance: Instance, bound: Bound) =>
    logged(planner, createMemoryStore())(instance, bound),
  'log in SQLite': logged(planner, openSqliteStore(join(folder, `${planner.name}.db`))),
});

const rows = [];
for (const spec of ['dispatch:mwkr', 'dispatch:best']) {
  const planner = createPlanner(spec);
  if (!('plan' in planner)) throw new Error(`${spec} is a model`);
  const ways = Object.entries(waysOf(planner));
  const seconds = ways.map((): number[] => []);
  for (let repetition = -WARM_UP; repetition < REPETITIONS; repetition++) {
    const spent = ways.map(() => 0);
    for (const [i, instance] of instances.entries()) {
      for (let k = 0; k < ways.length; k++) {
        // Whoever comes first finds the caches cold: they take turns.
        const way = (k + i + repetition + WARM_UP) % ways.length;
        const began = performance.now();
        await ways[way][1](instance, bounds[i]);
        spent[way] += (performance.now() - began) / 1000;
      }
    }
    if (repetition >= 0) for (const [k, sum] of spent.entries()) seconds[k].push(sum);
  }
  const title = `plan (${spec}) and validate ${instances.length} instances of dmu`;
  console.log(`\n${title}`);
  const medians = seconds.map(median);
  for (const [k, [name]] of ways.entries()) {
    const more = 100 * (medians[k] / medians[0] - 1);
    const each = (1e6 * (medians[k] - medians[0])) / instances.length;
    const target = k === 1 && spec === 'dispatch:best' ? 'target +10%' : '';
    console.log(
      `  ${name.padEnd(16)} ${(1000 * medians[k]).toFixed(1).padStart(8)} ms  ${`${more.toFixed(1)}%`.padStart(8)}  ${each.toFixed(0).padStart(6)} µs a run  ${target}`,
    );
    rows.push({ title, name, operations, samples: REPETITIONS, median_seconds: medians[k] });
  }
}
rmSync(folder, { recursive: true });
save(rows);
