import { entryOf, GENESIS, type Head, seal } from './chain.js';
import type { EventType, LogEntry, NewEntry } from './entry.js';
import { createMemoryTables } from './memory-tables.js';
import type { AuditableLog, LogQuery, StoredRow } from './store.js';
import type { Lease } from './tables.js';

/**
 * A log in memory. It keeps texts, as a file would: what happens to a payload after it was appended
 * does not change the log.
 *
 * @param stored rows to begin with, such as those of an export; they are not verified
 * @param file where they come from, for messages
 */
export function createMemoryStore(
  stored: Iterable<StoredRow> = [],
  file?: string | undefined,
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

  const { grant, put, require, apply, ...tables } = createMemoryTables();
  const write = (entries: readonly NewEntry[]): readonly LogEntry[] => {
    const sealed = seal(entries, headOf(byRun.get(entries[0].runId)?.at(-1)));
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
      const lease = grant(request);
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
