// What it costs to keep an execution in a log: processor time of `simulate` without a log against an
// execution with a log in SQLite, of the same events, in turns. Asked: at most 10 % of the time of the
// repairs, or 0.5 ms for an event.
//
//   npm run bench -- execution [repetitions]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@alas-jssp/workflow';
import { resolveSource } from 'alas-jssp';
import { injectEvents } from 'alas-jssp/disruption';
import { lcrp, simulate } from 'alas-jssp/lcrp';
import { dispatch } from 'alas-jssp/search';
import { executeShop } from 'alas-jssp/shop';

const REPETITIONS = Number(process.argv[2] ?? 9);
const INSTANCES = ['ft10', 'la31', 'ta21', 'ta51', 'ta71'];

const directory = mkdtempSync(join(tmpdir(), 'execution-'));
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Milliseconds of processor time, of all threads of the process. */
async function cost(work: () => unknown) {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

console.log('| instance | operations | events | repairs ms | with log ms | ms an event | share |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
try {
  for (const name of INSTANCES) {
    const instance = resolveSource(name).load();
    const schedule = dispatch(instance, { rule: 'mwkr' });
    const events = injectEvents({
      instance,
      reference: schedule.makespan,
      severity: 'heavy',
      seed: 1,
    });
    const input = { schedule, events, seed: 1 };
    const without = [];
    const withLog: number[] = [];
    let instants = 0;
    for (let repetition = -1; repetition < REPETITIONS; repetition++) {
      const file = join(directory, `${name}-${repetition}.db`);
      const plain = await cost(async () => {
        instants = (await simulate({ ...input, method: lcrp })).steps.length;
      });
      const logged = await cost(async () => {
        const store = openSqliteStore(file);
        await executeShop(input, { store, runId: name });
        store.close();
      });
      if (repetition < 0) continue;
      without.push(plain);
      withLog.push(logged);
    }
    const differences = without.map((plain, i) => withLog[i] - plain);
    const [repairs, all, more] = [median(without), median(withLog), median(differences)];
    const cells = [
      name,
      instance.operations,
      instants,
      repairs.toFixed(1),
      all.toFixed(1),
      (more / instants).toFixed(3),
      `${((100 * more) / repairs).toFixed(1)} %`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(directory, { recursive: true });
}
