import { InputError } from '@alas-jssp/core/errors';
import type {
  PastInstant,
  PlanHistory,
  VersionPatch,
  WithdrawnReport,
} from '@alas-jssp/living-plan';
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
import { isPlain } from '../../jssp/shop-parts.js';
import { wordsOf } from '../../jssp/words.js';
import { judgeExecution, worstViolation } from '../../lcrp/judge-repair.js';
import { compensate } from '../../lcrp/phases/compensate.js';
import type { Status } from '../../lcrp/phases/status.js';
import { shiftParts } from '../../lcrp/reassign/shift-parts.js';
import type { RepairTask } from '../../lcrp/task.js';
import { readLoggedEvents } from './log-values.js';
import { relativeMode, withRelativeModes } from './logged-modes.js';
import type { ShopInstant, ShopKind } from './shop-values.js';

/** An instant that created a version. */
type PastShop = PastInstant<ShopKind>;

/** The shop without the withdrawn reports, before any repair. */
export interface RestoredShop {
  /** Its instance, with the actual starts; −1 for operations that have not started. */
  readonly shop: Schedule;
  /** For each operation of the followed schedule: its number here, −1 if a withdrawn report added it. */
  readonly numberOf: Int32Array;
  /** The planned starts, −1 for operations without one: see {@link planWithout}. */
  readonly plan: Schedule;
}

/** An instant that withdraws a report from the followed version. */
interface WithdrawalInstant extends Pick<ShopInstant, 'version' | 'now'> {
  readonly withdraws: Pick<WithdrawnReport, 'version'>;
}

/**
 * The shop without a report, and without those that were withdrawn since, for the instant that withdraws it.
 *
 * @throws InputError `built_upon`
 */
export function restoreWithout(
  history: PlanHistory<ShopKind>,
  { version, now, withdraws }: WithdrawalInstant,
): RestoredShop {
  const withdrawn = [withdraws.version];
  let first = withdraws.version;
  for (const { instant } of [...history.patchesTo(version)].reverse()) {
    if (instant.withdraws === undefined) continue;
    withdrawn.push(instant.withdraws.version);
    if (instant.version >= first - 1) first = Math.min(first, instant.withdraws.version);
  }
  return restoreShop(history.between(first - 1, version), withdrawn, now);
}

/**
 * The instance of a shop without some reports. The other events are applied again at their instants, together with
 * the actual starts. A job of a withdrawn report keeps its number, without operations and name. O(V N) for V instants.
 *
 * @param past all instants in order, from the first withdrawn report on
 * @param withdrawn the versions of the withdrawn reports; the first one is withdrawn now
 * @throws InputError `built_upon` if an operation has started that could not have started without these reports
 */
function restoreShop(
  past: readonly PastShop[],
  withdrawn: readonly number[],
  now: number,
): RestoredShop {
  let { instance } = past[0].before.schedule;
  let since = 0;
  for (const { version, instant, before } of past) {
    const followed = before.schedule;
    const at = instant.reportedAt ?? instant.now;
    const read = readLoggedEvents(instant.events, followed.instance, at);
    const events = withdrawn.includes(version) ? arrivalsOnly(read, instance.jobs) : read;
    const begun = withStarts(instance, followed, since, at);
    instance = applyAmongStarts(begun, events, at, { tooLate: 'skip' }).instance;
    since = at;
  }
  const { schedule } = past[past.length - 1].after;
  const shop = withStarts(instance, schedule, since, now);
  const numberOf = numbersIn(instance, schedule.instance);
  requireAllStarted(schedule, numberOf, now);
  const report = past.find(({ version }) => version === withdrawn[0]) as PastShop;
  return { shop, numberOf, plan: planWithout(report, schedule, shop, now) };
}

/**
 * The planned starts without a report. Operations that only its repair moved, and operations that return with the
 * withdrawal, get their starts from before the report. All others keep theirs, and so do started operations, also
 * those that the report had interrupted.
 */
function planWithout(
  { before: { schedule: before }, after: { schedule: after } }: PastShop,
  { instance: followed, start }: Schedule,
  { instance, start: started }: Schedule,
  now: number,
): Schedule {
  const [was, moved, is] = [before.instance, after.instance, followed].map((other) =>
    numbersIn(other, instance),
  );
  const presentOf = (op: number) => (is[op] < 0 ? -1 : start[is[op]]);
  const isAsRepaired = (op: number) =>
    presentOf(op) === after.start[moved[op]] &&
    relativeMode(followed, is[op]) === relativeMode(after.instance, moved[op]);
  // Only the repair of the report moved it, or it returns.
  const isReturned = (op: number) =>
    started[op] < 0 && was[op] >= 0 && (moved[op] < 0 || isAsRepaired(op));
  const planned = was.map((old, op) => {
    if (started[op] >= 0) return started[op];
    return isReturned(op) ? Math.max(now, before.start[old]) : presentOf(op);
  });
  const assigned = withRelativeModes(instance, (op) => {
    if (started[op] >= 0) return -1;
    return isReturned(op) ? relativeMode(before.instance, was[op]) : relativeMode(followed, is[op]);
  });
  return createSchedule(assigned, planned);
}

/** Applies events to a shop whose actual starts may contradict it. @throws InputError `built_upon`, and as `applyEvents` does */
function applyAmongStarts(...given: Parameters<typeof applyEvents>): AppliedEvents {
  try {
    return applyEvents(...given);
  } catch (error) {
    if (!(error instanceof InputError) || error.code !== 'bad_execution') throw error;
    throw builtUpon(error.problem);
  }
}

/** The arrivals of a withdrawn report: their jobs keep only their numbers. */
function arrivalsOnly(events: readonly DisruptionEvent[], jobs: number): DisruptionEvent[] {
  let job = jobs;
  return events.flatMap((event): DisruptionEvent[] => {
    if (event.kind !== 'arrival') return [];
    const { at, job: arrived } = event;
    const nameless = { ...event, job: { ...arrived, name: undefined } };
    return [nameless, { kind: 'cancellation', at, job: job++ }];
  });
}

/** Adds the actual starts between two times to those of a shop. */
function withStarts(instance: Instance, planned: Schedule, since: number, now: number): Schedule {
  const frozen = instance.frozen?.slice() ?? new Int32Array(instance.operations).fill(-1);
  const mode = new Int32Array(instance.operations).fill(-1);
  numbersIn(instance, planned.instance).forEach((to, op) => {
    const start = planned.start[op];
    if (!(to >= 0 && start >= since && start < now)) return;
    frozen[to] = start;
    mode[to] = relativeMode(planned.instance, op);
  });
  const assigned = withRelativeModes(instance, (op) => mode[op]);
  return createSchedule(replaceInstance(assigned, { frozen }), frozen);
}

/** For each operation of `other`: the number of the same step of the same job in the first instance, −1 if there is none. */
function numbersIn({ jobs, jobOffset }: Instance, other: Instance): Int32Array {
  return other.jobOf.map((job, op) => {
    if (job >= jobs) return -1;
    const number = jobOffset[job] + op - other.jobOffset[job];
    return number < jobOffset[job + 1] ? number : -1;
  });
}

/** @throws InputError `built_upon` for a started operation that no longer exists */
function requireAllStarted(followed: Schedule, numberOf: Int32Array, now: number): void {
  const { instance, start } = followed;
  const gone = numberOf.findIndex((to, op) => to < 0 && start[op] >= 0 && start[op] < now);
  if (gone < 0) return;
  const { operation, time } = wordsOf(instance);
  throw builtUpon(`${operation(gone)} has started at ${time(start[gone])}`);
}

/**
 * The effect of a withdrawal: started operations stay, and the replacing events are applied at the same instant.
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
  const assigned = withRelativeModes(instance, (op) => relativeMode(plan.instance, made.oldOf[op]));
  const task = { instance: assigned, planned, now, affected: new Int32Array() };
  // A repair begins at the operations that cannot keep the plan without the report.
  const late = delayed(task).start.map((time, op) => (time === planned[op] ? -1 : op));
  const affected = new Set([...late, ...affectedOperations(plan, made)]);
  affected.delete(-1);
  return {
    task: { ...task, affected: Int32Array.from(affected).sort() },
    before: { start, end },
    applied,
  };
}

/** The plan with the least delays that everything in the shop asks for, also its setups and operators. */
function delayed(task: RepairTask): Schedule {
  return isPlain(task.instance) ? compensate(task) : shiftParts(task);
}

function isStarted({ start }: Schedule, op: number, now: number): boolean {
  return start[op] >= 0 && start[op] < now;
}

/**
 * Checks that the started operations could have started without the withdrawn report.
 *
 * @throws InputError `built_upon`
 */
export function requireNotBuiltUpon({ task }: Status): void {
  const verdict = judgeExecution(delayed(task));
  if (verdict.executable) return;
  throw builtUpon(worstViolation(verdict)?.message ?? 'other work has started');
}

/** The report that created a version. @throws InputError `no_report` */
export function findReport(
  patches: Iterable<VersionPatch<ShopKind>>,
  version: number,
): WithdrawnReport {
  let report: ShopInstant | undefined;
  for (const { instant, settled } of patches) {
    if (settled.version === version) report = instant;
    if (instant.withdraws?.version !== version) continue;
    const problem = `the report of version ${version} was withdrawn already, with version ${settled.version}`;
    const facts = { version, withdrawn: settled.version };
    throw new InputError(
      'no_report',
      problem,
      'report the current differences',
      {},
      version,
      facts,
    );
  }
  if (report !== undefined && report.events.length > 0) return { version, events: report.events };
  const what = { undo: 'an undo', propose: 'starts proposed by hand' }[report?.kind as string];
  const problem =
    version === 1
      ? 'version 1 is the plan, and no report created it'
      : report === undefined
        ? `there is no version ${version}`
        : `${what ?? 'a withdrawal'} created version ${version}, not a report`;
  const hint = 'give the version that the mistaken report created';
  throw new InputError('no_report', problem, hint, {}, version, { version });
}

function builtUpon(why: string): InputError {
  const problem = `work that has started since depends on the report: ${why}`;
  return new InputError('built_upon', problem, 'report the current differences instead');
}
