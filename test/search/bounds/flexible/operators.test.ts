import { describe, expect, it } from 'vitest';
import { createInstance, type Instance } from '../../../../src/jssp/instance.js';
import { knowsResources } from '../../../../src/search/bounds/flexible/resource-places.js';
import { closeShopGap } from '../../../../src/search/bounds/flexible/shop-closing.js';

/** Jobs of one operation of 5 on a machine of its own; each needs an operator. */
function operatorShop(jobs: number, operators: number, downtime = false): Instance {
  const each = Int32Array.from({ length: jobs }, (_, op) => op);
  return createInstance({
    name: 'operators',
    machines: jobs,
    jobOffset: Int32Array.from({ length: jobs + 1 }, (_, job) => job),
    machine: each,
    duration: new Int32Array(jobs).fill(5),
    calendar: downtime
      ? {
          offset: Int32Array.from({ length: jobs + 1 }, (_, k) => (k === 0 ? 0 : 1)),
          from: Int32Array.of(2),
          to: Int32Array.of(9),
          resumable: Uint8Array.of(1),
        }
      : null,
    resources: {
      count: 1,
      capacity: Int32Array.of(operators),
      names: null,
      calendar: null,
      needOffset: Int32Array.from({ length: jobs + 1 }, (_, mode) => mode),
      needResource: new Int32Array(jobs),
      needAmount: new Int32Array(jobs).fill(1),
      needPhase: new Uint8Array(jobs),
    },
  });
}

function close(shop: Instance): { bound: number; found: number } {
  let found = Number.POSITIVE_INFINITY;
  const bound = closeShopGap(shop, {
    value: 5,
    upper: 100,
    upperBoundNow: () => 100,
    isOver: () => false,
    onBound: () => {},
    onSchedule: (_starts, _chosen, makespan) => {
      found = makespan;
    },
  });
  return { bound, found };
}

describe('the learning prover of shops with operators', () => {
  it('proves that one operator does one operation at a time', () => {
    const shop = operatorShop(4, 1);
    expect(knowsResources(shop)).toBe(true);
    expect(close(shop)).toEqual({ bound: 20, found: 20 });
  });

  it('needs no proof for operators who are enough', () => {
    const shop = operatorShop(3, 3);
    expect(knowsResources(shop)).toBe(true);
    expect(close(shop)).toEqual({ bound: 5, found: 5 });
  });

  it('ends without a proof where several operations can use a resource', () => {
    const shop = operatorShop(3, 2);
    expect(knowsResources(shop)).toBe(false);
    expect(close(shop)).toEqual({ bound: 5, found: 10 });
  });

  it('lets the operator work elsewhere while a downtime interrupts the operation', () => {
    // The first operation lasts from 0 to 12, and the operator does the second one from 2 to 7.
    const shop = operatorShop(2, 1, true);
    expect(knowsResources(shop)).toBe(false);
    const { bound, found } = close(shop);
    expect(found).toBe(12);
    expect(bound).toBeLessThanOrEqual(12);
  });
});
