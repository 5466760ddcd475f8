import type { LogEntry, NewEntry } from './entry.js';
import { createMemoryTables } from './memory-store.js';
import type { LogStore } from './store.js';
import type { Lease } from './tables.js';

/** Nothing is ever put into them. */
const EMPTY_TABLES = createMemoryTables();

/**
 * A log that keeps nothing, for a run that nobody will resume, replay or read about: entries only
 * get their versions. What they hold is never made into JSON, and neither hashed nor checked, so
 * that values without a codec may be anything.
 */
export function createNullStore(): LogStore {
  const versions = new Map<string, number>();
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
    forgets: true,
    renew: EMPTY_TABLES.renew,
    release: () => {},
    leaseOf: EMPTY_TABLES.leaseOf,
    leases: EMPTY_TABLES.leases,
    claimOf: EMPTY_TABLES.claimOf,
    post: EMPTY_TABLES.post,
    messages: EMPTY_TABLES.messages,
    lastMessages: EMPTY_TABLES.lastMessages,
    watch: EMPTY_TABLES.watch,
    append,
    acquire: ({ runId, owner, until, first }) => {
      const lease: Lease = { runId, owner, until, token: 0, wakeAt: null, taken: 0, quiet: true };
      if (first === undefined) return { status: 'missing' };
      return { status: 'owned', lease, before: undefined, entries: append(first(lease.token)) };
    },
    read: () => [],
    runs: () => [...versions.keys()],
    close: () => {},
  };
}
