import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanLog } from '@alas-jssp/living-plan';
import type { LogEntry } from '@alas-jssp/workflow';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { isBrokenOff, isServerAway } from '../patience.js';
import { readSegment } from './shop-activities.js';
import type { LogPage } from './shop-values.js';

/** The log of a shop, as far as this process has read it. */
export interface LogCopy extends PlanLog {
  readonly entries: readonly LogEntry[];
  /** Reads the new entries. */
  catchUp(): Promise<void>;
}

/**
 * Copies the log of a shop from its workflow, starting at the end of the copy.
 *
 * @param onEntries receives entries, each once, in their order
 * @param signal aborts the copy
 */
export function createLogCopy(
  client: Client,
  handle: WorkflowHandle,
  onEntries: (entries: readonly LogEntry[]) => void,
  signal: AbortSignal,
): LogCopy {
  const entries: LogEntry[] = [];
  const take = (more: readonly LogEntry[]) => {
    const fresh = more.filter(({ version }) => version >= entries.length);
    entries.push(...fresh);
    if (fresh.length > 0) onEntries(fresh);
  };
  const fetchAll = async (): Promise<void> => {
    for (;;) {
      const page = await queryEntries(client, handle, entries.length, signal);
      for (const segment of page.segments) take(await readSegment(client, segment));
      take(page.entries);
      if (entries.length >= page.all) return;
    }
  };
  let fetching: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const catchUp = (): Promise<void> => {
    if (fetching === undefined) {
      fetching = fetchAll().finally(() => {
        fetching = undefined;
      });
      return fetching;
    }
    // A query in flight may have been too early.
    next ??= fetching
      .catch(() => {})
      .then(() => {
        next = undefined;
        return catchUp();
      });
    return next;
  };
  return {
    entries,
    catchUp,
    *read({ to = Number.POSITIVE_INFINITY, eventTypes }) {
      for (const entry of entries) {
        if (entry.version > to) return;
        if (eventTypes === undefined || eventTypes.includes(entry.eventType)) yield entry;
      }
    },
  };
}

/** Timeout of a query before it is repeated, in milliseconds, and its maximum. */
const [PATIENCE, MOST_PATIENCE] = [2000, 30_000];

/**
 * Queries entries. A worker loses queries about a workflow that ends at that moment: they are
 * repeated.
 */
async function queryEntries(
  client: Client,
  handle: WorkflowHandle,
  from: number,
  signal: AbortSignal,
): Promise<LogPage> {
  for (let patience = PATIENCE; ; patience = Math.min(2 * patience, MOST_PATIENCE)) {
    try {
      const ask = () => handle.query<LogPage, [number]>('entries', from);
      return await client.connection.withDeadline(Date.now() + patience, ask);
    } catch (error) {
      if (signal.aborted || !(isServerAway(error) || isBrokenOff(error))) throw error;
      await sleep(100);
    }
  }
}
