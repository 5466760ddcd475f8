import type { InputError } from '@alas-jssp/core/errors';
import { faultError, type JsonFault } from '@alas-jssp/core/json-fault';
import { describeFound } from '@alas-jssp/core/json-path';
import type { Instance } from '../../jssp/instance.js';
import { knownLabels } from '../../jssp/labels.js';
import { operationAt } from '../../jssp/plan.js';
import type { OpenPolicy, RepairLimits } from './policy.js';
import { keySpelling, type SpellingName } from './policy-schema.js';

/** The error for a policy; paths begin with `policy` if there is no file. */
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

/** The first operation or machine of the limits that an instance does not have. */
export function unknownIn(
  instance: Instance,
  { pinned, untouchableMachines }: RepairLimits,
  spelling: SpellingName,
): JsonFault | null {
  const { jobs, jobOffset, machines, name } = instance;
  const isFile = spelling === 'labelled';
  const first = isFile ? 1 : 0;
  const keyOf = keySpelling(spelling);
  const unknown = (path: (string | number)[], found: unknown, hint: string): JsonFault => ({
    path: ['limits', ...path],
    problem: `${describeFound(found)}, which does not exist`,
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
