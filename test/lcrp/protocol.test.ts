import { InputError } from '@alas-jssp/core/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectiveValue } from '../../src/jssp/objectives.js';
import { machineSequences, type Schedule } from '../../src/jssp/schedule.js';
import { repair } from '../../src/lcrp/engine.js';
import { explainRepair } from '../../src/lcrp/metrics/explain.js';
import { measureRepair } from '../../src/lcrp/metrics/metrics.js';
import { compensate } from '../../src/lcrp/phases/compensate.js';
import { repairCost } from '../../src/lcrp/phases/cost.js';
import { createEditCounter } from '../../src/lcrp/phases/edited.js';
import type { DisturbedShop } from '../../src/lcrp/phases/status.js';
import { heldOperations } from '../../src/lcrp/pins/held-operations.js';
import { defaultPolicy, pinnedNumbers, type RepairPolicy } from '../../src/lcrp/policy/policy.js';
import type { RepairResult } from '../../src/lcrp/repair-result.js';
import { validate } from '../../src/validator/validate.js';
import { eventsFor } from '../disruption/arbitraries.js';
import {
  arbitraryMostEdited,
  arbitraryPolicy,
  arbitrarySchedule,
  arbitrarySteps,
  fittingPolicy,
} from './arbitrary-repair.js';
import { leastFixpoint } from './least-fixpoint.js';

/** 1,000 shops in the suite; `npm run test:deep` asks for 100,000. */
const cases = Number(process.env.ALAS_JSSP_LCRP_CASES ?? 400);

/** A policy; sometimes one that recomputes, within its limits or without any. */
const policies: fc.Arbitrary<RepairPolicy> = fc
  .tuple(arbitraryPolicy, fc.nat(9), fc.boolean(), arbitraryMostEdited)
  .map(([policy, choice, isFree, mostEdited]) => ({
    ...policy,
    fallback: choice === 0 ? { degradation: 0, iterations: 30 } : null,
    limits: { ...(isFree ? defaultPolicy : policy).limits, mostEdited },
  }));

test(`the promises of the protocol hold in ${cases} shops, whatever happens and is asked for`, async () => {
  const seen = {
    phases: new Set<string>(),
    causes: new Set<string>(),
    repairs: 0,
    refused: 0,
    limited: 0,
  };
  await fc.assert(
    fc.asyncProperty(arbitrarySchedule, arbitrarySteps, policies, async (plan, steps, any) => {
      let schedule = plan;
      let now = 0;
      for (const { later, choices } of steps) {
        now += later;
        const execution = { schedule, events: eventsFor(schedule, now, choices), now };
        const policy = fittingPolicy(schedule.instance, any);
        const given = await repairWithin(execution, policy);
        if (given === null) {
          // Fewer edits than any schedule needs: nothing more can be asked of this policy.
          seen.refused++;
          break;
        }
        const result = given;
        checkPast(schedule, result);
        checkCompensation(result);
        checkCost(result, policy);
        checkNeighbourhood(result);
        checkLimits(result, policy);
        for (const cause of checkCauses(result)) seen.causes.add(cause);
        const again = await repair(execution, policy, { seed: 1, tooLate: 'skip' });
        for (const key of ['schedule', 'neighbourhood', 'phase', 'evaluations'] as const) {
          expect(again[key]).toEqual(result[key]);
        }
        seen.phases.add(result.phase);
        seen.repairs++;
        if (policy.limits.mostEdited !== null) seen.limited++;
        schedule = result.schedule;
      }
    }),
    { numRuns: cases },
  );
  expect(seen.repairs).toBeGreaterThan(cases);
  expect(seen.refused).toBeGreaterThan(0);
  expect(seen.limited).toBeGreaterThan(0);
  const phases = ['status', 'compensation', 'reordering', 'recompute'];
  expect([...seen.phases]).toEqual(expect.arrayContaining(phases));
  // A pinned operation that could go back is too rare to be met every time.
  const causes = ['event', 'job', 'machine', 'place', 'earlier'];
  expect([...seen.causes]).toEqual(expect.arrayContaining(causes));
}, 3_600_000);

/** The repair; null if the policy allows too few edits. */
async function repairWithin(
  execution: DisturbedShop,
  policy: RepairPolicy,
): Promise<RepairResult | null> {
  try {
    return await repair(execution, policy, { seed: 1, tooLate: 'skip' });
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'too_few_edits') throw error;
    return null;
  }
}

/** Feasible, and what had started by now is as it was, unless it was lost. */
function checkPast(before: Schedule, { schedule, task, applied }: RepairResult): void {
  expect(validate(task.instance, schedule).violations).toEqual([]);
  task.instance.frozen?.forEach((start, op) => {
    if (start >= 0) expect(schedule.start[op]).toBe(start);
  });
  applied.oldOf.forEach((old, op) => {
    if (old < 0 || before.start[old] >= applied.now || applied.lost.includes(op)) return;
    expect(schedule.start[op]).toBe(before.start[old]);
  });
}

/** Phase 1 is the least of all schedules with its orders that start nothing early, unless pins need another. */
function checkCompensation({ task, compensated, policy }: RepairResult): void {
  const held = [...heldOperations(task, policy.limits)];
  const plain = compensate(task).start;
  if (held.some((op) => plain[op] !== task.planned[op])) return;
  expect(compensated?.start).toEqual(leastFixpoint(task, compensated as Schedule));
}

/** Never worse than phase 1, neither by the objective nor by the cost. */
function checkCost({ task, schedule, compensated }: RepairResult, policy: RepairPolicy): void {
  const unit = objectiveValue(compensated as Schedule, policy.objective);
  // Compensation may edit more than is allowed.
  const { mostEdited } = policy.limits;
  const { edited } = createEditCounter(task);
  if (mostEdited !== null && edited((compensated as Schedule).start).length > mostEdited) return;
  expect(objectiveValue(schedule, policy.objective)).toBeLessThanOrEqual(unit);
  // What makes way for pins costs its changed places.
  const most = Math.max(unit, repairCost(task, compensated as Schedule, policy, unit));
  expect(repairCost(task, schedule, policy, unit)).toBeLessThanOrEqual(most);
}

/** All other operations keep their place of phase 1, except that operations pinned in time may be passed. */
function checkNeighbourhood(result: RepairResult): void {
  const { schedule, compensated, neighbourhood, phase, task, policy } = result;
  if (neighbourhood === null) {
    expect(phase).toBe('recompute');
    return;
  }
  const { duration } = schedule.instance;
  const places = (one: Schedule) => machineSequences(one).filter((op) => duration[op] > 0);
  const before = places(compensated as Schedule);
  const inside = new Set(neighbourhood);
  const passed = pinnedNumbers(task.instance, policy.limits);
  places(schedule).forEach((op, place) => {
    if (op !== before[place] && !passed.has(op)) expect(inside).toContain(op);
  });
}

/** What limits exclude is outside of the neighbourhood; pinned operations are as after phase 1. */
function checkLimits(result: RepairResult, { limits }: RepairPolicy): void {
  const { task, schedule, compensated, neighbourhood } = result;
  const { instance, planned } = task;
  const inside = neighbourhood ?? new Int32Array();
  if (limits.mostEdited !== null) {
    expect(measureRepair(result).edited_operations).toBeLessThanOrEqual(limits.mostEdited);
  }
  if (limits.mostChanged !== null) expect(inside.length).toBeLessThanOrEqual(limits.mostChanged);
  for (const op of inside) {
    expect(instance.frozen?.[op] ?? -1).toBe(-1);
    expect(limits.untouchableMachines).not.toContain(instance.machine[op]);
    if (planned[op] >= 0) expect(planned[op]).toBeGreaterThanOrEqual(limits.notBefore ?? 0);
  }
  for (const op of heldOperations(task, limits)) {
    expect(inside).not.toContain(op);
    expect(schedule.start[op]).toBe(compensated?.start[op]);
    const isLost = result.lostPins.some(({ operation }) => operation === op);
    expect(schedule.start[op] !== planned[op]).toBe(isLost);
  }
}

/** Exactly one cause for every edit; what it names has changed itself or was hit by an event. */
function checkCauses(result: RepairResult): string[] {
  const { task, applied, schedule, phase } = result;
  const edits = explainRepair(result);
  const { edited_operations } = measureRepair(result);
  expect(edits.length).toBe(edited_operations);
  const byOperation = new Map(edits.map((edit) => [edit.operation, edit]));
  expect(byOperation.size).toBe(edits.length);
  const hit = new Set(task.affected);
  for (const { operation, cause, waitsFor, event } of edits) {
    if (phase === 'compensation') expect(['event', 'job', 'machine', 'limit']).toContain(cause);
    if (event !== null) expect(applied.events[event]).toBeDefined();
    expect(waitsFor === null).toBe(cause !== 'job' && cause !== 'machine');
    if (cause === 'event') expect(hit).toContain(operation);
    // Replanned operations may be out of reach of every event.
    const isChosen = ['place', 'earlier', 'limit'].includes(cause) || phase === 'recompute';
    if (!isChosen) expect(event).not.toBeNull();
    if (waitsFor === null) continue;
    expect(schedule.end[waitsFor]).toBeLessThanOrEqual(schedule.start[operation]);
    // The chain goes on there: with the same event at its end.
    const next = byOperation.get(waitsFor);
    if (next === undefined) expect(hit).toContain(waitsFor);
    else expect(next.event).toBe(event);
  }
  return edits.map(({ cause }) => cause);
}
