import type { Instance } from '../jssp/instance.js';
import type { Scope } from './violation.js';

/** The scope of a violation that is about one operation. */
export function operationScope(instance: Instance, op: number): Scope {
  const job = instance.jobOf[op];
  return { job, step: op - instance.jobOffset[job], machine: instance.machine[op], op };
}
