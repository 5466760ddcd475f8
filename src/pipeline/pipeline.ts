import { idleClock } from '../core/clock.js';
import { AlasError } from '../core/errors.js';
import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule, planFromSchedule } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import type { Schedule } from '../jssp/schedule.js';
import { keptOrder } from '../lcrp/kept-order.js';
import { readClaims } from '../lcrp/plan-claims.js';
import type { KnownBound, ValidationReport } from '../validator/index.js';
import type { RunResult, Workflow } from '../workflow/index.js';
import { createForgetfulStore } from '../workflow/log/forgetful-store.js';
import { runWorkflow } from '../workflow/runtime/run.js';
import type { BlueprintSpec, Variant } from './blueprint-spec.js';
import { type ExecuteSettings, type Execution, executeSchedule } from './execute-stage.js';
import {
  createPipelineRegistry,
  type Found,
  type PipelineOutcome,
  type Proposed,
  type RepairDetails,
  type Revalidated,
  type Verdict,
} from './handlers.js';
import { type PipelineLog, runLogged } from './logged-run.js';
import type { OptimizeSettings, SearchOutcome } from './optimize-stage.js';
import type { PipelineTask } from './pipeline-task.js';
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
  /** What of the above is left out all the same. Default `full`: nothing. */
  readonly variant?: Variant | undefined;
  /** The {@link pipelineWorkflow} of the above, if it is there already. Default: it is built. */
  readonly workflow?: Workflow | undefined;
  /** Where the steps are logged, all but the execution. Default: nowhere. */
  readonly log?: PipelineLog | undefined;
}

/** The repair stage. */
export interface RepairSettings {
  /** Its randomness. */
  readonly seed: number;
  /** Rounds at most (K). Default 1. */
  readonly rounds?: number | undefined;
}

/** How a pipeline ended: a feasible schedule, an infeasible plan, or no plan at all. */
export type PipelineStatus = 'ok' | 'infeasible' | 'error';

/** What the stages came to, each judged by itself; null for those that did not run. */
export interface StageOutcomes {
  /** The verdict on what the planner handed over. */
  readonly plan: ValidationReport | null;
  /** What the repair did to an infeasible plan, and the verdict on what it made. */
  readonly repair: (RepairDetails & { readonly verdict: ValidationReport }) | null;
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

/** A result without what is measured and what comes after. */
type Outcome = Omit<PipelineResult, 'seconds' | 'executions'>;

/**
 * Runs one planner on one instance and has the validator judge what it hands over: by the workflow
 * that `blueprint` builds for what is asked for. A planner that throws is a result like any
 * other: status `error`. If they are asked for, the repair stage makes a feasible schedule of an
 * infeasible plan, and the optimize stage goes on from a feasible one; what they find is judged
 * again, and the search never ends worse. What is feasible then is executed under disruptions, if
 * that is asked for.
 *
 * A search that is aborted has its best so far; a planner that fails because of it has no result.
 *
 * @throws the reason of `context.signal` if that was aborted and a stage failed; InputError as
 *   {@link executeSchedule} and the store of a log do
 */
export async function runPipeline(
  instance: Instance,
  planner: Planner,
  context: PipelineContext,
): Promise<PipelineResult> {
  const { signal, execute, log } = context;
  const workflow = context.workflow ?? (await pipelineWorkflow(context));
  const stopwatch = createStopwatch();
  const task = taskOf(instance, planner, context);
  const registry = createPipelineRegistry(task, {
    planner,
    stopwatch,
    signal,
    searchSignal: context.optimize?.signal,
    logged: log !== undefined,
  });
  const result = await (log === undefined
    ? runWorkflow(workflow, task, {
        registry,
        store: createForgetfulStore(),
        runId: 'pipeline',
        // A planner that never settles its promise must not be waited for when all else is done.
        clock: idleClock,
      })
    : runLogged(workflow, task, registry, log, stopwatch));
  if (result.status !== 'COMPLETED') {
    throw new AlasError('pipeline_failed', result.error?.message ?? result.status, result.error);
  }
  if (result.outputOf('giveUp') !== undefined) signal?.throwIfAborted();
  const outcome = outcomeOf(instance, result);
  const seconds = stopwatch.read();
  const executions =
    outcome.status === 'ok' && outcome.candidate !== null && execute !== undefined
      ? await executeSchedule(instance, outcome.candidate, execute, signal)
      : [];
  return { ...outcome, executions, seconds };
}

const workflows = new Map<string, Workflow>();

/** The workflow for what is asked for; each is built and checked once. */
export async function pipelineWorkflow({
  variant,
  repair,
  optimize,
}: Pick<PipelineContext, 'variant' | 'repair' | 'optimize'>): Promise<Workflow> {
  const rounds = repair === undefined ? 0 : repair.rounds;
  const spec: BlueprintSpec = { variant, rounds, optimize: optimize !== undefined };
  const key = JSON.stringify(spec);
  const known = workflows.get(key);
  if (known !== undefined) return known;
  // The checker takes long to load, and who is handed a workflow does not need it.
  const { blueprint } = await import('./blueprint.js');
  const built = blueprint(spec);
  workflows.set(key, built);
  return built;
}

function taskOf(
  instance: Instance,
  { name }: Planner,
  { seed, replicate, bound, repair, optimize }: PipelineContext,
): PipelineTask {
  return {
    instance,
    planner: name,
    seed,
    replicate: replicate ?? 0,
    repairSeed: repair?.seed ?? null,
    optimizeSeed: optimize?.seed ?? null,
    budget: optimize?.budget ?? null,
    bound: bound ?? null,
  };
}

/** Puts together what the steps gave, as far as they came. */
function outcomeOf(instance: Instance, { output, outputOf }: RunResult): Outcome {
  const { status, error } = output as PipelineOutcome;
  const plan = (outputOf('plan') as Proposed | undefined)?.candidate ?? null;
  const repaired = outputOf('repair') as Revalidated | undefined;
  const found = outputOf('optimize') as Found | undefined;
  const last = outputOf('finalCheck') as Verdict | undefined;
  const search = found !== undefined && last !== undefined ? { found, last } : undefined;
  // Without a validator before it, the last check may be of the plan itself.
  const first = (outputOf('validate') ?? (found === undefined ? last : undefined)) as
    | Verdict
    | undefined;
  const verdict = last ?? repaired ?? first;
  return {
    status,
    error,
    plan,
    candidate: search?.found.candidate ?? repaired?.candidate ?? plan,
    verdict: outputOf('giveUp') === undefined ? (verdict?.report ?? null) : null,
    stages: {
      plan: first?.report ?? null,
      repair: repaired === undefined || plan === null ? null : repairOf(instance, plan, repaired),
      optimize: search === undefined ? null : searchOf(search.found, search.last),
    },
  };
}

function repairOf(
  instance: Instance,
  plan: Candidate,
  { candidate, details, report }: Revalidated,
) {
  // Each round only knows what it was given itself.
  const kept = details.rounds === 1 ? details.keptOrder : orderKept(instance, plan, candidate);
  return { ...details, keptOrder: kept, verdict: report };
}

function orderKept(instance: Instance, plan: Candidate, { start }: Schedule): number | null {
  const claims = readClaims(instance, isSchedule(plan) ? planFromSchedule(plan) : plan);
  return keptOrder(instance, claims.start, start);
}

function searchOf({ status, lowerBound, iterations }: Found, { report }: Verdict) {
  return { status, lowerBound, iterations, verdict: report };
}
