import { applyToDraft } from '../../disruption/apply-events.js';
import { replaceDowntimes } from '../../disruption/downtimes.js';
import type { Draft } from '../../disruption/draft.js';
import {
  type AppliedEvents,
  affectedOperations,
  type DisruptionEvent,
} from '../../disruption/index.js';
import { isLost } from '../../disruption/progress.js';
import { completionTime } from '../../jssp/calendar.js';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import {
  BEGUN,
  DURATION,
  END,
  FROZEN,
  type LiveShop,
  noteEntry,
  RELEASE,
  replaceCalendar,
  START,
  type Version,
  writeEntry,
} from './shop.js';

/** The effect of events on a live shop. */
export interface LiveStatus {
  readonly applied: Omit<AppliedEvents, 'instance'>;
  /** The operations that events hit directly, ascending. */
  readonly affected: Int32Array;
  /** The operations, each once, whose duration, release or downtimes may be others now. */
  readonly concerned: readonly number[];
  readonly totals: Pick<Version, 'now' | 'work' | 'latest'>;
}

/**
 * Phase 0 in place: what `updateStatus` does, in time proportional to the jobs, the downtimes, what
 * has started since the last time, and the queues of machines whose downtimes change.
 *
 * @param events complete; none of them changes which operations there are
 * @returns null if the shop has to be made anew: an operation begins or ceases to occupy its
 *   machine, or times could become too large
 * @throws InputError as `applyEvents` does; take back what was changed
 */
export function updateLive(
  shop: LiveShop,
  events: readonly DisruptionEvent[],
  now: number,
  tooLate: 'refuse' | 'skip',
): LiveStatus | null {
  startUntil(shop, now);
  const draft = openLiveDraft(shop, now);
  const named = events.flatMap((event) => operationOf(draft, event));
  const durations = named.map((op) => draft.duration[op]);
  for (const op of named) {
    noteEntry(shop, DURATION, op);
    noteEntry(shop, RELEASE, op);
  }
  const effects = applyToDraft(draft, events, tooLate);
  const occupies = (duration: number) => duration > 0;
  if (named.some((op, i) => occupies(draft.duration[op]) !== occupies(durations[i]))) return null;
  const calendar = replaceDowntimes(shop.version.calendar, draft.machines, draft.downtimes);
  replaceCalendar(shop, calendar?.from.length ? calendar : null);
  const totals = totalsOf(shop, draft, named, durations);
  if (totals.work + totals.latest > MAX_TIME) return null;
  const lost = loseWork(shop, now);
  const { same } = shop;
  const applied = { now, newOf: same, oldOf: same, lost, arrived: [], ...effects };
  return {
    applied,
    affected: affectedOperations(draft.schedule, { ...applied, instance: shop.facts }),
    concerned: [...new Set([...named, ...lost, ...stillOn(shop, draft.downtimes.keys(), now)])],
    totals,
  };
}

/** Freezes what has started by `now`: from the first operation of each job that had not. */
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
    if (op > first) writeEntry(shop, BEGUN, job, op - jobOffset[job]);
  }
}

/** A draft that works on the arrays of the shop. Jobs neither come nor go. */
function openLiveDraft({ origin, fields, facts, length }: LiveShop, now: number): Draft {
  const [start, end, duration, release, started] = fields;
  const nothing = new Int32Array();
  return {
    now,
    schedule: { instance: facts, start, end, makespan: 0 },
    jobs: origin.jobs,
    machines: origin.machines,
    jobOffset: origin.jobOffset,
    machine: origin.machine,
    duration,
    release,
    due: nothing,
    weight: nothing,
    deadline: nothing,
    started,
    kept: length,
    downtimes: new Map(),
  };
}

/** The operation whose duration or release an event may change; none if there is no such. */
function operationOf({ jobs, jobOffset, started }: Draft, event: DisruptionEvent): number[] {
  if ((event.kind !== 'duration' && event.kind !== 'delay') || event.job >= jobs) return [];
  const last = jobOffset[event.job + 1];
  let op = jobOffset[event.job] + (event.step ?? 0);
  if (event.step === undefined) while (op < last && started[op] >= 0) op++;
  return op < last ? [op] : [];
}

function totalsOf(
  { version, fields }: LiveShop,
  { now, downtimes }: Draft,
  named: readonly number[],
  before: readonly number[],
): LiveStatus['totals'] {
  let { work } = version;
  // One that is named twice counts once: what it was before any event is what it was both times.
  new Map(named.map((op, i) => [op, before[i]])).forEach((duration, op) => {
    work += fields[DURATION][op] - duration;
  });
  let latest = Math.max(version.latest, now);
  for (const op of named) latest = Math.max(latest, fields[RELEASE][op]);
  for (const list of downtimes.values()) latest = Math.max(latest, list.at(-1)?.to ?? 0);
  return { now, work, latest };
}

/** Frees the operations that run at `now` and cannot finish; ascending. */
function loseWork(shop: LiveShop, now: number): Int32Array {
  const { facts, fields, origin } = shop;
  const begun = fields[BEGUN];
  const lost: number[] = [];
  if (facts.calendar === null) return Int32Array.from(lost);
  for (let job = 0; job < origin.jobs; job++) {
    if (begun[job] === 0) continue;
    // Only the last one that a job has started may still run.
    const op = origin.jobOffset[job] + begun[job] - 1;
    const start = fields[START][op];
    if (completionTime(facts, op, start) <= now || !isLost(facts, op, start, now)) continue;
    lost.push(op);
    writeEntry(shop, FROZEN, op, -1);
    writeEntry(shop, BEGUN, job, begun[job] - 1);
    writeEntry(shop, RELEASE, op, Math.max(fields[RELEASE][op], now));
  }
  return Int32Array.from(lost);
}

/** The operations that are not done on machines. */
function stillOn({ origin, fields }: LiveShop, machines: Iterable<number>, now: number): number[] {
  const { machineOffset, machineOperations }: Instance = origin;
  const found: number[] = [];
  for (const k of machines) {
    for (let slot = machineOffset[k]; slot < machineOffset[k + 1]; slot++) {
      const op = machineOperations[slot];
      if (fields[END][op] > now) found.push(op);
    }
  }
  return found;
}
