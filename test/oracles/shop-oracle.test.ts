import { createRandom } from '@alas-jssp/core';
import { describe, expect, it, test } from 'vitest';
import { shopCase } from '../../packages/lab/src/shops/cases.js';
import { hasCpSat, startCpSat } from '../../packages/lab/src/shops/cp-sat.js';
import { enumerate } from '../../packages/lab/src/shops/enumerate.js';
import { instanceOf, modeNumbers, plainOf } from '../../packages/lab/src/shops/instances.js';
import { judgePlain, plainMakespan } from '../../packages/lab/src/shops/plain-judge.js';
import { buildPlan } from '../../packages/lab/src/shops/random-plan.js';
import { featuresOf, randomShop, SIZES } from '../../packages/lab/src/shops/random-shop.js';
import type { PlainOperation, PlainShop } from '../../packages/lab/src/shops/shop.js';
import { shopOracle } from './shop-oracle.js';

/** Two jobs of two operations of duration 4 on two machines, unless changed. */
function shop(changes: Partial<PlainShop> = {}): PlainShop {
  return {
    machines: 2,
    jobs: [0, 1].map(() => ({ due: null, weight: 1, deadline: null })),
    operations: [operation(0, 0), operation(0, 1, 0), operation(1, 0), operation(1, 1, 2)],
    setups: [null, null],
    transport: null,
    downtimes: [],
    resources: [],
    ...changes,
  };
}

function operation(job: number, machine: number, before?: number): PlainOperation {
  return {
    job,
    modes: [{ machine, duration: 4, needs: [] }],
    chosen: 0,
    family: job,
    release: 0,
    after: before === undefined ? [] : [{ from: before, minLag: 0, maxLag: null }],
    frozen: null,
  };
}

const faults = (one: PlainShop, start: (number | null)[], mode = [0, 0, 0, 0]) =>
  judgePlain(one, { start, mode });
const setups = {
  time: [
    [0, 3],
    [3, 0],
  ],
  first: [2, 0],
  anticipatory: true,
};

describe('the plain judge', () => {
  it('finds overlaps and wrong order', () => {
    expect(faults(shop(), [0, 4, 4, 8])).toEqual([]);
    expect(faults(shop(), [0, 3, 3, 8])).toEqual(['job_precedence 1 0', 'machine_overlap 0 2']);
  });

  it('asks for setups, also before the first operation of a machine', () => {
    const one = shop({ setups: [setups, null] });
    expect(faults(one, [2, 6, 9, 13])).toEqual([]);
    expect(faults(one, [1, 6, 7, 13])).toEqual(['setup 0', 'setup 2']);
    // The other way round the first setup is that of the other family.
    expect(faults(one, [7, 11, 0, 4])).toEqual([]);
  });

  it('lets a setup wait for the job where it is not anticipatory', () => {
    const slow = { ...setups, first: [0, 2] };
    const plans = [true, false].map((anticipatory) =>
      faults(shop({ setups: [null, { ...slow, anticipatory }] }), [4, 11, 0, 4]),
    );
    expect(plans).toEqual([[], ['setup 3']]);
  });

  it('places a setup before a downtime if the operation starts right after it', () => {
    const down = [{ machine: 0, from: 4, to: 6, resumable: true }];
    const late = shop({ setups: [setups, null], downtimes: down });
    // From 1 to 4 is room for the setup of the second operation only if nothing else is there.
    expect(faults(late, [null, null, 6, 10])).toEqual([]);
    expect(faults(late, [2, 8, 11, 15])).toEqual([]);
    expect(faults(late, [2, 8, 10, 15])).toEqual(['setup 2']);
  });

  it('asks for transport and lags', () => {
    const one = shop({
      transport: [
        [0, 2],
        [0, 0],
      ],
    });
    one.operations[1].after = [{ from: 0, minLag: 1, maxLag: 3 }];
    expect(faults(one, [0, 7, 4, 11])).toEqual([]);
    expect(faults(one, [0, 6, 4, 10])).toEqual(['lag_too_short 1 0']);
    expect(faults(one, [0, 10, 4, 14])).toEqual(['lag_too_long 1 0']);
  });

  it('adds up needs of operations and of setups', () => {
    const one = shop({
      setups: [setups, null],
      resources: [{ capacity: 1, less: [{ from: 20, to: 22, amount: 0 }] }],
    });
    const need = (phase: 'work' | 'setup') => [{ resource: 0, amount: 1, phase }];
    one.operations[1].modes[0].needs = need('work');
    one.operations[2].modes[0].needs = need('setup');
    expect(faults(one, [2, 9, 9, 13])).toEqual([]);
    expect(faults(one, [2, 6, 9, 13])).toEqual(['resource_overload 0 6']);
    expect(faults(one, [2, 18, 9, 13])).toEqual(['resource_overload 0 20']);
  });

  it('keeps frozen starts and modes', () => {
    const one = shop();
    one.operations[0].modes.push({ machine: 1, duration: 2, needs: [] });
    one.operations[0].frozen = 0;
    expect(faults(one, [0, 4, 4, 8])).toEqual([]);
    expect(faults(one, [1, 5, 5, 9], [1, 0, 0, 0])).toEqual([
      'frozen_moved 0',
      'frozen_reassigned 0',
    ]);
  });
});

it('reads an instance as the shop it was made of', () => {
  for (let seed = 0; seed < 300; seed++) {
    const one = randomShop(seed, featuresOf(seed), SIZES.small);
    const instance = instanceOf(one);
    expect(instanceOf(plainOf(instance))).toEqual(instance);
    const plan = buildPlan(one, createRandom(seed));
    if (plan === null) continue;
    const start = Int32Array.from(plan.start, (time) => time ?? -1);
    const modes = instance.modes === null ? null : modeNumbers(one, plan.mode);
    const judged = shopOracle(instance, start, modes);
    expect(judged.filter((fault) => !fault.startsWith('deadline'))).toEqual([]);
  }
});

it('enumerates no worse plan than one that is built, and none with faults', () => {
  let better = 0;
  for (let seed = 0; seed < 120; seed++) {
    const { shop: one, plans } = shopCase(seed);
    if (one.operations.length > 4) continue;
    const best = enumerate(one, 'makespan', 20_000);
    if (best === null) continue;
    if (best.plan !== null) expect(judgePlain(one, best.plan)).toEqual([]);
    for (const plan of plans) {
      if (judgePlain(one, plan).length > 0) continue;
      expect(best.value).toBeLessThanOrEqual(plainMakespan(one, plan));
      if ((best.value ?? 0) < plainMakespan(one, plan)) better++;
    }
  }
  expect(better).toBeGreaterThan(0);
});

test.skipIf(!hasCpSat())('CP-SAT has the optimum of enumeration', async () => {
  const cpSat = startCpSat();
  for (let seed = 0; seed < 60; seed++) {
    const { shop: one } = shopCase(seed);
    if (one.operations.length > 4) continue;
    const best = enumerate(one, 'makespan', 20_000);
    const task = { shop: one, objective: 'makespan', seconds: 60, threads: 1 } as const;
    if (best !== null) expect((await cpSat.solve(task)).value).toBe(best.value);
  }
  cpSat.close();
});
