import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { eventLabels, withNumbers } from '../../disruption/labels.js';
import type { Instance } from '../../jssp/instance.js';
import {
  changePolicy,
  defaultPolicy,
  type OpenPolicy,
  type PinnedOperation,
  type PolicyChanges,
  policies,
  type ReadChanges,
  type RepairPolicy,
} from './policy.js';
import { badPolicy, radiusFault, unknownIn } from './policy-faults.js';
import { changesSchema } from './policy-schema.js';

/**
 * Makes a policy: the default one, a named one of {@link policies} or any other, with changes. Its objective is null,
 * meaning that of the repaired instance, unless it is given.
 *
 * ```
 * policy({ limits: { mostChanged: 5 } })
 * policy('high-stability', { objective: 'total-weighted-tardiness' })
 * ```
 *
 * @throws InputError `no_policy` for an unknown name; `bad_policy`, with its path, for an unknown key or a value out of
 *   range
 */
export function policy(
  base: string | PolicyChanges,
  changes: PolicyChanges & Pick<RepairPolicy, 'objective'>,
): RepairPolicy;
export function policy(base: PolicyChanges & Pick<RepairPolicy, 'objective'>): RepairPolicy;
export function policy(base?: string | PolicyChanges, changes?: PolicyChanges): OpenPolicy;
export function policy(base: string | PolicyChanges = {}, changes: PolicyChanges = {}): OpenPolicy {
  const start =
    typeof base === 'string' ? namedPolicy(base) : changePolicy(defaultPolicy, checked(base));
  const made = changePolicy(start, checked(changes));
  const fault = radiusFault(made);
  if (fault !== null) throw badPolicy(fault);
  return made;
}

/**
 * A policy, completed and checked as {@link policy} does, for a shop that must contain everything that its limits name.
 *
 * @throws InputError `no_policy` and `bad_policy`
 */
export function policyFor(instance: Instance, base: string | PolicyChanges): OpenPolicy {
  const made = policy(typeof base === 'string' ? base : withoutNames(instance, base));
  const fault = unknownIn(instance, made.limits, 'counted');
  if (fault !== null) throw badPolicy(fault);
  return made;
}

/**
 * A policy with changes, checked as {@link policyFor} does. Limits of the policy itself that name cancelled jobs are
 * ignored: nothing is left to keep.
 *
 * @throws InputError `bad_policy`
 */
export function revisePolicy(
  instance: Instance,
  base: OpenPolicy,
  changes: PolicyChanges,
): OpenPolicy {
  const made = changePolicy(base, checked(withoutNames(instance, changes)));
  const isNew = ({ job, step }: PinnedOperation) =>
    !base.limits.pinned.some((one) => one.job === job && one.step === step);
  const limits = { ...made.limits, pinned: made.limits.pinned.filter(isNew) };
  const fault = radiusFault(made) ?? unknownIn(instance, limits, 'counted');
  if (fault !== null) throw badPolicy(fault);
  return made;
}

/**
 * Changes in which the texts of limits, which are labels as in files, are replaced by numbers from 0.
 *
 * @throws InputError `bad_policy` for an unknown name
 */
function withoutNames(instance: Instance, changes: PolicyChanges): PolicyChanges {
  const { limits } = changes;
  if (!isObject(limits)) return changes;
  const labels = eventLabels(instance);
  const count = (one: unknown, path: JsonPath): unknown => {
    const read = withNumbers(one, labels);
    if (read.fault === undefined) return read.data;
    const part = isObject(one) && 'job' in one ? read.fault.path : [];
    throw badPolicy({ ...read.fault, path: ['limits', ...path, ...part] });
  };
  const counted: Record<string, unknown> = { ...limits };
  const { pinned, untouchableMachines: machines } = limits;
  if (Array.isArray(pinned)) counted.pinned = pinned.map((one, i) => count(one, ['pinned', i]));
  if (Array.isArray(machines)) {
    counted.untouchableMachines = machines.map((machine, i) => {
      const named = count({ machine }, ['untouchableMachines', i]);
      return (named as { machine: unknown }).machine;
    });
  }
  return { ...changes, limits: counted };
}

/** @throws InputError `no_policy` */
function namedPolicy(name: string): OpenPolicy {
  if (Object.hasOwn(policies, name)) return policies[name];
  const hint = suggestNames(name, Object.keys(policies));
  throw new InputError('no_policy', `there is no policy '${name}'`, hint, {}, name);
}

const programSchema = changesSchema('counted');

function checked(changes: PolicyChanges): ReadChanges {
  const result = checkJson(programSchema, changes);
  if (result.fault === undefined) return result.data as ReadChanges;
  const { fault } = result;
  const isName = typeof fault.found === 'string' && fault.path[0] === 'limits';
  const hint = isName ? `${fault.hint}, or a name that the shop of the repair has` : fault.hint;
  throw badPolicy({ ...fault, hint });
}
