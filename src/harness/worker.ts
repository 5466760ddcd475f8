import { InputError } from '../core/errors.js';
import { writePlanJson } from '../jssp/formats/plan-json.js';
import type { Candidate } from '../jssp/plan.js';
import type { Planner } from '../jssp/planner.js';
import { runPipeline } from '../pipeline/pipeline.js';
import { createPlanner } from '../pipeline/planners.js';
import { replaceFile } from './json-file.js';
import type { RunRecord } from './record.js';
import { recordOf, type Task } from './task.js';

const planners = new Map<string, Planner>();

/**
 * Makes the record of one task, in a worker thread. The schedule is saved here, so that large
 * ones need not travel, and before the record exists, so that none lacks its schedule.
 */
export async function performTask(task: Task): Promise<RunRecord> {
  const { instance, bounds, seed, schedulePath } = task;
  const result = await runPipeline(instance, plannerFor(task.planner), {
    seed,
    bound: { value: bounds.lower, source: bounds.proof },
  });
  if (schedulePath !== null && result.candidate !== null) {
    savePlan(schedulePath, result.candidate, instance.name);
  }
  return recordOf(task, result);
}

/** Saves a plan, unless it holds what no file can (NaN): its verdict has to stand either way. */
function savePlan(path: string, candidate: Candidate, instance: string): void {
  try {
    replaceFile(path, writePlanJson(candidate, { instance }));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
}

function plannerFor(spec: string): Planner {
  const planner = planners.get(spec) ?? createPlanner(spec);
  planners.set(spec, planner);
  return planner;
}
