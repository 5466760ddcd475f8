import type { Instance } from '../jssp/instance.js';

/**
 * A copy of an instance in memory of its own, which whoever is given it may change without
 * changing the instance of anybody else, also if that lies in shared memory.
 */
export function privateCopy(instance: Instance): Instance {
  return copy(instance) as Instance;
}

function copy(value: unknown): unknown {
  if (value instanceof Int32Array || value instanceof Uint8Array) return value.slice();
  if (value === null || typeof value !== 'object') return value;
  const copied: Record<string, unknown> = { ...value };
  for (const key in copied) copied[key] = copy(copied[key]);
  return Object.freeze(copied);
}
