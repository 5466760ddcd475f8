import type { Instance } from '../../instance.js';

const known = new WeakMap<Instance, readonly string[]>();

/** Records the parts of a file that its instance does not have, a sentence each. Returns the instance. */
export function withReadingNotes(instance: Instance, notes: readonly string[]): Instance {
  if (notes.length > 0) known.set(instance, notes);
  return instance;
}

/**
 * The parts of its file that an instance does not have, a sentence each. They do not change which schedules are
 * feasible: files with parts that do, and that an instance cannot have, are refused.
 */
export function readingNotes(instance: Instance): readonly string[] {
  return known.get(instance) ?? [];
}
