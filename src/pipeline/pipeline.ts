import { idleClock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import type { Codec, Registry, RunResult, Workflow } from '@alas-jssp/workflow';
import { createNullStore, runWorkflow } from '@alas-jssp/workflow/hosts';
import type { ProvenBound } from '../jssp/bounds.js';
import type { Instance } from '../jssp/instance.js';
import { objectiveOf, totalWeightedTardiness } from '../jssp/objectives.js';
import { asSchedule, type Candidate } from '../jssp/plan.js';
import type { Planner, PlannerContext } from '../jssp/planner.js';
import { addBookings, type Booking } from '../llm/account.js';
import type { AskWait } from '../llm/ask.js';
import type { Ask } from '../llm/client.js';
import type { ValidationReport } from '../validator/index.js';
import type { BlueprintSpec, Repairer, Variant } from './blueprint/spec.js';
import { createValueCodec } from './codecs.js';
import type { ExecuteSettings, Execution, executeSchedule } from './handlers/execute-stage.js';
import { createPipelineRegistry } from './handlers/handlers.js';
import type { OptimizeSettings } from './handlers/optimize-stage.js';
import { type PipelineLog, runLogged } from './logged-run.js';
import { pipelineWorkflow, sameWorkflow } from './pipeline-workflow.js';
import { isModelPlanner, type ModelPlanner, type PromptReport } from './planners/llm-planner.js';
import { createModelAccess, type ModelAccess } from './planners/model-access.js';
import { type PlannerProgress, stagePoints, watchProgress } from './progress.js';
import { repairOutcome, type StageOutcomes, searchOutcome } from './stage-outcomes.js';
import {
  type LoggedTask,
  type PipelineOutcome,
  type PipelineStatus,
  type PipelineTask,
  type PlannerLimits,
  type ProposedPlan,
  type RepairRound,
  referTo,
  type SearchedPlan,
  type SelfVerdict,
  type StageVerdict,
} from './step-values.js';
import { createStopwatch, type StageSeconds } from './stopwatch.js';

/** Settings of a pipeline besides the instance and the planner. */
export interface PipelineContext extends PlannerContext, PlannerLimits {
  /** A proven lower bound: an earlier end is a contradiction, never a success. */
  readonly bound?: ProvenBound | undefined;
  /** Makes a feasible schedule of an infeasible plan. Default: an infeasible plan is the result. */
  readonly repair?: RepairSettings | undefined;
  /** Searches from a feasible plan. Default: the plan is the result. */
  readonly optimize?: Omit<OptimizeSettings, 'objective'> | undefined;
  /** Executes a feasible schedule under disruptions. Default: it is only planned. */
  readonly execute?: ExecuteSettings | undefined;
  /** Variant, which omits one of the stages above. Default `full`: none. */
  readonly variant?: Variant | undefined;
  /** The {@link pipelineWorkflow} of the stages above, if it exists already. Default: it is built. */
  readonly workflow?: Workflow | undefined;
  /** The log of the steps; executions are separate runs in it. Default: none. */
  readonly log?: PipelineLog | undefined;
  /** Another runtime for the workflow; its steps do not appear in the log. Default: the built-in runtime. */
  readonly engine?: PipelineEngine | undefined;
  /**
   * Makes one attempt at an answer, for planners that use a model; the pipeline retries by its own policy. Default:
   * such planners fail.
   */
  readonly ask?: Ask | undefined;
  /** Receives every wait before a retry of a request. */
  readonly onWait?: ((wait: AskWait) => void) | undefined;
}

/**
 * Another runtime for the workflow of a pipeline, which calls the handlers of the registry. Values are decoded and
 * encoded by the codec.
 */
export type PipelineEngine = (
  workflow: Workflow,
  input: LoggedTask,
  registry: Registry,
  codec: Codec,
) => Promise<Pick<RunResult, 'status' | 'output' | 'error' | 'outputOf'>>;

/** The repair stage. */
export interface RepairSettings extends Pick<BlueprintSpec, 'rounds'> {
  /** Its randomness. */
  readonly seed: number;
  /** Default `lcrp`. `llm`: violations go back to the model; other planners are repaired by lcrp. */
  readonly by?: Repairer | undefined;
}

/** The result of a pipeline. */
export interface PipelineResult {
  readonly status: PipelineStatus;
  /** The plan before any repair, a schedule as one of the true instance; null if there is none. */
  readonly plan: Candidate | null;
  /** The validated plan of the last stage: the plan itself if no stage followed. */
  readonly candidate: Candidate | null;
  /** The verdict on it; null if nothing could be validated. */
  readonly verdict: ValidationReport | null;
  /** The total weighted tardiness of a feasible candidate; null without due dates. */
  readonly tardiness: number | null;
  readonly stages: StageOutcomes;
  /** The plan of each round of repair, by its number from 1, including discarded ones. */
  readonly roundPlans: ReadonlyMap<number, Candidate>;
  /** The usage of a model's answers, including unusable ones; null if no model was used. */
  readonly usage: { readonly plan: Booking; readonly repair: Booking } | null;
  /** The prompts for the plan, and the report of reading the answers; null without a model. */
  readonly promptReport: PromptReport | null;
  /** The planner's judgement on its own plan; null in all variants but `self-validation`. */
  readonly selfVerdict: SelfVerdict | null;
  /** The executions of the final schedule, one for each method; none if not requested. */
  readonly executions: readonly Execution[];
  /** All intermediate results of all stages; `improvingPoints` selects the improvements. */
  readonly progress: PlannerProgress;
  /** Of the stages above; an execution has its own seconds. */
  readonly seconds: StageSeconds;
  /** The error in one line; null if the planner's plan was validated and the built-in search was right. */
  readonly error: string | null;
}

/** A result without measurements and executions. */
type StepResults = Omit<
  PipelineResult,
  'seconds' | 'executions' | 'usage' | 'roundPlans' | 'progress'
>;

/**
 * Runs one planner on one instance and validates its plan, with the workflow that `blueprint` builds for the context. A
 * planner that throws gives a regular result with status `error`. If requested, the repair stage makes a feasible
 * schedule of an infeasible plan, and the optimize stage starts from a feasible one; their results are validated again,
 * and the search never makes the schedule worse. A feasible result is then executed under disruptions, if requested.
 *
 * An aborted search has its best result so far; a planner that fails because of the abort has no result.
 *
 * @throws the reason of `context.signal` if that was aborted and a stage failed; InputError as
 *   `executeSchedule` and the store of a log do
 */
export async function runPipeline(
  instance: Instance,
  planner: Planner | ModelPlanner,
  context: PipelineContext,
): Promise<PipelineResult> {
  const { signal, execute, log, engine } = context;
  const model = modelOf(planner, context);
  const workflow =
    context.workflow === undefined
      ? await pipelineWorkflow(context, model !== undefined)
      : sameWorkflow(context.workflow);
  const stopwatch = createStopwatch();
  const task = taskOf(instance, planner, context);
  const codec = createValueCodec(instance);
  const roundPlans = new Map<number, Candidate>();
  const watch = watchProgress(instance, context);
  if (context.before !== undefined) stopwatch.add('plan', context.before.seconds);
  const registry = createPipelineRegistry({
    instance,
    task,
    planner,
    stopwatch,
    progress: watch,
    signal,
    limits: context,
    searchSignal: context.optimize?.signal,
    model,
    logged: log !== undefined || engine !== undefined,
    onRound: (round, made) => roundPlans.set(round, made),
  });
  const input = (): LoggedTask => ({ ...task, instance: referTo(instance) });
  const result = await (engine !== undefined
    ? engine(workflow, input(), registry, codec)
    : log !== undefined
      ? runLogged(workflow, input(), registry, log, stopwatch, (round, made) =>
          roundPlans.set(round, codec.decode(made) as Candidate),
        )
      : runInMemory(workflow, registry));
  if (result.status !== 'COMPLETED') {
    throw new AlasError('pipeline_failed', result.error?.message ?? result.status, result.error);
  }
  if (result.outputOf('fail') !== undefined) signal?.throwIfAborted();
  const outcome = outcomeOf(instance, result);
  const seconds = stopwatch.read();
  const executions =
    outcome.status === 'ok' && outcome.candidate !== null && execute !== undefined
      ? await executeLazily(instance, outcome.candidate, execute, signal, log)
      : [];
  const promptReport = outcome.promptReport ?? model?.planner.unanswered ?? null;
  const usage = usageByStage(result, model);
  const made = (result.outputOf('plan') as ProposedPlan | undefined)?.progress ?? watch.read();
  const progress = { ...made, points: [...made.points, ...stagePoints(result.outputOf, seconds)] };
  return { ...outcome, promptReport, roundPlans, executions, progress, seconds, usage };
}

/** Runs the execute stage, whose code is a tenth of the pipeline's and loaded when it is first needed. */
const executeLazily: typeof executeSchedule = async (...args) => {
  const { executeSchedule: execute } = await import('./handlers/execute-stage.js');
  return execute(...args);
};

function runInMemory(workflow: Workflow, registry: Registry): Promise<RunResult> {
  return runWorkflow(workflow, null, {
    registry,
    store: createNullStore(),
    runId: 'pipeline',
    // The blueprint was checked when it was built.
    unchecked: true,
    // A planner that never settles its promise must not keep the process waiting.
    clock: idleClock,
  });
}

function modelOf(
  planner: Planner | ModelPlanner,
  { ask, onWait, log }: PipelineContext,
): ModelAccess | undefined {
  if (!isModelPlanner(planner) || ask === undefined) return undefined;
  return createModelAccess(planner, ask, log !== undefined, onWait);
}

/** The usage of finished steps, in this process or earlier ones by the log, and of failed ones. */
function usageByStage(
  { outputOf }: Pick<RunResult, 'outputOf'>,
  model: ModelAccess | undefined,
): PipelineResult['usage'] {
  if (model === undefined) return null;
  const planned = (outputOf('plan') as ProposedPlan | undefined)?.usage;
  const self = outputOf('selfCheck') as SelfVerdict | undefined;
  const plan = planned && self ? addBookings(planned, self.usage) : planned;
  const repair = (outputOf('repair') as RepairRound | undefined)?.details.asked?.usage;
  return {
    plan: plan ?? model.spent('plan'),
    repair: repair ?? model.spent('repair'),
  };
}

function taskOf(
  instance: Instance,
  { name }: Pick<Planner, 'name'>,
  { seed, replicate, objective = objectiveOf(instance), bound, repair, optimize }: PipelineContext,
): PipelineTask {
  return {
    planner: name,
    objective,
    seed,
    replicate: replicate ?? 0,
    repairSeed: repair?.seed ?? null,
    optimizeSeed: optimize?.seed ?? null,
    budget: optimize?.budget ?? null,
    bound: bound ?? null,
  };
}

/** Combines the outputs of the steps that finished. */
function outcomeOf(
  instance: Instance,
  { output, outputOf }: Pick<RunResult, 'output' | 'outputOf'>,
): StepResults {
  const { status, error } = output as PipelineOutcome;
  const proposed = outputOf('plan') as ProposedPlan | undefined;
  const plan = proposed?.candidate ?? null;
  const repaired = outputOf('repair') as RepairRound | undefined;
  const found = outputOf('optimize') as SearchedPlan | undefined;
  const last = outputOf('finalCheck') as StageVerdict | undefined;
  const search = found !== undefined && last !== undefined ? { found, last } : undefined;
  // Without a validator before it, the last check may be of the plan itself.
  const first = (outputOf('validate') ??
    (found === undefined && repaired === undefined ? last : undefined)) as StageVerdict | undefined;
  const verdict = last ?? repaired ?? first;
  const candidate = search?.found.candidate ?? repaired?.candidate ?? plan;
  const isLate = status === 'ok' && candidate !== null && instance.due !== null;
  return {
    status,
    error,
    plan,
    tardiness: isLate ? totalWeightedTardiness(asSchedule(instance, candidate)) : null,
    promptReport: proposed?.promptReport ?? null,
    selfVerdict: (outputOf('selfCheck') as SelfVerdict | undefined) ?? null,
    candidate,
    verdict: outputOf('fail') === undefined ? (verdict?.report ?? null) : null,
    stages: {
      plan: first?.report ?? null,
      repair:
        repaired === undefined || plan === null ? null : repairOutcome(instance, plan, repaired),
      optimize: search === undefined ? null : searchOutcome(search.found, search.last),
    },
  };
}
