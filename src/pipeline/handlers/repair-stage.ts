import { AlasError, InputError } from '@alas-jssp/core/errors';
import { deriveSeed } from '@alas-jssp/core/seed';
import type { RepairSpec, StepContext } from '@alas-jssp/workflow';
import { EVENT_KINDS } from '../../disruption/index.js';
import type { Instance } from '../../jssp/instance.js';
import { asPlan, type Candidate } from '../../jssp/plan.js';
import { coverage, readClaims } from '../../lcrp/plan/claims.js';
import { planPolicy, repairPlan } from '../../lcrp/plan/repair-plan.js';
import { changePolicy, type OpenPolicy } from '../../lcrp/policy/policy.js';
import { addBookings } from '../../llm/account.js';
import { LlmError } from '../../llm/errors.js';
import type {
  AskedRepair,
  PipelineStep,
  RepairDetails,
  RepairedPlan,
  RepairInput,
  RepairRound,
  StepServices,
} from '../step-values.js';
import { measureRound } from './round-note.js';

/** Improves a plan that the validator rejects; null if it cannot or must not. */
type Repair = (
  input: RepairInput,
  round: number,
  services: StepServices,
  context: StepContext,
) => Promise<RepairedPlan | null>;

/**
 * The repair step: one round of one plan, by the first repairer that can. It covers every kind of event, because a plan
 * of a shop after events is repaired like any other.
 */
function repairStep(kind: PipelineStep['kind'], repairers: readonly Repair[]) {
  return {
    kind,
    covers: EVENT_KINDS,
    handle: (services) => async (input, context) => {
      const round = (input.details?.rounds ?? 0) + 1;
      if (!mayRepair(round, context.repair)) return asItIs(services.instance, input);
      context.log('RepairStart', { round });
      const repaired = await services.stopwatch.time('repair', async () => {
        for (const repair of repairers) {
          const made = await repair(input, round, services, context);
          if (made !== null) return made;
        }
        throw new AlasError('not_repaired', 'no repairer takes this plan');
      });
      const { feasible, details } = repaired;
      const { inserted, evaluations, asked } = details;
      const by = asked?.by ?? 'lcrp';
      context.log('RepairApply', { round, by, feasible, inserted, evaluations });
      services.onRound?.(round, repaired.candidate);
      return repaired;
    },
  } satisfies PipelineStep<RepairInput, RepairedPlan>;
}

/** Whether a repair specification allows another repair of a plan. Every repair changes times. */
function mayRepair(round: number, spec: RepairSpec | undefined): boolean {
  return spec === undefined || (round <= (spec.maxRepairs ?? round) && allows(spec, 'time'));
}

function allows({ primitives }: RepairSpec, change: RepairSpec['primitives'][number]): boolean {
  return primitives.includes(change);
}

/** A plan that is passed on unchanged. */
function asItIs(instance: Instance, { candidate, details }: RepairInput): RepairedPlan {
  const known = details ?? { ...describe(instance, candidate), rounds: 0 };
  return { candidate, feasible: false, details: known };
}

/**
 * A policy within the bounds of a repair specification: edits and radius are at most those of the specification,
 * without a fallback beyond them; without `order` nothing is reordered.
 */
export function boundPolicy<P extends OpenPolicy>(policy: P, spec: RepairSpec | undefined): P {
  if (spec === undefined) return policy;
  const { maxEdits = Number.POSITIVE_INFINITY, maxRadius = Number.POSITIVE_INFINITY } = spec;
  const { radius, limits, budget, fallback } = policy;
  const reorders = allows(spec, 'order');
  const mostChanged = Math.min(limits.mostChanged ?? Number.POSITIVE_INFINITY, maxEdits);
  return changePolicy(policy, {
    // The first radius may be larger: the maximum counts.
    radius: { most: Math.min(radius.most, maxRadius) },
    limits: { mostChanged: Number.isFinite(mostChanged) ? mostChanged : null },
    budget: { passes: reorders ? budget.passes : 0 },
    fallback: reorders && !Number.isFinite(maxRadius) ? fallback : null,
  });
}

/**
 * The repair protocol: it makes any plan a feasible schedule. Each of its rounds repairs the result of the round before
 * (Table 6 of the paper), with its own seed.
 */
const byProtocol: Repair = async (input, round, { instance, task, signal }, context) => {
  const { candidate, details: before } = input;
  const isBlind = context.params.blind === true;
  const base = task.repairSeed ?? 0;
  const goesOn = before !== undefined && before.asked?.by !== 'llm';
  const seed = goesOn ? deriveSeed(base, round) : base;
  const aimed = changePolicy(planPolicy, { objective: task.objective });
  const policy = boundPolicy(aimed, context.repair);
  const { schedule, ...did } = await repairPlan(
    instance,
    candidate,
    { seed, signal, isBlind },
    policy,
  );
  const { feasible, rebuilt, evaluations } = did;
  const details = goesOn ? { ...before, feasible, rebuilt, evaluations } : did;
  const asked = before?.asked && { asked: { ...before.asked, by: 'lcrp' as const } };
  return { candidate: schedule, feasible, details: { ...details, rounds: round, ...asked } };
};

/**
 * A model may return a plan unchanged; the next request then needs another replicate, so that the model answers again.
 */
const MOST_REPLICATES = 1e6;

/**
 * The model that made the plan. It gets the violations of its best plan so far, in the first `params.rounds` rounds. It
 * is skipped if the shop and a plan exceed its context.
 */
const byModel: Repair = async (input, round, { instance, task, signal, model }, context) => {
  const { candidate, report, details: before } = input;
  if (model === undefined || report === undefined) return null;
  if (round > Number(context.params.rounds)) return null;
  const { ask, read } = model.begin('repair', context);
  const previous = asPlan(candidate);
  const replicate = task.replicate + (round - 1) * MOST_REPLICATES;
  const answer = await model.planner
    .repair(instance, { plan: previous, report }, { replicate, signal, ask })
    .catch(passOverWhatDoesNotFit);
  if (answer === null) return null;
  const { plan, promptHash } = answer;
  const earlier = before?.asked;
  const usage = earlier === undefined ? read() : addBookings(earlier.usage, read());
  const asked: AskedRepair = { by: 'llm', verdicts: earlier?.verdicts ?? [], usage, promptHash };
  const details = { ...describe(instance, plan), rounds: round, asked };
  return { candidate: plan, feasible: false, details };
};

/** By the protocol alone: equal input and seed give an equal schedule. */
export const protocolRepair = repairStep('pure', [byProtocol]);

/** By the model first, and by the protocol if the model cannot help or has used its rounds: the plan ends feasible. */
export const llmRepair = repairStep('external', [byModel, byProtocol]);

/**
 * The supervisor of a round: of a model's plans it keeps the one with the fewest violations, and otherwise the result
 * of the round. With `params.notes` it reports every round.
 */
export const keepBest: PipelineStep<RepairRound & { readonly before: RepairInput }, RepairRound> = {
  kind: 'pure',
  handle:
    ({ instance }) =>
    ({ before, ...made }, { log, params }) => {
      const { valid, makespan, report } = made;
      if (valid) log('RepairCommit', { round: made.details.rounds, makespan });
      const round = params.notes === true ? withNote(instance, before, made) : made;
      if (round.details.asked?.by !== 'llm') return round;
      // Bounds of the node may have prevented the repair.
      if (round.details.rounds === before.details?.rounds) return round;
      const details = noteVerdict(round, round.details.asked);
      if (valid || before.report === undefined || report.total < before.report.total) {
        return { ...round, details };
      }
      const { candidate, report: verdict } = before;
      const { rounds, asked, history } = details;
      const kept = { ...(before.details ?? details), rounds, asked, history };
      return { ...round, candidate, report: verdict, makespan: null, details: kept };
    },
};

/** A round with its own note and those of earlier rounds. */
function withNote(instance: Instance, before: RepairInput, round: RepairRound): RepairRound {
  const { details } = round;
  const { history = [], rounds = 0 } = before.details ?? {};
  if (details.rounds === rounds) return round;
  const by = details.asked?.by ?? 'lcrp';
  const note = { by, ...measureRound(instance, before, round) };
  return { ...round, details: { ...details, history: [...history, note] } };
}

/** Adds the verdict on a plan of the model to the earlier ones. */
function noteVerdict({ report, makespan, valid, details }: RepairRound, asked: AskedRepair) {
  const verdict = { violations: report.total, makespan: valid ? makespan : null };
  return { ...details, asked: { ...asked, verdicts: [...asked.verdicts, verdict] } };
}

/** An unchanged plan, described as a repair. */
function describe(instance: Instance, plan: Candidate): Omit<RepairDetails, 'rounds'> {
  const claims = readClaims(instance, asPlan(plan));
  const keptOrder = claims.usable === 0 ? null : 1;
  return { feasible: false, keptOrder, evaluations: 0, ...coverage(instance, claims) };
}

/** The code of the error if a model has no time left for repairs. */
export const OUT_OF_TIME = 'out_of_time';

/**
 * Skips the model if no time is left, or if the request exceeds its context (by the estimate, or by the provider's
 * error).
 */
function passOverWhatDoesNotFit(error: unknown): null {
  if (error instanceof AlasError && error.code === OUT_OF_TIME) return null;
  if (error instanceof InputError && error.code === 'context_too_small') return null;
  if (error instanceof LlmError && error.code === 'ContextTooLong') return null;
  throw error;
}
