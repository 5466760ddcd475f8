// What repairs by the default policy take: by size and objective, with downtimes, and with a limit of time.
//   npm run bench -- repair-times [--parts sizes,downtimes,limits] [--each 4] [--clock] [--out results/repair-times]
//                               [--instances la19,ta21,ta71] [--objectives makespan] [--kinds breakdown,delay]
// Processor time of this process, the compiler and the garbage collector included, or with --clock wall-clock time, which
// needs an idle machine. Sizes: events of every kind on plans of two seconds of search (kept in OUT), each repaired
// once, after some that do not count. Downtimes: the same breakdowns in shops without downtimes and with 10 and 60 a
// machine, whose plans come from the same number of iterations. Limits: policies with a budget of seconds, as shares of
// that budget. A checksum of all starts shows whether two versions make the same repairs.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createRandom, deriveSeed } from '@alas-jssp/core';
import { createCalendar } from 'alas-jssp/internal/lab';
import {
  type Objective,
  replaceInstance,
  resolveSource,
  type Schedule,
  withDueDates,
} from 'alas-jssp/jssp';
import { createRepairEngine, type DisturbedShop, type PolicyChanges, repair } from 'alas-jssp/lcrp';
import { optimize } from 'alas-jssp/search';
import { KINDS, makeCase, OBJECTIVES } from './repair/cases.js';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'sizes,downtimes,limits' },
    each: { type: 'string', default: '4' },
    clock: { type: 'boolean', default: false },
    out: { type: 'string', default: 'results/repair-times' },
    instances: { type: 'string', default: 'la19,ta21,ta35,ta41,ta51,ta65,ta71' },
    objectives: { type: 'string', default: OBJECTIVES.join() },
    kinds: { type: 'string', default: KINDS.join() },
  },
});
const each = Number(values.each);
const instances = values.instances.split(',');
const objectives = values.objectives.split(',') as Objective[];
/** Repairs before those that count, so that the code is compiled. */
const UNCOUNTED = 20;
const DOWNTIMES = [0, 10, 60];
/** Iterations of the plans of shops with downtimes. */
const ITERATIONS = 20_000;
const LIMITS = [0.005, 0.01, 0.02, 0.05];

const parts: Record<string, () => Promise<void>> = { sizes, downtimes, limits };
for (const part of values.parts.split(',')) await parts[part]();

/** The milliseconds of one repair. */
async function timed(shop: DisturbedShop, changes: PolicyChanges, seed: number, sum: Checksum) {
  const began = now();
  const { schedule } = await repair(shop, changes, { seed });
  const took = now() - began;
  sum.add(schedule);
  return took;
}

async function sizes() {
  console.log('\nsizes: milliseconds p50 / p90 / p99 / most, number of repairs, checksum');
  for (const objective of objectives) {
    const all: number[] = [];
    for (const name of instances) {
      const sum = checksum();
      const times: number[] = [];
      const shops: DisturbedShop[] = [];
      for (let replicate = 0; replicate < each; replicate++) {
        for (const kind of values.kinds.split(',')) {
          shops.push(await makeCase({ name, kind, objective, replicate }, values.out));
        }
      }
      await createRepairEngine(shops[0].schedule, { objective }).warmUp();
      for (const shop of shops.slice(0, UNCOUNTED)) await timed(shop, { objective }, 1, checksum());
      for (const shop of shops) times.push(await timed(shop, { objective }, 0, sum));
      all.push(...times);
      const { operations } = shops[0].schedule.instance;
      console.log(`  ${objective}, ${name} (${operations}): ${show(times)}, ${sum.text()}`);
    }
    console.log(`  ${objective}, all: ${show(all)}`);
  }
}

async function downtimes() {
  console.log('\ndowntimes a machine: milliseconds p50 / p90 / p99 / most; ratio of means to none');
  for (const objective of objectives) {
    for (const name of instances) {
      const none: number[] = [];
      for (const count of DOWNTIMES) {
        const sum = checksum();
        const plan = await planWith(name, objective, count);
        await createRepairEngine(plan, { objective }).warmUp();
        const shops = Array.from({ length: 8 * each }, (_, i) => breakdownOf(plan, i));
        for (const shop of shops.slice(0, UNCOUNTED))
          await timed(shop, { objective }, 1, checksum());
        const times: number[] = [];
        for (const shop of shops) times.push(await timed(shop, { objective }, 0, sum));
        if (count === 0) none.push(...times);
        const ratio = mean(times) / mean(none);
        console.log(
          `  ${objective}, ${name}, ${count}: ${show(times)}, mean ${mean(times).toFixed(2)}, ${ratio.toFixed(2)} ×, ${sum.text()}`,
        );
      }
    }
  }
}

async function limits() {
  console.log('\nlimits of time: milliseconds p50 / p90 / p99 / most; p99 as a share of the limit');
  for (const objective of objectives) {
    for (const name of instances) {
      for (const seconds of LIMITS) {
        const times: number[] = [];
        // A search that would not end by itself.
        const changes = { objective, budget: { seconds, evaluations: 1e9, passes: 1000 } };
        for (let i = 0; i < 30 * each; i++) {
          const kinds = values.kinds.split(',');
          const kind = kinds[i % kinds.length];
          const replicate = Math.floor(i / kinds.length) % 4;
          const shop = await makeCase({ name, kind, objective, replicate }, values.out);
          if (i === 0) await createRepairEngine(shop.schedule, changes).warmUp();
          times.push(await timed(shop, changes, i, checksum()));
        }
        const share = quantile(times, 0.99) / (1000 * seconds);
        console.log(
          `  ${objective}, ${name}, ${1000 * seconds} ms: ${show(times)}, ${share.toFixed(2)}`,
        );
      }
    }
  }
}

/** A plan of a shop in which every machine has so many downtimes, which take a tenth of the time together. */
async function planWith(name: string, objective: Objective, count: number): Promise<Schedule> {
  const plain = resolveSource(name).load();
  const due = objective === 'makespan' ? plain : withDueDates(plain, 1.3);
  const { makespan } = (await optimize(due, { budget: { iterations: 1 }, seed: 1 })).schedule;
  const random = createRandom(deriveSeed('repair-times', name, count));
  const span = Math.floor((1.5 * makespan) / Math.max(1, count));
  const list = Array.from({ length: count * due.machines }, (_, i) => {
    const from = span * Math.floor(i / due.machines) + random.integer(0, Math.floor(0.8 * span));
    const to = from + Math.max(1, Math.floor(0.1 * span));
    return { machine: i % due.machines, from, to, resumable: random.next() < 0.8 };
  });
  const calendar = count === 0 ? null : createCalendar(due.machines, list);
  const instance = replaceInstance(due, { calendar });
  const budget = { iterations: ITERATIONS };
  return (await optimize(instance, { budget, seed: 1, objective })).schedule;
}

function breakdownOf(schedule: Schedule, i: number): DisturbedShop {
  const { instance, makespan } = schedule;
  const random = createRandom(deriveSeed('repair-times', instance.name, i));
  const now = Math.round(makespan * (0.1 + 0.5 * random.next()));
  const machine = random.integer(0, instance.machines - 1);
  const to = now + Math.round(0.05 * makespan);
  return { schedule, events: [{ kind: 'breakdown', machine, from: now, to }], now };
}

interface Checksum {
  add(schedule: Schedule): void;
  text(): string;
}

function checksum(): Checksum {
  const hash = createHash('sha256');
  return {
    add: ({ start }) => {
      hash.update(start);
    },
    text: () => hash.digest('hex').slice(0, 8),
  };
}

function now() {
  if (values.clock) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function quantile(times: readonly number[], share: number) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function mean(times: readonly number[]) {
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function show(times: readonly number[]) {
  const shares = [0.5, 0.9, 0.99, 1].map((share) => quantile(times, share).toFixed(2));
  return `${shares.join(' / ')}, ${times.length}`;
}
