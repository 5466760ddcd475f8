// Speed of the planners that need no model, on one core. :
// npm run bench -- dispatch [--json FILE]
import { generateTaillard, type Instance, replaceInstance } from 'alas-jssp/jssp';
import { dispatch, dispatchBest, insertion, ruleId, rules } from 'alas-jssp/search';
import { type MeasuredCase, measure, save } from './measure.js';

const rows = [];
for (const [jobs, machines] of [
  [100, 20],
  [1000, 1000],
]) {
  const instance = withDueDates(shop(jobs, machines));
  const { operations } = instance;
  const target = operations === 1e6 ? '≤ 5 s' : undefined;
  const cases: MeasuredCase[] = rules.flatMap((rule) =>
    (['non-delay', 'active'] as const).map((generation) => ({
      name: `dispatch:${ruleId(rule)}:${generation}`,
      operations,
      target,
      run: () => dispatch(instance, { rule, generation }),
    })),
  );
  cases.push({ name: 'dispatch:best', operations, target, run: () => dispatchBest(instance) });
  rows.push(...(await measure(`${jobs}×${machines}`, cases)));
}

const insertions = [
  [15, 15],
  [30, 20],
  [50, 20],
  [100, 20],
].map(([jobs, machines]) => {
  const instance = shop(jobs, machines);
  const name = `insertion ${jobs}×${machines}`;
  return { name, operations: instance.operations, run: () => insertion(instance) };
});
rows.push(...(await measure('INSA', insertions)));
save(rows);

function shop(jobs: number, machines: number) {
  return generateTaillard({ jobs, machines, timeSeed: 1, machineSeed: 2 });
}

/** Due dates at one and a half times the work of each job, for the rules that need them. */
function withDueDates(instance: Instance) {
  const { jobs, jobOffset, duration } = instance;
  const due = Int32Array.from({ length: jobs }, (_, job) => {
    const steps = duration.subarray(jobOffset[job], jobOffset[job + 1]);
    return Math.ceil(1.5 * steps.reduce((sum, time) => sum + time, 0));
  });
  return replaceInstance(instance, { due });
}
