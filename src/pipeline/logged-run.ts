import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { idleClock } from '@alas-jssp/core/clock';
import { AlasError } from '@alas-jssp/core/errors';
import type { Json, LogStore, Registry, RunResult, RunState, Workflow } from '@alas-jssp/workflow';
import { hasRun, resumeRun, runWorkflow, stateOfRun } from '@alas-jssp/workflow/hosts';
import type { LoggedTask, PipelineOutcome, RepairedPlan, SearchedPlan } from './step-values.js';
import type { Stage, Stopwatch } from './stopwatch.js';

/** The log of a run of the pipeline. */
export interface PipelineLog {
  readonly store: LogStore;
  /** The id of the run; repetitions get `~2`, `~3`, … after it. */
  readonly runId: string;
  /** Resumes the same run from the log. Default false: the run is new. */
  readonly resume?: boolean | undefined;
}

/**
 * Runs a workflow of the pipeline with a log. With `resume`, the last run of that id is resumed if it was interrupted,
 * and reused if it ended normally; it is repeated if it ended with an error or an interrupted search, or had another
 * task.
 *
 * @param onRound receives, as logged, the result of each round of repair that is not repeated
 */
export async function runLogged(
  workflow: Workflow,
  task: LoggedTask,
  registry: Registry,
  { store, runId, resume = false }: PipelineLog,
  stopwatch: Stopwatch,
  onRound: (round: number, made: Json) => void,
): Promise<RunResult> {
  const idOf = (count: number) => (count === 1 ? runId : `${runId}~${count}`);
  let count = 1;
  while (hasRun(store, idOf(count))) count++;
  if (resume && count > 1) {
    const last = idOf(count - 1);
    const state = stateOfRun(store, last);
    if (isSameRun(state, workflow, task) && !isToRepeat(state)) {
      addSeconds(state, stopwatch);
      reportRounds(state, onRound);
      return resumeRun(store, last, { registry, clock: idleClock });
    }
  }
  const options = {
    store,
    registry,
    seed: task.seed,
    clock: idleClock,
    attach: false,
    // The blueprint was checked when it was built.
    unchecked: true,
  };
  for (; ; count++) {
    try {
      return await runWorkflow(workflow, task, { ...options, runId: idOf(count) });
    } catch (error) {
      // Another process has taken the number in the meantime.
      if (!(error instanceof AlasError) || error.code !== 'run_exists') throw error;
    }
  }
}

function isSameRun({ workflow, input }: RunState, ours: Workflow, task: LoggedTask): boolean {
  return canonicalJson([workflow, input]) === canonicalJson([ours, task]);
}

function isToRepeat({ end, nodes }: RunState): boolean {
  if (end === undefined) return false;
  const { status } = (end.output ?? { status: 'error' }) as unknown as PipelineOutcome;
  const search = nodes.get('optimize')?.output as unknown as SearchedPlan | undefined;
  return status === 'error' || search?.status === 'interrupted';
}

const STAGE_OF: Readonly<Record<string, Stage>> = {
  plan: 'plan',
  validate: 'validate',
  fix: 'repair',
  revalidate: 'validate',
  optimize: 'optimize',
  finalCheck: 'validate',
};

/** Adds the time of finished steps from the log, in milliseconds. */
function addSeconds({ nodes }: RunState, stopwatch: Stopwatch): void {
  for (const [path, { status, startedAt, endedAt }] of nodes) {
    const stage = STAGE_OF[path.slice(path.lastIndexOf('/') + 1)];
    if (stage === undefined || status !== 'done' || endedAt === undefined) continue;
    stopwatch.add(stage, (Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  }
}

/** Reports the plans of earlier rounds of repair. */
function reportRounds({ nodes }: RunState, onRound: (round: number, made: Json) => void): void {
  for (const [path, { status, output }] of nodes) {
    if (!path.endsWith('/fix') || status !== 'done') continue;
    const { candidate, details } = output as unknown as RepairedPlan & { candidate: Json };
    onRound(details.rounds, candidate);
  }
}
