import {
  canonicalJson,
  type Json,
  type LogEntry,
  type NewEntry,
} from '@alas-jssp/workflow/interpreter';
import { proxySinks, type Sinks } from '@temporalio/workflow';

/** The log of a run in the memory of its workflow, whose history makes it durable. */
export interface MemoryLog {
  /** All entries, including those before this part of the log. */
  readonly versions: number;
  append(entries: readonly NewEntry[]): LogEntry[];
  /** Entries of this part, forward or backward. */
  read(query?: Part): Iterable<LogEntry>;
}

/** The range of entries to read: by version, both ends included. */
interface Part {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** From the last to the first. */
  readonly descending?: boolean | undefined;
}

/** The sink through which a replay in the sandbox exports the log. */
export interface LogSinks extends Sinks {
  alasLog: { entries(written: readonly LogEntry[]): void };
}

/** A stored entry: later changes of a payload do not change the log. */
interface Kept {
  readonly entry: Omit<LogEntry, 'payload'>;
  readonly payload: string;
}

/**
 * Makes the log of a run, or of a later part of it.
 *
 * @param first version of the first entry
 */
export function createMemoryLog(first: number): MemoryLog {
  const kept: Kept[] = [];
  // Only the export of a history sets it.
  const isExported = (globalThis as { __alasExports?: boolean }).__alasExports === true;
  const exportEntries = isExported ? proxySinks<LogSinks>().alasLog.entries : undefined;
  const open = ({ entry, payload }: Kept): LogEntry => {
    return { ...entry, payload: JSON.parse(payload) as Json };
  };
  return {
    get versions() {
      return first + kept.length;
    },
    append(entries) {
      const texts = entries.map(({ payload }) => canonicalJson(payload));
      const written = entries.map(({ payload, ...rest }, k) => {
        const entry = { ...rest, version: first + kept.length, hash: '' };
        kept.push({ entry, payload: texts[k] });
        return { ...entry, payload };
      });
      exportEntries?.(
        written.map((entry, k) => ({ ...entry, payload: JSON.parse(texts[k]) as Json })),
      );
      return written;
    },
    *read({ from = 0, to = Number.POSITIVE_INFINITY, descending = false } = {}) {
      const start = Math.max(0, from - first);
      const end = Math.min(kept.length - 1, to - first);
      for (let k = start; k <= end; k++) yield open(kept[descending ? end - (k - start) : k]);
    },
  };
}
