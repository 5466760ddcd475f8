import { InputError } from '@alas-jssp/core/errors';
import { createRandom } from '@alas-jssp/core/random';
import { expect, test } from 'vitest';
import { applyEvents } from '../../../src/disruption/index.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { createRepairEngine } from '../../../src/lcrp/engine.js';
import { explainRepair } from '../../../src/lcrp/metrics/explain.js';
import { measureRepair } from '../../../src/lcrp/metrics/metrics.js';
import type { PolicyChanges } from '../../../src/lcrp/policy/policy.js';
import { shopOracle } from '../../oracles/shop-oracle.js';
import { anySchedule, randomEvents, randomShop } from './random-shop.js';

/** How many shops: more than in the suite with ALAS_JSSP_LCRP_CASES. */
const cases = Number(process.env.ALAS_JSSP_LCRP_CASES ?? 120);
const first = Number(process.env.ALAS_JSSP_LCRP_FIRST ?? 1);

const methods = ['lcrp', 'lcrp', 'lcrp', 'affected', 'right-shift'];

/** Repairs a random shop several times; every repair is judged by the validator, and by the oracle. */
async function followShop(seed: number, plain: boolean): Promise<void> {
  const random = createRandom(seed);
  const plan = anySchedule(randomShop(seed, plain));
  const policy: PolicyChanges = {
    budget: { evaluations: 3000, passes: random.integer(0, 3) },
    cost: { reassigned: random.next() < 0.3 ? 0 : 0.001 },
    limits: {
      mostEdited: random.next() < 0.2 ? random.integer(0, 12) : null,
      mostChanged: random.next() < 0.2 ? random.integer(0, 5) : null,
      notBefore: random.next() < 0.2 ? random.integer(0, 40) : null,
      pinned: random.next() < 0.3 ? [{ job: 0, step: 0 }] : [],
      untouchableMachines: random.next() < 0.2 ? [0] : [],
    },
  };
  const engine = createRepairEngine(plan, policy, { tooLate: 'skip' });
  for (let now = random.integer(0, 15), i = 0; i < 3; now += random.integer(0, 25), i++) {
    const events = randomEvents(engine.schedule, now, random);
    const method = findMethod(methods[random.integer(0, methods.length - 1)]);
    const before = engine.schedule;
    const result = await engine.handle(events, now, { method }).catch((error: unknown) => {
      if (error instanceof InputError && error.code === 'too_few_edits') return null;
      throw error;
    });
    if (result === null) continue;
    const { schedule, task } = result;
    const faults = shopOracle(task.instance, schedule.start, schedule.mode).filter(
      (fault) => !fault.startsWith('deadline') && !mayExceed(fault, task.instance.frozen),
    );
    expect(faults, `seed ${seed}, at ${now}`).toEqual([]);
    expect(schedule.start.includes(-1)).toBe(false);
    const { instance } = applyEvents(before, events, now, { tooLate: 'skip' });
    expect(instance.operations).toBe(schedule.instance.operations);
    const { edited_operations: edited, reassigned } = measureRepair(result);
    expect(explainRepair(result)).toHaveLength(edited);
    expect(reassigned).toBeLessThanOrEqual(edited);
    const { mostEdited } = result.policy.limits;
    if (method.name === 'lcrp' && mostEdited !== null) {
      expect(edited).toBeLessThanOrEqual(mostEdited);
    }
  }
}

/** A greatest lag after a started operation, which may have become impossible. */
function mayExceed(fault: string, frozen: Int32Array | null): boolean {
  const [, other] = /^lag_too_long \d+ (\d+)$/.exec(fault) ?? [];
  return other !== undefined && frozen !== null && frozen[Number(other)] >= 0;
}

test.each([
  ['with alternatives', true],
  ['with every part', false],
])('repairs of random shops %s are never invalid', async (_, plain) => {
  for (let seed = first; seed < first + cases; seed++) await followShop(seed, plain);
});
