// A race: variants against a base, pair by pair, until each is decided or all pairs are made.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Build } from './builds.js';
import { interval } from './statistics.js';
import { hashOf, type TrainingInstance } from './training.js';

/** A search, as code and with its settings. */
export interface Variant {
  name: string;
  build: Build;
  settings: Record<string, number>;
}

/** What each island may spend: seconds of processor time, or iterations. */
export interface Budget {
  seconds?: number;
  iterations?: number;
}

/** A recorded solve. */
interface Solve extends Valued {
  key: string;
  name: string;
  /** Seconds or iterations, and the value by then. */
  trace: [number, number][];
}

interface Valued {
  value: number;
}

/** Two solves of an instance. */
export interface Pair {
  base: Solve & { instance: TrainingInstance };
  rival: Solve & { instance: TrainingInstance };
}

/** What is known of a variant; `isKept` is null while it is undecided. */
export interface Standing {
  variant: Variant;
  pairs: Pair[];
  isKept: boolean | null;
  mean?: number;
  low?: number;
  high?: number;
}

interface SolveOptions {
  records: ReturnType<typeof openRecords>;
  budget: Budget;
  islands: number;
  objective?: string;
}

interface RaceOptions extends SolveOptions {
  variants: Variant[];
  instances: Iterator<TrainingInstance>;
  /** Pairs that are made. */
  most: number;
  jobs: number;
  alpha: number;
  /** Gain in percent below which a variant is given up. */
  worth: number;
  onPair?: (standings: Standing[]) => void;
}

/** Pairs before which nothing is decided. */
const FEWEST = 8;

/** Solves that were made before: of several files, of which the first is appended to. */
export function openRecords(file: string, ...others: string[]) {
  const solves = new Map<string, Solve>();
  for (const each of [file, ...others].filter((name) => existsSync(name))) {
    for (const line of readFileSync(each, 'utf8').split('\n')) {
      if (line !== '') solves.set(JSON.parse(line).key, JSON.parse(line));
    }
  }
  mkdirSync(dirname(file), { recursive: true });
  return {
    get: (key: string) => solves.get(key),
    add: (solve: Solve) => {
      solves.set(solve.key, solve);
      appendFileSync(file, `${JSON.stringify(solve)}\n`);
    },
  };
}

/**
 * Races variants; the first is the base that the others are compared with.
 *
 * @returns what is known of each variant but the base, `isKept` null if undecided
 */
export async function race({
  variants,
  instances,
  most,
  jobs,
  alpha,
  worth,
  onPair,
  ...how
}: RaceOptions): Promise<Standing[]> {
  const blocks = Array.from({ length: most }, () => instances.next().value);
  const [base, ...rivals] = variants;
  const standings: Standing[] = rivals.map((variant) => ({ variant, pairs: [], isKept: null }));
  const results = blocks.map(() => new Map<Variant, Pair['base']>());
  const tasks = tasksOf();
  let judged = 0;

  function* tasksOf() {
    for (const [block, instance] of blocks.entries()) {
      for (const variant of variants) yield { block, instance, variant };
    }
  }

  const isOpen = (variant: Variant) =>
    standings.some(
      ({ variant: rival, isKept }) => isKept === null && [base, rival].includes(variant),
    );

  /** Judges all blocks, in their order, whose solves are there. */
  const judge = () => {
    for (; judged < most; judged++) {
      const solves = results[judged];
      const open = standings.filter(({ isKept }) => isKept === null);
      const ours = solves.get(base);
      if (ours === undefined || open.some(({ variant }) => !solves.has(variant))) return;
      for (const standing of open) {
        standing.pairs.push({ base: ours, rival: solves.get(standing.variant) ?? ours });
        decide(standing, alpha / rivals.length, worth);
      }
      onPair?.(standings);
    }
  };

  const work = async () => {
    for (const { block, instance, variant } of tasks) {
      if (!isOpen(variant)) continue;
      results[block].set(variant, { ...(await solve(variant, instance, how)), instance });
      judge();
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return standings;
}

function decide(standing: Standing, alpha: number, worth: number) {
  const gains = standing.pairs.map(gainOf);
  const { low, high } = Object.assign(standing, interval(gains, alpha));
  if (gains.length < FEWEST) return;
  if (low > 0) standing.isKept = true;
  else if (high < worth) standing.isKept = false;
}

/** The makespan, or tardiness, that the rival saves, in percent; of a tardiness below 1, of 1. */
export function gainOf({ base, rival }: { base: Valued; rival: Valued }) {
  return (100 * (base.value - rival.value)) / Math.max(1, base.value);
}

/** The solve of a variant, from the records if it is there. */
async function solve(
  { build, settings }: Variant,
  instance: TrainingInstance,
  { records, budget, islands, objective }: SolveOptions,
): Promise<Solve> {
  const seed = Number.parseInt(instance.hash.slice(0, 7), 16);
  const aim = objective === undefined ? {} : { objective };
  const run = {
    code: build.hash,
    settings,
    instance: instance.hash,
    seed,
    islands,
    budget,
    ...aim,
  };
  const key = hashOf(JSON.stringify(run));
  const known = records.get(key);
  if (known !== undefined) return known;
  const result = await runSolver(build.file, { instance, settings, seed, islands, budget, ...aim });
  const made: Solve = { key, ...run, name: instance.name, ...result };
  records.add(made);
  return made;
}

function runSolver(
  file: string,
  task: { instance: TrainingInstance } & Record<string, unknown>,
): Promise<Omit<Solve, 'key' | 'name'>> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(dirname(file), 'solver.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(chunks).toString()));
      else reject(new Error(`the solve of ${task.instance.name} ended with code ${code}`));
    });
    child.stdin.end(JSON.stringify(task));
  });
}
