import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lowerBound } from '../../../src/jssp/bounds.js';
import { instanceChecksum } from '../../../src/jssp/checksum.js';
import {
  createInstance,
  type Instance,
  instanceFromJobs,
  replaceInstance,
} from '../../../src/jssp/instance.js';
import { proveBound } from '../../../src/search/bounds/prove-bound.js';
import { checkProof } from '../../../src/validator/proof/check-proof.js';
import { arbitraryTiny } from '../../search/bounds/arbitrary-tiny.js';
import { optimum } from '../../search/bounds/optimum.js';
import { attack } from './attack.js';

/** A campaign: `ALAS_JSSP_PROOF_CASES=20000`. */
const numRuns = Number(process.env.ALAS_JSSP_PROOF_CASES ?? 60);
const timeout = 120_000 + 200 * numRuns;
const TRIES = 200;

const headerOf = (instance: Instance, bound: number) => [
  'alas-jssp proof 1',
  `instance ${instanceChecksum(instance)} x`,
  `bound ${bound}`,
];

/** Tiny shops, some with operations that have started before their release. */
const shops = fc
  .tuple(
    fc.oneof(arbitraryTiny({ downtimes: false }), arbitraryTiny({ downtimes: true })),
    fc.nat(60),
    fc.boolean(),
  )
  .map(([instance, time, isLate]) => {
    if (!isLate || instance.frozen === null) return instance;
    return replaceInstance(instance, {
      release: instance.frozen.map((start) => (start >= 0 ? start + time : 0)),
    });
  })
  .filter(({ operations }) => operations > 0);

describe('the checker of proofs', () => {
  it(
    'accepts no line of many that leads above the optimum',
    async () => {
      const draws = fc.infiniteStream(fc.nat());
      await fc.assert(
        fc.asyncProperty(shops, draws, async (instance, stream) => {
          const least = optimum(instance);
          fc.pre(least < Infinity);
          const draw = (limit: number) => (stream.next().value as number) % limit;
          const wrong = await attack(instance, headerOf(instance, least + 1), draw, TRIES);
          expect(wrong).toBe(null);
        }),
        { numRuns },
      );
    },
    timeout,
  );

  it('is led to what is true by the same attack', async () => {
    const instance = instanceFromJobs('three', [
      [
        [1, 4],
        [0, 3],
        [2, 4],
      ],
      [
        [0, 6],
        [1, 3],
        [2, 3],
      ],
      [
        [2, 3],
        [1, 2],
        [0, 2],
      ],
    ]);
    expect([lowerBound(instance).value, optimum(instance)]).toEqual([14, 16]);
    let seed = 1;
    const draw = (limit: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    const proof = await attack(instance, headerOf(instance, 16), draw, 6000);
    expect(proof?.length).toBeGreaterThan(20);
    expect(await attack(instance, headerOf(instance, 17), draw, 2000)).toBe(null);
  });

  it(
    'follows the prover, which does not count on the release of an operation that has started before',
    async () => {
      await fc.assert(
        fc.asyncProperty(shops, async (instance) => {
          const least = optimum(instance);
          fc.pre(least < Infinity);
          const parts: string[] = [];
          const write = (text: string) => parts.push(text);
          const { verdict } = await proveBound(instance, { bound: least + 1, write });
          expect(verdict).toBe('false');
          const release = instance.release?.map((time, op) => {
            const start = instance.frozen?.[op] ?? -1;
            return start >= 0 ? Math.min(time, start) : time;
          });
          const bound = optimum({
            ...instance,
            calendar: null,
            frozen: null,
            release: release ?? null,
          });
          expect((await proveBound(instance, { bound, write })).verdict).toBe('proven');
          const lines = parts.join('').split('\n').slice(0, -1);
          const proof = lines.slice(lines.lastIndexOf('alas-jssp proof 1'));
          expect((await checkProof(instance, proof)).problem).toBe(null);
        }),
        { numRuns },
      );
    },
    timeout,
  );

  it('refuses shops whose pairs of operations it could not number', async () => {
    const operations = 65_537;
    const instance = createInstance({
      name: 'long',
      machines: 1,
      jobOffset: Int32Array.from({ length: operations + 1 }, (_, job) => job),
      machine: new Int32Array(operations),
      duration: new Int32Array(operations).fill(1),
    });
    const { problem } = await checkProof(instance, headerOf(instance, 9));
    expect(problem).toBe('line 3: long has too many operations on its machines');
  });
});
