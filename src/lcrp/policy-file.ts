import * as z from 'zod';
import { readBytes } from '../core/bytes.js';
import { InputError } from '../core/errors.js';
import { checkJson, type JsonFault } from '../core/json-check.js';
import { describeFound, formatPath } from '../core/json-path.js';
import { parseJson } from '../core/json-text.js';
import { jobLabel, machineLabel, stepLabel } from '../jssp/formats/label-schemas.js';
import { type Instance, MAX_TIME } from '../jssp/instance.js';
import { objectives } from '../jssp/objectives.js';
import { operationAt } from '../jssp/plan.js';
import { defaultPolicy, type RepairPolicy } from './policy.js';

/** The name and version of the JSON format of policies. */
const POLICY_SCHEMA = 'alas-jssp/policy@1';

/** Policies that go by a name; docs/repair.md has their numbers. */
export const policies: Readonly<Record<string, RepairPolicy>> = {
  default: defaultPolicy,
  'high-stability': { ...defaultPolicy, cost: { ...defaultPolicy.cost, rankChange: 0.0002 } },
};

// The messages of these schemas are cures: the problem is made from the value that is found.
const share = z.number('give a number from 0').min(0, 'give a number from 0');
const count = z.int('give a whole number from 0').min(0, 'give a whole number from 0');
const positiveCount = z.int('give a whole number from 1').min(1, 'give a whole number from 1');
const time = z
  .int(`give a whole number from 0 to ${MAX_TIME}`)
  .min(0, `give a whole number from 0 to ${MAX_TIME}`)
  .max(MAX_TIME, `give a whole number from 0 to ${MAX_TIME}`);

/** A part of a policy: what is left out is that of the base. */
function part<T extends z.ZodRawShape>(shape: T) {
  const cure = `give an object with any of the keys ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, cure);
}

const operation = z.strictObject(
  { job: jobLabel, step: stepLabel },
  'give an object with the keys job and step',
);

const DOCUMENT = part({
  schema: z.literal(POLICY_SCHEMA, `give "${POLICY_SCHEMA}", and write the file to suit`),
  base: z
    .enum(Object.keys(policies), `give one of ${Object.keys(policies).join(', ')}`)
    .default('default'),
  objective: z.enum(objectives, `give one of ${objectives.join(', ')}`).optional(),
  cost: part({ rank_change: share.optional(), moved_earlier: share.optional() }).optional(),
  radius: part({ first: count.optional(), most: count.optional() }).optional(),
  target: share.max(1, 'give a number from 0 to 1').optional(),
  budget: part({
    rounds: count.optional(),
    evaluations: count.optional(),
    seconds: z
      .number('give a positive number or null')
      .positive('give a positive number or null')
      .nullable()
      .optional(),
  }).optional(),
  fallback: z
    .strictObject(
      { degradation: share, iterations: positiveCount },
      'give null or an object with the keys degradation, iterations',
    )
    .nullable()
    .optional(),
  limits: part({
    most_changed: count.nullable().optional(),
    not_before: time.nullable().optional(),
    pinned: z.array(operation, 'give a list of operations').optional(),
    untouchable_machines: z.array(machineLabel, 'give a list of machines').optional(),
  }).optional(),
});

/**
 * The policy that the command line names: one of {@link policies}, or a file as `docs/repair.md`
 * describes it. The instance tells which operations and machines its limits name.
 *
 * @throws InputError `no_policy` if there is neither, and as {@link parsePolicy} does
 */
export function resolvePolicy(spec: string, instance: Instance): RepairPolicy {
  const found = loadPolicy(spec);
  return found instanceof Uint8Array ? parsePolicy(found, instance, spec) : found;
}

/**
 * A named policy, or the bytes of a policy file, which {@link parsePolicy} reads for an instance.
 *
 * @throws InputError `no_policy` if there is neither
 */
export function loadPolicy(spec: string): RepairPolicy | Uint8Array {
  if (Object.hasOwn(policies, spec)) return policies[spec];
  if (/[./\\]/.test(spec)) return readBytes(spec);
  throw new InputError(
    'no_policy',
    `there is no policy '${spec}'`,
    `use ${Object.keys(policies).join(', ')} or a file, such as ./${spec}.json`,
    {},
    spec,
  );
}

/**
 * Reads a policy from JSON. What it leaves out is that of its base, by default `default`.
 *
 * @throws InputError `bad_policy` naming file and JSON path of what is unknown, out of range, or
 *   not in the instance
 */
export function parsePolicy(bytes: Uint8Array, instance: Instance, file?: string): RepairPolicy {
  const document = checkJson(DOCUMENT, parseJson(bytes, file));
  if (document.fault !== undefined) throw badPolicy(document.fault, file);
  const { base: name, cost, radius, budget, limits, ...given } = document.data;
  const base = policies[name];
  const policy: RepairPolicy = {
    objective: given.objective ?? base.objective,
    cost: {
      rankChange: cost?.rank_change ?? base.cost.rankChange,
      movedEarlier: cost?.moved_earlier ?? base.cost.movedEarlier,
    },
    radius: { first: radius?.first ?? base.radius.first, most: radius?.most ?? base.radius.most },
    target: given.target ?? base.target,
    budget: {
      rounds: budget?.rounds ?? base.budget.rounds,
      evaluations: budget?.evaluations ?? base.budget.evaluations,
      seconds: budget?.seconds === undefined ? base.budget.seconds : budget.seconds,
    },
    fallback: given.fallback === undefined ? base.fallback : given.fallback,
    limits: {
      mostChanged: limits?.most_changed ?? null,
      notBefore: limits?.not_before ?? null,
      pinned: operationsOf(limits?.pinned ?? [], instance, file),
      untouchableMachines: machinesOf(limits?.untouchable_machines ?? [], instance, file),
    },
  };
  const { first, most } = policy.radius;
  if (first <= most) return policy;
  throw badPolicy(
    {
      path: ['radius'],
      problem: `the first radius is ${first} and the most ${most}`,
      cure: 'give a first one that is not larger',
      found: policy.radius,
    },
    file,
  );
}

function operationsOf(
  named: readonly { readonly job: number; readonly step: number }[],
  instance: Instance,
  file: string | undefined,
): number[] {
  return named.map(({ job, step }, i) => {
    const op = operationAt(instance, job, step);
    if (op >= 0) return op;
    const [key, words] = job < instance.jobs ? ['step', step + 1] : ['job', `Job${job + 1}`];
    throw stranger(['limits', 'pinned', i, key], words, `name what is in ${instance.name}`, file);
  });
}

function machinesOf(
  named: readonly number[],
  { machines }: Instance,
  file: string | undefined,
): number[] {
  const i = named.findIndex((machine) => machine >= machines);
  if (i < 0) return [...named];
  const path = ['limits', 'untouchable_machines', i];
  throw stranger(path, `Machine${named[i]}`, `use Machine0 to Machine${machines - 1}`, file);
}

function stranger(
  path: (string | number)[],
  found: unknown,
  cure: string,
  file: string | undefined,
): InputError {
  const problem = `${describeFound(found)}, which there is not`;
  return badPolicy({ path, problem, cure, found }, file);
}

function badPolicy(
  { path, problem, cure, found }: JsonFault,
  file: string | undefined,
): InputError {
  return new InputError('bad_policy', problem, cure, { file, path: formatPath(path) }, found);
}
