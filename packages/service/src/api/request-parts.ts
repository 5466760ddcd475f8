import { InputError } from '@alas-jssp/core/errors';
import { nearestNames, suggestNames } from '@alas-jssp/core/nearest-names';
import {
  type Benchmark,
  benchmarks,
  loadBenchmark,
  type OpenPolicy,
} from 'alas-jssp/internal/service';
import {
  canonicalName,
  type Instance,
  type Plan,
  parseInstance,
  parsePlan,
  type Schedule,
  scheduleFromPlan,
} from 'alas-jssp/jssp';
import { parsePolicy, policies, resolvePolicy } from 'alas-jssp/lcrp';

/**
 * Reads the instance of a request: a document, or the name of a benchmark, never that of a file.
 *
 * @throws InputError `no_instance`; `too_many_operations`; as `parseInstance` does, with the path in the request
 */
export function requestedInstance(value: unknown, mostOperations?: number): Instance {
  const instance = readPart('instance', () =>
    typeof value === 'string'
      ? loadBenchmark(namedBenchmark(value))
      : parseInstance(JSON.stringify(value), {}),
  );
  if (mostOperations !== undefined) requireSize(instance, mostOperations);
  return instance;
}

/**
 * Refuses an instance that is too large. Empty jobs and machines count: they take as much memory as operations.
 *
 * @throws InputError `too_many_operations`
 */
export function requireSize({ operations, jobs, machines }: Instance, most: number): void {
  if (Math.max(operations, jobs, machines) <= most) return;
  const problem = `the instance has ${operations} operations of ${jobs} jobs on ${machines} machines`;
  const hint = `this service accepts at most ${most} of each`;
  throw new InputError('too_many_operations', problem, hint, { path: '$.instance' });
}

/** Finds the benchmark with a name. @throws InputError `no_instance` */
export function namedBenchmark(name: string): Benchmark {
  const canonical = canonicalName(name);
  const benchmark = canonical === undefined ? undefined : benchmarks().get(canonical);
  if (benchmark !== undefined) return benchmark;
  const problem = `there is no benchmark ${JSON.stringify(name.slice(0, 80))}`;
  const nearest = nearestNames(name.slice(0, 80), benchmarks().keys());
  const hint =
    nearest.length > 0
      ? `did you mean ${nearest.join(', ')}?`
      : 'see /instances for their names, or send the instance itself; the service reads no files';
  throw new InputError('no_instance', problem, hint, {}, name);
}

/** Reads a part of a request; the paths of its errors start at the request, not at the part. */
export function readPart<T>(part: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { code, problem, hint, location, value } = error;
    const path = `$.${part}${location.path?.slice(1) ?? ''}`;
    throw new InputError(code, problem, hint, { path }, value);
  }
}

/** Reads the plan of a request, by default at `plan`. @throws InputError `bad_plan` */
export function requestedPlan(value: unknown, instance: Instance, part = 'plan'): Plan {
  return readPart(part, () => parsePlan(JSON.stringify(value), undefined, instance).plan);
}

/** Reads the plan of a request as a schedule. @throws InputError `bad_plan` */
export function requestedSchedule(value: unknown, instance: Instance): Schedule {
  return scheduleFromPlan(instance, requestedPlan(value, instance));
}

/**
 * Reads the policy of a request, a name or settings, by default at `policy`.
 *
 * @throws InputError `no_policy`, `bad_policy`
 */
export function requestedPolicy(value: unknown, instance: Instance, part = 'policy'): OpenPolicy {
  return readPart(part, () => {
    if (typeof value !== 'string') {
      const document = { schema: 'alas-jssp/policy@1', ...(value as object) };
      return parsePolicy(JSON.stringify(document), instance);
    }
    if (Object.hasOwn(policies, value)) return resolvePolicy(value, instance);
    const problem = `there is no policy ${JSON.stringify(value.slice(0, 80))}`;
    const hint = suggestNames(value, Object.keys(policies));
    throw new InputError('no_policy', problem, hint, {}, value);
  });
}
