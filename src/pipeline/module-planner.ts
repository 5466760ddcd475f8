import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../core/errors.js';
import type { Instance } from '../jssp/instance.js';
import type { Candidate, Plan } from '../jssp/plan.js';
import type { Planner } from '../jssp/planner.js';
import { createSchedule } from '../jssp/schedule.js';

type PlanFunction = (...args: Parameters<Planner['plan']>) => unknown;

/**
 * A planner in an ES module of the user's, which exports it as `planner` or as its default: a
 * {@link Planner}, or just its `plan` function. It is imported when first asked for a plan, so
 * within a run it is only ever imported by worker threads: each of them once.
 *
 * Of a schedule that it returns only the start times are taken, machines and durations come from
 * the instance.
 *
 * @param path of the module, relative to the working directory or absolute
 * @throws InputError `no_file` if it does not exist; `plan` rejects with `bad_module` if the
 *   module exports no planner, `bad_candidate` if that returns no plan, and with what it throws
 */
export function createModulePlanner(path: string): Planner {
  const file = resolve(path);
  if (path === '' || !existsSync(file)) {
    throw new InputError(
      'no_file',
      'there is no such module',
      'write module:PATH with the path of an ES module that exports a planner',
      { file: path },
      path,
    );
  }
  let loaded: Promise<PlanFunction> | undefined;
  return {
    name: `module:${path}`,
    async plan(instance, context) {
      loaded ??= importPlanner(path, file);
      const plan = await loaded;
      return checkCandidate(await plan(instance, context), instance, path);
    },
  };
}

async function importPlanner(path: string, file: string): Promise<PlanFunction> {
  const exported: { planner?: unknown; default?: unknown } = await import(pathToFileURL(file).href);
  const planner = exported.planner ?? exported.default;
  if (typeof planner === 'function') return planner as PlanFunction;
  if (isObject(planner) && 'plan' in planner && typeof planner.plan === 'function') {
    return planner.plan.bind(planner);
  }
  throw new InputError(
    'bad_module',
    'the module exports no planner',
    'export { plan(instance, context) } or that function as `planner` or as the default',
    { file: path },
  );
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
