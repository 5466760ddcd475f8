import { InputError } from '../../core/errors.js';
import type { Instance } from '../../jssp/instance.js';
import { type Candidate, isSchedule, planFromSchedule } from '../../jssp/plan.js';
import { readClaims } from '../../lcrp/plan/claims.js';
import { repairPlan } from '../../lcrp/plan/repair-plan.js';
import { LlmError } from '../../llm/errors.js';
import type { ValidationReport } from '../../validator/index.js';
import type { Handler } from '../../workflow/index.js';
import type { PipelineTask } from '../pipeline-task.js';
import { addSpending } from '../spending.js';
import type {
  AskedRepair,
  PipelineServices,
  RepairDetails,
  Repaired,
  Revalidated,
} from '../step-values.js';

/** What a round begins with. */
interface Round {
  readonly candidate: Candidate;
  readonly report: ValidationReport;
  readonly details?: RepairDetails;
}

/** An answer may be the same plan again: asked about it once more, the model is to answer anew. */
const MOST_REPLICATES = 1e6;

/**
 * Rounds in which the model is told what is wrong with its best plan so far; in the one after the
 * last of them that plan is repaired, so that it ends feasible. A shop that does not fit the model
 * together with a plan is repaired, too.
 */
export function mendHandler(
  { instance, replicate, repairSeed }: PipelineTask,
  { stopwatch, signal, model }: PipelineServices,
): Handler<Round, Repaired> {
  const ours = async ({ candidate, details: before }: Round, rounds: number): Promise<Repaired> => {
    const seed = repairSeed ?? 0;
    const { schedule, ...did } = await repairPlan(instance, candidate, { seed, signal });
    const asked = before?.asked && { ...before.asked, by: 'lcrp' as const };
    return { candidate: schedule, feasible: did.feasible, details: { ...did, rounds, asked } };
  };
  const theirs = async (round: Round, rounds: number, runId: string): Promise<Repaired | null> => {
    if (model === undefined) return null;
    const { candidate, report, details: before } = round;
    const { ask, read } = model.begin('repair', runId);
    const previous = isSchedule(candidate) ? planFromSchedule(candidate) : candidate;
    const context = { replicate: replicate + (rounds - 1) * MOST_REPLICATES, signal, ask };
    const answer = await model.planner
      .mend(instance, { plan: previous, report }, context)
      .catch(passOverWhatDoesNotFit);
    if (answer === null) return null;
    const { plan, promptHash } = answer;
    const earlier = before?.asked;
    const spent = earlier === undefined ? read() : addSpending(earlier.spent, read());
    const asked: AskedRepair = { by: 'llm', rounds: earlier?.rounds ?? [], spent, promptHash };
    const details = { ...describe(instance, plan), rounds, asked };
    return { candidate: plan, feasible: false, details };
  };
  return {
    kind: 'external',
    run: async (round, { params, log, runId }) => {
      const rounds = (round.details?.rounds ?? 0) + 1;
      log('RepairStart', { round: rounds });
      const isTheirs = rounds <= Number(params.rounds);
      const repaired = await stopwatch.time('repair', async () => {
        return (isTheirs ? await theirs(round, rounds, runId) : null) ?? ours(round, rounds);
      });
      const { inserted, evaluations, asked } = repaired.details;
      const by = asked?.by ?? 'lcrp';
      const { feasible } = repaired;
      log('RepairApply', { round: rounds, by, feasible, inserted, evaluations });
      return repaired;
    },
  };
}

/** The supervisor: keeps what is feasible, or else the plan with the fewest violations. */
export const chooseHandler: Handler<Revalidated & { readonly before: Round }, Revalidated> = {
  kind: 'pure',
  run: ({ before, ...round }, { log }) => {
    const { valid, makespan, report } = round;
    if (valid) log('RepairCommit', { round: round.details.rounds, makespan });
    const details = noteVerdict(round);
    if (valid || details.asked?.by !== 'llm' || report.total < before.report.total) {
      return { ...round, details };
    }
    const { candidate, report: verdict } = before;
    const { rounds, asked } = details;
    const kept = { ...(before.details ?? details), rounds, asked };
    return { ...round, candidate, report: verdict, makespan: null, details: kept };
  },
};

/** Adds the verdict on a plan of the model to those on the ones before. */
function noteVerdict({ report, makespan, valid, details }: Revalidated): RepairDetails {
  const { asked } = details;
  if (asked?.by !== 'llm') return details;
  const verdict = { violations: report.total, makespan: valid ? makespan : null };
  return { ...details, asked: { ...asked, rounds: [...asked.rounds, verdict] } };
}

/** What is said of a plan that is taken as it is, in the words of a repair. */
function describe(instance: Instance, plan: Candidate): Omit<RepairDetails, 'rounds'> {
  const claims = readClaims(instance, isSchedule(plan) ? planFromSchedule(plan) : plan);
  const { operations } = instance;
  return {
    feasible: false,
    seedCoverage: operations === 0 ? 1 : claims.usable / operations,
    keptOrder: claims.usable === 0 ? null : 1,
    inserted: operations - claims.usable,
    evaluations: 0,
    dropped: claims.dropped,
    corrected: claims.corrected,
  };
}

/** By our estimate, or because the provider says so. */
function passOverWhatDoesNotFit(error: unknown): null {
  if (error instanceof InputError && error.code === 'context_too_small') return null;
  if (error instanceof LlmError && error.code === 'ContextTooLong') return null;
  throw error;
}
