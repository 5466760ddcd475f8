// Faults in answers of planners: each harmful mutation of drafts is planted into the first answers of each task in words.
//   npm run trials -- drafts-planted [--task NAME] [--only TEXT] [--verbose]
// The checks must find it, and name parts whose next answers, the good ones, fix it. Prints a table by fault. Exits with 1
// if a fault of the classes of ALAS's validation is not found, or one that is found is not fixed.
import { parseArgs } from 'node:util';
import {
  checkDraft,
  createSandbox,
  draftWithPlantedFault,
  type EquipDraft,
  makeAgents,
  mutations,
} from '@alas-jssp/blueprint';
import { createRandom, deriveSeed } from '@alas-jssp/core';
import { readPlantableTasks } from '../drafts/plantable-tasks.js';

const { values } = parseArgs({
  options: {
    task: { type: 'string' },
    only: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});

/**
 * Faults that no check without a model can see: the guards of a choice are the planner's reading of the task, steps may
 * swap places where no constraint orders them, and a condition may hold for all values in ways that only a proof shows.
 */
const UNSEEN: readonly string[] = [
  'the edges of a choice have swapped targets',
  'two edges have swapped targets',
  'two neighbours are swapped',
  'an edge is missing',
  'a condition holds for all values',
  'the coverage of a constraint names another node',
  'a constraint on changes is not enforced any more',
  'a retry is missing where the task counts on it',
];

interface Row {
  planted: number;
  found: number;
  fixed: number;
  /** Not found, but people are warned. */
  warned: number;
  /** Neither. */
  unseen: number;
}

const sandbox = createSandbox();
// Undos are tried by the campaign `drafts`; here their trials would only take time.
const equip: EquipDraft = async (task) => {
  const { agents, files, findings } = await makeAgents({ ...task, sandbox });
  return { agents, files, undo: [], findings };
};

const rows = new Map<string, Row>();
const tasks = readPlantableTasks().filter(
  ({ name }) => values.task === undefined || name === values.task,
);
const faults = mutations.filter(({ name, harmful }) => harmful && name.includes(values.only));
const started = performance.now();
for (const task of tasks) {
  for (const fault of faults) {
    const random = createRandom(deriveSeed(Number(values.seed), task.name, fault.name));
    const outcome = await draftWithPlantedFault(task, fault, random, {
      check: (draft) => checkDraft({ ...draft, undo: undefined }),
      equip,
    });
    if (outcome === null) continue;
    const row = rows.get(fault.name) ?? newRow();
    rows.set(fault.name, row);
    row.planted++;
    const { found, fixed, warned } = outcome;
    if (found) row.found++;
    else if (warned) row.warned++;
    else row.unseen++;
    if (found && fixed) row.fixed++;
    const isWrong = found ? !fixed : !warned && !UNSEEN.includes(fault.name);
    if (!isWrong && !(values.verbose && !found)) continue;
    const codes = outcome.findings.map(({ code, part }) => `${code} of ${part}`).join(', ');
    const end = found ? `not fixed; found: ${codes}` : 'not found';
    console.error(`${task.name}: ${fault.name} (in ${outcome.parts.join(', ')}): ${end}`);
  }
}
await sandbox.close();
printTable();

function newRow(): Row {
  return { planted: 0, found: 0, fixed: 0, warned: 0, unseen: 0 };
}

function printTable(): void {
  const all = newRow();
  let isWrong = false;
  console.log('| Fault | Planted | Found | Fixed | Warned of | Unseen |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  const print = (name: string, { planted, found, fixed, warned, unseen }: Row) =>
    console.log(`| ${name} | ${planted} | ${found} | ${fixed} | ${warned} | ${unseen} |`);
  for (const [name, row] of rows) {
    print(name, row);
    for (const key of ['planted', 'found', 'fixed', 'warned', 'unseen'] as const) {
      all[key] += row[key];
    }
    if (row.fixed < row.found || (row.unseen > 0 && !UNSEEN.includes(name))) isWrong = true;
  }
  print('all', all);
  console.error(`${tasks.length} tasks, ${Math.round((performance.now() - started) / 1000)} s`);
  if (isWrong) process.exitCode = 1;
}
