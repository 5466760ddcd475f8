import { createRandom } from '@alas-jssp/core/random';
import {
  assignModes,
  createInstance,
  type Instance,
  type InstanceSpec,
} from '../../../src/jssp/instance.js';
import { eachPredecessor, modesOf, transportTime } from '../../../src/jssp/shop-parts.js';

/** The features of a random shop. */
export interface ShopFeatures {
  readonly setups?: boolean;
  readonly transport?: boolean;
  readonly graph?: boolean;
  readonly releases?: boolean;
  readonly zeroDurations?: boolean;
}

/** A random shop with alternative machines and the given features. */
export function randomShop(
  seed: number,
  jobs: number,
  machines: number,
  features: ShopFeatures,
): Instance {
  const random = createRandom(seed);
  const jobOffset = [0];
  const offset = [0];
  const modeMachine: number[] = [];
  const modeDuration: number[] = [];
  const chosen: number[] = [];
  for (let job = 0; job < jobs; job++) {
    const steps = random.integer(1, machines + 1);
    for (let step = 0; step < steps; step++) {
      const modes = random.integer(1, 3);
      const isEmpty = features.zeroDurations === true && modes === 1 && random.next() < 0.3;
      chosen.push(modeMachine.length + random.integer(0, modes - 1));
      for (let i = 0; i < modes; i++) {
        modeMachine.push(random.integer(0, machines - 1));
        modeDuration.push(isEmpty ? 0 : random.integer(1, 9));
      }
      offset.push(modeMachine.length);
    }
    jobOffset.push(offset.length - 1);
  }
  const spec: InstanceSpec = {
    name: `random-${seed}`,
    machines,
    jobOffset: Int32Array.from(jobOffset),
    machine: Int32Array.from(chosen, (mode) => modeMachine[mode]),
    duration: Int32Array.from(chosen, (mode) => modeDuration[mode]),
    modes: {
      offset: Int32Array.from(offset),
      machine: Int32Array.from(modeMachine),
      duration: Int32Array.from(modeDuration),
      chosen: Int32Array.from(chosen),
    },
  };
  const times = (count: number, most: number) =>
    Int32Array.from({ length: count }, () => random.integer(0, most));
  const operations = chosen.length;
  if (features.releases) spec.release = times(operations, 12);
  if (features.transport) spec.transport = { time: times(machines * machines, 5) };
  if (features.graph) spec.precedence = randomGraph(jobOffset, random);
  if (features.setups) {
    spec.setups = {
      families: 3,
      family: times(operations, 2),
      matrixOf: Int32Array.from({ length: machines }, () => random.integer(-1, 1)),
      time: times(18, 6),
      first: times(6, 4),
      anticipatory: Uint8Array.from({ length: machines }, () => random.integer(0, 1)),
    };
  }
  return createInstance(spec);
}

function randomGraph(jobOffset: readonly number[], random: ReturnType<typeof createRandom>) {
  const offset = [0];
  const pred: number[] = [];
  const minLag: number[] = [];
  for (let job = 0; job + 1 < jobOffset.length; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      for (let before = jobOffset[job]; before < op; before++) {
        if (random.next() < 0.6) continue;
        pred.push(before);
        minLag.push(random.integer(0, 3));
      }
      offset.push(pred.length);
    }
  }
  return {
    offset: Int32Array.from(offset),
    pred: Int32Array.from(pred),
    minLag: Int32Array.from(minLag),
    maxLag: new Int32Array(pred.length).fill(-1),
  };
}

/**
 * The makespan of the earliest schedule in which operations keep an order, on each machine and in their jobs, written
 * from the meaning of a shop alone.
 *
 * @throws Error if an operation comes before one that it must follow
 */
export function makespanOf(given: Instance, order: ArrayLike<number>, mode: Int32Array): number {
  const instance = given.modes === null ? given : assignModes(given, mode);
  const { operations, duration, machine, release, setups } = instance;
  const end = new Array<number>(operations).fill(-1);
  const previous = new Map<number, number>();
  let latest = 0;
  for (const op of Array.from(order)) {
    const [first, stop] = modesOf(given, op);
    if (mode[op] < first || mode[op] >= stop) throw new Error(`operation ${op} in a foreign mode`);
    let arrival = release?.[op] ?? 0;
    eachPredecessor(instance, op, (before, minLag) => {
      if (end[before] < 0) throw new Error(`${op} comes before ${before}`);
      arrival = Math.max(arrival, end[before] + transportTime(instance, before, op) + minLag);
    });
    const k = machine[op];
    let start = arrival;
    if (duration[op] > 0) {
      const before = previous.get(k) ?? -1;
      const free = before < 0 ? 0 : end[before];
      const matrix = setups?.matrixOf[k] ?? -1;
      if (setups === null || matrix < 0) start = Math.max(arrival, free);
      else {
        const { families: f, family, time, first: initial } = setups;
        const length =
          before < 0
            ? initial[matrix * f + family[op]]
            : time[matrix * f * f + family[before] * f + family[op]];
        const waits = length > 0 && setups.anticipatory[k] === 0;
        start = waits ? Math.max(arrival, free) + length : Math.max(arrival, free + length);
      }
      previous.set(k, op);
    }
    end[op] = start + duration[op];
    latest = Math.max(latest, end[op]);
  }
  return latest;
}
