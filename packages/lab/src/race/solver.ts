// One solve in a process of its own: node solver.js < task, beside `search.js`. The islands take turns in one
// thread, so that the budget can be counted in processor time, which other work on the machine disturbs
// less than the clock, and so that budgets in iterations give equal results.
import { createHash } from 'node:crypto';
import type { Instance } from 'alas-jssp/jssp';
import type { Budget } from './race.js';
import type { ShopData } from './training.js';

interface Exchange {
  spend(share: number): void;
  costOf(island: number): number;
}

/** The parts of a search that `builds.ts` bundles. */
interface Search {
  createInstance(spec: object): Instance;
  lowerBound(instance: Instance): { value: number };
  createProblem(instance: Instance, objective: string): object;
  createEvolution(problem: object, settings: object): { readonly iterations: number };
  usualTuning: object;
  createExchange(buffers: object, operations: number): Exchange;
  createExchangeBuffers(islands: number, operations: number): object;
  workOnIsland(
    evolution: { readonly iterations: number },
    exchange: Exchange,
    island: number,
    slice: number,
    all: readonly number[],
  ): void;
}

/** What each island may spend is the budget. */
interface Task {
  instance: ShopData;
  settings: object;
  seed: number;
  islands: number;
  budget: Budget;
  objective?: string;
}

const search: Search = await import(new URL('search.js', import.meta.url).href);
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk);
process.stdout.write(JSON.stringify(solve(JSON.parse(Buffer.concat(chunks).toString()))));

function solve({ instance: data, settings, seed, islands, budget, objective = 'makespan' }: Task) {
  const instance = instanceOf(data);
  const problem = search.createProblem(instance, objective);
  const bound = objective === 'makespan' ? search.lowerBound(instance).value : 0;
  const exchange = search.createExchange(
    search.createExchangeBuffers(islands, instance.operations),
    instance.operations,
  );
  const all = Array.from({ length: islands }, (_, island) => island);
  const began = process.cpuUsage();
  const evolutions = all.map((island) =>
    search.createEvolution(problem, {
      seed: seedOf(seed, island),
      tuning: { ...search.usualTuning, ...settings },
      iterations: budget.iterations ?? Number.POSITIVE_INFINITY,
      leastTardiness: null,
    }),
  );
  const trace: [number, number][] = [];
  let best = Number.POSITIVE_INFINITY;
  let iterations = 0;
  let seconds = 0;
  for (let slice = 1; best > bound; slice++) {
    if (budget.seconds !== undefined) exchange.spend(Math.min(1, seconds / budget.seconds));
    for (const island of all) {
      if (evolutions[island].iterations < (budget.iterations ?? Number.POSITIVE_INFINITY)) {
        search.workOnIsland(evolutions[island], exchange, island, slice, all);
      }
    }
    iterations = evolutions.reduce((sum, each) => sum + each.iterations, 0) / islands;
    const { user, system } = process.cpuUsage(began);
    seconds = (user + system) / 1e6 / islands;
    const value = Math.min(...all.map((island) => exchange.costOf(island)));
    if (value < best) {
      best = value;
      trace.push([budget.seconds === undefined ? iterations : Number(seconds.toFixed(2)), value]);
    }
    if (iterations >= (budget.iterations ?? Number.POSITIVE_INFINITY)) break;
    if (seconds >= (budget.seconds ?? Number.POSITIVE_INFINITY)) break;
  }
  return { value: best, bound, iterations, seconds, trace };
}

function instanceOf({ name, jobs, machines, machine, duration, due, weight, calendar }: ShopData) {
  return search.createInstance({
    name,
    machines,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines),
    machine: Int32Array.from(machine),
    duration: Int32Array.from(duration),
    ...(due && { due: Int32Array.from(due), weight: Int32Array.from(weight ?? []) }),
    ...(calendar && { calendar: calendarOf(calendar) }),
  });
}

function calendarOf({
  offset,
  from,
  to,
  resumable,
}: Record<'offset' | 'from' | 'to' | 'resumable', number[]>) {
  return {
    offset: Int32Array.from(offset),
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    resumable: Uint8Array.from(resumable),
  };
}

/** A seed for each island. */
function seedOf(seed: number, island: number) {
  return createHash('sha256').update(`${seed} ${island}`).digest().readUInt32LE() >>> 1;
}
