// Instances that the laboratory races on: of the kinds of the benchmarks, none of which is among them.
import { createHash } from 'node:crypto';
import { createRandom } from '@alas-jssp/core/random';
import { createInstance } from '../../dist/jssp/instance.js';
import { withConditions } from './conditions.mjs';

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
 * @param {{ tightness?: number[], downtimes?: number }} conditions what they have beside operations: due dates,
 *   of these tightnesses in turn, and downtimes on every machine, see `conditions.mjs`
 */
export function* trainingInstances(names, first = 0, conditions = {}) {
  const chosen = names.flatMap((name) => sizesOf(name));
  for (let number = first; ; number++) {
    for (const { kind, size } of chosen) yield trainingInstance(kind, size, number, conditions);
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
function trainingInstance(kind, size, number, conditions) {
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
  const plain = { jobs, machines, machine, duration };
  const data = { ...plain, ...conditionsOf({ name, ...plain }, number, conditions) };
  return { name, kind, size, ...data, hash: hashOf(JSON.stringify(data)) };
}

/** The data in the order of jobs as an instance. */
function instanceOf({ name, jobs, machines, machine, duration }) {
  return createInstance({
    name,
    machines,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines),
    machine: Int32Array.from(machine),
    duration: Int32Array.from(duration),
  });
}

/** Due dates, weights and the calendar of an instance, as far as they are asked for. */
function conditionsOf(data, number, { tightness, downtimes }) {
  if (tightness === undefined && downtimes === undefined) return {};
  const { due, weight, calendar } = withConditions(instanceOf(data), {
    tightness: tightness?.[number % tightness.length],
    downtimes,
  });
  return {
    ...(due !== null && { due: [...due], weight: [...weight] }),
    ...(calendar !== null && {
      calendar: Object.fromEntries(
        Object.entries(calendar).map(([key, values]) => [key, [...values]]),
      ),
    }),
  };
}

/** A short hash of a text. */
export function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
