import { AlasError, errorLine } from '@alas-jssp/core/errors';
import type { LogEntry, NewEntry } from './entry.js';
import type { LogStore } from './store.js';

/** Limits of a group: entries, and milliseconds between the first and the last of them. */
const MOST = 256;
const LONGEST = 1000;

/** Deferred entries of a run that will be appended together. */
interface Group {
  /** The version of the last entry, appended or deferred. */
  version: number;
  token: number | undefined;
  readonly entries: NewEntry[];
  /** The error of the store: from then on the run is in the state of a killed process. */
  failed: { readonly error: unknown } | undefined;
}

/**
 * A store that appends entries in groups, each in one transaction: for runs of pure steps, which
 * lose nothing when their process is killed, since the next owner repeats them. An urgent entry is
 * appended at once, together with all deferred ones, and so are entries that change leases or
 * claims, or that come a second after the first deferred one. A deferred entry has its version, but
 * no hash yet; it is appended before the log is read or a run released.
 *
 * @param mayWait whether an entry may be deferred until another one is appended
 * @throws AlasError of the append, `log_failed` where deferred entries are rejected
 */
export function grouping(store: LogStore, mayWait: (entry: NewEntry) => boolean): LogStore {
  const groups = new Map<string, Group>();
  const know = (runId: string, entries: readonly LogEntry[]): void => {
    const last = entries.at(-1);
    if (last === undefined) groups.delete(runId);
    else
      groups.set(runId, {
        version: last.version,
        token: undefined,
        entries: [],
        failed: undefined,
      });
  };
  const flush = (runId: string): void => {
    const group = groups.get(runId);
    if (group === undefined || group.entries.length === 0) return;
    if (group.failed !== undefined) throw group.failed.error;
    try {
      store.append(group.entries.splice(0), { token: group.token });
    } catch (error) {
      throw fail(group, error);
    }
  };
  const append: LogStore['append'] = (entries, options = {}) => {
    if (entries.length === 0) return [];
    const { runId } = entries[0];
    const { token, ...beside } = options;
    const group = groups.get(runId);
    if (group === undefined) {
      const written = store.append(entries, options);
      know(runId, written);
      return written;
    }
    if (group.failed !== undefined) throw group.failed.error;
    if (group.token !== token) flush(runId);
    group.token = token;
    const count = group.entries.length;
    const isAlone = Object.values(beside).every((value) => value === undefined);
    const isSoon = count === 0 || timeOf(entries[0]) - timeOf(group.entries[0]) < LONGEST;
    const fits = isSoon && count + entries.length < MOST;
    if (isAlone && fits && entries.every(mayWait)) {
      group.entries.push(...entries);
      return entries.map((entry) => ({ ...entry, version: ++group.version, hash: '' }));
    }
    try {
      const written = store.append([...group.entries.splice(0), ...entries], options);
      group.version = written[written.length - 1].version;
      return written.slice(count);
    } catch (error) {
      // Nothing was deferred: these entries alone are at fault.
      if (count === 0) throw error;
      throw fail(group, error);
    }
  };
  return {
    ...store,
    append,
    acquire(request) {
      flush(request.runId);
      const answer = store.acquire(request);
      if (answer.status === 'owned') know(request.runId, answer.entries);
      return answer;
    },
    release(runId, token, how) {
      flush(runId);
      store.release(runId, token, how);
    },
    *read(query) {
      flush(query.runId);
      yield* store.read(query);
    },
    close() {
      for (const runId of groups.keys()) flush(runId);
      store.close();
    },
  };
}

const timeOf = ({ ts }: NewEntry): number => Date.parse(ts);

/** A store that rejects deferred entries interrupts the run: later entries cannot follow. */
function fail(group: Group, error: unknown): unknown {
  const message = `the log rejected entries: ${errorLine(error)}`;
  const code =
    error instanceof AlasError && !OF_ENTRIES.includes(error.code) ? error.code : 'log_failed';
  group.failed = { error: new AlasError(code, message, error) };
  return group.failed.error;
}

/** Codes of rejections that a step causes: they do not interrupt the run. */
const OF_ENTRIES: readonly string[] = ['not_json', 'too_large', 'bad_entry', 'claimed'];
