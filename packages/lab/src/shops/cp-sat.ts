// CP-SAT on shops with every feature, in a process of Python that stays (peers/cpsat_shop.py).
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PlainShop } from './shop.js';

/** What CP-SAT says about a shop. */
interface CpSatAnswer {
  status: 'optimal' | 'feasible' | 'infeasible' | 'unknown';
  value: number | null;
  lower_bound: number | null;
  start: number[] | null;
  mode: number[] | null;
  seconds: number;
  build_seconds: number;
  processor_seconds: number;
  version: string;
  trace: [seconds: number, value: number][];
}

interface CpSatTask {
  shop: PlainShop;
  objective: 'makespan' | 'total-weighted-tardiness';
  seconds: number;
  threads: number;
  /** Ends it, too. */
  processor_seconds?: number;
}

/** A running CP-SAT: it solves one task after the other. */
export interface CpSat {
  solve(task: CpSatTask): Promise<CpSatAnswer>;
  close(): void;
}

/** The Python with `ortools`: that of engines/cpsat/install.sh, otherwise `python3`. */
function cpSatPython(): string {
  const home = process.env.ALAS_JSSP_ENGINES ?? join(homedir(), '.cache/alas-jssp/engines');
  const own = join(home, 'cpsat-9.15.6755', 'bin', 'python');
  return existsSync(own) ? own : 'python3';
}

/** Whether this machine has the Python of engines/cpsat/install.sh. */
export function hasCpSat(): boolean {
  return cpSatPython() !== 'python3';
}

export function startCpSat(): CpSat {
  const script = join(import.meta.dirname, '../../peers/cpsat_shop.py');
  const child = spawn(cpSatPython(), [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    solve: async (task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('CP-SAT has ended: it says why above');
      return JSON.parse(value);
    },
    close: () => end(child),
  };
}

function end(child: ChildProcess) {
  child.stdin?.end();
}
