import type { Instance } from '../jssp/instance.js';
import { asPlan, asSchedule, type Candidate, isSchedule } from '../jssp/plan.js';
import type { Schedule } from '../jssp/schedule.js';
import { readClaims } from '../lcrp/plan/claims.js';
import { keptOrder } from '../lcrp/plan/kept-order.js';
import type { ValidationReport } from '../validator/index.js';
import type { SearchOutcome } from './handlers/optimize-stage.js';
import type { RepairDetails, RepairRound, SearchedPlan, StageVerdict } from './step-values.js';

/** The separate outcomes of the stages; null for stages that did not run. */
export interface StageOutcomes {
  /** The verdict on the planner's plan. */
  readonly plan: ValidationReport | null;
  /** The repair of an infeasible plan, and the verdict on its result. */
  readonly repair: (RepairDetails & { readonly verdict: ValidationReport }) | null;
  /** The end of the search, and the verdict on its schedule. */
  readonly optimize: (SearchOutcome & { readonly verdict: ValidationReport }) | null;
}

/** The result of the last round of repair. */
export function repairOutcome(
  instance: Instance,
  plan: Candidate,
  { candidate, details, report }: RepairRound,
) {
  // A round of the protocol knows only its own input.
  const isKnown = details.rounds === 1 || details.asked !== undefined || !isSchedule(candidate);
  const kept = isKnown ? details.keptOrder : orderKept(instance, plan, candidate);
  return { ...details, keptOrder: kept, verdict: report };
}

function orderKept(instance: Instance, plan: Candidate, after: Schedule): number | null {
  const claims = readClaims(instance, asPlan(plan));
  const { instance: planned } = asSchedule(instance, plan);
  return keptOrder(planned, claims.start, after.start, after.instance);
}

/** The end of a search with a validated result. */
export function searchOutcome(
  { status, lowerBound, iterations }: SearchedPlan,
  { report }: StageVerdict,
) {
  return { status, lowerBound, iterations, verdict: report };
}
