import { InputError } from '@alas-jssp/core/errors';
import type { DisruptionEvent } from 'alas-jssp/disruption';
import {
  findBenchmark,
  type Instance,
  type Plan,
  parseInstance,
  parsePlan,
  type Schedule,
  scheduleFromPlan,
} from 'alas-jssp/jssp';
import { validate } from 'alas-jssp/validator';
import { requestedPolicy, requireSize } from '../api/request-parts.js';
import { readWireEvents, readWireTime } from '../api/wire.js';
import type { WorkSetting } from '../compute/work.js';
import { type ClampedPolicy, clampForWork } from '../shops/policy-limits.js';
import type { GivenDocument } from './inputs.js';

/**
 * Reads the instance of a request.
 *
 * @throws InputError `too_many_operations`, or as its format does
 */
export function readGivenInstance(value: unknown, { operations }: WorkSetting): Instance {
  const given = value as GivenDocument;
  const instance =
    'benchmark' in given ? loadNamed(given.benchmark) : parseInstance(given.text, nameOf(given));
  requireSize(instance, operations);
  return instance;
}

function loadNamed(name: string): Instance {
  const benchmark = findBenchmark(name);
  if (benchmark === undefined) throw new Error(`there is no benchmark ${name}`);
  return benchmark.load();
}

function nameOf({ name }: { readonly name?: string | undefined }): { name?: string } {
  return name === undefined ? {} : { name };
}

/** Reads the plan of a request, also an infeasible one. */
export function readGivenPlan(value: unknown, instance: Instance): Plan {
  return parsePlan((value as { text: string }).text, undefined, instance).plan;
}

/**
 * Reads the plan of a request as a schedule in execution.
 *
 * @throws InputError `infeasible_plan` if it violates any rule except deadlines
 */
export function readGivenSchedule(value: unknown, instance: Instance): Schedule {
  const plan = readGivenPlan(value, instance);
  const { total, counts, violations } = validate(instance, plan, { limit: 1 });
  if (total === counts.deadline) return scheduleFromPlan(instance, plan);
  throw new InputError(
    'infeasible_plan',
    `the plan breaks ${total} rules, such as: ${violations[0].message}`,
    'make it feasible with repair_plan, and give the resulting plan',
  );
}

/** Reads events, and the time of their report. */
export function readGivenEvents(
  events: readonly Record<string, unknown>[],
  now: unknown,
  instance: Instance,
): { readonly events: readonly DisruptionEvent[]; readonly now: number } {
  const { timeScale } = instance;
  const at = now === undefined ? undefined : readWireTime(timeScale, now, ['now']);
  const read = readWireEvents(instance, events, at);
  return { events: read, now: at ?? read.reduce((latest, event) => Math.max(latest, event.at), 0) };
}

/**
 * Reads the policy of a request, within the limits of the service; `default` if it has none.
 *
 * @param repairs the number of requested repairs
 */
export function readGivenPolicy(
  value: unknown,
  instance: Instance,
  { seconds }: Pick<WorkSetting, 'seconds'>,
  repairs = 1,
): ClampedPolicy {
  return clampForWork(requestedPolicy(value ?? 'default', instance), seconds, instance, repairs);
}
