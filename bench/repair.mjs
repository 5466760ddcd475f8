// How well and how fast schedules are repaired. Build first, then
//   node bench/repair.mjs [--quick] [--workers 2] [--instances classic] [--replicates 10]
//                         [--sample N] [--out results/repair] [--table]
// From schedules of two seconds of search (kept in OUT/plans, with the recomputes):
// 1. the sample: 20 instances × 3 replicates, each with one breakdown of 5 % of the makespan, repaired
//    by every method and by a search of ten seconds over everything free, from the compensated
//    schedule, realigned like the others;
// 2. all instances × replicates × light, medium, heavy: what happens within 5 % of the makespan, from
//    some event on, is repaired as it happens, by every fast method.
// One line a repair is written to OUT/repairs.jsonl, a table to OUT/table.md and stdout. --quick ends
// within two minutes; --table only makes the table again.
import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { resolveSources } from 'alas-jssp/jssp';
import { describeCommit } from './measure.mjs';
import { renderTables } from './repair-tables.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
    instances: { type: 'string' },
    replicates: { type: 'string' },
    sample: { type: 'string' },
    out: { type: 'string' },
  },
});

/** Ten of the smaller and ten of the larger classic instances; none of them set the policies. */
const SAMPLE =
  'abz7,yn1,swv01,swv06,swv11,ta05,ta11,ta21,ta31,ta35,ta41,ta51,dmu01,dmu06,dmu11,dmu16,dmu21,dmu41,dmu46,dmu56';
const QUICK = 'abz7,swv06,ta21,ta41,dmu21,dmu56';

const out = values.out ?? (values.quick ? 'results/repair-quick' : 'results/repair');
const file = `${out}/repairs.jsonl`;
if (!values.table) await measure();
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const tables = renderTables(rows);
writeFileSync(`${out}/table.md`, tables);
console.log(tables);

async function measure() {
  mkdirSync(`${out}/plans`, { recursive: true });
  const all = namesOf(values.instances ?? (values.quick ? QUICK : 'classic'));
  const sample = namesOf(values.sample ?? (values.quick ? QUICK : SAMPLE));
  const settings = {
    plans: `${out}/plans`,
    replicates: Number(values.replicates ?? (values.quick ? 2 : 10)),
    sampleReplicates: values.quick ? 1 : 3,
    recomputeSeconds: values.quick ? 3 : 10,
    commit: describeCommit(),
  };
  // The longest first, so that no worker is left with one at the end.
  const tasks = [
    ...sample.map((name) => ({ part: 'sample', name, ...settings })),
    ...all.map((name) => ({ part: 'all', name, ...settings })),
  ];
  const lines = [];
  let done = 0;
  const total = tasks.length;
  await Promise.all(
    Array.from({ length: Number(values.workers) }, () =>
      work(tasks, (rows) => {
        lines.push(...rows.map((row) => JSON.stringify(row)));
        done++;
        process.stderr.write(`\r${done} of ${total} instances`);
      }),
    ),
  );
  process.stderr.write('\n');
  writeFileSync(file, `${lines.sort().join('\n')}\n`);
}

/** One process that takes tasks until there are none. */
function work(tasks, finished) {
  return new Promise((resolve, reject) => {
    const worker = fork(fileURLToPath(new URL('./repair-cases.mjs', import.meta.url)));
    const next = () => {
      const task = tasks.shift();
      if (task !== undefined) worker.send(task);
      else {
        worker.disconnect();
        resolve();
      }
    };
    worker.on('message', (rows) => {
      finished(rows);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code) reject(new Error(`a worker ended with ${code}`));
    });
    next();
  });
}

function namesOf(list) {
  return resolveSources(list).map(({ name }) => name);
}
