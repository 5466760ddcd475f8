// Repairs of shops with alternatives after a breakdown, beside a recompute.
//   npm run bench -- repair-flexible [--instances mk01,mk04,mk06,mk10] [--seconds 10] [--each 3]
//   npm run bench -- repair-flexible --instances setups-10x10-2,setups-20x10-2   (generated, with setups)
// A plan of some seconds of search loses a machine for 15 % of its makespan. The share is that of the gap from right
// shifts to the recompute which the repair closes; changes are operations at another place or on another machine.
import { parseArgs } from 'node:util';
import { createRandom } from '@alas-jssp/core/random';
import { resolveSource, type Schedule } from 'alas-jssp/jssp';
import { createRepairEngine, measureRepair } from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';
import { setupShops } from './search/setup-shops.js';

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: 'mk01,mk04,mk06,mk10' },
    seconds: { type: 'string', default: '10' },
    each: { type: 'string', default: '3' },
  },
});
const generated = new Map(setupShops().map((one) => [one.name, one]));
const seconds = Number(values.seconds);
const shares: number[] = [];
const times: number[] = [];
const changes = { repair: 0, recompute: 0 };

for (const name of values.instances.split(',')) {
  const instance = (generated.get(name) ?? resolveSource(name)).load();
  const { schedule: plan } = await optimize(instance, { budget: { seconds }, seed: 1 });
  const random = createRandom(7);
  const engine = createRepairEngine(plan);
  await engine.warmUp();
  for (let i = 0; i < Number(values.each); i++) await measure(name, plan, engine, random);
}
times.sort((a, b) => a - b);
const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
const p50 = times[times.length >> 1].toFixed(1);
console.log(
  `share ${mean.toFixed(3)}, p50 ${p50} ms of processor time, changes ${changes.repair} of ${changes.recompute}`,
);

async function measure(
  name: string,
  { makespan, instance }: Schedule,
  engine: ReturnType<typeof createRepairEngine>,
  random: ReturnType<typeof createRandom>,
): Promise<void> {
  const now = Math.round(makespan * (0.1 + 0.4 * random.next()));
  const machine = random.integer(0, instance.machines - 1);
  const to = now + Math.ceil(makespan * 0.15);
  const began = process.cpuUsage();
  const result = await engine.propose([{ kind: 'breakdown', machine, from: now, to }], now);
  const { user, system } = process.cpuUsage(began);
  times.push((user + system) / 1000);
  const { task, compensated, schedule } = result;
  if (compensated === null) return;
  const options = {
    start: compensated,
    objective: 'makespan',
    budget: { seconds },
    seed: 1,
  } as const;
  const recomputed = (await optimize(task.instance, options)).schedule;
  const countChanges = (one: Schedule) => {
    const { rank_changes, reassigned } = measureRepair({ ...result, schedule: one });
    return rank_changes + reassigned;
  };
  changes.repair += countChanges(schedule);
  changes.recompute += countChanges(recomputed);
  const best = Math.min(recomputed.makespan, schedule.makespan);
  const lost = compensated.makespan;
  if (lost > best) shares.push((lost - schedule.makespan) / (lost - best));
  console.log(`${name}: ${lost} → ${schedule.makespan}, recompute ${recomputed.makespan}`);
}
