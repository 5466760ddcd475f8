import { resolveSources } from 'alas-jssp/jssp';
import type { Benchmark } from './benchmark.js';
import { isRandomShop, millionShops, randomShop } from './random-shops.js';
import { setupShops } from './setup-shops.js';

/** Sets of instances by name; anything else is a suite or an instance. */
const sets: Record<string, string> = {
  /** What published solvers are compared on; parameters are chosen on others. */
  hard: 'abz7,abz8,swv06,swv10,yn1,yn3,ta15,ta21,ta34,ta41,ta47,ta62,dmu05,dmu20,dmu30,dmu44,dmu50,dmu57,dmu62,dmu68,dmu73,dmu80',
  classic: 'classic',
  /** The 45 instances of the ALAS paper. */
  paper: 'paper',
  /** Two sets of machines visited one after the other: dmu41–80. */
  'two-sets': Array.from({ length: 40 }, (_, i) => `dmu${41 + i}`).join(','),
  'la-orb': 'la,orb',
  quick: 'abz7,swv06,ta21,ta41,dmu05,dmu57',
};

interface Goal {
  title: string;
  set: string;
  seconds: number;
  measure: 'gap' | 'met' | 'proven';
  before?: number;
  asked?: number;
}

/**
 * What the search is to reach with two threads on two cores. `measure` is a mean gap in percent, or how many
 * instances are at the best known makespan or proven; `before` is where it stood in November 2026.
 */
export const goals: Goal[] = [
  {
    title: '22 hard instances',
    set: 'hard',
    seconds: 10,
    measure: 'gap',
    before: 1.11,
    asked: 0.9,
  },
  {
    title: '22 hard instances',
    set: 'hard',
    seconds: 60,
    measure: 'gap',
    before: 0.76,
    asked: 0.6,
  },
  { title: '189 classic', set: 'classic', seconds: 10, measure: 'gap', before: 0.82, asked: 0.68 },
  {
    title: 'the 45 of the paper',
    set: 'paper',
    seconds: 10,
    measure: 'gap',
    before: 0.34,
    asked: 0.28,
  },
  { title: 'dmu41–80', set: 'two-sets', seconds: 10, measure: 'gap', before: 2.59, asked: 2 },
  { title: 'dmu41–80', set: 'two-sets', seconds: 60, measure: 'gap', before: 2.1, asked: 1.4 },
  {
    title: 'la and orb at the optimum',
    set: 'la-orb',
    seconds: 10,
    measure: 'met',
    before: 47,
    asked: 50,
  },
  { title: 'la and orb proven', set: 'la-orb', seconds: 10, measure: 'proven', before: 44 },
  { title: 'la and orb proven', set: 'la-orb', seconds: 30, measure: 'proven', asked: 50 },
];

/**
 * The instances that a set, a suite or names stand for: `setups` and its members are generated, and so are `million` and
 * shops with names such as random-300x300-99-1.
 */
export function sourcesOf(set: string): Benchmark[] {
  if (set === 'open') return openSources();
  if (set === 'million') return millionShops();
  const names = set.split(',');
  if (names.every(isRandomShop)) return names.map(randomShop);
  const shops = setupShops();
  if (set === 'setups') return shops;
  const shop = shops.find(({ name }) => name === set);
  return shop === undefined ? benchmarks(sets[set] ?? set) : [shop];
}

/** Benchmarks whose best known schedule is not proven to be optimal. */
function openSources() {
  return benchmarks('all').filter(({ bounds }) => bounds.lower < bounds.upper);
}

function benchmarks(names: string): Benchmark[] {
  return resolveSources(names).map((source) => {
    if (source.bounds === null) throw new Error(`${source.name}: no bounds are known`);
    return source as Benchmark;
  });
}
