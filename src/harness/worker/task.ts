import type { SentError } from '@alas-jssp/core/sent-error';
import { parseBudget } from '@alas-jssp/core/stopping';
import type { Workflow } from '@alas-jssp/workflow';
import type { Instance } from '../../jssp/instance.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import type { Variant } from '../../pipeline/blueprint/spec.js';
import type { Disruption } from '../../pipeline/handlers/execute-stage.js';
import type { PipelineContext } from '../../pipeline/pipeline.js';
import { pipelineWorkflow } from '../../pipeline/pipeline-workflow.js';
import type { KeptPlan } from '../../pipeline/progress.js';
import type { RecordHead } from '../records/record.js';
import type { RunDisruption } from '../run/disruption.js';
import type { SourceBounds } from '../run/sources.js';
import type { FilledRunSpec } from '../run/spec.js';
import type { SharedPlan } from './shared-plans.js';

/** One record to be made: a cell of the run matrix. */
export interface Cell extends RecordHead {
  /** The planner as the run names it: its specification, after its name if it has one. */
  readonly specification: string;
  readonly variant: Variant;
  readonly bounds: SourceBounds;
  readonly seeds: CellSeeds;
}

/** Seeds of the stages after the plan, and of the events during the execution. */
type CellSeeds = Readonly<Record<'repair' | 'optimize' | 'execute' | 'events', number>>;

/** The pipeline stages of a spec, with the seeds of a cell. */
export function stagesOf(
  { objective, repair, repairer, rounds, optimize }: FilledRunSpec,
  { variant, seeds }: Cell,
): Pick<PipelineContext, 'variant' | 'objective' | 'repair' | 'optimize'> {
  return {
    variant,
    objective,
    repair: repair ? { seed: seeds.repair, rounds, by: repairer } : undefined,
    optimize:
      optimize === null ? undefined : { budget: parseBudget(optimize), seed: seeds.optimize },
  };
}

/** Cells with everything needed to make their records; it is sent to a worker thread. */
export interface Task {
  /** One, or one for each method that executes the same schedule. */
  readonly cells: readonly Cell[];
  /** In shared memory. */
  readonly instance: Instance;
  /** The settings of the run. */
  readonly spec: FilledRunSpec;
  /** The stages of the pipeline, built and checked once for all threads. */
  readonly workflow: Workflow;
  /** Disruptions and the repair policy; null without execution. */
  readonly execute: TaskExecution | null;
  /** Files for the validated schedule of each cell; null to save none. */
  readonly files: readonly SavedFiles[] | null;
  /** The plan file of the planner, if it is remote. */
  readonly planFile?: SentFile | undefined;
  /** The model of a planner that replays remote answers, as a specification. */
  readonly model?: string | undefined;
  /** The best plan of a planner whose thread was stopped, and its seconds. */
  readonly kept?: (KeptPlan & { readonly seconds: number }) | undefined;
  /** The plan of the planner, if another variant of the task has received it. */
  readonly planned?: SharedPlan | undefined;
  /** The log of the steps; null for none. */
  readonly log: TaskLog | null;
}

/** A file that was read by another process. */
export interface SentFile {
  readonly path: string;
  readonly sha256: string;
  /** Its bytes, or the reason why it could not be read. */
  readonly content: Uint8Array | SentError;
}

/** Prepares the task of cells on their instance, without files and log. */
export async function readyTask({
  cells,
  instance,
  spec,
  disruption,
}: Pick<Task, 'cells' | 'instance' | 'spec'> & {
  readonly disruption: RunDisruption | null;
}): Promise<Task> {
  const [first] = cells;
  const workflow = await pipelineWorkflow(stagesOf(spec, first), isModelSpec(first.specification));
  const execute = disruption?.resolve(instance) ?? null;
  return { cells, instance, spec, workflow, execute, files: null, log: null };
}

/** The log of a task, in an SQLite file that other tasks share. */
interface TaskLog {
  readonly file: string;
  readonly runId: string;
  /** Whether the task is resumed from its log. */
  readonly resume: boolean;
}

/** The execute stage of a task. */
export interface TaskExecution {
  readonly disruption: Disruption;
  readonly policy: OpenPolicy;
}

/** Files for the validated schedule and, if it was executed, the instance with all events. */
export interface SavedFiles {
  readonly schedule: string;
  readonly instance: string;
  /** Prefix of the file names of its stages. */
  readonly stages: string;
}
