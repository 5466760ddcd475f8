import { monotonicSeconds } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import { type BudgetLike, toBudget } from '@alas-jssp/core/stopping';
import { labelsOf, objectiveOf, seedOf } from 'alas-jssp/internal/service';
import {
  boundsFor,
  findBenchmark,
  type Instance,
  type Schedule,
  scheduleFromPlan,
  totalWeightedTardiness,
} from 'alas-jssp/jssp';
import { optimize } from 'alas-jssp/search';
import { type ValidationReport, validate } from 'alas-jssp/validator';
import { requestedInstance, requestedPlan } from '../api/request-parts.js';
import { wirePlan } from '../api/wire.js';
import type { OptimizeRequest, ValidateRequest, WorkProgress } from '../api/work-schemas.js';

/** The limits and the signal of a request. */
export interface WorkSetting {
  /** The most operations of an instance; also the most jobs and the most machines. */
  readonly operations: number;
  /** Time limit of a search, in seconds. */
  readonly seconds: number;
  /** Asks a search for its best result so far, and cancels everything else. */
  readonly signal: AbortSignal;
  onProgress(progress: Omit<WorkProgress, 'seconds'>): void;
}

/** The default length of a list. */
export const USUAL_LENGTH = 20;

/** The seed of a request, as on the command line. */
export function seedOfWork(seed: number | undefined, { name }: Instance, purpose: string): number {
  return seedOf(seed ?? 0, findBenchmark(name) ?? { suite: '', name }, 0, purpose);
}

/** The bounds on the makespan in the literature. */
function literatureOf(instance: Instance) {
  const known = boundsFor(instance);
  if (known === null) return { lower_bound: null, upper_bound: null };
  const source = `literature, ${known.asOf}`;
  return {
    lower_bound: { value: known.lower, source },
    upper_bound: { value: known.upper, source },
  };
}

/** The causes of the violations of a plan, with the names of the shop. */
export function causesOf(instance: Instance, { groups }: ValidationReport, most: number) {
  const labels = labelsOf(instance);
  const causes = groups.slice(0, most).map(({ root, cascades, explanation }) => {
    const { job, step, machine } = root.scope;
    const isJob = job !== undefined && job < instance.jobs && job >= 0;
    const isMachine = machine !== undefined && machine < instance.machines && machine >= 0;
    return {
      code: root.code,
      explanation,
      ...(isJob ? { job: labels.job(job) } : {}),
      ...(step === undefined ? {} : { step: step + 1 }),
      ...(isMachine ? { machine: labels.machine(machine) } : {}),
      cascades: cascades.length,
    };
  });
  return { causes, more: groups.length - causes.length };
}

/** Validates a plan. */
export function performValidate(request: ValidateRequest, setting: WorkSetting) {
  const instance = requestedInstance(request.instance, setting.operations);
  const plan = requestedPlan(request.plan, instance);
  const literature = literatureOf(instance);
  const report = validate(instance, plan, { bound: literature.lower_bound ?? undefined });
  const { valid, makespan, total, counts, warnings } = report;
  const tardiness = valid && instance.due !== null;
  return {
    instance: instance.name,
    valid,
    makespan,
    total_weighted_tardiness: tardiness
      ? totalWeightedTardiness(scheduleFromPlan(instance, plan))
      : null,
    total,
    counts,
    ...causesOf(instance, report, request.most ?? USUAL_LENGTH),
    warnings: warnings.map(({ message }) => message),
    ...literature,
  };
}

/** The default budget of a search, in seconds. */
const USUAL_SECONDS = 5;

/** Searches for a good schedule; on request it ends with the best one so far. */
export async function performOptimize(request: OptimizeRequest, setting: WorkSetting) {
  const instance = requestedInstance(request.instance, setting.operations);
  const { objective = objectiveOf(instance) } = request;
  const budget = budgetOf(request.budget, setting);
  if (objective === 'total-weighted-tardiness' && instance.due === null) {
    throw new InputError(
      'no_due_dates',
      'the instance has no due dates, so nothing can be tardy',
      'give the jobs due dates or minimise the makespan',
      { path: '$.objective' },
    );
  }
  const literature = objective === 'makespan' ? literatureOf(instance) : { lower_bound: null };
  const { onProgress, signal } = setting;
  const result = await optimize(instance, {
    budget,
    objective,
    signal,
    start: startOf(request.start, instance),
    seed: seedOfWork(request.seed, instance, 'optimize'),
    bound: literature.lower_bound ?? undefined,
    onProgress: ({ best, iterations, lowerBound }) =>
      onProgress({
        stage: 'working',
        best: Number.isFinite(best) ? best : null,
        lower_bound: lowerBound.value,
        iterations,
      }),
  });
  const { schedule, value, status, lowerBound, stats } = result;
  const { valid, violations } = validate(instance, schedule);
  if (!valid) throw new Error(`the search is wrong: ${violations[0].message}`);
  return {
    instance: instance.name,
    objective,
    status,
    value,
    makespan: schedule.makespan,
    lower_bound: lowerBound,
    upper_bound: literatureOf(instance).upper_bound,
    iterations: stats.iterations,
    seconds: stats.seconds,
    plan: wirePlan(schedule),
  };
}

function budgetOf(given: OptimizeRequest['budget'], { seconds: most }: WorkSetting): BudgetLike {
  const budget = given === undefined ? { seconds: USUAL_SECONDS } : toBudget(given);
  if (budget.seconds === undefined || budget.seconds <= most) return budget;
  const problem = `a search of ${budget.seconds} seconds is longer than the service allows`;
  throw new InputError('too_long', problem, `give ${most} at most`, { path: '$.budget' });
}

function startOf(plan: OptimizeRequest['start'], instance: Instance): Schedule | undefined {
  if (plan === undefined) return undefined;
  const read = requestedPlan(plan, instance, 'start');
  const { valid, violations } = validate(instance, read, { limit: 1 });
  if (valid) return scheduleFromPlan(instance, read);
  const problem = `this plan is infeasible: ${violations[0]?.message}`;
  const hint = 'start from a feasible one, or from none';
  throw new InputError('infeasible_start', problem, hint, { path: '$.start' });
}

/** Starts a stopwatch, which counts in seconds. */
export function stopwatch(): () => number {
  const began = monotonicSeconds();
  return () => monotonicSeconds() - began;
}
