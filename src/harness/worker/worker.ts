import { stderr, stdout } from 'node:process';
import { AlasError } from '@alas-jssp/core/errors';
import { packError, unpackError } from '@alas-jssp/core/sent-error';
import { serveCalls } from '@alas-jssp/core/thread-calls';
import type { LogStore } from '@alas-jssp/workflow';
import { asPlan } from '../../jssp/plan.js';
import type { Planner } from '../../jssp/planner.js';
import { createSchedule } from '../../jssp/schedule.js';
import { modelOf } from '../../llm/model-of.js';
import type { PipelineLog } from '../../pipeline/logged-run.js';
import { runPipeline } from '../../pipeline/pipeline.js';
import {
  createModelPlanner,
  isModelPlanner,
  type ModelPlanner,
} from '../../pipeline/planners/llm-planner.js';
import { createPlanner, isProgram, loadPlanner } from '../../pipeline/planners/planners.js';
import type { PlanningEnd } from '../../pipeline/step-values.js';
import { attributionFacts } from '../attribution/attribution-facts.js';
import { recordOf } from '../records/build-record.js';
import type { RunRecord } from '../records/record.js';
import { savePlans } from './saved-plans.js';
import type { SharedPlan } from './shared-plans.js';
import { type Cell, type SentFile, stagesOf, type Task, type TaskExecution } from './task.js';
import { type TaskHost, timePlanner } from './task-host.js';

// Output of planners is for people: stdout is reserved for the results of the command line.
stdout.write = stderr.write.bind(stderr);

const planners = new Map<string, Promise<Planner | ModelPlanner>>();

/**
 * Makes the records of one task in a worker thread, one for each of its cells. Schedules are saved here, so that large
 * ones need not be transferred, and before the record exists, so that every record has its schedule.
 */
async function performTask(task: Task, host: TaskHost): Promise<RunRecord[]> {
  const { cells, instance, spec, files } = task;
  const [first] = cells;
  const { bounds, seed, replicate } = first;
  const { optimize, ...stages } = stagesOf(spec, first);
  const loaded = await plannerOf(task);
  const { ask, onWait, onKept, interrupted, stopped } = host;
  const turn = { end: () => {} };
  const planner = timed(loaded, host, turn);
  const result = await runPipeline(instance, planner, {
    ...stages,
    seed,
    replicate,
    ...limitsOf(spec),
    // The validator knows only bounds of the makespan.
    bound:
      spec.objective === 'makespan'
        ? { value: bounds.lower_bound, source: bounds.proof }
        : undefined,
    workflow: task.workflow,
    log: await logOf(task),
    optimize: optimize && { ...optimize, signal: interrupted },
    execute: task.execute === null ? undefined : settingsOf(cells, task.execute),
    ...(isModelPlanner(planner)
      ? { ask, onWait, signal: stopped }
      : {
          planSignal: stopped,
          onKept,
          before: beforeOf(task),
          onProposed: (end) => onProposed(end, first.specification, host),
        }),
  }).finally(() => turn.end());
  await flushOutput();
  const attribution = spec.attribution ? attributionFacts(instance, first, result) : null;
  return cells.map((cell, i) => {
    const execution = result.executions.find(({ method }) => method === cell.method);
    if (files !== null) savePlans(files[i], cell, result, execution);
    return recordOf(cell, result, execution, spec.disruption?.policy, attribution);
  });
}

/** Waits until the main thread has the output of the planner: this thread may be ended with its task. */
async function flushOutput(): Promise<void> {
  if (stderr.writableLength === 0) return;
  await new Promise<void>((resolve) => void stderr.write('', () => resolve()));
}

/** The planner of a task, or the plan that it has already made. */
async function plannerOf(task: Task): Promise<Planner | ModelPlanner> {
  const [{ specification }] = task.cells;
  if (task.kept !== undefined) return keptPlanner(specification, task.kept);
  if (task.planned !== undefined) return plannedPlanner(specification, task.planned);
  return plannerFor(specification, task);
}

/** A planner that has planned in another variant. */
function plannedPlanner(name: string, { made }: SharedPlan): Planner {
  return {
    name,
    async plan() {
      if ('error' in made) throw unpackError(made.error);
      return made.plan;
    },
  };
}

/** Sends the plan of a program to the other variants of its task. */
function onProposed(
  { made, progress, seconds }: PlanningEnd,
  specification: string,
  host: TaskHost,
): void {
  if (!isProgram(specification)) return;
  const sent =
    'error' in made ? { error: packError(made.error) } : { plan: asPlan(made.candidate) };
  host.onProposed({ made: sent, progress, seconds });
}

/** A stopped planner with the best plan that it delivered. */
function keptPlanner(name: string, { start }: NonNullable<Task['kept']>): Planner {
  return { name, plan: async (instance) => createSchedule(instance, start) };
}

function beforeOf({ kept, planned }: Task) {
  const before = kept ?? planned;
  return before && { ...before.progress, seconds: before.seconds };
}

/** The limits of an external program. */
function limitsOf({ limits: { seconds, megabytes, threads } }: Task['spec']) {
  return { seconds: seconds ?? undefined, megabytes: megabytes ?? undefined, threads };
}

const stores = new Map<string, LogStore>();

/** The log of a task: each thread opens a file once and keeps it open. */
async function logOf({ log }: Task): Promise<PipelineLog | undefined> {
  if (log === null) return undefined;
  const { openTaskLog } = await import('./task-log.js');
  const store = stores.get(log.file) ?? openTaskLog(log.file);
  stores.set(log.file, store);
  return { store, runId: log.runId, resume: log.resume };
}

function settingsOf(cells: readonly Cell[], { disruption, policy }: TaskExecution) {
  const { events: eventSeed, execute: seed } = cells[0].seeds;
  const methods = cells.flatMap(({ method }) => method ?? []);
  return { disruption, policy, methods, eventSeed, seed };
}

/** Loads a planner in a worker thread, as a task would. @throws InputError if it is refused */
async function probePlanner(spec: string): Promise<void> {
  await plannerFor(spec);
}

function plannerFor(
  spec: string,
  { model, planFile }: Pick<Task, 'model' | 'planFile'> = {},
): Promise<Planner | ModelPlanner> {
  if (model !== undefined) {
    const read = planFile && readerOf(planFile);
    return Promise.resolve(createModelPlanner(spec, modelOf(model), read));
  }
  if (planFile !== undefined) return Promise.resolve(readingPlanner(spec, planFile));
  const planner = planners.get(spec) ?? loadPlanner(spec);
  planners.set(spec, planner);
  return planner;
}

/** The planners of recently received files, by their specifications: tasks may share a file. */
const readers = new Map<
  string,
  { readonly key: string; readonly planner: Planner | ModelPlanner }
>();

/** A planner of a file that was read by another process. */
function readingPlanner(spec: string, file: SentFile): Planner | ModelPlanner {
  const key = `${file.sha256} ${file.path}`;
  const known = readers.get(spec);
  if (known?.key === key) return known.planner;
  const planner = createPlanner(spec, readerOf(file));
  readers.set(spec, { key, planner });
  return planner;
}

/** Reads the one file that was sent with the task. */
function readerOf({ path, content }: SentFile): (wanted: string) => Uint8Array {
  return (wanted) => {
    if (wanted !== path) throw new AlasError('no_file', `${wanted} was not sent here`);
    if (content instanceof Uint8Array) return content;
    throw unpackError(content);
  };
}

/** The tasks of this thread that work on an answer, one after the other: a thread has one processor. */
let turns: Promise<void> = Promise.resolve();

/** Waits until no other task of this thread is working, and for a processor; the end of the turn releases it. */
async function beginTurn(host: TaskHost, turn: ComputeTurn) {
  const before = turns;
  const over = new Promise<void>((resolve) => {
    turn.end = () => {
      turn.end = () => {};
      host.onProcessorFree();
      resolve();
    };
  });
  turns = before.then(() => over);
  await before;
  // A task that must stop does not wait.
  const signal = AbortSignal.any([host.interrupted, host.stopped]);
  await host.takeProcessor({ signal }).catch(() => {});
}

/** The time in which a task computes. */
interface ComputeTurn {
  end(): void;
}

/**
 * A planner whose calls the main thread observes to limit their time. A task that uses a model holds a processor only
 * while it does not wait for an answer.
 */
function timed(
  planner: Planner | ModelPlanner,
  host: TaskHost,
  turn: ComputeTurn,
): Planner | ModelPlanner {
  if (!isModelPlanner(planner)) {
    return {
      name: planner.name,
      plan: (...asked) => timePlanner(host, async () => planner.plan(...asked)),
    };
  }
  const waiting = async <T>(work: () => Promise<T>, as?: 'repairing'): Promise<T> => {
    turn.end();
    try {
      return await timePlanner(host, work, as);
    } finally {
      await beginTurn(host, turn);
    }
  };
  return {
    ...planner,
    propose: (...asked) => waiting(() => planner.propose(...asked)),
    repair(instance, broken, { signal, ...context }) {
      const { outOfTime } = host;
      const both = signal === undefined ? outOfTime : AbortSignal.any([signal, outOfTime]);
      const mend = () => planner.repair(instance, broken, { ...context, signal: both });
      return waiting(mend, 'repairing');
    },
    judge: (...asked) => waiting(() => planner.judge(...asked)),
  };
}

const functions = { performTask, probePlanner };
/** The functions of a worker thread. */
export type WorkerFunctions = typeof functions;
serveCalls(functions);
