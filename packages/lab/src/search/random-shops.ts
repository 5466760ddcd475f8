// Generated classic shops of any size, named after what makes them: random-JOBSxMACHINES-LONGEST-SEED has durations from 1 to
// LONGEST. `alas-jssp generate random` makes the same instance of these numbers. No bounds of them are known.
import { generateRandom } from 'alas-jssp/jssp';
import type { Benchmark } from './benchmark.js';

const NAME = /^random-(\d+)x(\d+)-(\d+)-(\d+)$/;

/** Longest durations of shops of a million operations: Taillard's, and those of the published large shops but for one. */
const LONGEST = [99, 999];
const SEEDS = [1, 2];

/** Four shops with 1000 jobs on 1000 machines. */
export function millionShops(): Benchmark[] {
  return LONGEST.flatMap((longest) =>
    SEEDS.map((seed) => randomShop(`random-1000x1000-${longest}-${seed}`)),
  );
}

export function isRandomShop(name: string) {
  return NAME.test(name);
}

/** The shop of a name that {@link isRandomShop} knows. */
export function randomShop(name: string): Benchmark {
  const [jobs, machines, maxDuration, seed] = (NAME.exec(name) ?? []).slice(1).map(Number);
  return {
    name,
    suite: 'random',
    path: '',
    bounds: { lower: 0, upper: Number.NaN, asOf: '' },
    sha256: null,
    load: () => generateRandom({ jobs, machines, maxDuration, seed, name }),
  };
}
