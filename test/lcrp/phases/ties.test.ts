import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Objective,
  objectives,
  objectiveValue,
  otherObjective,
} from '../../../src/jssp/objectives.js';
import { recompute } from '../../../src/lcrp/baselines/recompute.js';
import { lcrp } from '../../../src/lcrp/lcrp.js';
import { aimOf } from '../../../src/lcrp/phases/aim.js';
import { compensate } from '../../../src/lcrp/phases/compensate.js';
import { repairCost } from '../../../src/lcrp/phases/cost.js';
import { policy } from '../../../src/lcrp/policy/make-policy.js';
import type { MethodResult, RepairTask } from '../../../src/lcrp/task.js';
import { validate } from '../../../src/validator/validate.js';
import { arbitraryTask, cases } from '../arbitrary-repair.js';
import { countOrders, enumerateValues } from '../enumerated-cost.js';

const arbitraryObjective = fc.constantFrom(...objectives);

test('ties are broken by the other objective, and never at the expense of cost', async () => {
  let better = 0;
  const arbitraryCost = fc.record({
    rankChange: fc.constantFrom(0, 0.001),
    movedEarlier: fc.constantFrom(0, 0, 0.01),
  });
  const fallbacks = fc.constantFrom(null, { degradation: 0, iterations: 50 });
  await fc.assert(
    fc.asyncProperty(
      arbitraryTask,
      arbitraryObjective,
      arbitraryCost,
      fallbacks,
      async (task, objective, cost, fallback) => {
        const budget = { passes: 3, evaluations: 2000 };
        const plain = policy({ objective, cost, budget, fallback, tieBreak: false });
        const unit = objectiveValue(compensate(task), objective);
        const other = otherObjective(objective);
        for (const method of fallback === null ? [lcrp] : [lcrp, recompute]) {
          const without = await method.repair(task, plain, { seed: 1 });
          const broken = await method.repair(task, { ...plain, tieBreak: true }, { seed: 1 });
          const [a, b] = [without, broken].map(({ schedule }) => schedule);
          const judged = method === lcrp ? plain : policy({ objective, cost: { rankChange: 0 } });
          expect(validate(task.instance, b).violations).toEqual(
            validate(task.instance, a).violations,
          );
          const [plainCost, brokenCost] = [a, b].map((schedule) =>
            repairCost(task, schedule, judged, unit),
          );
          if (objective === 'makespan' || method === recompute) {
            expect(brokenCost).toBeLessThanOrEqual(plainCost);
          } else {
            expect(objectiveValue(b, objective)).toBeLessThanOrEqual(objectiveValue(a, objective));
          }
          // A search that breaks ties takes another path, and may end at a lower cost with a worse other objective.
          if (brokenCost === plainCost) {
            expect(objectiveValue(b, other)).toBeLessThanOrEqual(
              Math.max(objectiveValue(a, other), aimOf(task, other)),
            );
          }
          if (objectiveValue(b, other) < objectiveValue(a, other)) better++;
        }
      },
    ),
    { numRuns: 2 * cases },
  );
  expect(better).toBeGreaterThan(0);
});

test('on tiny shops the other objective is the best there is, or as promised, by enumeration', () => {
  const seen = { tasks: 0, best: 0 };
  fc.assert(
    fc.property(arbitraryTask, arbitraryObjective, (task, objective) => {
      if (task.instance.deadline !== null || countOrders(task) > 2000) return;
      const cost = { rankChange: 0, movedEarlier: 0 };
      const { schedule, neighbourhood } = repairNow(task, objective, cost);
      if (neighbourhood?.length === 0) return;
      const values = [...enumerateValues(task)].map(({ makespan, tardiness }) =>
        objective === 'makespan' ? [makespan, tardiness] : [tardiness, makespan],
      );
      const [main, least] = values.reduce((a, b) =>
        b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a,
      );
      const other = otherObjective(objective);
      const reached = objectiveValue(schedule, other);
      if (objectiveValue(schedule, objective) > main) return;
      expect(reached).toBeGreaterThanOrEqual(least);
      seen.tasks++;
      if (reached <= Math.max(least, aimOf(task, other))) seen.best++;
    }),
    { numRuns: 4 * cases },
  );
  expect(seen.tasks).toBeGreaterThan(30);
  expect(seen.best / seen.tasks).toBeGreaterThan(0.8);
}, 120_000);

function repairNow(
  task: RepairTask,
  objective: Objective,
  cost: { rankChange: number; movedEarlier: number },
): MethodResult {
  const budget = { passes: 4, evaluations: 10_000 };
  const repaired = lcrp.repair(task, policy({ objective, cost, budget, tieBreak: true }), {
    seed: 1,
  });
  if (repaired instanceof Promise) throw new Error('a promise without a fallback');
  return repaired;
}
