import { InputError } from '@alas-jssp/core/errors';
import type { Instance } from '../../jssp/instance.js';
import type { Candidate, Plan } from '../../jssp/plan.js';
import type { Planner } from '../../jssp/planner.js';
import { createSchedule } from '../../jssp/schedule.js';
import { importModule, requireModule } from './import-module.js';

/** A planner that must be loaded before its first plan; `plan` loads it if necessary. */
export interface LoadablePlanner extends Planner {
  load(): Promise<unknown>;
}

type PlanFunction = (...args: Parameters<Planner['plan']>) => unknown;

const EXPORT = 'export { plan(instance, context) } or that function as `planner` or as the default';

/**
 * A planner in a user's ES module, which exports it as `planner` or as its default: a {@link Planner}, or only its
 * `plan` function. It is imported on load or on its first plan, so within a run only worker threads import it, once
 * each.
 *
 * Only the start times of a returned schedule are used; machines and durations come from the instance.
 *
 * @param path of the module, relative to the working directory or absolute
 * @throws InputError `no_file` if it does not exist or is a directory; `load` and `plan` reject with `bad_module` if
 *   the module cannot be loaded or exports no planner, `plan` with `bad_candidate` if that returns no plan, and with
 *   errors of the module
 */
export function createModulePlanner(path: string): LoadablePlanner {
  requireModule(path, 'write module:PATH with the path of an ES module that exports a planner');
  let loaded: Promise<PlanFunction> | undefined;
  const load = () => {
    loaded ??= importPlanner(path);
    return loaded;
  };
  return {
    name: `module:${path}`,
    load,
    async plan(instance, context) {
      const plan = await load();
      return checkCandidate(await plan(instance, context), instance, path);
    },
  };
}

async function importPlanner(path: string): Promise<PlanFunction> {
  const exported = await importModule(path);
  const planner = exported.planner ?? exported.default;
  if (typeof planner === 'function') return planner as PlanFunction;
  if (isObject(planner) && 'plan' in planner && typeof planner.plan === 'function') {
    return planner.plan.bind(planner);
  }
  throw new InputError('bad_module', 'the module exports no planner', EXPORT, { file: path });
}

function checkCandidate(candidate: unknown, instance: Instance, path: string): Candidate {
  if (isObject(candidate)) {
    if ('start' in candidate && candidate.start instanceof Int32Array) {
      return createSchedule(instance, candidate.start);
    }
    if ('entries' in candidate && Array.isArray(candidate.entries)) return candidate as Plan;
  }
  throw new InputError(
    'bad_candidate',
    'the planner returned neither a plan nor a schedule',
    'return { entries: [{ job, step, machine, start, end }, …] }, all counted from 0, or a Schedule',
    { file: path },
    candidate,
  );
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}
