import { InputError } from '@alas-jssp/core/errors';
import type { Json, Registry, Workflow } from '@alas-jssp/workflow';
import type { Instance } from '../jssp/instance.js';
import type { Planner } from '../jssp/planner.js';
import { createPipelineRegistry } from './handlers/handlers.js';
import { cannotBeAsked, isModelPlanner } from './planners/llm-planner.js';
import { createPlanner } from './planners/planners.js';
import { watchProgress } from './progress.js';
import { type InstanceReference, type LoggedTask, referTo } from './step-values.js';
import { createStopwatch } from './stopwatch.js';

/** Whether a workflow, such as one from a log, was built by `blueprint`. */
export function isPipeline({ meta }: Pick<Workflow, 'meta'>): boolean {
  return Object.hasOwn(meta, 'blueprint');
}

/**
 * The handlers of a logged run of the pipeline, to replay it, or to resume it if the planner is built in, a file or a
 * module.
 *
 * @param input of the run, from its log
 * @param resolve finds an instance by its name
 * @throws InputError `other_numbers` if that has another checksum; errors of `resolve` and {@link createPlanner}
 */
export function createReplayRegistry(
  input: Json,
  resolve: (reference: InstanceReference) => Instance,
): Registry {
  const { instance: reference, ...task } = input as unknown as LoggedTask;
  const instance = resolve(reference);
  const { name, sha256 } = reference;
  if (referTo(instance).sha256 !== sha256) {
    throw new InputError(
      'other_numbers',
      `${name} has other numbers than the one that the log speaks of`,
      'name the file that was run',
      {},
      name,
    );
  }
  const planner = whenAsked(task.planner);
  const stopwatch = createStopwatch();
  const progress = watchProgress(instance);
  const services = { instance, task, planner, stopwatch, progress, logged: true };
  return createPipelineRegistry(services);
}

/** A planner that is created on its first call: a replay calls only built-in ones. */
function whenAsked(name: string): Planner {
  const plan: Planner['plan'] = async (...asked) => {
    const planner = createPlanner(name);
    if (isModelPlanner(planner)) throw cannotBeAsked(planner);
    return planner.plan(...asked);
  };
  return { name, plan };
}
