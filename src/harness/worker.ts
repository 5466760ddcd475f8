import { stderr, stdout } from 'node:process';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { InputError } from '../core/errors.js';
import { replaceFile } from '../core/json-file.js';
import { writeInstanceJson } from '../jssp/formats/instance-json.js';
import { instanceName } from '../jssp/formats/source.js';
import type { Planner } from '../jssp/planner.js';
import type { Execution } from '../pipeline/execute-stage.js';
import type { PipelineLog } from '../pipeline/logged-run.js';
import { type PipelineResult, runPipeline } from '../pipeline/pipeline.js';
import { loadPlanner } from '../pipeline/planners.js';
import type { LogStore } from '../workflow/index.js';
import { type RunRecord, recordKey } from './record.js';
import { planFileText } from './saved-plan.js';
import { type Cell, recordOf, type SavedFiles, type Task, type TaskExecution } from './task.js';
import type { ClockMessage } from './watch.js';

// What planners print is for people: stdout belongs to the results of the command line.
stdout.write = stderr.write.bind(stderr);

const planners = new Map<string, Promise<Planner>>();

/** A task as it arrives here. */
export interface SentTask extends Task {
  /** Whatever comes in here ends the search with its best so far. */
  readonly interrupts: MessagePort;
}

/**
 * Makes the records of one task, in a worker thread: one for each of its cells. Schedules are saved
 * here, so that large ones need not travel, and before the record exists, so that none lacks its
 * schedule.
 */
export async function performTask(task: SentTask): Promise<RunRecord[]> {
  const { cells, instance, repairs, rounds, budget, files, workflow } = task;
  const [first] = cells;
  const { bounds, seed, repairSeed, optimizeSeed, variant } = first;
  const planner = timed(await plannerFor(first.planner), recordKey(first));
  const bound = { value: bounds.lower, source: bounds.proof };
  const repair = repairs ? { seed: repairSeed, rounds } : undefined;
  const signal = signalOf(task.interrupts);
  const optimize = budget === null ? undefined : { budget, seed: optimizeSeed, signal };
  const execute = task.execute === null ? undefined : settingsOf(cells, task.execute);
  const log = await logOf(task);
  const { replicate } = cells[0];
  const context = { seed, replicate, bound, repair, optimize, execute, variant, workflow, log };
  const result = await runPipeline(instance, planner, context).finally(() =>
    task.interrupts.close(),
  );
  return cells.map((cell, i) => {
    const execution = result.executions.find(({ method }) => method === cell.method);
    if (files !== null) save(files[i], cell, result, execution);
    return recordOf(cell, result, execution, task.execute?.policyName);
  });
}

const stores = new Map<string, LogStore>();

/** The log of a task: each thread opens a file once, and writes to it as long as it lives. */
async function logOf({ log }: Task): Promise<PipelineLog | undefined> {
  if (log === null) return undefined;
  const { openSqliteStore } = await import('../workflow/log/sqlite-store.js');
  const store = stores.get(log.file) ?? openSqliteStore(log.file);
  stores.set(log.file, store);
  return { store, runId: log.runId, resume: log.resume };
}

function settingsOf(cells: readonly Cell[], { disruption, policy }: TaskExecution) {
  const { eventSeed, executeSeed: seed } = cells[0];
  const methods = cells.flatMap(({ method }) => method ?? []);
  return { disruption, policy, methods, eventSeed, seed };
}

/** Saves what was judged; a schedule that was executed is one of the instance beside it. */
function save(
  files: SavedFiles,
  cell: Cell,
  { candidate, verdict }: PipelineResult,
  execution: Execution | undefined,
): void {
  if (execution === undefined) {
    if (candidate === null || verdict === null) return;
    replaceFile(files.schedule, planFileText(candidate, cell.instance));
  } else if (execution.simulation !== null) {
    const { schedule } = execution.simulation;
    replaceFile(files.instance, writeInstanceJson(schedule.instance));
    replaceFile(files.schedule, planFileText(schedule, instanceName(files.instance)));
  }
}

/** A signal that the first message from a port aborts. */
function signalOf(port: MessagePort): AbortSignal {
  const controller = new AbortController();
  port.once('message', () => controller.abort());
  return controller.signal;
}

/** The parts of an InputError, which threads can hand to each other. */
export type Refusal = Pick<InputError, 'code' | 'problem' | 'cure' | 'location'>;

/** Loads a planner as a task would, in a worker thread; tells why that is refused, or null. */
export async function probePlanner(spec: string): Promise<Refusal | null> {
  try {
    await plannerFor(spec);
    return null;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, cure, location } = error;
    return { code, problem, cure, location };
  }
}

function plannerFor(spec: string): Promise<Planner> {
  const planner = planners.get(spec) ?? loadPlanner(spec);
  planners.set(spec, planner);
  return planner;
}

/** A planner that tells the main thread when its time begins to count, and when that is over. */
function timed(planner: Planner, task: string): Planner {
  const tell = (clock: ClockMessage['clock']) =>
    parentPort?.postMessage({ task, clock } satisfies ClockMessage);
  return {
    name: planner.name,
    async plan(instance, context) {
      tell('begin');
      try {
        return await planner.plan(instance, context);
      } finally {
        tell('pause');
      }
    },
  };
}
