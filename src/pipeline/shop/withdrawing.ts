import { InputError } from '../../core/errors.js';
import {
  type AppliedEvents,
  type ApplyOptions,
  affectedOperations,
  applyEvents,
  carrySchedule,
  type DisruptionEvent,
} from '../../disruption/index.js';
import { type Instance, isFree, replaceInstance } from '../../jssp/instance.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { wordsOf } from '../../jssp/words.js';
import { judgeExecution, worstViolation } from '../../lcrp/judge-repair.js';
import { compensate } from '../../lcrp/phases/compensate.js';
import type { Status } from '../../lcrp/phases/status.js';
import { readLoggedEvents } from './news.js';
import type { Happening } from './shop-values.js';

/** An instant that made a version. */
export interface PastInstant {
  readonly version: number;
  readonly happened: Happening;
  /** The schedule that was followed until then, and the one that came of it. */
  readonly followed: Schedule;
  readonly schedule: Schedule;
}

/** The shop without the reports that were withdrawn, before anything is repaired. */
export interface RestoredShop {
  /** Its instance, with the starts that the floor has taken; −1 for all others. */
  readonly shop: Schedule;
  /** For each operation of the schedule that is followed: its number here, −1 if it came with a withdrawn report. */
  readonly numberOf: Int32Array;
  /** The starts that operations are to have, −1 for those that no plan knows: see {@link planWithout}. */
  readonly plan: Schedule;
}

/**
 * The instance of a shop as if some reports had not been made. The other events take effect again, each at its
 * instant, among the starts that the floor has taken since. A job that came with a withdrawn report keeps its
 * number and has no operations and no name. O(V N) for V instants.
 *
 * @param past all instants in their order, from the first one with a withdrawn report on
 * @param withdrawn the versions that these reports made; the first one is withdrawn now
 * @throws InputError `built_upon` if the floor has started what could not have started without these reports
 */
export function restoreShop(
  past: readonly PastInstant[],
  withdrawn: readonly number[],
  now: number,
): RestoredShop {
  let { instance } = past[0].followed;
  let since = 0;
  for (const { version, happened, followed } of past) {
    const at = happened.toldAt ?? happened.now;
    const read = readLoggedEvents(happened.events, followed.instance, at);
    const events = withdrawn.includes(version) ? arrivalsOnly(read, instance.jobs) : read;
    const begun = withStarts(instance, followed, since, at);
    instance = applyAmongStarts(begun, events, at, { tooLate: 'skip' }).instance;
    since = at;
  }
  const { schedule } = past[past.length - 1];
  const shop = withStarts(instance, schedule, since, now);
  const numberOf = numbersIn(instance, schedule.instance);
  requireAllStarted(schedule, numberOf, now);
  const report = past.find(({ version }) => version === withdrawn[0]) as PastInstant;
  return { shop, numberOf, plan: planWithout(report, schedule, shop, now) };
}

/**
 * The starts that the operations of a shop without a report are to have: those that its repair moved, and nothing has
 * moved since, go back to the start that they had before; so do those that are back. All others keep theirs, and so
 * does what has started, also what had been lost by the report and runs on.
 */
function planWithout(
  { followed: before, schedule: after }: PastInstant,
  { instance: followed, start }: Schedule,
  { instance, start: started }: Schedule,
  now: number,
): Schedule {
  const [was, moved, is] = [before.instance, after.instance, followed].map((other) =>
    numbersIn(other, instance),
  );
  const planned = was.map((old, op) => {
    if (started[op] >= 0) return started[op];
    const present = is[op] < 0 ? -1 : start[is[op]];
    const isMoved = moved[op] < 0 || present === after.start[moved[op]];
    return old >= 0 && isMoved ? Math.max(now, before.start[old]) : present;
  });
  return createSchedule(instance, planned);
}

/** Applies events to a shop whose starts may not fit it. @throws InputError `built_upon`, and as `applyEvents` does */
function applyAmongStarts(...given: Parameters<typeof applyEvents>): AppliedEvents {
  try {
    return applyEvents(...given);
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'bad_execution') throw error;
    throw builtUpon(error.problem);
  }
}

/** The arrivals of a withdrawn report: their jobs keep their numbers, and nothing else. */
function arrivalsOnly(events: readonly DisruptionEvent[], jobs: number): DisruptionEvent[] {
  let job = jobs;
  return events.flatMap((event): DisruptionEvent[] => {
    if (event.kind !== 'arrival') return [];
    const { at, job: arrived } = event;
    const nameless = { ...event, job: { ...arrived, name: undefined } };
    return [nameless, { kind: 'cancellation', at, job: job++ }];
  });
}

/** A shop with the starts that the floor took from one time to another, beside those that it has. */
function withStarts(instance: Instance, planned: Schedule, since: number, now: number): Schedule {
  const frozen = instance.frozen?.slice() ?? new Int32Array(instance.operations).fill(-1);
  numbersIn(instance, planned.instance).forEach((to, op) => {
    const start = planned.start[op];
    if (to >= 0 && start >= since && start < now) frozen[to] = start;
  });
  return createSchedule(replaceInstance(instance, { frozen }), frozen);
}

/** For each operation of a shop: the number of the same step of the same job in another one, −1 if it has none. */
function numbersIn({ jobs, jobOffset }: Instance, other: Instance): Int32Array {
  return other.jobOf.map((job, op) => {
    if (job >= jobs) return -1;
    const number = jobOffset[job] + op - other.jobOffset[job];
    return number < jobOffset[job + 1] ? number : -1;
  });
}

/** @throws InputError `built_upon` for an operation that has started and is not there any more */
function requireAllStarted(followed: Schedule, numberOf: Int32Array, now: number): void {
  const { instance, start } = followed;
  const gone = numberOf.findIndex((to, op) => to < 0 && start[op] >= 0 && start[op] < now);
  if (gone < 0) return;
  const { operation, time } = wordsOf(instance);
  throw builtUpon(`${operation(gone)} has started at ${time(start[gone])}`);
}

/**
 * The effect of a withdrawal: what has started stays, and what was reported instead takes effect at the same instant.
 *
 * @throws InputError as `applyEvents` does
 */
export function withdrawalStatus(
  { shop, numberOf, plan }: RestoredShop,
  followed: Schedule,
  { events, now }: { readonly events: readonly DisruptionEvent[]; readonly now: number },
  options: ApplyOptions,
): Status {
  const made = applyAmongStarts(shop, events, now, options);
  const { instance } = made;
  const newOf = numberOf.map((to) => (to < 0 ? -1 : made.newOf[to]));
  const oldOf = new Int32Array(instance.operations).fill(-1);
  newOf.forEach((to, op) => {
    if (to >= 0) oldOf[to] = op;
  });
  const isRunning = (op: number) => oldOf[op] >= 0 && isStarted(followed, oldOf[op], now);
  const lost = oldOf.map((_, op) => op).filter((op) => isFree(instance, op) && isRunning(op));
  const applied = { ...made, newOf, oldOf, lost };
  const start = carrySchedule(followed, applied);
  const end = oldOf.map((op) => (op < 0 ? -1 : followed.end[op]));
  const planned = carrySchedule(plan, made);
  const task = { instance, planned, now, affected: new Int32Array() };
  // A repair begins where the plan without the report cannot be followed any more.
  const late = compensate(task).start.map((time, op) => (time === planned[op] ? -1 : op));
  const affected = new Set([...late, ...affectedOperations(plan, made)]);
  affected.delete(-1);
  return {
    task: { ...task, affected: Int32Array.from(affected).sort() },
    before: { start, end },
    applied,
  };
}

function isStarted({ start }: Schedule, op: number, now: number): boolean {
  return start[op] >= 0 && start[op] < now;
}

/**
 * Sees to it that what has started can have started in the shop without the withdrawn report.
 *
 * @throws InputError `built_upon`
 */
export function requireNotBuiltUpon({ task }: Status): void {
  const verdict = judgeExecution(compensate(task));
  if (verdict.executable) return;
  throw builtUpon(worstViolation(verdict)?.message ?? 'the floor has started other work');
}

function builtUpon(why: string): InputError {
  const problem = `what has started since builds upon the report: ${why}`;
  return new InputError('built_upon', problem, 'report what is different now instead');
}
