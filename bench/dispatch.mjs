// Speed of the planners that need no model, on one core. Build first, then
//   node bench/dispatch.mjs [--json FILE]
// Instances are random square-like shops, durations 1–99, every machine once a job; due dates at
// one and a half times the work of the job. Each figure is the median of several runs after one
// to warm up (one run without warm-up for 1,000,000 operations, as a command would see it).
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInstance } from 'alas-jssp/jssp';
import { dispatch, dispatchBest, insertion, ruleId, rules } from 'alas-jssp/search';

function shop(jobs, machines) {
  let state = 20_260_801;
  const below = (limit) => {
    state = (state * 16_807) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * limit);
  };
  const operations = jobs * machines;
  const jobOffset = Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines);
  const machine = Int32Array.from({ length: operations }, (_, op) => op % machines);
  for (let op = 0; op < operations; op++) {
    const step = op % machines;
    const other = op - step + below(step + 1);
    [machine[op], machine[other]] = [machine[other], machine[op]];
  }
  const duration = machine.map(() => 1 + below(99));
  const due = Int32Array.from({ length: jobs }, (_, job) => {
    const steps = duration.subarray(jobOffset[job], jobOffset[job + 1]);
    return Math.ceil(1.5 * steps.reduce((sum, time) => sum + time, 0));
  });
  return createInstance({
    name: `${jobs}x${machines}`,
    machines,
    jobOffset,
    machine,
    duration,
    due,
  });
}

function measure(instance, planner, plan) {
  const runs = instance.operations >= 1e6 ? 1 : instance.operations >= 1e4 ? 3 : 11;
  if (runs > 1) plan();
  const seconds = [];
  let makespan = 0;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    makespan = plan().makespan;
    seconds.push((performance.now() - start) / 1000);
  }
  const median = seconds.sort((a, b) => a - b)[runs >> 1];
  const row = {
    instance: instance.name,
    operations: instance.operations,
    planner,
    runs,
    seconds: median,
    operations_per_second: Math.round(instance.operations / median),
    makespan,
  };
  console.log(
    `${row.instance.padEnd(12)}${planner.padEnd(28)}${(median * 1000).toFixed(2).padStart(11)} ms` +
      `${(row.operations_per_second / 1e6).toFixed(2).padStart(9)} M operations/s`,
  );
  return row;
}

const rows = [];
for (const instance of [shop(100, 20), shop(1000, 1000)]) {
  for (const rule of rules) {
    for (const generation of ['non-delay', 'active']) {
      rows.push(
        measure(instance, `dispatch:${ruleId(rule)}:${generation}`, () =>
          dispatch(instance, { rule, generation }),
        ),
      );
    }
  }
  rows.push(measure(instance, 'dispatch:best', () => dispatchBest(instance).schedule));
}
for (const [jobs, machines] of [
  [15, 15],
  [30, 20],
  [50, 20],
  [100, 20],
]) {
  const instance = shop(jobs, machines);
  rows.push(measure(instance, 'insertion', () => insertion(instance)));
}

const at = process.argv.indexOf('--json');
if (at >= 0) {
  const file = process.argv[at + 1];
  if (file === undefined) throw new Error('--json needs a file name');
  const report = {
    schema: 'alas-jssp/bench/1',
    benchmark: 'dispatch',
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
    rows,
  };
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
