import { type ApplyOptions, applyToDraft } from '../../disruption/apply-events.js';
import { pendingOn } from '../../disruption/draft.js';
import {
  type AppliedEvents,
  affectedOperations,
  type DisruptionEvent,
  type EffectiveEvent,
} from '../../disruption/index.js';
import { kindOf } from '../../disruption/kind-of.js';
import { MAX_TIME } from '../../jssp/instance.js';
import {
  BEGUN,
  DURATION,
  FROZEN,
  type LiveShop,
  RELEASE,
  START,
  type Version,
  writeEntry,
} from './shop.js';

/** The effect of events on a live shop. */
export interface LiveStatus {
  readonly applied: Omit<AppliedEvents, 'instance'>;
  /** The operations that events hit directly, ascending. */
  readonly affected: Int32Array;
  /** The operations, each once, whose duration, release or downtimes may have changed. */
  readonly concerned: readonly number[];
  readonly totals: Pick<Version, 'now' | 'work' | 'latest'>;
}

/**
 * Phase 0 in place: events take effect on the arrays of the shop as they do in `updateStatus`, in time proportional to
 * the jobs, the downtimes, the operations started since the last time, and the queues of machines whose downtimes
 * change.
 *
 * @param events complete; none of them adds or removes operations
 * @returns null if the shop must be rebuilt: an operation's duration changes from or to zero, or times could become too
 *   large
 * @throws InputError as `applyEvents` does; the caller must roll back
 */
export function updateLive(
  shop: LiveShop,
  events: readonly DisruptionEvent[],
  now: number,
  options: ApplyOptions,
): LiveStatus | null {
  const { draft, same, version } = shop;
  startUntil(shop, now);
  draft.now = now;
  const before = version.changes.length;
  const effects = applyToDraft(draft, events, options);
  const { operations, durations } = changedSince(shop, before);
  for (const [op, duration] of durations) {
    if (duration > 0 !== draft.duration[op] > 0) return null;
  }
  const totals = { now, ...totalsOf(shop, effects.events, durations) };
  if (totals.work + totals.latest > MAX_TIME) return null;
  for (const op of draft.lost) writeBegun(shop, draft.facts.jobOf[op], -1);
  const lost = Int32Array.from(draft.lost).sort();
  draft.lost.clear();
  for (const event of effects.events) {
    const machine = kindOf(event).changedMachine?.(event);
    if (machine === undefined) continue;
    for (const op of pendingOn(draft, machine)) operations.add(op);
  }
  const applied = { now, newOf: same, oldOf: same, lost, arrived: [], ...effects };
  return {
    applied,
    affected: affectedOperations(draft.schedule, { ...applied, instance: draft.facts }),
    concerned: [...operations],
    totals,
  };
}

/** Freezes the operations started by `now`, beginning with the first operation of each job that is not frozen yet. */
function startUntil(shop: LiveShop, now: number): void {
  const { origin, fields, version } = shop;
  const { jobs, jobOffset } = origin;
  const start = fields[START];
  const release = fields[RELEASE];
  const begun = fields[BEGUN];
  for (let job = 0; job < jobs; job++) {
    const first = jobOffset[job] + begun[job];
    let op = first;
    for (; op < jobOffset[job + 1] && start[op] < now; op++) {
      writeEntry(shop, FROZEN, op, start[op]);
      if (release[op] < version.now) writeEntry(shop, RELEASE, op, version.now);
    }
    if (op > first) writeBegun(shop, job, op - first);
  }
}

function writeBegun(shop: LiveShop, job: number, more: number): void {
  writeEntry(shop, BEGUN, job, shop.fields[BEGUN][job] + more);
}

/** The operations whose entries events have changed, and the old durations of some of them. */
function changedSince({ version: { changes } }: LiveShop, before: number) {
  const operations = new Set<number>();
  const durations = new Map<number, number>();
  for (let i = before; i < changes.length; i += 3) {
    const [field, op, was] = changes.data.subarray(i, i + 3);
    operations.add(op);
    if (field === DURATION && !durations.has(op)) durations.set(op, was);
  }
  return { operations, durations };
}

/** The sum of all durations, and a time after which nothing is fixed. */
function totalsOf(
  { version, draft }: LiveShop,
  events: readonly EffectiveEvent[],
  durations: ReadonlyMap<number, number>,
): Pick<Version, 'work' | 'latest'> {
  let { work } = version;
  for (const [op, duration] of durations) work += draft.duration[op] - duration;
  let latest = Math.max(version.latest, draft.now);
  for (const event of events) {
    latest = Math.max(latest, kindOf(event).fixesUntil?.(event) ?? -1);
  }
  return { work, latest };
}
