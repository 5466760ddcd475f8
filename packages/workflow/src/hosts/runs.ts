import { type Clock, systemClock } from '@alas-jssp/core/clock';
import type { Payloads, RunStatus } from '../interpreter/entries.js';
import type { PendingWait } from '../interpreter/state.js';
import type { EventType, LogEntry } from '../log/entry.js';
import type { LogStore } from '../log/store.js';
import type { Lease } from '../log/tables.js';
import { isOwnerGone } from './owner.js';

/** One run of a log, from its first and last entry and its lease. */
export interface ListedRun {
  readonly runId: string;
  /** The name of the workflow; null if the log does not say. */
  readonly workflow: string | null;
  /**
   * How it ended, or: `RUNNING`, it has an owner; `WAITING` for a message or for a later moment;
   * `DUE`, it can continue and has no owner yet; `INTERRUPTED`, its owner ended without releasing
   * it.
   */
  readonly status: RunStatus | 'IN_DOUBT' | 'RUNNING' | 'DUE' | 'INTERRUPTED';
  /** Its owner, or its last owner if it was interrupted. */
  readonly owner?: string | undefined;
  /** The end of the owner's lease, in milliseconds since 1970. */
  readonly until?: number | undefined;
  /** When it is due again, in milliseconds since 1970. */
  readonly wakeAt?: number | undefined;
  /** The approvals and messages for which a run waits. */
  readonly waitsFor: readonly PendingWait[];
  /** The paths of the nodes whose effects were in doubt when it ended. */
  readonly inDoubt: readonly string[];
  /** ISO 8601, UTC; null if the log does not say. */
  readonly startedAt: string | null;
  readonly lastEvent: EventType | null;
  /** Entries in its log. */
  readonly entries: number;
}

/**
 * Lists the runs of a log in the order in which they began, without folding them.
 *
 * @param runs default: all
 */
export function listRuns(
  store: LogStore,
  clock: Clock = systemClock,
  runs: readonly string[] = store.runs(),
): ListedRun[] {
  const leases = new Map(store.leases().map((lease) => [lease.runId, lease]));
  const messages = store.lastMessages();
  const now = clock.now();
  return runs.map((runId) => {
    const [first] = store.read({ runId, to: 0 });
    const last = lastOf(store, runId);
    const lease = leases.get(runId);
    const status = statusOf(last, lease, (messages.get(runId) ?? 0) > (lease?.taken ?? 0), now);
    const isWaiting = status === 'WAITING';
    return {
      runId,
      workflow: nameOf(first),
      status,
      owner: lease?.owner ?? undefined,
      until: lease?.owner == null ? undefined : lease.until,
      wakeAt: lease?.wakeAt ?? undefined,
      waitsFor: isWaiting ? awaitedIn(store, runId) : [],
      inDoubt: doubtsOf(last),
      startedAt: first?.ts ?? null,
      lastEvent: last?.eventType ?? null,
      entries: (last?.version ?? -1) + 1,
    };
  });
}

function statusOf(
  last: LogEntry | undefined,
  lease: Lease | undefined,
  hasMessages: boolean,
  now: number,
): ListedRun['status'] {
  if (lease !== undefined && lease.owner !== null) {
    return isTaken(lease, now) ? 'RUNNING' : 'INTERRUPTED';
  }
  if (last?.eventType === 'EndRun') return (last.payload as unknown as Payloads['EndRun']).status;
  if (lease !== undefined) return isDue(lease, hasMessages, now) ? 'DUE' : 'WAITING';
  const waits: readonly EventType[] = ['AwaitApproval', 'AwaitMessage'];
  return last !== undefined && waits.includes(last.eventType) ? 'WAITING' : 'INTERRUPTED';
}

/** Whether a run has an owner that may continue it. */
function isTaken({ owner, until }: Lease, now: number, isGone = isOwnerGone): boolean {
  return owner !== null && until > now && !isGone(owner);
}

/**
 * Whether a run is due: its owner is gone or its lease over, its wake time has passed, or a message
 * has arrived.
 */
export function isDue(
  lease: Lease,
  hasMessages: boolean,
  now: number,
  isGone = isOwnerGone,
): boolean {
  if (lease.owner !== null) return !isTaken(lease, now, isGone);
  return hasMessages || (lease.wakeAt !== null && lease.wakeAt <= now);
}

function lastOf(store: LogStore, runId: string): LogEntry | undefined {
  for (const entry of store.read({ runId, descending: true })) return entry;
  return undefined;
}

/** Whether a run has ended and no message is left that could change that. */
export function hasEnded(store: LogStore, runId: string): boolean {
  return lastOf(store, runId)?.eventType === 'EndRun';
}

function nameOf(first: LogEntry | undefined): string | null {
  if (first?.eventType !== 'StartRun') return null;
  return (first.payload as unknown as Partial<Payloads['StartRun']>).workflow?.name ?? null;
}

const OF_WAITS: readonly EventType[] = [
  'AwaitApproval',
  'AwaitMessage',
  'Approve',
  'Deny',
  'Signal',
];

/** The waits of a run that is not folded: awaited names without a later message. */
function awaitedIn(store: LogStore, runId: string): ListedRun['waitsFor'] {
  const waits = new Map<string, PendingWait>();
  for (const { eventType, payload } of store.read({ runId, eventTypes: OF_WAITS })) {
    const { name } = payload as { name: string };
    if (eventType === 'AwaitApproval') waits.set(name, { kind: 'approval', name });
    else if (eventType === 'AwaitMessage') waits.set(name, { kind: 'message', name });
    else waits.delete(name);
  }
  return [...waits.values()];
}

function doubtsOf(last: LogEntry | undefined): string[] {
  if (last?.eventType !== 'EndRun') return [];
  const { inDoubt = [] } = last.payload as { inDoubt?: readonly { readonly nodeId: string }[] };
  return inDoubt.map(({ nodeId }) => nodeId);
}
