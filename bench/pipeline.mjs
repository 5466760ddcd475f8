// What it costs that the pipeline is a workflow: planning and validating the dmu suite through it,
// with no log and with a log in memory and in a file, against calling planner and validator
// directly. Rounds alternate, so that what slows the machine down slows down all of them; the
// median round counts. Build first, then: node bench/pipeline.mjs [--json FILE]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlanner, lowerBound, resolveSources, runPipeline, validate } from 'alas-jssp';
import { createMemoryStore, openSqliteStore } from 'alas-jssp/workflow';
import { save } from './measure.mjs';

const ROUNDS = 15;
const instances = resolveSources('dmu').map((source) => source.load());
const bounds = instances.map((instance) => lowerBound(instance));
const operations = instances.reduce((sum, instance) => sum + instance.operations, 0);
const folder = mkdtempSync(join(tmpdir(), 'bench-pipeline-'));

let run = 0;
const logged = (planner, store) => async (instance, bound) => {
  const log = { store, runId: `run-${run++}` };
  await runPipeline(instance, planner, { seed: 1, bound, log });
};
const waysOf = (planner) => ({
  directly: async (instance, bound) => {
    validate(instance, await planner.plan(instance, { seed: 1 }), { bound });
  },
  'as a workflow': (instance, bound) => runPipeline(instance, planner, { seed: 1, bound }),
  'log in memory': (instance, bound) => logged(planner, createMemoryStore())(instance, bound),
  'log in SQLite': logged(planner, openSqliteStore(join(folder, `${planner.name}.db`))),
});

const rows = [];
for (const spec of ['dispatch:best', 'dispatch:mwkr']) {
  const ways = Object.entries(waysOf(createPlanner(spec)));
  const seconds = ways.map(() => []);
  for (let round = -2; round < ROUNDS; round++) {
    for (const [k, [, act]] of ways.entries()) {
      const began = performance.now();
      for (const [i, instance] of instances.entries()) await act(instance, bounds[i]);
      if (round >= 0) seconds[k].push((performance.now() - began) / 1000);
    }
  }
  const title = `plan (${spec}) and validate ${instances.length} instances of dmu`;
  console.log(`\n${title}`);
  const medians = seconds.map((list) => list.sort((a, b) => a - b)[ROUNDS >> 1]);
  for (const [k, [name]] of ways.entries()) {
    const more = 100 * (medians[k] / medians[0] - 1);
    const each = (1e6 * (medians[k] - medians[0])) / instances.length;
    const target = k === 1 ? 'target +10%' : '';
    console.log(
      `  ${name.padEnd(16)} ${(1000 * medians[k]).toFixed(1).padStart(8)} ms  ${`${more.toFixed(1)}%`.padStart(8)}  ${each.toFixed(0).padStart(6)} µs a run  ${target}`,
    );
    rows.push({ title, name, operations, samples: ROUNDS, median_seconds: medians[k] });
  }
}
rmSync(folder, { recursive: true });
save(rows);
