import { entryOf, GENESIS, type Head, messageText, seal } from './chain.js';
import type { EventType, LogEntry, NewEntry } from './entry.js';
import type { AuditableLog, LogQuery, StoredRow } from './store.js';
import {
  type AppendOptions,
  type Claim,
  claimed,
  grantLease,
  type InboxMessage,
  type Lease,
  notOwner,
  type Release,
  type RunTables,
} from './tables.js';

/**
 * A log in memory. It stores texts, as a file would: later changes of a payload do not change the
 * log.
 *
 * @param stored initial rows, such as those of an export; they are not verified
 * @param file their origin, for messages
 * @param maxBytes limit of a payload, in bytes of canonical JSON
 */
export function createMemoryStore(
  stored: Iterable<StoredRow> = [],
  file?: string | undefined,
  maxBytes?: number | undefined,
): AuditableLog {
  const all: StoredRow[] = [];
  const byRun = new Map<string, StoredRow[]>();
  const keep = (row: StoredRow): void => {
    const rows = byRun.get(row.runId ?? '');
    if (rows === undefined) byRun.set(row.runId ?? '', [row]);
    else rows.push(row);
    all.push(row);
  };
  for (const row of stored) keep(row);

  const { put, require, apply, ...tables } = createMemoryTables(maxBytes);
  const write = (entries: readonly NewEntry[]): readonly LogEntry[] => {
    const sealed = seal(entries, headOf(byRun.get(entries[0].runId)?.at(-1)), maxBytes);
    sealed.forEach(keep);
    return sealed.map(({ version, hash }, i) => ({ ...entries[i], version, hash }));
  };

  return {
    ...tables,
    append(entries, options = {}) {
      if (entries.length === 0) return [];
      const { runId } = entries[0];
      require(runId, options);
      const written = write(entries);
      apply(runId, options);
      return written;
    },
    acquire(request) {
      const { runId, first } = request;
      const there = byRun.has(runId);
      if (first !== undefined && there) return { status: 'exists' };
      if (first === undefined && !there) return { status: 'missing' };
      const before = tables.leaseOf(runId);
      const lease = grantLease(request, before);
      if (lease === undefined) return { status: 'held', lease: before as Lease };
      const entries = first === undefined ? [] : write(first(lease.token));
      put(lease);
      return { status: 'owned', lease, before, entries };
    },
    read: (query) => readRows(byRun.get(query.runId) ?? [], query, file),
    runs: () => [...byRun.keys()],
    rows: (runId) => (runId === undefined ? all : (byRun.get(runId) ?? [])).values(),
    faults: () => [],
    close: () => {},
  };
}

function headOf(row: StoredRow | undefined): Head {
  return { version: row?.version ?? GENESIS.version, hash: row?.hash ?? GENESIS.hash };
}

function* readRows(
  rows: readonly StoredRow[],
  { from = 0, to = Number.POSITIVE_INFINITY, eventTypes, descending = false }: LogQuery,
  file: string | undefined,
): Generator<LogEntry> {
  const whole = rows.at(-1)?.version === rows.length - 1;
  const first = whole ? Math.max(from, 0) : 0;
  const last = whole ? Math.min(to, rows.length - 1) : rows.length - 1;
  for (let i = first; i <= last; i++) {
    const row = rows[descending ? last - (i - first) : i];
    if ((row.version ?? 0) < from || (row.version ?? 0) > to) continue;
    if (eventTypes !== undefined && !eventTypes.includes(row.eventType as EventType)) continue;
    yield entryOf(row, file);
  }
}

/** The tables in memory, and their changes at an append. */
export interface MemoryTables extends Omit<RunTables, 'acquire'> {
  put(lease: Lease): void;
  /** @throws AlasError `not_owner`, `claimed` */
  require(runId: string, options: AppendOptions): void;
  /** Makes the changes that {@link require} allowed. */
  apply(runId: string, options: AppendOptions): void;
}

/**
 * Makes empty tables in memory.
 *
 * @param maxBytes limit of a message, in bytes of JSON
 */
export function createMemoryTables(maxBytes?: number | undefined): MemoryTables {
  const leases = new Map<string, Lease>();
  const claims = new Map<string, Claim>();
  const inbox: InboxMessage[] = [];
  const watchers = new Map<string, Set<() => void>>();
  const isOwner = (runId: string, token: number | undefined) =>
    token === undefined
      ? (leases.get(runId)?.owner ?? null) === null
      : leases.get(runId)?.token === token;
  const free = (runId: string, { wakeAt, taken, quiet }: Release) => {
    const lease = leases.get(runId);
    if (lease !== undefined) {
      leases.set(runId, { ...lease, owner: null, until: 0, wakeAt, taken, quiet });
    }
  };
  return {
    put: (lease) => void leases.set(lease.runId, lease),
    require(runId, { token, claim }) {
      if (!isOwner(runId, token)) throw notOwner(runId, leases.get(runId));
      const other = claim && claims.get(claim.key);
      if (other !== undefined && other.runId !== runId) throw claimed(other);
    },
    apply(runId, { claim, dropClaims = [], commitClaims, release }) {
      if (claim !== undefined) claims.set(claim.key, { ...claim, runId, committed: false });
      for (const key of dropClaims) if (claims.get(key)?.runId === runId) claims.delete(key);
      if (commitClaims === true) {
        for (const one of claims.values()) {
          if (one.runId === runId) claims.set(one.key, { ...one, committed: true });
        }
      }
      if (release !== undefined) free(runId, release);
    },
    renew(runId, token, until) {
      const lease = leases.get(runId);
      if (lease === undefined || lease.owner === null || lease.token !== token) return false;
      leases.set(runId, { ...lease, until });
      return true;
    },
    release(runId, token, how) {
      if (leases.get(runId)?.token === token) free(runId, how);
    },
    leaseOf: (runId) => leases.get(runId),
    leases: () => [...leases.values()],
    claimOf: (key) => claims.get(key),
    post(message) {
      const id = inbox.length + 1;
      inbox.push({ ...message, data: JSON.parse(messageText(message, maxBytes)), id });
      for (const notify of watchers.get(message.runId) ?? []) queueMicrotask(notify);
      return id;
    },
    messages: (runId, after) => inbox.filter((one) => one.runId === runId && one.id > after),
    lastMessages: () => new Map(inbox.map(({ runId, id }) => [runId, id])),
    watch(runId, onMessage) {
      const callbacks = watchers.get(runId) ?? new Set();
      watchers.set(runId, callbacks);
      callbacks.add(onMessage);
      return () => {
        callbacks.delete(onMessage);
        if (callbacks.size === 0) watchers.delete(runId);
      };
    },
  };
}
