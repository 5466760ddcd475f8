// Instances that the laboratory races on: of the kinds of the benchmarks, none of which is among them.
import { createHash } from 'node:crypto';
import { createRandom } from '@alas-jssp/core';
import { createInstance } from 'alas-jssp/jssp';
import { withConditions } from '../search/conditions.js';

/** A shop in the order of jobs; every job visits every machine once. */
export interface ShopData {
  name: string;
  jobs: number;
  machines: number;
  machine: number[];
  duration: number[];
  due?: number[];
  weight?: number[];
  calendar?: Record<'offset' | 'from' | 'to' | 'resumable', number[]>;
}

/** A shop to race on, and a hash of its data. */
export interface TrainingInstance extends ShopData {
  kind: string;
  size: string;
  hash: string;
}

/** What instances have beside operations: due dates, of these tightnesses in turn, and downtimes on every machine. */
interface RacedConditions {
  tightness?: number[];
  downtimes?: number;
}

/**
 * Kinds of instances: durations are uniform in 1 … `longest`; with two sets, every job visits the first
 * half of the machines before the second half.
 */
export const kinds: Record<string, { longest: number; sets: number; sizes: string[] }> = {
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
 * @param names kinds, or kinds and sizes such as `two-40x20`
 * @param first number of the first instances
 */
export function* trainingInstances(
  names: string[],
  first = 0,
  conditions: RacedConditions = {},
): Generator<TrainingInstance, never> {
  const chosen = names.flatMap((name) => sizesOf(name));
  for (let number = first; ; number++) {
    for (const { kind, size } of chosen) yield trainingInstance(kind, size, number, conditions);
  }
}

function sizesOf(name: string) {
  const [kind, size] = name.split('-');
  if (!Object.hasOwn(kinds, kind) || (size !== undefined && !/^\d+x\d+$/.test(size))) {
    throw new Error(
      `there is no kind '${name}': use ${Object.keys(kinds).join(', ')}, or ta-15x15`,
    );
  }
  return (size === undefined ? kinds[kind].sizes : [size]).map((each) => ({ kind, size: each }));
}

/** One training instance: its name, data in the order of jobs, and a hash of these. */
function trainingInstance(
  kind: string,
  size: string,
  number: number,
  conditions: RacedConditions,
): TrainingInstance {
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
function instanceOf({ name, jobs, machines, machine, duration }: ShopData) {
  return createInstance({
    name,
    machines,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job * machines),
    machine: Int32Array.from(machine),
    duration: Int32Array.from(duration),
  });
}

/** Due dates, weights and the calendar of an instance, as far as they are asked for. */
function conditionsOf(
  data: ShopData,
  number: number,
  { tightness, downtimes }: RacedConditions,
): Partial<ShopData> {
  if (tightness === undefined && downtimes === undefined) return {};
  const { due, weight, calendar } = withConditions(instanceOf(data), {
    tightness: tightness?.[number % tightness.length],
    downtimes,
  });
  return {
    ...(due !== null && weight !== null && { due: [...due], weight: [...weight] }),
    ...(calendar !== null && {
      calendar: {
        offset: [...calendar.offset],
        from: [...calendar.from],
        to: [...calendar.to],
        resumable: [...calendar.resumable],
      },
    }),
  };
}

/** A short hash of a text. */
export function hashOf(text: string) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
