// The gate campaign: mutated drafts go through all gates, and what passes is rehearsed with faults.
//   npm run trials -- drafts [--count 10000] [--seed 1] [--only TEXT] [--one SEED] [--thorough]
// No draft that passes may leave an effect unaccounted for or break a constraint that it says is enforced, and at most
// 2 % of the harmless mutations may be refused. Prints a table by mutation, and exits with 1 if a limit is exceeded.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deriveSeed } from '@alas-jssp/core';
import { chooseMutations, type GateTrial, tryGates } from '../drafts/gate-trial.js';
import { readGoodDrafts } from '../drafts/good-drafts.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    task: { type: 'string' },
    one: { type: 'string' },
    thorough: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
    from: { type: 'string', default: '0' },
  },
});
const { only, thorough } = values;
const [count, seed, from] = [values.count, values.seed, values.from].map(Number);
const drafts = readGoodDrafts().filter(
  ({ name }) => values.task === undefined || name === values.task,
);
const chosen = chooseMutations(only);
/** The largest share of harmless mutations that may be refused. */
const MOST_REFUSED = 0.02;

if (chosen.length === 0 || drafts.length === 0) {
  console.error('there is no such mutation, or no such task');
  process.exitCode = 2;
} else if (process.send !== undefined) await work();
else if (values.one !== undefined) await repeat(Number(values.one));
else await runAll();

/** Makes the trials of a share and reports to the parent. */
async function work() {
  for (let k = from; k < from + count; k++) {
    process.send?.(await tryGates(deriveSeed(seed, 'gates', k), drafts, chosen, thorough));
  }
  process.disconnect();
}

async function runAll() {
  const started = performance.now();
  const workers = Number(values.workers);
  const share = Math.ceil(count / workers);
  const trials: GateTrial[] = [];
  const children: Promise<unknown[]>[] = [];
  const common = process.argv.slice(2);
  for (let k = 0; k * share < count; k++) {
    const own = [
      '--from',
      String(k * share),
      '--count',
      String(Math.min(share, count - k * share)),
    ];
    const child = fork(fileURLToPath(import.meta.url), [...common, ...own]);
    child.on('message', (trial: GateTrial) => {
      trials.push(trial);
      if (trial.outcome === 'escaped') console.error(describe(trial));
      if (trials.length % 500 === 0) {
        const seconds = Math.round((performance.now() - started) / 1000);
        console.error(`${trials.length} of ${count} drafts, ${seconds} s`);
      }
    });
    children.push(once(child, 'exit'));
  }
  const codes = (await Promise.all(children)).map(([code]) => code);
  printTable(trials);
  const refused = trials.filter(({ harmful, outcome }) => !harmful && isRefused(outcome));
  const harmless = trials.filter(({ harmful }) => !harmful).length;
  const escaped = trials.filter(({ outcome }) => outcome === 'escaped').length;
  const runs = trials.reduce((sum, trial) => sum + trial.runs, 0);
  const share100 = harmless === 0 ? 0 : (100 * refused.length) / harmless;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${trials.length} drafts of ${drafts.length} tasks, ${runs} rehearsed runs, in ${seconds} s`,
  );
  console.log(`escaped: ${escaped}`);
  console.log(
    `harmless mutations refused: ${refused.length} of ${harmless} (${share100.toFixed(2)} %)`,
  );
  const whole = trials.length === count && codes.every((code) => code === 0);
  const good = escaped === 0 && share100 <= 100 * MOST_REFUSED;
  process.exitCode = whole && good ? 0 : 1;
}

function isRefused(outcome: GateTrial['outcome']): boolean {
  return outcome.startsWith('refused');
}

function printTable(trials: readonly GateTrial[]) {
  const rows = chosen.map(({ name, harmful }) => {
    const own = trials.filter(({ mutation }) => mutation === name);
    const ended = (outcome: GateTrial['outcome']) =>
      String(own.filter((trial) => trial.outcome === outcome).length);
    return [
      name,
      harmful ? 'harmful' : 'harmless',
      String(own.length),
      ended('refused by checks'),
      ended('refused by trials of undos'),
      ended('passed'),
      ended('escaped'),
    ];
  });
  const head = ['mutation', '', 'drafts', 'checks', 'undo trials', 'passed', 'escaped'];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all) {
    const cells = row.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    console.log(cells.join('  '));
  }
  const refused = trials.filter(({ harmful, outcome }) => !harmful && isRefused(outcome));
  for (const trial of refused.slice(0, 10)) console.log(describe(trial));
}

function describe({ seed: own, task, mutation, outcome, finding, problem }: GateTrial): string {
  const why =
    problem !== undefined
      ? `${problem.scenario}, run ${problem.run}: ${problem.code}: ${problem.message}`
      : finding !== undefined
        ? `${finding.code} ${finding.part} ${finding.path}: ${finding.message}`
        : '';
  return `--one ${own}: ${task}, ${mutation}: ${outcome}: ${why}`;
}

/** Repeats one trial and prints its story. */
async function repeat(own: number) {
  const trial = await tryGates(own, drafts, chosen, thorough);
  console.log(describe(trial));
  for (const line of trial.problem?.story ?? []) console.log(line);
  process.exitCode = trial.outcome === 'escaped' ? 1 : 0;
}
