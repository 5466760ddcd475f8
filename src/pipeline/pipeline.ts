import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import { createSchedule } from '../jssp/schedule.js';
import { type PlanRepair, repairPlan } from '../lcrp/plan-repair.js';
import { type KnownBound, type ValidationReport, validate } from '../validator/index.js';
import { errorLine } from './error-line.js';
import { type ExecuteSettings, type Execution, executeSchedule } from './execute-stage.js';
import { type OptimizeSettings, type SearchOutcome, searchFrom } from './optimize-stage.js';
import { privateCopy } from './private-copy.js';
import { createStopwatch, type StageSeconds } from './stopwatch.js';

/** What a pipeline is handed besides the instance and the planner. */
export interface PipelineContext extends PlannerContext {
  /** A proven lower bound: what claims to end earlier is a contradiction, never a success. */
  readonly bound?: KnownBound | undefined;
  /** Makes a feasible schedule of an infeasible plan. Default: an infeasible plan is the result. */
  readonly repair?: RepairSettings | undefined;
  /** Searches on from a feasible plan. Default: the plan is the result. */
  readonly optimize?: OptimizeSettings | undefined;
  /** Executes a feasible schedule under disruptions. Default: it is only planned. */
  readonly execute?: ExecuteSettings | undefined;
}

/** The randomness of the repair stage. */
export interface RepairSettings {
  readonly seed: number;
}

/** How a pipeline ended: a feasible schedule, an infeasible plan, or no plan at all. */
export type PipelineStatus = 'ok' | 'infeasible' | 'error';

/** What the stages came to, each judged by itself; null for those that did not run. */
export interface StageOutcomes {
  /** The verdict on what the planner handed over. */
  readonly plan: ValidationReport | null;
  /** What the repair did to an infeasible plan, and the verdict on what it made. */
  readonly repair: (Omit<PlanRepair, 'schedule'> & { readonly verdict: ValidationReport }) | null;
  /** How the search ended, and the verdict on its schedule. */
  readonly optimize: (SearchOutcome & { readonly verdict: ValidationReport }) | null;
}

/** What came out of a pipeline. */
export interface PipelineResult {
  readonly status: PipelineStatus;
  /** What the planner handed over, a schedule as one of the true instance; null if nothing. */
  readonly plan: Candidate | null;
  /** What the last stage left behind, and what was judged: the plan itself if nothing followed. */
  readonly candidate: Candidate | null;
  /** The verdict on it; null if nothing could be judged. */
  readonly verdict: ValidationReport | null;
  readonly stages: StageOutcomes;
  /** What became of the schedule that the last stage left, under each method; none if not asked. */
  readonly executions: readonly Execution[];
  /** Of the stages above: an execution has its own. */
  readonly seconds: StageSeconds;
  /** What went wrong, in one line; null if the planner's plan was judged and our search was right. */
  readonly error: string | null;
}

/** A result while the stages are at work. */
type Outcome = Omit<PipelineResult, 'seconds' | 'executions'>;

const NOTHING_YET: Outcome = {
  status: 'error',
  plan: null,
  candidate: null,
  verdict: null,
  stages: { plan: null, repair: null, optimize: null },
  error: null,
};

/**
 * Runs one planner on one instance and has the validator judge what it hands over. A planner
 * that throws is a result like any other: status `error`. If they are asked for, the repair stage
 * makes a feasible schedule of an infeasible plan, and the optimize stage goes on from a feasible
 * one; what they find is judged again, and the search never ends worse. What is feasible then is
 * executed under disruptions, if that is asked for.
 *
 * Every planner, ours or not, plans on a private copy: the judge and the neighbours never see
 * what it does to the numbers. The copy takes a fiftieth of the time of the fastest planner, so none is trusted.
 *
 * A search that is aborted has its best so far; a planner that fails because of it has no result.
 *
 * @throws the reason of `context.signal` if that was aborted and a stage failed; InputError as
 *   {@link executeSchedule} does
 */
export async function runPipeline(
  instance: Instance,
  planner: Planner,
  context: PipelineContext,
): Promise<PipelineResult> {
  const { seed, replicate, signal, bound, repair, optimize, execute } = context;
  const stopwatch = createStopwatch();
  const judge = (candidate: Candidate, known: KnownBound | undefined) =>
    stopwatch.time('validate', () => validate(instance, candidate, { bound: known }));
  let outcome = NOTHING_YET;
  try {
    const copy = privateCopy(instance);
    const made = await stopwatch.time('plan', () =>
      planner.plan(copy, { seed, replicate, signal }),
    );
    const plan = isSchedule(made) ? createSchedule(instance, made.start) : made;
    outcome = { ...outcome, plan, candidate: plan };
    outcome = afterPlan(outcome, await judge(plan, bound));

    if (outcome.status === 'infeasible' && repair !== undefined) {
      const { schedule, ...repaired } = await stopwatch.time('repair', () =>
        repairPlan(instance, plan, { seed: repair.seed, signal }),
      );
      const verdict = await judge(schedule, bound);
      outcome = afterRepair({ ...outcome, candidate: schedule }, repaired, verdict);
    }
    if (outcome.status === 'ok' && outcome.candidate !== null && optimize !== undefined) {
      const { candidate } = outcome;
      const { schedule, ...search } = await stopwatch.time('optimize', () =>
        searchFrom(instance, candidate, { signal, ...optimize }, bound),
      );
      const verdict = await judge(schedule, search.lowerBound);
      outcome = afterSearch({ ...outcome, candidate: schedule }, search, verdict);
    }
  } catch (error) {
    signal?.throwIfAborted();
    outcome = { ...outcome, status: 'error', verdict: null, error: errorLine(error) };
  }
  const seconds = stopwatch.read();
  const executions =
    outcome.status === 'ok' && outcome.candidate !== null && execute !== undefined
      ? await executeSchedule(instance, outcome.candidate, execute, signal)
      : [];
  return { ...outcome, executions, seconds };
}

function afterPlan(before: Outcome, verdict: ValidationReport): Outcome {
  const status = verdict.valid ? 'ok' : 'infeasible';
  return { ...before, status, verdict, stages: { ...before.stages, plan: verdict } };
}

/** A repair may miss limits, which it says; anything else wrong with it is our fault. */
function afterRepair(
  before: Outcome,
  repaired: Omit<PlanRepair, 'schedule'>,
  verdict: ValidationReport,
): Outcome {
  const stages = { ...before.stages, repair: { ...repaired, verdict } };
  const after = { ...before, verdict, stages };
  if (verdict.valid) return { ...after, status: 'ok' };
  if (!repaired.feasible) return after;
  const error = `the repair is wrong, please report it: ${verdict.violations[0].message}`;
  return { ...after, status: 'error', error };
}

/** Our own search is trusted no more than a planner, but what is wrong with it is our fault. */
function afterSearch(before: Outcome, search: SearchOutcome, verdict: ValidationReport): Outcome {
  const stages = { ...before.stages, optimize: { ...search, verdict } };
  const after = { ...before, verdict, stages };
  if (verdict.valid) return after;
  const error = `the search is wrong, please report it: ${verdict.violations[0].message}`;
  return { ...after, status: 'error', error };
}
