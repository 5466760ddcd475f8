import { InputError } from '@alas-jssp/core/errors';
import { isObject } from '@alas-jssp/core/json-path';
import { type CommandMeta, type Settlement, stepOf } from '@alas-jssp/living-plan';
import type { LogEntry, LogStore, Payloads, Workflow } from '@alas-jssp/workflow';
import { requireUnchanged } from '@alas-jssp/workflow';
import { type ShopPace, withObjective } from 'alas-jssp/internal/service';
import type { TimeScale } from 'alas-jssp/jssp';
import { createShopMemory, isShop, type ShopInstant } from 'alas-jssp/shop';
import type { ShopSummary } from '../api/shop-schemas.js';
import { wireTime } from '../api/wire.js';
import { statusOfEnd } from './shop-answers.js';

/** The summary of a shop after its last change, and its clock. */
export interface ShopRecord {
  readonly summary: ShopSummary;
  readonly nowUnits: number;
  readonly timeScale: TimeScale | null;
  readonly clock: ShopPace | null;
  /** The time of its first entry, in milliseconds since 1970. */
  readonly began: number;
  /** Whether the shop waits for commands and is not opened yet. */
  readonly isResting?: boolean;
}

/** The part of a log that is needed to find shops. */
type ShopsLog = Pick<LogStore, 'read'>;

/**
 * Whether a run of a log is a shop.
 *
 * @throws InputError `damaged_log`, `changed_log` if its first entry is damaged or manipulated
 */
export function isShopInLog(store: LogStore, id: string): boolean {
  const first = firstEntry(store, id);
  if (first === undefined && store.leaseOf(id) === undefined) return false;
  const { workflow } = (first?.payload ?? {}) as { workflow?: Workflow };
  if (isObject(workflow?.meta) && isShop(workflow as Workflow)) return true;
  // A run of another kind, unless its entry was manipulated.
  requireUnchanged(store, id);
  if (first !== undefined) return false;
  const problem = `the log has lost all entries of the shop ${JSON.stringify(id)}`;
  throw new InputError('damaged_log', problem, 'use an intact copy');
}

/** The runs of a log, including those whose first entries are lost. */
export function runsInLog(store: LogStore): Set<string> {
  return new Set([...store.runs(), ...store.leases().map(({ runId }) => runId)]);
}

/** The metadata of the request that opened a shop. */
export function openedBy(store: ShopsLog, id: string): CommandMeta {
  const payload = firstEntry(store, id)?.payload as
    | { input?: { opened?: CommandMeta } }
    | undefined;
  return payload?.input?.opened ?? {};
}

/** The time of the first entry of a shop, in milliseconds since 1970. */
export function beginOf(store: ShopsLog, id: string): number {
  return Date.parse(firstEntry(store, id)?.ts ?? '');
}

/**
 * Reads an ended shop from the first and the last entries of its log, without opening it. Undefined if it has not
 * ended.
 */
export function endedRecord(store: ShopsLog, id: string): ShopRecord | undefined {
  const last = entryOf(store.read({ runId: id, descending: true }));
  if (last?.eventType !== 'EndRun') return undefined;
  const { status } = last.payload as unknown as Payloads['EndRun'];
  const { instance, input, first } = createShopMemory(store).baseOf(id);
  const { now, version, makespan } = { ...lastOf(store, id) };
  const { name, timeScale, jobs, machines, operations } = instance;
  const nowUnits = now ?? 0;
  return {
    summary: {
      id,
      instance: name,
      status: statusOfEnd(status),
      version: version ?? 1,
      now: wireTime(timeScale, nowUnits),
      jobs,
      machines,
      operations,
      objective: withObjective(instance, input.policy).objective,
      makespan: wireTime(timeScale, makespan ?? first.schedule.makespan),
      waits_for: null,
    },
    nowUnits,
    timeScale,
    clock: input.clock ?? null,
    began: beginOf(store, id),
  };
}

/** The last instant and the last committed version of a shop, if any. */
function lastOf(store: ShopsLog, id: string) {
  let now: number | undefined;
  for (const { nodeId, payload } of store.read({
    runId: id,
    eventTypes: ['EndNode'],
    descending: true,
  })) {
    const step = stepOf(nodeId);
    const { output } = payload as { output?: unknown };
    if (step === 'status') now ??= (output as ShopInstant).now;
    if (step !== 'commit') continue;
    const settled = output as Settlement<ShopInstant, { makespan: number }>;
    if (!('version' in settled)) {
      now ??= settled.instant.now;
      continue;
    }
    const { version, makespan } = settled;
    return { now: now ?? settled.now, version, makespan };
  }
  return { now };
}

function firstEntry(store: ShopsLog, id: string): LogEntry | undefined {
  return entryOf(store.read({ runId: id, to: 0 }));
}

function entryOf(entries: Iterable<LogEntry>): LogEntry | undefined {
  for (const entry of entries) return entry;
  return undefined;
}
