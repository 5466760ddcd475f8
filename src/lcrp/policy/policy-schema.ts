import * as z from 'zod';
import { InputError } from '../../core/errors.js';
import { checkJson, faultError, type JsonFault } from '../../core/json-check.js';
import { describeFound, isObject, type JsonPath } from '../../core/json-path.js';
import { suggestNames } from '../../core/nearest-names.js';
import { parseBudget } from '../../core/stopping.js';
import { countedSpelling, labelledSpelling, type Spelling } from '../../disruption/event-schema.js';
import { withNumbers } from '../../disruption/labels.js';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { knownLabels, labelsOf } from '../../jssp/labels.js';
import { objectives } from '../../jssp/objectives.js';
import { operationAt } from '../../jssp/plan.js';
import {
  changePolicy,
  defaultPolicy,
  type OpenPolicy,
  type PinnedOperation,
  type PolicyChanges,
  policies,
  type ReadChanges,
  type RepairLimits,
  type RepairPolicy,
} from './policy.js';

/**
 * Makes a policy: the default one, a named one of {@link policies} or any other, with changes. Its objective is
 * null, that of the instance which is repaired, unless it is given.
 *
 * ```
 * policy({ limits: { mostChanged: 5 } })
 * policy('high-stability', { objective: 'total-weighted-tardiness' })
 * ```
 *
 * @throws InputError `no_policy` for a name that there is not; `bad_policy`, with its path, for a
 *   key that is unknown or a value out of range
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
 * A policy, filled in and checked as {@link policy} does, for a shop that has what its limits name.
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
 * A policy with changes, checked as {@link policyFor} does. Limits of the policy itself that name what has fallen away
 * since are no mistake: there is nothing left to keep.
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
 * @throws InputError `bad_policy` for a name that there is not
 */
function withoutNames(instance: Instance, changes: PolicyChanges): PolicyChanges {
  const { limits } = changes;
  if (!isObject(limits)) return changes;
  const labels = labelsOf(instance);
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

/** The error of a policy; paths begin with `policy` where there is no file. */
export function badPolicy(fault: JsonFault, file?: string): InputError {
  return faultError('bad_policy', fault, file, file === undefined ? ['policy'] : []);
}

/** The first radius must not exceed the largest. */
export function radiusFault({ radius }: OpenPolicy): JsonFault | null {
  const { first, most } = radius;
  if (first <= most) return null;
  const problem = `the first radius is ${first} and the most ${most}`;
  return { path: ['radius'], problem, hint: 'give a first one that is not larger', found: radius };
}

/** The first operation or machine that limits name and an instance does not have. */
export function unknownIn(
  instance: Instance,
  { pinned, untouchableMachines }: RepairLimits,
  spelling: SpellingName,
): JsonFault | null {
  const { jobs, jobOffset, machines, name } = instance;
  const isFile = spelling === 'labelled';
  const first = isFile ? 1 : 0;
  const keyOf = keys(spelling);
  const unknown = (path: (string | number)[], found: unknown, hint: string): JsonFault => ({
    path: ['limits', ...path],
    problem: `${describeFound(found)}, which there is not`,
    hint,
    found,
  });
  for (const [i, { job, step }] of pinned.entries()) {
    if (operationAt(instance, job, step) >= 0) continue;
    if (job >= jobs) {
      const found = isFile ? `Job${job + 1}` : job;
      const hint = `${name} has the jobs ${first} to ${jobs - 1 + first}`;
      return unknown(['pinned', i, 'job'], found, hint);
    }
    const length = jobOffset[job + 1] - jobOffset[job];
    const steps = length === 0 ? 'no steps' : `the steps ${first} to ${length - 1 + first}`;
    return unknown(
      ['pinned', i, 'step'],
      step + first,
      `job ${job + first} of ${name} has ${steps}`,
    );
  }
  const i = untouchableMachines.findIndex((machine) => machine >= machines);
  if (i < 0) return null;
  const machine = untouchableMachines[i];
  const path = [keyOf('untouchableMachines'), i];
  return isFile
    ? unknown(path, `Machine${machine}`, knownLabels('machine', instance, machines))
    : unknown(path, machine, `use 0 to ${machines - 1}`);
}

/** Numbers from 0 and camel case, as in programs; labels and snake case, as in files. */
type SpellingName = 'counted' | 'labelled';

// The messages of these schemas are hints: the problem is made from the value that is found.
const share = z.number('give a number from 0').min(0, 'give a number from 0');
const METHODS = 'give a list of repair methods, such as ["lcrp", "affected", "right-shift"]';
const PORTION = 'give a number from 0 to 1';
const count = z.int('give a whole number from 0').min(0, 'give a whole number from 0');
const positiveCount = z.int('give a whole number from 1').min(1, 'give a whole number from 1');
const time = z
  .int(`give a whole number from 0 to ${MAX_TIME}`)
  .min(0, `give a whole number from 0 to ${MAX_TIME}`)
  .max(MAX_TIME, `give a whole number from 0 to ${MAX_TIME}`);
const positiveTime = z
  .int(`give a whole number from 1 to ${MAX_TIME}, or null`)
  .min(1, `give a whole number from 1 to ${MAX_TIME}, or null`)
  .max(MAX_TIME, `give a whole number from 1 to ${MAX_TIME}, or null`);
const seconds = z
  .number('give a positive number or null')
  .positive('give a positive number or null');

/**
 * The schema of changes to a policy. Reading gives {@link PolicyChanges} without what is undefined.
 *
 * @param more keys that a policy itself does not have
 */
export function changesSchema(spelling: SpellingName, more: z.ZodRawShape = {}) {
  const { job, step, machine }: Spelling =
    spelling === 'counted' ? countedSpelling : labelledSpelling;
  const operation = z.strictObject({ job, step }, 'give an object with the keys job and step');
  const part = (shape: z.ZodRawShape) => partialObject(shape, keys(spelling));
  return part({
    ...more,
    objective: z.enum(objectives, `give one of ${objectives.join(', ')}, or null`).nullable(),
    tieBreak: z.boolean('give true, false or null').nullable(),
    cost: part({ rankChange: share, movedEarlier: share }),
    radius: part({ first: count, most: count }),
    target: z.number(PORTION).min(0, PORTION).max(1, PORTION),
    budget: budgetSchema(part),
    fallback: z
      .strictObject(
        { degradation: share, iterations: positiveCount },
        'give null or an object with the keys degradation, iterations',
      )
      .nullable(),
    limits: part({
      mostChanged: count.nullable(),
      mostEdited: count.nullable(),
      notBefore: time.nullable(),
      pinned: z.array(operation, 'give a list of operations'),
      untouchableMachines: z.array(machine, 'give a list of machines'),
    }),
    estimates: part({ breakdown: positiveTime.nullable() }),
    methods: z.array(z.string(METHODS), METHODS).min(1, METHODS),
    approval: z
      .strictObject(
        {
          seconds: z.number('give a positive number').positive('give a positive number'),
          otherwise: z.enum(['approve', 'decline'], 'give approve or decline'),
        },
        'give null or an object with the keys seconds, otherwise',
      )
      .nullable(),
  });
}

/** A budget as a text or an object; a repair counts its iterations as `evaluations`. */
function budgetSchema(part: (shape: z.ZodRawShape) => z.ZodType) {
  const shape = {
    rounds: count,
    evaluations: count.nullable(),
    iterations: count,
    seconds: seconds.nullable(),
    target: count.nullable(),
  };
  const object = z.unknown().transform((given, context) => {
    if (typeof given !== 'string') return given;
    try {
      return parseBudget(given);
    } catch (error) {
      const message = error instanceof InputError ? error.hint : String(error);
      context.addIssue({ code: 'custom', message, input: given });
      return z.NEVER;
    }
  });
  return object.pipe(part(shape)).transform((found) => {
    const { iterations, ...rest } = found as Record<string, unknown>;
    return iterations === undefined ? rest : { evaluations: iterations, ...rest };
  });
}

/** An object of which everything may be left out; what is read has the keys of `shape`. */
function partialObject(shape: z.ZodRawShape, keyOf: (key: string) => string) {
  const entries = Object.entries(shape);
  const written = entries.map(([key, type]) => [keyOf(key), z.optional(type)] as const);
  const hint = `give an object with any of the keys ${written.map(([key]) => key).join(', ')}`;
  return z.strictObject(Object.fromEntries(written), hint).transform((found) => {
    const values = entries.map(([key]) => [key, found[keyOf(key)]] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  });
}

function keys(spelling: SpellingName): (key: string) => string {
  if (spelling === 'counted') return (key) => key;
  return (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
