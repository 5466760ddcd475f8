// How well and how fast schedules are repaired after events of every kind.
//   npm run bench -- repair [--quick | --tuning] [--references | --kept] [--table] [--workers 1] [--out results/repair]
//                         [--instances all] [--kinds breakdown,duration] [--objectives makespan]
//                         [--replicates 1] [--seconds 10] [--seeds 1] [--repeats 3] [--policy JSON]
// A case is a plan of two seconds of search, and what happens to it at one instant: an event of one kind, or
// all events of 5 % of the makespan (light, medium, heavy). It is repaired by every method and compared with
// a recompute: a search over everything free of ten seconds of processor time. Plans and recomputes are kept
// in OUT (recomputes by the content of their task); --references makes what is missing and nothing else,
// --kept leaves out the cases whose recompute is missing.
// One line a method and case is written to OUT/repairs.jsonl, tables to OUT/table.md and stdout. --tuning
// takes the instances that the policies were set on and recomputes of 3 s, as far as they are there, and
// prints one table; --policy changes the policy. --quick ends within two minutes; --table only makes the
// tables again.
import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Objective } from 'alas-jssp/jssp';
import { describeCommit } from './measure.js';
import { type CaseKey, instanceLists, isGain, KINDS, OBJECTIVES } from './repair/cases.js';
import { renderTables, renderTuning } from './repair/tables.js';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    tuning: { type: 'boolean', default: false },
    references: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
    out: { type: 'string' },
    instances: { type: 'string' },
    kinds: { type: 'string', default: KINDS.join() },
    objectives: { type: 'string', default: OBJECTIVES.join() },
    replicates: { type: 'string', default: '1' },
    seconds: { type: 'string' },
    seeds: { type: 'string', default: '1' },
    repeats: { type: 'string' },
    policy: { type: 'string', default: '{}' },
  },
});
const { quick, tuning } = values;
const mode = quick ? 'quick' : tuning ? 'tuning' : 'all';
const out = values.out ?? `results/repair${quick ? '-quick' : ''}`;
const store = {
  directory: out,
  seconds: Number(values.seconds ?? (mode === 'all' ? 10 : quick ? 1 : 3)),
};
mkdirSync(out, { recursive: true });

if (values.references) await makeReferences();
else {
  const file = `${out}/${tuning ? 'tuning' : 'repairs'}.jsonl`;
  if (!values.table) await measure(file);
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const tables = tuning ? renderTuning(rows) : renderTables(rows);
  if (!tuning) writeFileSync(`${out}/table.md`, tables);
  console.log(tables);
}

/** All cases, one instance after the other, the kinds side by side: what is there after a while covers all. */
function casesAsked(): CaseKey[] {
  const list = values.instances ?? mode;
  const names = (instanceLists[list] ?? list).split(',');
  const kinds = values.kinds.split(',');
  const cases: CaseKey[] = [];
  for (let replicate = 0; replicate < Number(values.replicates); replicate++) {
    for (const name of names) {
      for (const objective of values.objectives.split(',') as Objective[]) {
        for (const kind of kinds) cases.push({ name, kind, objective, replicate });
      }
    }
  }
  return cases;
}

async function makeReferences() {
  const missing = casesAsked().filter((one) => !isGain(one));
  let done = 0;
  await shareOut(
    missing,
    { job: 'reference', store },
    (seconds: number | null, { name, kind, objective }) => {
      done++;
      if (seconds === null) return;
      const words = `${done} of ${missing.length}: ${name}, ${kind}, ${objective}`;
      console.log(`${new Date().toISOString()} ${words}, ${seconds.toFixed(1)} s`);
    },
  );
}

async function measure(file: string) {
  const cases = casesAsked();
  const commit = describeCommit();
  const lines: string[] = [];
  const settings = {
    job: 'rows',
    store,
    isMade: !tuning && !values.kept,
    seeds: Number(values.seeds),
    repeats: Number(values.repeats ?? (tuning ? 1 : 3)),
    rules: JSON.parse(values.policy),
    isFront: !tuning,
  };
  let done = 0;
  await shareOut(cases, settings, (rows: object[]) => {
    lines.push(...rows.map((row) => JSON.stringify({ ...row, commit })));
    done++;
    if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${cases.length} cases`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  writeFileSync(file, `${lines.sort().join('\n')}\n`);
}

/** Gives cases to workers, which take one after the other. */
async function shareOut<Answer>(
  cases: readonly CaseKey[],
  settings: object,
  finished: (answer: Answer, one: CaseKey) => void,
) {
  const left = [...cases];
  const workers = Array.from({ length: Number(values.workers) }, () =>
    work(left, settings, finished),
  );
  await Promise.all(workers);
}

/** One process that takes cases until there are none. */
function work<Answer>(
  left: CaseKey[],
  settings: object,
  finished: (answer: Answer, one: CaseKey) => void,
) {
  return new Promise<void>((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('./repair/rows.js', import.meta.url)));
    let one: CaseKey | undefined;
    const next = () => {
      one = left.shift();
      if (one !== undefined) worker.send({ ...settings, ...one });
      else {
        worker.disconnect();
        resolve();
      }
    };
    worker.on('message', (answer: Answer) => {
      if (one !== undefined) finished(answer, one);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code) reject(new Error(`a worker ended with ${code}`));
    });
    next();
  });
}
