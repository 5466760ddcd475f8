import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { describeFound, isObject, type JsonPath } from '@alas-jssp/core/json-path';
import { parseJson } from '@alas-jssp/core/json-text';
import { bytesOf } from '@alas-jssp/core/text';
import * as z from 'zod';
import type { Instance } from '../../jssp/instance.js';
import { labelIndex } from '../../jssp/instance-names.js';
import { type Labels, labelsOf } from '../../jssp/labels.js';
import { changePolicy, type OpenPolicy, policies, type ReadChanges } from './policy.js';
import { badPolicy, radiusFault, unknownIn } from './policy-faults.js';
import { changesSchema } from './policy-schema.js';

/** The name and version of the JSON format of policies. */
const POLICY_SCHEMA = 'alas-jssp/policy@1';

const SCHEMA_HINT = `give "${POLICY_SCHEMA}", and use that format`;
const names = Object.keys(policies);
const DOCUMENT = changesSchema('labelled', {
  schema: z.literal(POLICY_SCHEMA, SCHEMA_HINT),
  base: z.enum(names, `give one of ${names.join(', ')}`),
});

/**
 * The policy named on the command line: one of {@link policies}, or a file as described in `docs/reference/repair.md`.
 * The instance determines which operations and machines its limits name.
 *
 * @throws InputError `no_policy` if there is neither, and as {@link parsePolicy} does
 */
export function resolvePolicy(spec: string, instance: Instance): OpenPolicy {
  const found = loadPolicy(spec);
  return found instanceof Uint8Array ? parsePolicy(found, instance, spec) : found;
}

/**
 * A named policy, or the bytes of a policy file, which {@link parsePolicy} reads for an instance.
 *
 * @throws InputError `no_policy` if there is neither
 */
export function loadPolicy(spec: string): OpenPolicy | Uint8Array {
  if (Object.hasOwn(policies, spec)) return policies[spec];
  if (/[./\\]/.test(spec)) return readBytes(spec);
  throw new InputError(
    'no_policy',
    `there is no policy '${spec}'`,
    `use ${names.join(', ')} or a file, such as ./${spec}.json`,
    {},
    spec,
  );
}

/**
 * Parses a policy from JSON, as a text or its bytes. Omitted parts are those of its base, by default `default`.
 *
 * @throws InputError `bad_policy` with file and JSON path of a part that is unknown, out of range, or not in the
 *   instance
 */
export function parsePolicy(
  text: string | Uint8Array,
  instance: Instance,
  file = 'policy',
): OpenPolicy {
  const document = checkJson(
    DOCUMENT,
    withoutPolicyNames(parseJson(bytesOf(text, file), file), instance, file),
  );
  if (document.fault !== undefined) throw badPolicy(document.fault, file);
  const { schema, base = 'default', ...changes } = document.data;
  if (schema === undefined) {
    const missing = { path: ['schema'], problem: 'this is missing', hint: SCHEMA_HINT };
    throw badPolicy({ ...missing, found: schema }, file);
  }
  const policy = changePolicy(policies[base as string], changes as ReadChanges);
  const fault = radiusFault(policy) ?? unknownIn(instance, policy.limits, 'labelled');
  if (fault !== null) throw badPolicy(fault, file);
  return policy;
}

/**
 * The document of a policy with labels in place of the names of a shop.
 *
 * @throws InputError `bad_policy` for an unknown name
 */
function withoutPolicyNames(document: unknown, instance: Instance, file: string): unknown {
  if (instance.names === null || !isObject(document) || !isObject(document.limits)) return document;
  const labels = labelsOf(instance);
  const indexOf = (found: ReturnType<Labels['findJob']>, value: unknown, path: JsonPath) => {
    if (found?.hint === undefined) return found?.index;
    const { alike, hint } = found;
    const why = alike > 0 ? `of which there are ${alike}` : 'which does not exist';
    const problem = `${describeFound(value)}, ${why}`;
    throw badPolicy({ path: ['limits', ...path], problem, hint, found: value }, file);
  };
  const { pinned, untouchable_machines: machines } = document.limits;
  const limits: Record<string, unknown> = { ...document.limits };
  if (Array.isArray(machines)) {
    limits.untouchable_machines = machines.map((machine, i) => {
      const index = indexOf(labels.findMachine(machine), machine, ['untouchable_machines', i]);
      return index === undefined ? machine : `Machine${index}`;
    });
  }
  if (Array.isArray(pinned)) {
    limits.pinned = pinned.map((one: unknown, i) => {
      if (!isObject(one)) return one;
      const named = indexOf(labels.findJob(one.job), one.job, ['pinned', i, 'job']);
      const job = named ?? labelIndex('job', String(one.job).trim());
      if (job === undefined || job < 0 || job >= instance.jobs) return one;
      const step = indexOf(labels.findStep(job, one.step), one.step, ['pinned', i, 'step']);
      return { ...one, job: `Job${job + 1}`, step: step === undefined ? one.step : step + 1 };
    });
  }
  return { ...document, limits };
}
