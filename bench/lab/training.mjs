// Instances that the laboratory races on: of the kinds of the benchmarks, none of which is among them.
import { createHash } from 'node:crypto';
import { createRandom } from '../../dist/core/random.js';

/**
 * Kinds of instances: durations are uniform in 1 … `longest`; with two sets, every job visits the first
 * half of the machines before the second half.
 */
export const kinds = {
  ta: { longest: 99, sets: 1, sizes: ['15x15', '20x15', '20x20', '30x15', '30x20'] },
  dmu: { longest: 200, sets: 1, sizes: ['20x15', '20x20', '30x15', '30x20', '40x20'] },
  // dmu41 to dmu80.
  two: {
    longest: 200,
    sets: 2,
    sizes: ['20x15', '20x20', '30x15', '30x20', '40x15', '40x20', '50x15', '50x20'],
  },
  swv: { longest: 100, sets: 2, sizes: ['20x10', '20x15', '50x10'] },
};

/**
 * The training instances of some kinds, without end: of every kind and size one, then of each another.
 *
 * @param {string[]} names kinds, or kinds and sizes such as `two-40x20`
 * @param {number} first number of the first instances
 */
export function* trainingInstances(names, first = 0) {
  const chosen = names.flatMap((name) => sizesOf(name));
  for (let number = first; ; number++) {
    for (const { kind, size } of chosen) yield trainingInstance(kind, size, number);
  }
}

function sizesOf(name) {
  const [kind, size] = name.split('-');
  if (!Object.hasOwn(kinds, kind) || (size !== undefined && !/^\d+x\d+$/.test(size))) {
    throw new Error(
      `there is no kind '${name}': use ${Object.keys(kinds).join(', ')}, or ta-15x15`,
    );
  }
  return (size === undefined ? kinds[kind].sizes : [size]).map((each) => ({ kind, size: each }));
}

/** One training instance: its name, data in the order of jobs, and a hash of these. */
function trainingInstance(kind, size, number) {
  const { longest, sets } = kinds[kind];
  const [jobs, machines] = size.split('x').map(Number);
  const name = `${kind}-${size}-${number}`;
  const random = createRandom(`laboratory ${name}`);
  const duration = Array.from({ length: jobs * machines }, () => random.integer(1, longest));
  const border = sets === 1 ? machines : machines >> 1;
  const machine = Array.from({ length: jobs }, () => [
    ...random.shuffle(Array.from({ length: border }, (_, k) => k)),
    ...random.shuffle(Array.from({ length: machines - border }, (_, k) => border + k)),
  ]).flat();
  const data = { jobs, machines, machine, duration };
  return { name, kind, size, ...data, hash: hashOf(JSON.stringify(data)) };
}

/** A short hash of a text. */
export function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
