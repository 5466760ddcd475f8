// Random workflows under random fault scripts, on our own runtime and on the engines that are
// installed.
//   npm run trials -- random-workflows [--trials 1000] [--from 0] [--seed X] [--engine NAME]...
//     [--out results/conformance-trials.jsonl] [--most 8] [--again] [--summary]
// Each run is held against a model that knows no engine. One workflow in ten has timers. Results are
// appended to a file, and seeds that stand there are not tried again, with --again those that nothing
// explains; --seed repeats one and prints all of it; --summary only counts what is in the file.
// Exits with 1 if a difference is not explained by the divergences that are listed.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { columns, findEngine } from '../conformance/columns.js';
import { explanationOf } from '../conformance/divergences.js';
import { type Column, type Engine, type Stub, startEngine } from '../conformance/engine.js';
import { hasTimers, runTrial, trialOf } from '../conformance/random-trial.js';
import { startStub } from '../conformance/stub.js';
import { inTurns } from '../conformance/trial.js';

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '1000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    engine: { type: 'string', multiple: true },
    out: { type: 'string', default: 'results/conformance-trials.jsonl' },
    most: { type: 'string', default: '8' },
    again: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
  },
});

interface RunningEngine {
  column: Column;
  engine: Engine;
}

/** What came of a seed on an engine. */
interface TrialResult {
  seed: number;
  engine: string;
  timers: boolean;
  status: string | null;
  /** Rows of the trace. */
  calls: number;
  problems: string[];
  /** The divergence that explains the problems, if any does. */
  because?: string;
}

const results = readResults(values.out);
if (!values.summary) {
  const directory = mkdtempSync(join(tmpdir(), 'conformance-'));
  const stub = await startStub({ file: join(directory, 'trace.jsonl') });
  const running = await startEngines(stub);
  try {
    if (values.seed !== undefined) await repeat(Number(values.seed), running, stub);
    else await runAll(running, stub);
  } finally {
    for (const { engine } of running) await engine.stop();
    await stub.stop();
    rmSync(directory, { recursive: true });
  }
}
if (values.seed === undefined) summarise();

async function startEngines(stub: Stub) {
  const running: RunningEngine[] = [];
  for (const column of columns.filter(({ lint }) => !lint)) {
    if (values.engine !== undefined && !values.engine.includes(column.name)) continue;
    const found = await findEngine(column);
    if ('missing' in found) console.error(`skipped: ${found.missing}`);
    else running.push({ column, engine: await startEngine(column, found.module, stub) });
  }
  return running;
}

async function runAll(running: readonly RunningEngine[], stub: Stub) {
  const first = Number(values.from);
  const seeds = Array.from({ length: Number(values.trials) }, (_, k) => first + k);
  // Those with timers mostly wait: they go along with the others.
  const todo = seeds.flatMap((seed) => {
    const missing = running.filter(({ column }) => isOpen(results.get(`${column.name} ${seed}`)));
    return missing.length === 0 ? [] : [{ seed, missing }];
  });
  const started = performance.now();
  let done = 0;
  mkdirSync(dirname(values.out), { recursive: true });
  await inTurns(todo, Number(values.most), async ({ seed, missing }) => {
    const trial = await trialOf(seed);
    await Promise.all(
      missing.map(async ({ column, engine }) => {
        const { problems, ended, rows } = await runTrial(column, engine, stub, seed, trial);
        const because = explanationOf(column.name, trial.workflow, problems);
        const result: TrialResult = {
          seed,
          engine: column.name,
          timers: hasTimers(seed),
          status: ended?.status ?? null,
          calls: rows.length,
          problems,
        };
        if (problems.length > 0 && because !== undefined) result.because = because;
        appendFileSync(values.out, `${JSON.stringify(result)}\n`);
        results.set(`${column.name} ${seed}`, result);
      }),
    );
    done++;
    if (done % 20 !== 0 && done !== todo.length) return;
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`${done} of ${todo.length} in ${seconds} s\n`);
  });
}

/** Whether a seed is to be tried. */
function isOpen(result: TrialResult | undefined) {
  if (result === undefined) return true;
  return values.again && result.problems.length > 0 && result.because === undefined;
}

function readResults(file: string) {
  if (!existsSync(file)) return new Map<string, TrialResult>();
  // A line that was broken off is tried again.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const all = lines.map((line): TrialResult => JSON.parse(line));
  return new Map(all.map((result) => [`${result.engine} ${result.seed}`, result]));
}

/** Tells how many agree, and why the others do not. */
function summarise() {
  let unexplained = 0;
  for (const { name } of columns.filter(({ lint }) => !lint)) {
    const all = [...results.values()].filter(({ engine }) => engine === name);
    if (all.length === 0) continue;
    const agree = all.filter(({ problems }) => problems.length === 0);
    const explained = all.filter(({ because }) => because !== undefined);
    const left = all.filter(
      ({ problems, because }) => problems.length > 0 && because === undefined,
    );
    unexplained += left.length;
    const calls = all.reduce((sum, one) => sum + one.calls, 0);
    const timers = all.filter((one) => one.timers).length;
    console.log(
      `${name}: ${all.length} workflows (${timers} with timers), ${calls} rows: ${agree.length} agree, ` +
        `${explained.length} explained, ${left.length} not`,
    );
    for (const because of new Set(explained.map((one) => one.because))) {
      const count = explained.filter((one) => one.because === because).length;
      console.log(`  ${count}: ${because}`);
    }
    for (const { seed, problems } of left.slice(0, 20))
      console.log(`  seed ${seed}: ${problems[0]}`);
  }
  process.exitCode = unexplained === 0 ? 0 : 1;
}

/** Repeats one seed and prints all about it. */
async function repeat(seed: number, running: readonly RunningEngine[], stub: Stub) {
  const trial = await trialOf(seed);
  const { workflow, script, foreseen } = trial;
  const { nodes, edges, policies } = workflow;
  console.log(JSON.stringify({ nodes, edges, policies, output: workflow.output }, null, 1));
  for (const row of script.rows) console.log(JSON.stringify(row));
  console.log(`foreseen: ${foreseen.statuses.join(' or ')} ${foreseen.errors.join(' or ')}`);
  console.log(JSON.stringify(foreseen.trace));
  for (const { column, engine } of running) {
    const { problems, ended, rows } = await runTrial(column, engine, stub, seed, trial);
    console.log(`\n${column.name}: ${JSON.stringify({ ...ended, history: undefined })}`);
    for (const { kind, path, attempt, error, input } of rows) {
      console.log(`  ${kind} ${path} #${attempt} ${error ?? ''} ${JSON.stringify(input) ?? ''}`);
    }
    for (const problem of problems) console.log(`  ! ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
