import type { Instance } from '../../jssp/instance.js';
import { type Objective, objectiveValue } from '../../jssp/objectives.js';
import { asPlan, asSchedule, type Candidate } from '../../jssp/plan.js';
import { readClaims } from '../../lcrp/plan/claims.js';
import type { PipelineResult } from '../../pipeline/pipeline.js';
import { validate } from '../../validator/index.js';
import type { AttributionRecord } from '../records/attribution-record.js';
import type { Cell } from '../worker/task.js';
import { keptOrders } from './kept-edges.js';

/** Measures the plan, the repair and the final schedule of a cell, before any execution. */
export function attributionFacts(
  instance: Instance,
  { objective, seed }: Pick<Cell, 'objective' | 'seed'>,
  result: PipelineResult,
): AttributionRecord {
  const { plan, candidate, status, stages, roundPlans } = result;
  // Some variants do not validate the plan; what it is worth is measured all the same.
  const isFeasible = (stages.plan ?? (plan && validate(instance, plan)))?.valid ?? false;
  const repaired = stages.repair?.verdict.valid ? (lastOf(roundPlans) ?? null) : null;
  const final = status === 'ok' ? candidate : null;
  const values = {
    plan: isFeasible ? objectiveIn(instance, plan, objective) : null,
    repair: objectiveIn(instance, repaired, objective),
    final: objectiveIn(instance, final, objective),
  };
  const { operations } = instance;
  if (plan === null || final === null) {
    const claimed = plan === null ? 0 : readClaims(instance, asPlan(plan)).usable;
    return { values, operations, claimed, pairs: null, neighbours: null };
  }
  return {
    values,
    operations,
    ...keptOrders(instance, plan, asSchedule(instance, final), seed),
  };
}

function objectiveIn(
  instance: Instance,
  candidate: Candidate | null,
  objective: Objective,
): number | null {
  return candidate === null ? null : objectiveValue(asSchedule(instance, candidate), objective);
}

/** The plan of the last round: if the repaired plan is feasible, it is that one. */
function lastOf(plans: ReadonlyMap<number, Candidate>): Candidate | undefined {
  return plans.get(Math.max(...plans.keys()));
}
