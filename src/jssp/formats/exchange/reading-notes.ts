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

type NoteListener = (file: string, notes: readonly string[]) => void;

const listeners = new Set<NoteListener>();

/**
 * Reports the reading notes of each instance file that is loaded from now on, with the file, until the returned function
 * is called. There is one place for all that load instances, because many do so far from where notes can be shown.
 */
export function onReadingNotes(listener: NoteListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reports the reading notes of an instance that was loaded from a file. Returns the instance. */
export function reportReadingNotes(instance: Instance, file: string): Instance {
  const notes = readingNotes(instance);
  if (notes.length > 0) for (const listener of listeners) listener(file, notes);
  return instance;
}
