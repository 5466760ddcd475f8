// Faults of schedules by a judge that shares nothing with the validator: packages/lab/src/shops/plain-judge.ts.

import { plainOf, planOf } from '../../packages/lab/src/shops/instances.js';
import { judgePlain } from '../../packages/lab/src/shops/plain-judge.js';
import { assignModes, type Instance } from '../../src/jssp/instance.js';

/**
 * Every violation of a schedule by a short key, sorted: `frozen_moved 3`, `frozen_reassigned 3`, `release 3`, `downtime
 * 3`, `job_precedence 3 2`, `lag_too_short 3 2`, `lag_too_long 3 2`, `machine_overlap 2 5`, `setup 3`, `deadline job 1`,
 * `resource_overload RESOURCE FROM`. Operations without a start (−1) are passed over.
 *
 * @param instance its chosen modes are those that frozen operations have
 * @param modes the modes of the schedule, as numbers in `instance.modes`; those of the instance if null
 */
export function shopOracle(
  instance: Instance,
  start: Int32Array,
  modes: Int32Array | null = null,
): string[] {
  const assigned = modes === null ? instance : assignModes(instance, modes);
  return judgePlain(plainOf(instance), planOf(assigned, start));
}
