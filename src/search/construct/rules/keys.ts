import type { Instance } from '../../../jssp/instance.js';
import type { Priority } from './rule.js';

/** The order of keys that are known in advance, one per operation. */
export function byKeys(key: Float64Array): Priority {
  return { kind: 'fixed', key };
}

/** Changes the sign of every number, in place. */
export function negated(numbers: Float64Array): Float64Array {
  for (let i = 0; i < numbers.length; i++) numbers[i] = -numbers[i];
  return numbers;
}

/** W: the total duration of the job from each operation on, that operation included. */
export function workRemaining({ operations, duration, jobOf }: Instance): Float64Array {
  const work = new Float64Array(operations);
  for (let op = operations - 1; op >= 0; op--) {
    work[op] = duration[op] + (jobOf[op] === jobOf[op + 1] ? work[op + 1] : 0);
  }
  return work;
}

/** The number of operations of the job from each operation on, including those of zero duration. */
export function operationsRemaining({ operations, jobOf, jobOffset }: Instance): Float64Array {
  const count = new Float64Array(operations);
  for (let op = 0; op < operations; op++) count[op] = jobOffset[jobOf[op] + 1] - op;
  return count;
}

/** F: the completion of each operation if its job never waited; releases count. */
export function flowDueDates({ operations, duration, jobOf, release }: Instance): Float64Array {
  const date = new Float64Array(operations);
  for (let op = 0; op < operations; op++) {
    const before = op > 0 && jobOf[op] === jobOf[op - 1] ? date[op - 1] : 0;
    date[op] = duration[op] + (release === null ? before : Math.max(before, release[op]));
  }
  return date;
}
