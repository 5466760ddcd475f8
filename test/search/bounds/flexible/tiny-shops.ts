import fc from 'fast-check';
import { createInstance, type Instance } from '../../../../src/jssp/instance.js';
import type { Precedence, Setups, Transport } from '../../../../src/jssp/shop-parts.js';

/** The parts of a random tiny shop. */
export interface TinyParts {
  readonly setups?: boolean;
  readonly transport?: boolean;
  readonly precedence?: boolean;
  readonly release?: boolean;
}

const times = (count: number, max: number) =>
  fc
    .array(fc.integer({ min: 0, max }), { minLength: count, maxLength: count })
    .map((values) => Int32Array.from(values));

/** Shops of at most 6 operations on 3 machines with at most 3 modes each, and the given parts. */
export function arbitraryTinyShop(parts: TinyParts, largest = 6): fc.Arbitrary<Instance> {
  const mode = fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 6 }));
  const operation = fc.uniqueArray(mode, {
    minLength: 1,
    maxLength: 3,
    selector: ([machine]) => machine,
  });
  const job = fc.array(operation, { minLength: 1, maxLength: 3 });
  const families = 2;
  return fc
    .array(job, { minLength: 1, maxLength: 3 })
    .filter((jobs) => jobs.flat().length <= largest)
    .chain((jobs) => {
      const count = jobs.flat().length;
      return fc.record({
        jobs: fc.constant(jobs),
        release: parts.release ? times(count, 8) : fc.constant(null),
        setups: parts.setups ? arbitrarySetups(count, families) : fc.constant(null),
        transport: parts.transport
          ? times(9, 4).map((time): Transport => ({ time }))
          : fc.constant(null),
        edges: parts.precedence ? times(2 * count * count, 4) : fc.constant(null),
      });
    })
    .map(({ jobs, release, setups, transport, edges }) => {
      const all = jobs.flat();
      const flat = all.flat();
      const offset = Int32Array.from([0, ...all].map((_, op) => all.slice(0, op).flat().length));
      const chosen = offset.slice(0, all.length);
      const machine = Int32Array.from(flat, ([k]) => k);
      const duration = Int32Array.from(flat, ([, d]) => d);
      const jobOffset = Int32Array.from([0, ...jobs].map((_, j) => jobs.slice(0, j).flat().length));
      return createInstance({
        name: 'tiny',
        machines: 3,
        jobOffset,
        machine: chosen.map((at) => machine[at]),
        duration: chosen.map((at) => duration[at]),
        modes: { offset, machine, duration, chosen },
        release,
        setups,
        transport,
        precedence: edges === null ? null : graphOf(jobOffset, edges),
      });
    });
}

function arbitrarySetups(count: number, families: number): fc.Arbitrary<Setups> {
  return fc.record({
    families: fc.constant(families),
    family: times(count, families - 1),
    matrixOf: fc.constantFrom(Int32Array.from([0, 1, -1]), Int32Array.from([0, 0, 1])),
    time: times(2 * families * families, 5),
    first: times(2 * families, 5),
    anticipatory: times(3, 1).map((values) => Uint8Array.from(values)),
  });
}

/** A random graph inside each job, with minimum lags and without maximum ones. */
function graphOf(jobOffset: Int32Array, random: Int32Array): Precedence {
  const count = jobOffset[jobOffset.length - 1];
  const offset = new Int32Array(count + 1);
  const pred: number[] = [];
  const minLag: number[] = [];
  for (let job = 0; job + 1 < jobOffset.length; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      for (let before = jobOffset[job]; before < op; before++) {
        const at = 2 * (before * count + op);
        if (random[at] < 2) continue;
        pred.push(before);
        minLag.push(Math.max(0, random[at + 1] - 2));
      }
      offset[op + 1] = pred.length;
    }
  }
  return {
    offset,
    pred: Int32Array.from(pred),
    minLag: Int32Array.from(minLag),
    maxLag: new Int32Array(pred.length).fill(-1),
  };
}
