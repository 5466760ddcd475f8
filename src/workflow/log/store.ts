import type { LogEntry, NewEntry } from './entry.js';

/** Which entries to read. */
export interface LogQuery {
  readonly runId: string;
  /** First version, included. Default 0. */
  readonly from?: number | undefined;
  /** Last version, included. Default: the last there is. */
  readonly to?: number | undefined;
}

/** An append-only log of many runs. Calls are synchronous: what returned is durable. */
export interface LogStore {
  /**
   * Appends entries of one run in one transaction: all of them or none.
   *
   * @returns the entries as they stand in the log
   */
  append(entries: readonly NewEntry[]): readonly LogEntry[];
  /** Entries of one run in the order of their versions. */
  read(query: LogQuery): Iterable<LogEntry>;
  /** Ids of all runs, in the order in which they began. */
  runs(): readonly string[];
  close(): void;
}
