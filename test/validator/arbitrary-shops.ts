import { createRandom, type Random } from '@alas-jssp/core/random';
import fc from 'fast-check';
import { type Instance, replaceInstance } from '../../src/jssp/instance.js';
import type { Modes, Precedence, Resources, Setups, Transport } from '../../src/jssp/shop-parts.js';
import { arbitraryInstance } from '../arbitraries.js';

/** Which parts a shop has beyond the classic job shop. */
interface ShopShape {
  readonly modes: boolean;
  readonly setups: boolean;
  readonly transport: boolean;
  readonly precedence: boolean;
  readonly resources: boolean;
}

/** Small random shops with any of the parts, and with releases, deadlines and downtimes or not. */
export const arbitraryShop: fc.Arbitrary<Instance> = fc
  .record({
    classic: fc
      .record({ releases: fc.boolean(), deadlines: fc.boolean(), downtimes: fc.boolean() })
      .chain((shape) => arbitraryInstance({ ...shape, maxJobs: 4, maxMachines: 3, maxLength: 4 })),
    shape: fc.record({
      modes: fc.boolean(),
      setups: fc.boolean(),
      transport: fc.boolean(),
      precedence: fc.boolean(),
      resources: fc.boolean(),
    }),
    seed: fc.nat(1e9),
  })
  .map(({ classic, shape, seed }) => equipShop(classic, shape, createRandom(seed)));

/** Adds random parts to a classic instance. */
function equipShop(classic: Instance, shape: ShopShape, random: Random): Instance {
  const modes = shape.modes ? randomModes(classic, random) : null;
  const count = modes?.machine.length ?? classic.operations;
  return replaceInstance(classic, {
    modes,
    setups: shape.setups ? randomSetups(classic, random) : null,
    transport: shape.transport ? randomTransport(classic, random) : null,
    precedence: shape.precedence ? randomPrecedence(classic, random) : null,
    resources: shape.resources ? randomResources(count, random) : null,
  });
}

/** Random modes for each operation of an instance; null if it has none. */
export function randomChoice({ modes, operations }: Instance, random: Random): Int32Array | null {
  if (modes === null) return null;
  return Int32Array.from({ length: operations }, (_, op) =>
    random.integer(modes.offset[op], modes.offset[op + 1] - 1),
  );
}

function randomModes({ operations, machines, machine, duration }: Instance, random: Random): Modes {
  const offset = new Int32Array(operations + 1);
  const pairs: [number, number][] = [];
  const chosen = new Int32Array(operations);
  for (let op = 0; op < operations; op++) {
    const others = Array.from({ length: random.integer(0, 2) }, (): [number, number] => [
      random.integer(0, machines - 1),
      random.integer(0, 12),
    ]);
    const place = random.integer(0, others.length);
    chosen[op] = pairs.length + place;
    pairs.push(...others.toSpliced(place, 0, [machine[op], duration[op]]));
    offset[op + 1] = pairs.length;
  }
  return {
    offset,
    machine: Int32Array.from(pairs, ([k]) => k),
    duration: Int32Array.from(pairs, ([, d]) => d),
    chosen,
  };
}

function randomSetups({ operations, machines }: Instance, random: Random): Setups {
  const families = random.integer(1, 3);
  const matrices = 2;
  const time = (): number => Math.max(0, random.integer(-3, 6));
  return {
    families,
    family: Int32Array.from({ length: operations }, () => random.integer(0, families - 1)),
    matrixOf: Int32Array.from({ length: machines }, () => random.integer(-1, matrices - 1)),
    time: Int32Array.from({ length: matrices * families * families }, time),
    first: Int32Array.from({ length: matrices * families }, time),
    anticipatory: Uint8Array.from({ length: machines }, () => random.integer(0, 1)),
  };
}

function randomTransport({ machines }: Instance, random: Random): Transport {
  return {
    time: Int32Array.from({ length: machines * machines }, (_, i) =>
      i % (machines + 1) === 0 ? 0 : random.integer(0, 5),
    ),
  };
}

function randomPrecedence({ jobs, jobOffset, operations }: Instance, random: Random): Precedence {
  const offset = new Int32Array(operations + 1);
  const pred: number[] = [];
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      for (let other = jobOffset[job]; other < op; other++) {
        if (random.integer(0, 2) === 0) pred.push(other);
      }
      offset[op + 1] = pred.length;
    }
  }
  const minLag = Int32Array.from(pred, () => Math.max(0, random.integer(-4, 4)));
  const maxLag = minLag.map((lag) =>
    random.integer(0, 3) === 0 ? lag + random.integer(0, 20) : -1,
  );
  return { offset, pred: Int32Array.from(pred), minLag, maxLag };
}

function randomResources(modes: number, random: Random): Resources {
  const count = random.integer(1, 2);
  const capacity = Int32Array.from({ length: count }, () => random.integer(1, 3));
  const needOffset = new Int32Array(modes + 1);
  const needs: [number, number, number][] = [];
  for (let mode = 0; mode < modes; mode++) {
    for (let resource = 0; resource < count; resource++) {
      for (const phase of [0, 1]) {
        if (random.integer(0, 2) > 0) continue;
        needs.push([resource, random.integer(1, capacity[resource]), phase]);
      }
    }
    needOffset[mode + 1] = needs.length;
  }
  const times = Array.from({ length: count }, (_, resource) =>
    random.integer(0, 1) === 0
      ? []
      : [5, 20].map((from) => ({
          from: from + random.integer(0, 5),
          to: from + random.integer(6, 15),
          amount: random.integer(0, capacity[resource]),
        })),
  );
  const flat = times.flat();
  const offset = new Int32Array(count + 1);
  for (const [r, list] of times.entries()) offset[r + 1] = offset[r] + list.length;
  return {
    count,
    capacity,
    names: null,
    calendar: {
      offset,
      from: Int32Array.from(flat, ({ from }) => from),
      to: Int32Array.from(flat, ({ to }) => to),
      amount: Int32Array.from(flat, ({ amount }) => amount),
    },
    needOffset,
    needResource: Int32Array.from(needs, ([resource]) => resource),
    needAmount: Int32Array.from(needs, ([, amount]) => amount),
    needPhase: Uint8Array.from(needs, ([, , phase]) => phase),
  };
}
