import type { LogEntry, NewEntry } from './entry.js';
import { createMemoryTables } from './memory-store.js';
import type { LogStore } from './store.js';
import type { Lease } from './tables.js';

/** Always empty. */
const EMPTY_TABLES = createMemoryTables();

/**
 * A log that keeps nothing, for a run that is never resumed, replayed or read: entries only get
 * their versions. Their payloads are neither encoded as JSON nor hashed nor checked, so that values
 * without a codec may be anything.
 */
export function createNullStore(): LogStore {
  const versions = new Map<string, number>();
  const append = (entries: readonly NewEntry[]): readonly LogEntry[] => {
    if (entries.length === 0) return [];
    const { runId } = entries[0];
    let version = versions.get(runId) ?? 0;
    // No other reader has them: copies are not needed.
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
