// A race: variants against a base, pair by pair, until each is decided or all pairs are made.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { interval } from './statistics.mjs';
import { hashOf } from './training.mjs';

/** Pairs before which nothing is decided. */
const FEWEST = 8;

/** Solves that were made before: of several files, of which the first is appended to. */
export function openRecords(file, ...others) {
  const solves = new Map();
  for (const each of [file, ...others].filter((name) => existsSync(name))) {
    for (const line of readFileSync(each, 'utf8').split('\n')) {
      if (line !== '') solves.set(JSON.parse(line).key, JSON.parse(line));
    }
  }
  mkdirSync(dirname(file), { recursive: true });
  return {
    get: (key) => solves.get(key),
    add: (solve) => {
      solves.set(solve.key, solve);
      appendFileSync(file, `${JSON.stringify(solve)}\n`);
    },
  };
}

/**
 * Races variants; the first is the base that the others are compared with.
 *
 * @param {{
 *   variants: { name: string, build: { file: string, hash: string }, settings: object }[],
 *   instances: Iterator<object>, records: object, budget: object, islands: number, most: number,
 *   objective?: string, jobs: number, alpha: number, worth: number, onPair?: (standings: object[]) => void,
 * }} race `most` pairs are made; `worth` is the gain in percent below which a variant is given up
 * @returns {Promise<any[]>} what is known of each variant but the base, `isKept` null if undecided
 */
export async function race({ variants, instances, most, jobs, alpha, worth, onPair, ...how }) {
  const blocks = Array.from({ length: most }, () => instances.next().value);
  const [base, ...rivals] = variants;
  const standings = rivals.map((variant) => ({ variant, pairs: [], isKept: null }));
  const results = blocks.map(() => new Map());
  const tasks = tasksOf();
  let judged = 0;

  function* tasksOf() {
    for (const [block, instance] of blocks.entries()) {
      for (const variant of variants) yield { block, instance, variant };
    }
  }

  const isOpen = (variant) =>
    standings.some(
      ({ variant: rival, isKept }) => isKept === null && [base, rival].includes(variant),
    );

  /** Judges all blocks, in their order, whose solves are there. */
  const judge = () => {
    for (; judged < most; judged++) {
      const solves = results[judged];
      const open = standings.filter(({ isKept }) => isKept === null);
      if (!solves.has(base) || open.some(({ variant }) => !solves.has(variant))) return;
      for (const standing of open) {
        standing.pairs.push({ base: solves.get(base), rival: solves.get(standing.variant) });
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

function decide(standing, alpha, worth) {
  const gains = standing.pairs.map(gainOf);
  Object.assign(standing, interval(gains, alpha));
  if (gains.length < FEWEST) return;
  if (standing.low > 0) standing.isKept = true;
  else if (standing.high < worth) standing.isKept = false;
}

/** The makespan, or tardiness, that the rival saves, in percent; of a tardiness below 1, of 1. */
export function gainOf({ base, rival }) {
  return (100 * (base.value - rival.value)) / Math.max(1, base.value);
}

/** The solve of a variant, from the records if it is there. */
async function solve({ build, settings }, instance, { records, budget, islands, objective }) {
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
  const made = { key, ...run, name: instance.name, ...result };
  records.add(made);
  return made;
}

function runSolver(file, task) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(dirname(file), 'solver.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(chunks).toString()));
      else reject(new Error(`the solve of ${task.instance.name} ended with code ${code}`));
    });
    child.stdin.end(JSON.stringify(task));
  });
}
