// Simulated runs: random workflows, random faults and processes that are killed, paused and misled,
// in a time of their own.
//   npm run trials -- simulation [--seeds 100000] [--from 0] [--seed X]
// After each trial the world must agree with what the ends of its runs say. A seed that fails is
// printed with its story; --seed repeats it. Exits with 1 if one fails.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tryOut } from '../simulation/trial.js';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});

if (process.send !== undefined) await work(Number(values.from), Number(values.seeds));
else if (values.seed !== undefined) await repeat(Number(values.seed));
else await runAll(Number(values.from), Number(values.seeds), Number(values.workers));

/** What came of a seed. */
interface Outcome {
  seed: number;
  kind: string;
  ends: string[];
  faults: number;
  problems: string[];
}

/** Makes the trials of a share and reports to the parent. */
async function work(from: number, seeds: number) {
  for (let seed = from; seed < from + seeds; seed++) {
    const { problems, kind, trial } = await tryOut(seed);
    const ends = [...trial.ends.values()].map(({ status }) => status);
    process.send?.({ seed, kind, ends, faults: trial.simulation.story.length, problems });
  }
  process.disconnect();
}

async function runAll(from: number, seeds: number, workers: number) {
  const started = performance.now();
  const total = {
    done: 0,
    faults: 0,
    ends: {} as Record<string, number>,
    failed: [] as Outcome[],
  };
  const share = Math.ceil(seeds / workers);
  const children: Promise<unknown[]>[] = [];
  for (let k = 0; k * share < seeds; k++) {
    const count = Math.min(share, seeds - k * share);
    const args = ['--from', String(from + k * share), '--seeds', String(count)];
    const child = fork(fileURLToPath(import.meta.url), args);
    child.on('message', ({ seed, kind, ends, faults, problems }: Outcome) => {
      total.done++;
      total.faults += faults;
      for (const end of ends) total.ends[end] = (total.ends[end] ?? 0) + 1;
      if (problems.length === 0) return;
      total.failed.push({ seed, kind, ends, faults, problems });
      if (total.failed.length <= 20) console.log(`seed ${seed} (${kind}): ${problems[0]}`);
    });
    children.push(once(child, 'exit'));
  }
  const codes = (await Promise.all(children)).map(([code]) => code);
  const seconds = Math.round((performance.now() - started) / 1000);
  const ends = Object.entries(total.ends).map(([status, count]) => `${count} ${status}`);
  console.log(
    `${total.done} seeds, ${total.faults} faults, in ${seconds} s: ${ends.sort().join(', ')}`,
  );
  console.log(`seeds that failed: ${total.failed.length}`);
  if (total.failed.length > 0) console.log(`repeat one with --seed ${total.failed[0].seed}`);
  const whole = total.done === seeds && codes.every((code) => code === 0);
  process.exitCode = whole && total.failed.length === 0 ? 0 : 1;
}

/** Repeats one trial and prints its story. */
async function repeat(seed: number) {
  const { kind, problems, trial } = await tryOut(seed);
  console.log(`seed ${seed}, faults: ${kind}`);
  for (const { runId, workflow, input } of trial.runs) {
    const { nodes, edges } = workflow;
    console.log(`${runId} of ${JSON.stringify(input)}: ${JSON.stringify({ nodes, edges })}`);
    for (const { version, ts, nodeId, eventType, payload } of trial.store.read({ runId })) {
      const shown = eventType === 'StartRun' ? '' : JSON.stringify(payload);
      console.log(`  ${version} ${ts.slice(11, 23)} ${eventType} ${nodeId} ${shown.slice(0, 200)}`);
    }
    console.log(`  ${trial.ends.get(runId)?.status}`);
  }
  for (const line of trial.simulation.story) console.log(line);
  for (const [key, { standing, asked }] of trial.world.effects) {
    console.log(`${key}: asked ${asked} times, stands ${standing} times`);
  }
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
