// CP-SAT on the benchmarks of the search: the same instance, seconds and threads; and both of them by family.
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import type { Instance } from 'alas-jssp/jssp';
import { type CpSat, startCpSat } from '../shops/cp-sat.js';
import { plainOf } from '../shops/instances.js';
import { judgePlain, plainMakespan } from '../shops/plain-judge.js';
import type { Benchmark } from './benchmark.js';
import { appendRow, readRows, type Trace } from './rows.js';

/** A recorded solve of CP-SAT. */
export interface CpSatRow {
  instance: string;
  budget_seconds: number;
  threads: number;
  /** Null if it found none. */
  makespan: number | null;
  lower_bound: number;
  status: string;
  seconds: number;
  trace: Trace;
  machine: string;
}

export interface Beside {
  solve(source: Benchmark, seconds: number, threads: number): Promise<CpSatRow>;
  close(): void;
}

/** CP-SAT that keeps its rows in a file; what is there already of this machine is not solved again. */
export function besideIn(folder: string): Beside {
  const file = join(folder, 'cp-sat.jsonl');
  const machine = `${availableParallelism()} × ${cpus()[0].model.trim()}`;
  let cpSat: CpSat | null = null;
  return {
    solve: async (source, seconds, threads) => {
      const done = readRows<CpSatRow>(file).find(
        (row) =>
          row.instance === source.name &&
          row.budget_seconds === seconds &&
          row.threads === threads &&
          row.machine === machine,
      );
      if (done !== undefined) return done;
      cpSat ??= startCpSat();
      const row = { ...(await solveBeside(cpSat, source, seconds, threads)), machine };
      appendRow(file, row);
      return row;
    },
    close: () => cpSat?.close(),
  };
}

async function solveBeside(cpSat: CpSat, source: Benchmark, seconds: number, threads: number) {
  const instance = source.load();
  const shop = plainOf(instance);
  const task = { shop, objective: 'makespan', seconds, threads } as const;
  const answer = await cpSat.solve(task);
  const { start, mode, lower_bound, ...rest } = answer;
  if (start !== null && mode !== null) checkAnswer(instance, start, mode, answer.value);
  return {
    schema: 'alas-jssp/search-bench@1',
    solver: 'cp-sat',
    instance: source.name,
    budget_seconds: seconds,
    threads,
    makespan: answer.value,
    lower_bound: lower_bound ?? 0,
    upper_bound: source.bounds.upper,
    ...rest,
    solved_at: new Date().toISOString(),
  };
}

/** Judges a plan of CP-SAT. */
function checkAnswer(instance: Instance, start: number[], mode: number[], value: number | null) {
  const shop = plainOf(instance);
  const plan = { start, mode };
  const faults = judgePlain(shop, plan);
  if (faults.length > 0 || plainMakespan(shop, plan) !== value) {
    throw new Error(`CP-SAT, ${instance.name}: ${value} with ${faults.slice(0, 3).join(', ')}`);
  }
}
