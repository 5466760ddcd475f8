import type { LogEntry, NewEntry } from './entry.js';
import { createMemoryTables } from './memory-store.js';
import type { LogStore } from './store.js';
import type { Lease } from './tables.js';

const FREE = { token: 0, wakeAt: null, taken: 0, quiet: true } as const;

/**
 * A log that keeps nothing, for a run that nobody will resume, replay or read about: entries only
 * get their versions. What they hold is never made into JSON, and neither hashed nor checked, so
 * that values without a codec may be anything.
 */
export function createForgetfulStore(): LogStore {
  const versions = new Map<string, number>();
  const { put, require, apply, ...tables } = createMemoryTables();
  const append = (entries: readonly NewEntry[]): readonly LogEntry[] => {
    if (entries.length === 0) return [];
    const { runId } = entries[0];
    let version = versions.get(runId) ?? 0;
    // Nobody else has them: there is no need for copies.
    for (const entry of entries) Object.assign(entry, { version: version++, hash: '' });
    versions.set(runId, version);
    return entries as readonly LogEntry[];
  };
  return {
    ...tables,
    forgets: true,
    append,
    acquire: ({ runId, owner, until, first }) => {
      const lease: Lease = { ...FREE, runId, owner, until };
      if (first === undefined) return { status: 'missing' };
      return { status: 'owned', lease, before: undefined, entries: append(first(lease.token)) };
    },
    read: () => [],
    runs: () => [...versions.keys()],
    close: () => {},
  };
}
