// The search and OR-Tools CP-SAT in turns at total weighted tardiness: ten shops with the due dates of
// `run --due-tightness`, and the same with two downtimes on every machine, which no operation may overlap. Needs
// python3 with the package `ortools`:
//   npm run bench -- peers/tardiness [--seconds 10] [--threads 2] [--out results/search/tardiness.jsonl]
// Every pair of solves is appended to --out; what is there already is not solved again. Prints a table.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Instance, resolveSource } from 'alas-jssp/jssp';
import { optimize } from 'alas-jssp/search';
import { validate } from 'alas-jssp/validator';
import { describeCommit, endWithError } from '../measure.js';
import { withConditions } from '../search/conditions.js';
import { appendRow, readRows, type Trace } from '../search/rows.js';

interface Shop {
  name: string;
  tightness: number;
  downtimes: number;
}

/** A solve of the search, and one of CP-SAT, of the same shop. */
interface TardinessRow {
  instance: string;
  tightness: number;
  downtimes: number;
  budget_seconds: number;
  threads: number;
  search: { value: number };
  cp_sat: { value: number; lower_bound: number };
}

// Wrong options end in one line.
process.on('uncaughtException', endWithError);

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    threads: { type: 'string', default: '2' },
    out: { type: 'string', default: 'results/search/tardiness.jsonl' },
  },
});
const OBJECTIVE = 'total-weighted-tardiness';
const shops: Shop[] = (
  [
    ['la16', 1.3],
    ['la17', 1.5],
    ['la18', 1.6],
    ['la19', 1.3],
    ['la20', 1.5],
    ['ta01', 1.6],
    ['ta11', 1.3],
    ['ta21', 1.5],
    ['ta31', 1.6],
    ['ta32', 1.3],
  ] as const
).flatMap(([name, tightness]) => [0, 2].map((downtimes) => ({ name, tightness, downtimes })));
const seconds = Number(values.seconds);
const threads = Number(values.threads);
const scratch = join(mkdtempSync(join(tmpdir(), 'tardiness-')), 'shop.json');
const solved = readRows<TardinessRow>(values.out);

console.log('| instance | tightness | downtimes | search | CP-SAT | CP-SAT, bound |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const shop of shops) {
  const row = solved.find((one) => isSame(one, shop)) ?? (await solve(shop));
  console.log(
    `| ${[row.instance, row.tightness, row.downtimes, row.search.value, row.cp_sat.value, row.cp_sat.lower_bound].join(' | ')} |`,
  );
}

function isSame(row: TardinessRow, { name, tightness, downtimes }: Shop) {
  return (
    row.instance === name &&
    row.tightness === tightness &&
    row.downtimes === downtimes &&
    row.budget_seconds === seconds &&
    row.threads === threads
  );
}

async function solve({ name, tightness, downtimes }: Shop): Promise<TardinessRow> {
  const instance = withConditions(resolveSource(name).load(), {
    tightness,
    downtimes,
    resumable: 'none',
  });
  writeFileSync(scratch, JSON.stringify(dataOf(instance)));
  const row = {
    schema: 'alas-jssp/tardiness-bench@1',
    instance: name,
    tightness,
    downtimes,
    budget_seconds: seconds,
    threads,
    load: Number(loadavg()[0].toFixed(1)),
    search: await ours(instance),
    cp_sat: JSON.parse(
      execFileSync('python3', [
        join(import.meta.dirname, '../../peers/cpsat_tardiness.py'),
        ...[scratch, values.seconds, values.threads],
      ]).toString(),
    ),
    commit: describeCommit(),
    machine: `${availableParallelism()} × ${cpus()[0].model.trim()}`,
  };
  appendRow(values.out, row);
  return row;
}

async function ours(instance: Instance) {
  const trace: Trace = [];
  const { schedule, value, status, lowerBound, stats } = await optimize(instance, {
    objective: OBJECTIVE,
    budget: { seconds },
    threads,
    onImprovement: (found) => trace.push([Number(found.seconds.toFixed(3)), found.value]),
  });
  if (!validate(instance, schedule).valid) throw new Error(`${instance.name}: not feasible`);
  const { iterations } = stats;
  return {
    value,
    lower_bound: lowerBound.value,
    status,
    seconds: stats.seconds,
    iterations,
    trace,
  };
}

/** The shop in the form that the script of CP-SAT reads. */
function dataOf({ jobs, jobOffset, machine, duration, due, weight, calendar }: Instance) {
  const steps = (job: number) =>
    Array.from({ length: jobOffset[job + 1] - jobOffset[job] }, (_, step) => {
      const op = jobOffset[job] + step;
      return [machine[op], duration[op]];
    });
  const down = Array.from(calendar?.from ?? [], (from, i) => {
    const { offset = [], to = [] } = calendar ?? {};
    return [offset.findLastIndex((first) => first <= i), from, to[i]];
  });
  return {
    jobs: Array.from({ length: jobs }, (_, job) => steps(job)),
    due: [...(due ?? [])],
    weight: [...(weight ?? [])],
    downtimes: down,
  };
}
