import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectiveValue } from '../../../src/jssp/objectives.js';
import { findMethod } from '../../../src/lcrp/baselines/find-method.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { repairCost } from '../../../src/lcrp/phases/cost.js';
import { createEditCounter } from '../../../src/lcrp/phases/edited.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { RepairPolicy } from '../../../src/lcrp/policy/policy.js';
import type { MethodResult, RepairTask } from '../../../src/lcrp/task.js';
import { arbitraryPolicy, arbitraryTask, cases, fittingPolicy } from '../arbitrary-repair.js';

test.each(['lcrp', 'recompute'])(
  'the more operations %s may edit the less it costs, and enough of them are as good as any number',
  async (name) => {
    const method = findMethod(name);
    const seen = { refused: 0, between: 0 };
    const isSeen = () => seen.refused > 0 && seen.between > 0;
    const property = fc.asyncProperty(arbitraryTask, arbitraryPolicy, async (task, wanted) => {
      const any = fittingPolicy(task.instance, {
        ...wanted,
        fallback: { degradation: 0.5, iterations: 30 },
      });
      const free = await method.repair(task, any, { seed: 1 });
      const enough = editsIn(task, free);
      const prices = name === 'recompute' ? withoutPrices(any) : any;
      const reached = costOf(task, free, prices);
      let before = Number.POSITIVE_INFINITY;
      for (let most = 0; most <= enough; most++) {
        const rules = policy(any, { limits: { mostEdited: most } });
        const result = await repairOrRefuse(() => method.repair(task, rules, { seed: 1 }));
        if (result === null) {
          expect(before).toBe(Number.POSITIVE_INFINITY);
          seen.refused++;
          continue;
        }
        expect(editsIn(task, result)).toBeLessThanOrEqual(most);
        const cost = Math.max(reached, costOf(task, result, prices));
        expect(cost).toBeLessThanOrEqual(before);
        before = cost;
        if (most === enough) expect(result.schedule.start).toEqual(free.schedule.start);
        else seen.between++;
      }
    });
    await fc.assert(property, { numRuns: cases / 5 });
    // Few random tasks may all be too simple; then there are more of them.
    for (let more = 0; more < 20 && !isSeen(); more++) {
      await fc.assert(property, { numRuns: cases / 5 });
    }
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.between).toBeGreaterThan(0);
  },
  600_000,
);

function editsIn(task: RepairTask, { schedule }: MethodResult): number {
  return createEditCounter(task).edited(schedule.start).length;
}

function costOf(task: RepairTask, { schedule }: MethodResult, rules: RepairPolicy): number {
  return repairCost(task, schedule, rules, objectiveValue(compensate(task), rules.objective));
}

function withoutPrices(rules: RepairPolicy): RepairPolicy {
  return { ...rules, cost: { rankChange: 0, movedEarlier: 0, reassigned: 0 } };
}

async function repairOrRefuse(
  repair: () => MethodResult | Promise<MethodResult>,
): Promise<MethodResult | null> {
  try {
    return await repair();
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'too_few_edits') throw error;
    return null;
  }
}
