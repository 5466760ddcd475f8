import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { instanceChecksum } from '../../src/jssp/checksum.js';
import { parseInstance } from '../../src/jssp/formats/read-instance.js';
import { instanceFromJobs, replaceInstance } from '../../src/jssp/instance.js';

const shop = instanceFromJobs('shop', [
  [
    [0, 3],
    [1, 2],
  ],
  [[1, 4]],
]);

describe('instanceChecksum', () => {
  it('is the SHA-256 of the canonical text', () => {
    const text = '2 2\n0 3 1 2\n1 4\n';
    expect(instanceChecksum(shop)).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('does not depend on the name, but on every number', () => {
    const variants = [
      shop,
      replaceInstance(shop, { duration: Int32Array.of(3, 2, 5) }),
      replaceInstance(shop, { machines: 3 }),
      replaceInstance(shop, { release: Int32Array.of(0, 0, 7) }),
      replaceInstance(shop, { due: Int32Array.of(0, 7) }),
      replaceInstance(shop, { weight: Int32Array.of(0, 7) }),
      replaceInstance(shop, { deadline: Int32Array.of(0, 7) }),
      replaceInstance(shop, { frozen: Int32Array.of(-1, -1, 0) }),
    ];
    expect(new Set(variants.map(instanceChecksum)).size).toBe(variants.length);
    expect(instanceChecksum(replaceInstance(shop, { name: 'other' }))).toBe(instanceChecksum(shop));
  });

  it('does not depend on the order in which the needs of an operation are named', () => {
    const shopWith = (needs: Record<string, number>) =>
      parseInstance(
        JSON.stringify({
          schema: 'alas-jssp/instance@2',
          name: 'assembly',
          machines: ['Bench'],
          resources: [
            { name: 'Omar', capacity: 1 },
            { name: 'Pia', capacity: 2 },
          ],
          jobs: [{ operations: [{ machine: 'Bench', duration: 5, needs }] }],
        }),
        { name: 'assembly' },
      );
    const one = instanceChecksum(shopWith({ Pia: 2, Omar: 1 }));
    expect(instanceChecksum(shopWith({ Omar: 1, Pia: 2 }))).toBe(one);
    expect(instanceChecksum(shopWith({ Omar: 1, Pia: 1 }))).not.toBe(one);
  });
});
