import { InputError } from '@alas-jssp/core/errors';
import { messageText } from './chain.js';
import type { Json } from './entry.js';
import type { SqliteFile } from './sqlite-file.js';
import {
  type AppendOptions,
  type Claim,
  claimed,
  type InboxMessage,
  type Lease,
  type Release,
  type RunTables,
} from './tables.js';

/** Milliseconds between two polls for messages from other processes. */
const POLL = 200;

/** The tables other than the entries, and their changes at an append. */
export interface SqliteTables extends Omit<RunTables, 'acquire'> {
  put(lease: Lease): void;
  /**
   * Makes the changes of an append. The caller has the transaction.
   *
   * @throws AlasError `claimed`
   */
  apply(runId: string, options: AppendOptions): void;
  close(): void;
}

/** Leases, claims and inbox in an SQLite file. */
export function createSqliteTables(
  database: SqliteFile,
  file: string,
  maxBytes: number | undefined,
): SqliteTables {
  return { ...leaseTable(database, file), ...inboxTable(database, file, maxBytes) };
}

// A text that is not UTF-8 would end the process inside the library, so texts are read as bytes.
const LEASE =
  'SELECT CAST(run_id AS BLOB), CAST(owner AS BLOB), token, until, wake_at, taken, quiet FROM leases';

function leaseTable(database: SqliteFile, file: string) {
  const select = database.prepare(`${LEASE} WHERE run_id = ?`);
  const selectAll = database.prepare(`${LEASE} ORDER BY seq`);
  const upsert = database.prepare(
    'INSERT INTO leases (run_id, owner, token, until, wake_at, taken, quiet) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET owner = excluded.owner, token = excluded.token, until = excluded.until, wake_at = excluded.wake_at, taken = excluded.taken, quiet = excluded.quiet',
  );
  const extend = database.prepare(
    'UPDATE leases SET until = ? WHERE run_id = ? AND token = ? AND owner IS NOT NULL',
  );
  const free = database.prepare(
    'UPDATE leases SET owner = NULL, until = 0, wake_at = ?, taken = ?, quiet = ? WHERE run_id = ? AND token = ifnull(?, token)',
  );
  const claims = claimTable(database, file);
  const leaseOfRow = ([
    runId,
    owner,
    token,
    until,
    wakeAt,
    taken,
    quiet,
  ]: readonly unknown[]): Lease => ({
    runId: textOf(runId, file),
    owner: owner === null ? null : textOf(owner, file),
    token: token as Lease['token'],
    until: until as Lease['until'],
    wakeAt: wakeAt as Lease['wakeAt'],
    taken: taken as Lease['taken'],
    quiet: quiet === 1,
  });
  return {
    leaseOf(runId: string): Lease | undefined {
      const row = select.get([runId]);
      return row && leaseOfRow(row);
    },
    leases: (): readonly Lease[] => selectAll.all().map(leaseOfRow),
    put({ runId, owner, token, until, wakeAt, taken, quiet }: Lease) {
      upsert.run([runId, owner, token, until, wakeAt, taken, quiet ? 1 : 0]);
    },
    renew: (runId: string, token: number, until: number) =>
      extend.run([until, runId, token]).changes === 1,
    release(runId: string, token: number, { wakeAt, taken, quiet }: Release) {
      free.run([wakeAt, taken, quiet ? 1 : 0, runId, token]);
    },
    apply(runId: string, options: AppendOptions) {
      claims.apply(runId, options);
      if (options.release === undefined) return;
      const { wakeAt, taken, quiet } = options.release;
      free.run([wakeAt, taken, quiet ? 1 : 0, runId, null]);
    },
    claimOf: claims.claimOf,
  };
}

function claimTable(database: SqliteFile, file: string) {
  const select = database.prepare(
    'SELECT CAST(key AS BLOB), CAST(run_id AS BLOB), CAST(node_id AS BLOB), CAST(handler AS BLOB), CAST(input_hash AS BLOB), committed FROM claims WHERE key = ?',
  );
  const insert = database.prepare('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, 0)');
  const remove = database.prepare('DELETE FROM claims WHERE key = ? AND run_id = ?');
  const commit = database.prepare('UPDATE claims SET committed = 1 WHERE run_id = ?');
  const claimOf = (wanted: string): Claim | undefined => {
    const row = select.get([wanted]);
    if (row === undefined) return undefined;
    const [key, runId, nodeId, handler, inputHash] = row
      .slice(0, 5)
      .map((cell) => textOf(cell, file));
    return { key, runId, nodeId, handler, inputHash, committed: row[5] === 1 };
  };
  return {
    claimOf,
    apply(runId: string, { claim, dropClaims = [], commitClaims }: AppendOptions) {
      if (claim !== undefined) {
        const { key, nodeId, handler, inputHash } = claim;
        const other = claimOf(key);
        if (other !== undefined && other.runId !== runId) throw claimed(other);
        insert.run([key, runId, nodeId, handler, inputHash]);
      }
      for (const key of dropClaims) remove.run([key, runId]);
      if (commitClaims === true) commit.run([runId]);
    },
  };
}

function inboxTable(database: SqliteFile, file: string, maxBytes: number | undefined) {
  const insert = database.prepare('INSERT INTO inbox (run_id, ts, kind, data) VALUES (?, ?, ?, ?)');
  const select = database.prepare(
    'SELECT id, CAST(ts AS BLOB), CAST(kind AS BLOB), CAST(data AS BLOB) FROM inbox WHERE run_id = ? AND id > ? ORDER BY id',
  );
  const selectLast = database.prepare('SELECT ifnull(max(id), 0) FROM inbox');
  const selectLasts = database.prepare(
    'SELECT CAST(run_id AS BLOB), max(id) FROM inbox WHERE id > ? GROUP BY run_id',
  );
  const lastMessages = (after = 0): ReadonlyMap<string, number> =>
    new Map(selectLasts.all([after]).map(([run, id]) => [textOf(run, file), id as number]));
  const { watch, notify, close } = watchInbox(
    () => selectLast.get()?.[0] as number,
    (after) => lastMessages(after).keys(),
  );
  return {
    post({ runId, ts, kind, data }: Omit<InboxMessage, 'id'>): number {
      const values = [runId, ts, kind, messageText({ runId, kind, data }, maxBytes)];
      // A statement alone is a transaction, at a third of the calls.
      const { lastInsertRowid } = insert.run(values);
      notify(runId);
      return lastInsertRowid;
    },
    messages: (runId: string, after: number): readonly InboxMessage[] =>
      select.all([runId, after]).map(([id, ...cells]) => {
        const [ts, kind, data] = cells.map((cell) => textOf(cell, file));
        return { id: id as number, runId, ts, kind, data: jsonOf(data, file) };
      }),
    lastMessages: () => lastMessages(),
    watch,
    close,
  };
}

/** Notifies watchers of new messages: of its own process at once, of others by polling. */
function watchInbox(lastId: () => number, runsAfter: (id: number) => Iterable<string>) {
  const watchers = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let seen = 0;
  const notify = (runId: string): void => {
    for (const call of watchers.get(runId) ?? []) queueMicrotask(call);
  };
  const look = (): void => {
    try {
      const last = lastId();
      if (last > seen) for (const runId of runsAfter(seen)) notify(runId);
      seen = last;
    } catch {
      // The next reader of the inbox gets the error itself.
      for (const runId of watchers.keys()) notify(runId);
    }
  };
  const close = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    notify,
    watch(runId: string, onMessage: () => void): () => void {
      if (timer === undefined) {
        seen = lastId();
        timer = setInterval(look, POLL).unref();
      }
      const callbacks = watchers.get(runId) ?? new Set();
      watchers.set(runId, callbacks);
      callbacks.add(onMessage);
      return () => {
        callbacks.delete(onMessage);
        if (callbacks.size === 0 && watchers.get(runId) === callbacks) watchers.delete(runId);
        if (watchers.size === 0) close();
      };
    },
    close,
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(cell: unknown, file: string): string {
  try {
    return utf8.decode(cell as Buffer);
  } catch {
    throw damaged(file);
  }
}

function jsonOf(text: string, file: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged(file);
  }
}

function damaged(file: string): InputError {
  const problem = 'a table beside the entries cannot be read';
  return new InputError('damaged_log', problem, 'use an intact copy', { file });
}
