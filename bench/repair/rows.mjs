// A worker of bench/repair.mjs: makes the recompute of a case, or repairs it by every fast method and answers
// with one row a method.
import { objectiveValue } from 'alas-jssp/jssp';
import { findMethod, measureRepair, policy, repair } from 'alas-jssp/lcrp';
import { validate } from 'alas-jssp/validator';
import { isGain, makeCase } from './cases.mjs';
import { processorSeconds } from './kept.mjs';
import { hasReference, referenceOf } from './references.mjs';

/** Prices of a changed place, and of an operation that starts earlier than planned, of the fronts. */
const PRICES = [0, 0.00002, 0.0005, 0.001, 0.003];
const EARLY = [0.0001, 0.0005, 0.002, 0.01];

/** By the names in the tables: methods, the policies that they are based on, and changes of these. */
const BASELINES = ['right-shift', 'affected', 'dispatch'].map((name) => [
  name,
  name,
  'default',
  {},
]);
const NAMED = [
  ['lcrp', 'lcrp', 'default', {}],
  ['lcrp, high-stability', 'lcrp', 'high-stability', {}],
];
const FRONT = [
  ...PRICES.map((rankChange) => [`lcrp, place ${rankChange}`, { rankChange }]),
  ...EARLY.map((movedEarlier) => [`lcrp, early ${movedEarlier}`, { movedEarlier }]),
].map(([label, cost]) => [label, 'lcrp', 'default', { cost }]);

process.on('message', async ({ job, ...one }) => {
  process.send(job === 'reference' ? await makeReference(one) : await rowsOf(one));
});

/** Seconds on the clock that the recompute took; null if it was there. */
async function makeReference({ store, ...key }) {
  const one = await makeCase(key, store.directory);
  if (hasReference(one, store)) return null;
  const began = performance.now();
  await referenceOf(one, { ...store, isMade: true });
  return (performance.now() - began) / 1000;
}

async function rowsOf({ store, isMade, seeds, repeats, rules, isFront, ...key }) {
  const one = await makeCase(key, store.directory);
  const reference = isGain(one) ? null : await referenceOf(one, { ...store, isMade });
  if (reference === null && !isGain(one)) return [];
  const { objective, task } = one;
  const rows = [];
  const note = (method, result, figures) => {
    const { schedule } = result;
    if (!validate(task.instance, schedule).valid) {
      throw new Error(`${key.name}, ${key.kind}, ${method}: not feasible`);
    }
    const row = { ...figuresOf(result, objective), ...figures };
    rows.push({ schema: 'alas-jssp/repair-bench@2', ...key, method, ...row });
  };
  let sample;
  const methods = [...BASELINES, ...NAMED, ...(isFront ? FRONT : [])];
  for (const [method, name, base, changes] of methods) {
    const isOurs = name === 'lcrp';
    const repairer = findMethod(name);
    const settings = policy(base, { ...changes, ...(isOurs ? rules : {}), objective });
    const isTimed = !FRONT.some(([label]) => label === method);
    for (let seed = 0; seed < (isOurs ? seeds : 1); seed++) {
      const { result, ...times } = await repaired(
        one,
        settings,
        repairer,
        seed,
        isTimed ? repeats : 0,
      );
      sample = result;
      note(method, result, { seed, operations: task.instance.operations, ...times });
    }
  }
  if (reference !== null) {
    const made = {
      ...sample,
      schedule: reference,
      evaluations: 0,
      compensated: null,
      reordered: null,
    };
    note('recompute', made, { seed: 0, operations: task.instance.operations, ms: [], cpu_ms: [] });
  }
  return rows;
}

/** A result, and the milliseconds of warm repairs: the first one is not among them. */
async function repaired({ schedule, events, now }, rules, method, seed, repeats) {
  const ms = [];
  const cpu_ms = [];
  let result = await repair({ schedule, events, now }, rules, { method, seed });
  for (let i = 0; i < repeats; i++) {
    const [began, usage] = [performance.now(), process.cpuUsage()];
    result = await repair({ schedule, events, now }, rules, { method, seed });
    ms.push(Number((performance.now() - began).toFixed(3)));
    cpu_ms.push(Number((1000 * processorSeconds(usage)).toFixed(3)));
  }
  return { result, ms, cpu_ms };
}

function figuresOf(result, objective) {
  const { makespan, tardiness, ...metrics } = measureRepair(result);
  const { before } = objective === 'makespan' ? makespan : tardiness;
  return {
    planned: before,
    value: objectiveValue(result.schedule, objective),
    makespan: makespan.final,
    tardiness: tardiness.final,
    edited_operations: metrics.edited_operations,
    rank_changes: metrics.rank_changes,
    wip_moves: metrics.wip_moves,
    shift_mean: metrics.shift_mean,
    phase: metrics.phase,
    evaluations: metrics.evaluations,
  };
}
