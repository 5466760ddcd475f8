// A worker of repair.ts: makes the recompute of a case, or repairs it by every fast method and answers
// with one row a method.
import { type Objective, objectiveValue } from 'alas-jssp/jssp';
import {
  type DisturbedShop,
  findMethod,
  measureRepair,
  type PolicyChanges,
  policy,
  type RepairMethod,
  type RepairPolicy,
  type RepairResult,
  repair,
} from 'alas-jssp/lcrp';
import { validate } from 'alas-jssp/validator';
import { type CaseKey, isGain, makeCase } from './cases.js';
import { processorSeconds } from './kept.js';
import { hasReference, type ReferenceStore, referenceOf } from './references.js';

/** Prices of a changed place, and of an operation that starts earlier than planned, of the fronts. */
const PRICES = [0, 0.00002, 0.0005, 0.001, 0.003];
const EARLY = [0.0001, 0.0005, 0.002, 0.01];

interface RowSettings {
  store: ReferenceStore;
  /** Whether recomputes that are missing are made; without it their cases have no rows. */
  isMade: boolean;
  seeds: number;
  repeats: number;
  rules: PolicyChanges;
  isFront: boolean;
}

/** A label, the method, and the policy with its changes. */
type Rival = [label: string, method: string, policy: string, changes: PolicyChanges];

/** By the names in the tables: methods, the policies that they are based on, and changes of these. */
const BASELINES: Rival[] = ['right-shift', 'affected', 'dispatch'].map((name) => [
  name,
  name,
  'default',
  {},
]);
const NAMED: Rival[] = [
  ['lcrp', 'lcrp', 'default', {}],
  ['lcrp, high-stability', 'lcrp', 'high-stability', {}],
];
const FRONT: Rival[] = [
  ...PRICES.map(
    (rankChange): Rival => [
      `lcrp, place ${rankChange}`,
      'lcrp',
      'default',
      { cost: { rankChange } },
    ],
  ),
  ...EARLY.map(
    (movedEarlier): Rival => [
      `lcrp, early ${movedEarlier}`,
      'lcrp',
      'default',
      { cost: { movedEarlier } },
    ],
  ),
];

process.on('message', async (message: { job: string } & CaseKey & RowSettings) => {
  const { job, ...one } = message;
  process.send?.(job === 'reference' ? await makeReference(one) : await rowsOf(one));
});

/** Seconds on the clock that the recompute took; null if it was there. */
async function makeReference({ store, ...key }: CaseKey & { store: ReferenceStore }) {
  const one = await makeCase(key, store.directory);
  if (hasReference(one, store)) return null;
  const began = performance.now();
  await referenceOf(one, { ...store, isMade: true });
  return (performance.now() - began) / 1000;
}

async function rowsOf({
  store,
  isMade,
  seeds,
  repeats,
  rules,
  isFront,
  ...key
}: CaseKey & RowSettings) {
  const one = await makeCase(key, store.directory);
  const reference = isGain(one) ? null : await referenceOf(one, { ...store, isMade });
  if (reference === null && !isGain(one)) return [];
  const { objective, task } = one;
  const rows: object[] = [];
  const note = (method: string, result: RepairResult, figures: object) => {
    const { schedule } = result;
    if (!validate(task.instance, schedule).valid) {
      throw new Error(`${key.name}, ${key.kind}, ${method}: not feasible`);
    }
    const row = { ...figuresOf(result, objective), ...figures };
    rows.push({ schema: 'alas-jssp/repair-bench@2', ...key, method, ...row });
  };
  let sample: RepairResult | undefined;
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
  if (reference !== null && sample !== undefined) {
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
async function repaired(
  { schedule, events, now }: DisturbedShop,
  rules: RepairPolicy,
  method: RepairMethod,
  seed: number,
  repeats: number,
) {
  const ms: number[] = [];
  const cpu_ms: number[] = [];
  let result = await repair({ schedule, events, now }, rules, { method, seed });
  for (let i = 0; i < repeats; i++) {
    const [began, usage] = [performance.now(), process.cpuUsage()];
    result = await repair({ schedule, events, now }, rules, { method, seed });
    ms.push(Number((performance.now() - began).toFixed(3)));
    cpu_ms.push(Number((1000 * processorSeconds(usage)).toFixed(3)));
  }
  return { result, ms, cpu_ms };
}

function figuresOf(result: RepairResult, objective: Objective) {
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
