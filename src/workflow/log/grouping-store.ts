import { AlasError, errorLine } from '../../core/errors.js';
import type { LogEntry, NewEntry } from './entry.js';
import type { LogStore } from './store.js';

/** Entries at most that are put off, and milliseconds at most between the first and the last of them. */
const MOST = 256;
const LONGEST = 1000;

/** Entries of a run that are to be appended together. */
interface Group {
  /** The version of the last entry, appended or put off. */
  version: number;
  token: number | undefined;
  readonly entries: NewEntry[];
  /** The error of the store: from then on the run is as a process left it that was killed. */
  failed: { readonly error: unknown } | undefined;
}

/**
 * A store that appends entries in groups, each in one transaction: for runs of pure steps, which a
 * killed process loses nothing with, since whoever goes on makes them again. An entry that may not
 * wait is appended at once, with all that were put off before it, and so are those that change
 * leases or claims, or that come a second after the first that was put off. What was put off has its version, and no hash yet; before the log is read, or a
 * run given back, it is appended.
 *
 * @param mayWait whether an entry may be put off until another one is appended
 * @throws AlasError, of what appends, `log_failed` where entries that were put off are refused
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
      // Nothing was put off: it is the fault of these entries alone.
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

/** A store that refused what was put off breaks the run off: the entries after it cannot stand. */
function fail(group: Group, error: unknown): unknown {
  const message = `the log took no more entries: ${errorLine(error)}`;
  const code =
    error instanceof AlasError && !OF_ENTRIES.includes(error.code) ? error.code : 'log_failed';
  group.failed = { error: new AlasError(code, message, error) };
  return group.failed.error;
}

/** Codes by which an entry is refused that a step has made: not a reason for a run to break off. */
const OF_ENTRIES: readonly string[] = ['not_json', 'too_large', 'bad_entry', 'claimed'];
