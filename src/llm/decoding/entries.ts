import { endOfWork } from '../../jssp/calendar.js';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { operationAt, type PlanEntry } from '../../jssp/plan.js';
import { findMode, modeDuration, modeMachine, modesOf } from '../../jssp/shop-parts.js';
import type { IgnoredKind } from './ignored.js';
import type { Numbering } from './numbering.js';
import type { Row, TextPlace } from './rows.js';

/** An entry of a plan with its place in the text. */
export interface DecodedEntry extends PlanEntry {
  readonly place: TextPlace;
  /** Missing parts, filled in from the instance or a duration. */
  readonly filled: readonly ('job' | 'step' | 'machine' | 'end')[];
}

export interface Entries {
  readonly entries: DecodedEntry[];
  /** Rows that make no entry, with the reasons. */
  readonly left: { readonly kind: IgnoredKind; readonly line: number }[];
}

/**
 * Makes entries of rows, in their order. Missing parts of a row are derived from the given ones: the step from the
 * machine, the machine and the end from the operation. A row without enough information is omitted.
 */
export function entriesOf(
  rows: readonly Row[],
  numbering: Numbering,
  instance: Instance | undefined,
): Entries {
  const result: Entries = { entries: [], left: [] };
  const visits = new Map<string, number>();
  const nameless = jobOfNameless(rows, numbering, instance);
  for (const row of rows) {
    const entry = entryOf(row, nameless, numbering, instance, visits);
    if (typeof entry === 'string') result.left.push({ kind: entry, line: row.place.line });
    else result.entries.push(entry);
  }
  return result;
}

/**
 * The job (from 0) of rows that name none, as in a text whose beginning is missing. At least two rows are required, and
 * exactly one job must match all their machines and durations.
 */
function jobOfNameless(
  rows: readonly Row[],
  numbering: Numbering,
  instance: Instance | undefined,
): number | undefined {
  const nameless = rows.filter(({ job }) => job === undefined);
  if (instance === undefined || nameless.length < 2) return undefined;
  if (nameless.length > instance.operations) return undefined;
  const fitsJob = (job: number) =>
    nameless.every(({ step = Number.NaN, machine = Number.NaN, start, end = Number.NaN }) =>
      fits(instance, {
        job,
        step: step - numbering.step,
        machine: machine - numbering.machine,
        start,
        end,
      }),
    );
  const jobs = Array.from({ length: instance.jobs }, (_, job) => job).filter(fitsJob);
  return jobs.length === 1 ? jobs[0] : undefined;
}

function entryOf(
  row: Row,
  nameless: number | undefined,
  numbering: Numbering,
  instance: Instance | undefined,
  visits: Map<string, number>,
): DecodedEntry | IgnoredKind {
  const job = row.job === undefined ? nameless : row.job - numbering.job;
  if (job === undefined) return 'incomplete';
  const filled: ('job' | 'step' | 'machine' | 'end')[] = [];
  if (row.job === undefined) filled.push('job');
  const claimed = row.machine === undefined ? undefined : row.machine - numbering.machine;
  const step =
    row.step === undefined
      ? stepOn(row, job, claimed, instance, visits)
      : row.step - numbering.step;
  if (step === undefined) return 'incomplete';
  if (row.step === undefined) filled.push('step');
  const op = instance === undefined ? -1 : operationAt(instance, job, step);
  const machine = claimed ?? onlyMachine(row, op, instance);
  if (machine === undefined) return 'incomplete';
  if (claimed === undefined) filled.push('machine');
  const expected = endOf(row, op, machine, instance);
  const isCut = row.mayBeCut === true && `${expected}`.startsWith(`${row.end}`);
  const end = isCut ? expected : (row.end ?? expected);
  if (end === undefined) return 'incomplete';
  if (end !== row.end) filled.push('end');
  const entry = { job, step, machine, start: row.start, end, place: row.place, filled };
  if (![job, step, machine, row.start, end].every(Number.isFinite)) return 'unreadable';
  return row.mustFit && instance !== undefined && !fits(instance, entry) ? 'misfit' : entry;
}

/** The machine of an operation that names none: the only one that can do it, or can do it in the claimed time. */
function onlyMachine(
  { start, end, duration = (end ?? Number.NaN) - start }: Row,
  op: number,
  instance: Instance | undefined,
): number | undefined {
  if (op < 0 || instance === undefined) return undefined;
  const [first, stop] = modesOf(instance, op);
  const modes = Array.from({ length: stop - first }, (_, i) => first + i);
  const able = new Set(modes.map((mode) => modeMachine(instance, mode)));
  if (able.size === 1) return able.values().next().value;
  const fitting = modes.filter((mode) => modeDuration(instance, mode) === duration);
  return fitting.length === 1 ? modeMachine(instance, fitting[0]) : undefined;
}

/** The step of a job on a machine; if there are several, the next one that has not been named. */
function stepOn(
  { ordinal }: Row,
  job: number,
  machine: number | undefined,
  instance: Instance | undefined,
  visits: Map<string, number>,
): number | undefined {
  const byPosition = ordinal === undefined ? undefined : ordinal - 1;
  const first = instance === undefined ? -1 : operationAt(instance, job, 0);
  if (instance === undefined || first < 0 || machine === undefined) return byPosition;
  if (byPosition !== undefined && canDo(instance, first + byPosition, machine)) return byPosition;
  return nextVisit(instance, job, machine, visits) ?? byPosition;
}

/** Whether a machine can do an operation, which may be beyond the last one. */
function canDo(instance: Instance, op: number, machine: number): boolean {
  return op < instance.operations && findMode(instance, op, machine) >= 0;
}

/**
 * The step of the next visit of a job to a machine, by the number of earlier calls. With alternative machines it is the
 * first operation that the machine can do and that no earlier call returned.
 */
export function nextVisit(
  instance: Instance,
  job: number,
  machine: number,
  visits: Map<string, number>,
): number | undefined {
  const key = instance.modes === null ? `${job}/${machine}` : '';
  const from = visits.get(key) ?? instance.jobOffset[job];
  for (let op = from; op < instance.jobOffset[job + 1]; op++) {
    if (findMode(instance, op, machine) < 0) continue;
    if (instance.modes !== null) {
      if (visits.has(`${op}`)) continue;
      visits.set(`${op}`, 1);
    } else visits.set(key, op + 1);
    return op - instance.jobOffset[job];
  }
  return undefined;
}

function endOf(
  { start, duration }: Row,
  op: number,
  machine: number,
  instance: Instance | undefined,
): number | undefined {
  if (duration !== undefined) return start + duration;
  if (op < 0 || instance === undefined) return undefined;
  const mode = findMode(instance, op, machine);
  return trueEnd(instance, mode < 0 ? modesOf(instance, op)[0] : mode, start);
}

/** The end of an operation in a mode, for a start that may be any number. */
function trueEnd(instance: Instance, mode: number, start: number): number {
  const duration = modeDuration(instance, mode);
  const isTime = Number.isInteger(start) && start >= 0 && start <= MAX_TIME;
  if (!isTime) return start + duration;
  return endOfWork(instance.calendar, modeMachine(instance, mode), duration, start);
}

/** Whether an entry has a machine and a duration of the instance, also across downtimes. */
export function fits(instance: Instance, { job, step, machine, start, end }: PlanEntry): boolean {
  const op = operationAt(instance, job, step);
  if (op < 0) return false;
  const [first, stop] = modesOf(instance, op);
  for (let mode = first; mode < stop; mode++) {
    if (modeMachine(instance, mode) !== machine) continue;
    if (modeDuration(instance, mode) === end - start) return true;
    if (trueEnd(instance, mode, start) === end) return true;
  }
  return false;
}
