import { InputError } from '../../core/errors.js';
import { suggestNames } from '../../core/nearest-names.js';
import { benchmarks } from '../../jssp/benchmark-index.js';
import { parseInstance } from '../../jssp/formats/read-instance.js';
import { parsePlan } from '../../jssp/formats/read-plan.js';
import type { Instance } from '../../jssp/instance.js';
import { loadBenchmark } from '../../jssp/load-benchmark.js';
import { canonicalName } from '../../jssp/names.js';
import { type Plan, scheduleFromPlan } from '../../jssp/plan.js';
import type { Schedule } from '../../jssp/schedule.js';
import { policies, type RepairPolicy } from '../../lcrp/policy/policy.js';
import { parsePolicy } from '../../lcrp/policy/policy-file.js';

/**
 * The instance that a request names or holds. A name is one of a benchmark: never that of a file.
 *
 * @throws InputError `no_instance`; `too_many_operations`; as `parseInstance` does, with the path in the document
 */
export function requestedInstance(value: unknown, mostOperations?: number): Instance {
  const instance =
    typeof value === 'string' ? namedBenchmark(value) : parseInstance(JSON.stringify(value), {});
  if (mostOperations !== undefined) requireSize(instance, mostOperations);
  return instance;
}

/**
 * Refuses an instance that is too large: an empty job or machine takes memory as an operation does.
 *
 * @throws InputError `too_many_operations`
 */
export function requireSize({ operations, jobs, machines }: Instance, most: number): void {
  if (Math.max(operations, jobs, machines) <= most) return;
  const problem = `the instance has ${operations} operations of ${jobs} jobs on ${machines} machines`;
  const cure = `${most} of each at most are taken here`;
  throw new InputError('too_many_operations', problem, cure, { path: '$.instance' });
}

/** @throws InputError `no_instance` */
function namedBenchmark(name: string): Instance {
  const canonical = canonicalName(name);
  const benchmark = canonical === undefined ? undefined : benchmarks().get(canonical);
  if (benchmark !== undefined) return loadBenchmark(benchmark);
  const problem = `there is no benchmark ${JSON.stringify(name.slice(0, 80))}`;
  const cure = suggestNames(name.slice(0, 80), [...benchmarks().keys()]);
  throw new InputError('no_instance', problem, cure.slice(0, 200), {}, name);
}

/** The plan that a request holds. @throws InputError `bad_plan` */
export function requestedPlan(value: unknown, instance: Instance): Plan {
  return parsePlan(JSON.stringify(value), undefined, instance).plan;
}

/** The plan that a request holds, as a schedule. @throws InputError `bad_plan` */
export function requestedSchedule(value: unknown, instance: Instance): Schedule {
  return scheduleFromPlan(instance, requestedPlan(value, instance));
}

/**
 * The policy that a request names or holds.
 *
 * @throws InputError `no_policy`, `bad_policy`
 */
export function requestedPolicy(value: unknown, instance: Instance): RepairPolicy {
  if (typeof value !== 'string') {
    const document = { schema: 'alas-jssp/policy@1', ...(value as object) };
    return parsePolicy(JSON.stringify(document), instance);
  }
  if (Object.hasOwn(policies, value)) return policies[value];
  const problem = `there is no policy ${JSON.stringify(value.slice(0, 80))}`;
  throw new InputError('no_policy', problem, suggestNames(value, Object.keys(policies)), {}, value);
}
