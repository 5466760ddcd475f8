import { InputError } from '@alas-jssp/core/errors';
import { checkJson } from '@alas-jssp/core/json-check';
import { faultError } from '@alas-jssp/core/json-fault';
import { formatPath } from '@alas-jssp/core/json-path';
import { sha256 } from '@alas-jssp/core/sha256';
import * as z from 'zod';
import { makeFaults } from '../interpreter/fault-rules.js';
import type { Faults } from '../interpreter/host.js';
import type { Registry } from '../interpreter/registry.js';

/** The name and version of the JSON format of faults to inject. */
export const FAULTS_SCHEMA = 'alas-jssp/faults@1';

const text = z.string('give a text').min(1, 'give a text');

const target = {
  /** The rule's name in the log. */
  label: text,
  /** A path of nodes; `*` matches anything: `repair[*]/propose`. */
  node: text,
  /** The number of the affected attempt, from 1. Default: all. */
  attempt: z.int('give a whole number from 1').min(1, 'give a whole number from 1').optional(),
  /** Default 1. */
  probability: z.number('give a share from 0 to 1').min(0).max(1).default(1),
};

const rule = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ ...target, kind: z.literal('failure'), code: text.default('Injected') }),
    z.strictObject({ ...target, kind: z.literal('timeout') }),
    z.strictObject({
      ...target,
      kind: z.literal('slow'),
      seconds: z.number('give seconds, from 0').min(0, 'give seconds, from 0'),
    }),
    z.strictObject({
      ...target,
      kind: z.literal('wrong-output'),
      /** The replacement of the output, or of members of an output that is an object. */
      value: z.json().optional(),
      patch: z.record(z.string(), z.json(), 'give an object').optional(),
    }),
    z.strictObject({ ...target, kind: z.literal('violation'), code: text }),
    z.strictObject({
      ...target,
      kind: z.literal('crash'),
      when: z.enum(['before', 'after'], 'give before or after').default('before'),
    }),
  ],
  {
    error: 'give a rule of the kind failure, timeout, slow, wrong-output, violation or crash',
  },
);

const faultsSchema = z.strictObject(
  {
    schema: z.literal(FAULTS_SCHEMA, `give "${FAULTS_SCHEMA}"`),
    seed: z.int('give a whole number').default(0),
    rules: z.array(rule, 'give a list of rules'),
  },
  'give an object with schema, seed and rules',
);

/** Faults to inject, as a file holds them. */
export type FaultsSpec = z.input<typeof faultsSchema>;

/**
 * Prepares faults. The affected attempts depend on the seeds, the label, the node and the attempt
 * alone.
 *
 * @param registry its `violations` break an output on purpose
 * @throws InputError `bad_faults` with the path in the JSON
 */
export function createFaults(spec: unknown, registry: Pick<Registry, 'violations'> = {}): Faults {
  const data = fillFaults(spec);
  const { violations = {} } = registry;
  for (const [k, { kind, code }] of data.rules.map((one) => ({ code: '', ...one })).entries()) {
    if (kind === 'violation' && !Object.hasOwn(violations, code)) throw unknownViolation(k, code);
  }
  return makeFaults(data, sha256, (code, output) => violations[code](output));
}

/**
 * Faults with their defaults filled in.
 *
 * @throws InputError `bad_faults` with the path in the JSON
 */
export function fillFaults(spec: unknown): z.infer<typeof faultsSchema> {
  const checked = checkJson(faultsSchema, spec);
  if (checked.fault !== undefined) throw faultError('bad_faults', checked.fault);
  return checked.data;
}

function unknownViolation(rule: number, code: string): InputError {
  const problem = `there is no violation ${code}`;
  const path = formatPath(['rules', rule, 'code']);
  return new InputError('bad_faults', problem, 'register it under violations', { path }, code);
}
