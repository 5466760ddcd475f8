import type { InputError } from '../../core/errors.js';
import { parseBudget } from '../../core/stopping.js';
import type { Instance } from '../../jssp/instance.js';
import type { OpenPolicy } from '../../lcrp/policy/policy.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import type { Variant } from '../../pipeline/blueprint/spec.js';
import type { Disruption } from '../../pipeline/handlers/execute-stage.js';
import type { PipelineContext } from '../../pipeline/pipeline.js';
import { pipelineWorkflow } from '../../pipeline/pipeline-workflow.js';
import type { KeptPlan } from '../../pipeline/progress.js';
import type { Workflow } from '../../workflow/index.js';
import type { RecordHead } from '../records/record.js';
import type { RunDisruption } from '../run/disruption.js';
import type { SourceBounds } from '../run/sources.js';
import type { FilledRunSpec } from '../run/spec.js';

/** One record to be made: a cell of the run matrix. */
export interface Cell extends RecordHead {
  /** The planner as the run names it: its specification, behind its name if it has one. */
  readonly specification: string;
  readonly variant: Variant;
  readonly bounds: SourceBounds;
  readonly seeds: CellSeeds;
}

/** Seeds of the stages after the plan, and of what happens while the schedule is executed. */
type CellSeeds = Readonly<Record<'repair' | 'optimize' | 'execute' | 'events', number>>;

/** The stages of the pipeline that a spec asks for, with the seeds of a cell. */
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

/** Cells with all that it takes to make their records: what is sent to a worker thread. */
export interface Task {
  /** One, or one for each method that executes the same schedule. */
  readonly cells: readonly Cell[];
  /** Lies in shared memory. */
  readonly instance: Instance;
  /** The settings of the run. */
  readonly spec: FilledRunSpec;
  /** The stages that the instance goes through, built and checked once for all threads. */
  readonly workflow: Workflow;
  /** Disruptions of schedules, and the policy by which they are repaired; null to execute none. */
  readonly execute: TaskExecution | null;
  /** Where the judged schedule of each cell is saved; null to save none. */
  readonly files: readonly SavedFiles[] | null;
  /** The file that the planner reads, where it is elsewhere. */
  readonly planFile?: SentFile | undefined;
  /** The model that the planner is about, as a specification, where it replays answers that are not here. */
  readonly model?: string | undefined;
  /** The best plan of a planner that had to be ended with its thread, and the seconds that it took. */
  readonly kept?: (KeptPlan & { readonly seconds: number }) | undefined;
  /** Where the steps are logged; null for nowhere. */
  readonly log: TaskLog | null;
}

/** A file that was read elsewhere. */
export interface SentFile {
  readonly path: string;
  readonly sha256: string;
  /** Its bytes, or why it could not be read. */
  readonly content: Uint8Array | Refusal;
}

/** The parts of an InputError, which threads and processes can hand to each other. */
export interface Refusal extends Pick<InputError, 'code' | 'problem' | 'hint' | 'location'> {}

/** Readies the task of cells on their instance: it saves nothing and has no log. */
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

/** The log of a task, in an SQLite file that other tasks write to, too. */
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

/** Files for the judged schedule and, if it was executed, the instance that it was realised in. */
export interface SavedFiles {
  readonly schedule: string;
  readonly instance: string;
  /** The beginning of the names of the files of its stages. */
  readonly stages: string;
}
