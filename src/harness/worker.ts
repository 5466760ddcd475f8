import { stderr, stdout } from 'node:process';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { InputError } from '../core/errors.js';
import { replaceFile } from '../core/json-file.js';
import type { Planner } from '../jssp/planner.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { loadPlanner } from '../pipeline/planners.js';
import { type RunRecord, recordKey } from './record.js';
import { planFileText } from './saved-plan.js';
import { recordOf, type Task } from './task.js';
import type { ClockMessage } from './watch.js';

// What planners print is for people: stdout belongs to the results of the command line.
stdout.write = stderr.write.bind(stderr);

const planners = new Map<string, Promise<Planner>>();

/**
 * Makes the record of one task, in a worker thread. The schedule is saved here, so that large
 * ones need not travel, and before the record exists, so that none lacks its schedule.
 */
export async function performTask({
  cell,
  instance,
  repairs,
  budget,
  schedulePath,
  interrupts,
}: Task): Promise<RunRecord> {
  const { bounds, seed, repairSeed, optimizeSeed } = cell;
  const planner = timed(await plannerFor(cell.planner), recordKey(cell));
  const bound = { value: bounds.lower, source: bounds.proof };
  const repair = repairs ? { seed: repairSeed } : undefined;
  const signal = signalOf(interrupts);
  const optimize = budget === null ? undefined : { budget, seed: optimizeSeed, signal };
  const result = await runPipeline(instance, planner, { seed, bound, repair, optimize }).finally(
    () => interrupts.close(),
  );
  if (schedulePath !== null && result.candidate !== null && result.verdict !== null) {
    replaceFile(schedulePath, planFileText(result.candidate, cell.instance));
  }
  return recordOf(cell, result);
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
