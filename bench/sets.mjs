import { resolveSources } from 'alas-jssp/jssp';

/** Sets of instances by name; anything else is a suite or an instance. */
export const sets = {
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

/**
 * What the search is to reach with two threads on two cores. `measure` is a mean gap in percent, or how many
 * instances are at the best known makespan or proven; `before` is where it stood in November 2026.
 */
export const goals = [
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

/** The instances that a set, a suite or names stand for. */
export function sourcesOf(set) {
  return set === 'open' ? openSources() : resolveSources(sets[set] ?? set);
}

/** Benchmarks whose best known schedule is not proven to be optimal. */
function openSources() {
  return resolveSources('all').filter(({ bounds }) => bounds.lower < bounds.upper);
}
