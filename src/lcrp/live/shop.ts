import { createIntList, type IntList, reserve } from '@alas-jssp/core/int-list';
import { once } from '@alas-jssp/core/once';
import { type OpenDraft, openDraft } from '../../disruption/draft.js';
import { type Calendar, type Instance, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, machineSequences, type Schedule } from '../../jssp/schedule.js';
import { isClassic } from '../../jssp/shop-parts.js';
import { machineNeighbours } from '../../jssp/timing.js';
import { judgeExecution, judgeRepair } from '../judge-repair.js';
import { createTimeHeap, type TimeHeap } from './time-heap.js';

/** The mutable arrays of a live shop, by their index in {@link LiveShop.fields}. */
export const START = 0;
export const END = 1;
export const DURATION = 2;
export const RELEASE = 3;
export const FROZEN = 4;
export const BEGUN = 5;

/** One state of a live shop, between two repairs. */
export interface Version {
  readonly calendar: Calendar | null;
  /** No free operation is released before this time. */
  readonly now: number;
  /** The sum of all durations, and a time after which there is no release, start or downtime. */
  readonly work: number;
  readonly latest: number;
  /** The schedule of this state, created and validated on first use: O(N). */
  readonly schedule: () => Schedule;
  /** Differences from `next`: three numbers each, the field, the index and the value in this version. */
  changes: IntList;
  /**
   * The next version on the path to the current version, which is in the arrays; null for the current version itself.
   */
  next: Version | null;
}

/**
 * A shop in execution that is edited in place, so that the cost of a repair is proportional to its changes. Operations,
 * jobs, machines and the order of every queue are fixed; times change.
 *
 * Versions form a tree, in which each stores its differences from the next one on the path to the version that the
 * arrays hold. So earlier states and uncommitted proposals remain available, and are garbage-collected when nothing
 * refers to them (shallow binding and rerooting: Baker 1978, doi:10.1145/359460.359470).
 */
export interface LiveShop {
  /** The initial instance, for everything that never changes. */
  readonly origin: Instance;
  /**
   * Start, end, duration, release and frozen start of each operation, and the number of started operations of each job.
   */
  readonly fields: readonly [
    start: Int32Array,
    end: Int32Array,
    duration: Int32Array,
    release: Int32Array,
    frozen: Int32Array,
    begun: Int32Array,
  ];
  /** The draft on which events operate: it has these arrays, and the downtimes. */
  readonly draft: OpenDraft;
  /** N entries each: the operation right before and right after another on its machine, or −1. */
  readonly predecessor: Int32Array;
  readonly successor: Int32Array;
  /** N entries: each operation's own number; operations are not renumbered here. */
  readonly same: Int32Array;
  /** The latest start that was frozen initially: the clock cannot be set to an earlier time. */
  readonly since: number;
  version: Version;
  /** N entries: 1 for operations that a right shift has yet to examine; all 0 between repairs. */
  readonly waits: Uint8Array;
  /** Buffers of right shifts; the heap is empty between repairs. */
  readonly lists: { readonly heap: TimeHeap; readonly touched: IntList; readonly moved: IntList };
}

/**
 * Opens a live shop for a schedule. O(N log N).
 *
 * @returns null if right shifts alone cannot maintain it: an operation has no start, the schedule cannot be executed,
 *   an operation is frozen before its predecessor in the job, or the shop is not a classic one
 */
export function openLiveShop(schedule: Schedule): LiveShop | null {
  const { instance } = schedule;
  const { operations, jobs, jobOffset, calendar } = instance;
  if (!isClassic(instance)) return null;
  const frozen = instance.frozen?.slice() ?? new Int32Array(operations).fill(-1);
  const begun = new Int32Array(jobs);
  for (let job = 0; job < jobs; job++) {
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (frozen[op] < 0) continue;
      if (op > jobOffset[job] + begun[job]) return null;
      begun[job]++;
    }
  }
  if (schedule.start.includes(-1) || !judgeExecution(schedule).executable) return null;
  const start = schedule.start.slice();
  const end = schedule.end.slice();
  const draft = openDraft({ instance, mode: schedule.mode, start, end }, frozen, [], 0);
  const { duration, release } = draft;
  const fields = [start, end, duration, release, frozen, begun] as const;
  const latestOf = (times: Int32Array | undefined) =>
    times?.reduce((latest, time) => Math.max(latest, time), 0) ?? 0;
  const since = latestOf(frozen);
  const shop: LiveShop = {
    origin: instance,
    since,
    fields,
    draft: {
      ...draft,
      write: (values, at, value) => writeEntry(shop, fields.indexOf(values), at, value),
    },
    ...machineNeighbours(instance, machineSequences(schedule)),
    same: duration.map((_, op) => op),
    waits: new Uint8Array(operations),
    lists: { heap: createTimeHeap(), touched: createIntList(), moved: createIntList() },
    version: {
      calendar,
      now: 0,
      work: duration.reduce((sum, time) => sum + time, 0),
      latest: Math.max(since, latestOf(release), latestOf(calendar?.to)),
      schedule: () => schedule,
      changes: createIntList(),
      next: null,
    },
  };
  return shop;
}

/** Sets an entry of a field and records the old value for a rollback. */
export function writeEntry(
  { version, fields }: LiveShop,
  field: number,
  at: number,
  value: number,
): void {
  const values = fields[field];
  pushChange(version.changes, field, at, values[at]);
  values[at] = value;
}

function pushChange(changes: IntList, field: number, at: number, was: number): void {
  reserve(changes, 3);
  const { data, length } = changes;
  data[length] = field;
  data[length + 1] = at;
  data[length + 2] = was;
  changes.length = length + 3;
}

/** Undoes everything since the last version. */
export function rollBack(shop: LiveShop): void {
  const { changes } = shop.version;
  undo(shop.fields, changes);
  changes.length = 0;
  resumeVersion(shop);
}

/** Restores the parts of a version that are not in the arrays. */
function resumeVersion({ draft, version: { now, calendar } }: LiveShop): void {
  draft.now = now;
  draft.lost.clear();
  if (calendar !== draft.facts.calendar) draft.facts = { ...draft.facts, calendar };
}

/** Commits everything since the last version as the next one. */
export function commitVersion(
  shop: LiveShop,
  { now, work, latest }: Pick<Version, 'now' | 'work' | 'latest'>,
): Version {
  const next: Version = {
    calendar: shop.draft.facts.calendar,
    now,
    work,
    latest,
    schedule: once(() => {
      const schedule = scheduleOf(shop, next);
      judgeRepair({ schedule, phase: 'compensation' }, 'lcrp');
      return schedule;
    }),
    changes: createIntList(),
    next: null,
  };
  shop.version.next = next;
  shop.version = next;
  return next;
}

/** The schedule of a version, of the instance in execution at that time. */
function scheduleOf({ origin, fields }: LiveShop, version: Version): Schedule {
  const copies = fields.map((values) => values.slice());
  const steps: IntList[] = [];
  for (let one = version; one.next !== null; one = one.next) steps.push(one.changes);
  for (const changes of steps.reverse()) undo(copies, changes);
  const [start, , duration, release, frozen] = copies;
  const { now, calendar } = version;
  for (let op = 0; op < frozen.length; op++) {
    if (frozen[op] < 0 && release[op] < now) release[op] = now;
  }
  const instance = replaceInstance(origin, { duration, release, frozen, calendar });
  return createSchedule(instance, start);
}

/** Switches to another version, in time proportional to the differences. There must be no uncommitted changes. */
export function moveTo(shop: LiveShop, version: Version): void {
  const path: Version[] = [];
  for (let one = version; one.next !== null; one = one.next) path.push(one);
  let current = shop.version;
  for (const towards of path.reverse()) {
    current.changes = undo(shop.fields, towards.changes);
    current.next = towards;
    current = towards;
  }
  version.changes = createIntList();
  version.next = null;
  shop.version = version;
  resumeVersion(shop);
}

/** Sets entries to the values in a list of changes, and returns the list of their old values. */
function undo(fields: readonly Int32Array[], { data, length }: IntList): IntList {
  const undone = createIntList();
  for (let i = length - 3; i >= 0; i -= 3) {
    const values = fields[data[i]];
    pushChange(undone, data[i], data[i + 1], values[data[i + 1]]);
    values[data[i + 1]] = data[i + 2];
  }
  return undone;
}
