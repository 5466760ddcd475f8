import type { EventType, LogEntry, NewEntry } from './entry.js';
import type { AppendOptions, RunTables } from './tables.js';

/** The entries to read. */
export interface LogQuery {
  readonly runId: string;
  /** First version, included. Default 0. */
  readonly from?: number | undefined;
  /** Last version, included. Default: the last one. */
  readonly to?: number | undefined;
  /** Only entries of these types. Default: all. */
  readonly eventTypes?: readonly EventType[] | undefined;
  /** From the last to the first. Default false. */
  readonly descending?: boolean | undefined;
}

/** An append-only log of many runs. Calls are synchronous: data are durable when a call returns. */
export interface LogStore extends RunTables {
  /** True for a log that keeps nothing: appended values need not be JSON. */
  readonly forgets?: true;
  /**
   * Appends entries of one run in one transaction: all of them or none, with the changes beside
   * them.
   *
   * @returns the entries as the log holds them
   * @throws AlasError `not_owner` if the token is not that of the owner of the run, `claimed` if
   *   another run has claimed the key; InputError `log_conflict` if another process has appended to
   *   the run since this store last appended to it or read it to its end: the appended entries may
   *   depend on an outdated state
   */
  append(entries: readonly NewEntry[], options?: AppendOptions): readonly LogEntry[];
  /**
   * Entries of one run in the order of their versions, read lazily.
   *
   * @throws InputError `damaged_log` at an unreadable entry
   */
  read(query: LogQuery): Iterable<LogEntry>;
  /** Ids of all runs, in the order in which they began. */
  runs(): readonly string[];
  close(): void;
}

/** A stored entry; null for unreadable fields. The payload is canonical JSON. */
export interface StoredRow {
  readonly version: number | null;
  readonly runId: string | null;
  readonly ts: string | null;
  readonly nodeId: string | null;
  readonly eventType: string | null;
  readonly payload: string | null;
  readonly correlationId: string | null;
  readonly hash: string | null;
}

/** A log that can be audited: nothing is parsed or trusted. */
export interface AuditableLog extends LogStore {
  /** All entries of all runs in the order in which they were appended, or those of one run. */
  rows(runId?: string): Iterable<StoredRow>;
  /** Faults of the file itself, one sentence each. */
  faults(): readonly string[];
}

/** Whether a log has entries or a lease of a run. */
export function hasRun(store: LogStore, runId: string): boolean {
  for (const _ of store.read({ runId, to: 0 })) return true;
  return false;
}
