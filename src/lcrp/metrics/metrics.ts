import { type Instance, isFree } from '../../jssp/instance.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import {
  type MethodResult,
  type Phase,
  type RepairTask,
  reassignedIn,
  type Times,
} from '../task.js';
import { editRadius } from './edit-radius.js';
import { type SequenceDeviation, sequenceDeviation } from './sequence-deviation.js';
import { matchUpTime, type StartDeviation, startDeviation } from './start-deviation.js';

/** A value of the plan, after the optional phases of a method (else null), and of the result. */
interface Progress {
  readonly before: number;
  /** After local compensation. */
  readonly compensated: number | null;
  /** After reordering and growth, before any fallback. */
  readonly reordered: number | null;
  readonly final: number;
}

/**
 * Changes of a repair to the plan; unplanned operations are not counted. These are the keys of `repair` in records,
 * where they are sums over the repairs of an execution.
 */
export interface EditMetrics {
  /** Free operations with another start or another place in the queue of their machine. */
  readonly edited_operations: number;
  /** Jobs and machines of edited operations. */
  readonly edited_jobs: number;
  readonly edited_machines: number;
  /** The largest distance of an edited operation from the affected ones; null: unreachable. */
  readonly edit_radius: number | null;
  /** Operations with another start, … */
  readonly start_changes: number;
  /** … with another place among the planned operations of their machine, … */
  readonly rank_changes: number;
  /** … and in another mode, as a rule on another machine. */
  readonly reassigned: number;
  /** Units of time by which starts were moved, earlier or later. */
  readonly shift_total: number;
  /** Moved work in progress: operations that start earlier than planned, and by how much in total. */
  readonly wip_moves: number;
  readonly wip_units: number;
}

/** Distances between two schedules, for operations with a start in both. */
export interface DeviationMetrics
  extends Omit<StartDeviation, 'changed'>,
    Omit<SequenceDeviation, 'moved'> {
  /** Operations with another start, and with another place in the queue of their machine. */
  readonly start_changes: number;
  readonly rank_changes: number;
}

/** A repair that can be measured; a `RepairResult` is one. */
export interface MeasuredRepair extends MethodResult {
  readonly task: RepairTask;
  readonly before: Times;
}

/**
 * Changes that a repair made, and their consequences. Times are in the instance's unit. Metrics have the names of the
 * records everywhere, so that they are written unchanged.
 */
export interface RepairMetrics extends EditMetrics, DeviationMetrics {
  /** The last phase that changed the schedule. */
  readonly phase: Phase;
  /** Operations that the events affected directly. */
  readonly affected: number;
  /** Edited operations as a share of the free operations that were planned. */
  readonly edited_fraction: number;
  /** Operations without a start: only a plan that was not repaired has any. */
  readonly unscheduled: number;
  /** The time from now until everything is as planned again; null if that is never. */
  readonly match_up: number | null;
  readonly makespan: Progress;
  /** Total weighted tardiness. */
  readonly tardiness: Progress;
  /** Moves that were evaluated. */
  readonly evaluations: number;
}

/**
 * Measures a repair against the plan. Only operations that are free now and had a planned start are compared: started
 * operations cannot be changed, and new ones have no plan. (A running operation that ends later counts in the match-up
 * time alone.) Pure; O(N log N).
 *
 * The value of the plan covers the planned operations that still exist, with the current due dates and weights, and
 * excludes unplanned jobs.
 *
 * @param repair as `repair` and the engine return it, or the result of a method with its task and `before`, the planned
 *   times in the numbers of the task; their starts are `task.planned`
 */
export function measureRepair(repair: MeasuredRepair): RepairMetrics {
  const { task, before, schedule, compensated, reordered, phase, evaluations } = repair;
  const { instance, now } = task;
  const isElsewhere = reassignedIn(task, schedule);
  const { changed, moved, reassigned, ...deviation } = deviate(
    schedule.instance,
    before,
    schedule,
    (op) => isFree(instance, op),
    isElsewhere,
  );
  const edited = new Set([...changed, ...moved, ...reassigned]);
  const matchUp = matchUpTime(before, schedule);
  const progress = (value: (schedule: Schedule) => number): Progress => ({
    before: value(scheduleOfTimes(instance, before)),
    compensated: compensated === null ? null : value(compensated),
    reordered: reordered === null ? null : value(reordered),
    final: value(schedule),
  });
  return {
    phase,
    affected: task.affected.length,
    edited_operations: edited.size,
    edited_jobs: countDistinct(edited, instance.jobOf),
    edited_machines: machinesOf(edited, instance, schedule).size,
    edited_fraction: deviation.compared === 0 ? 0 : edited.size / deviation.compared,
    edit_radius: editRadius(task, edited),
    ...deviation,
    reassigned: reassigned.length,
    unscheduled: schedule.start.reduce((count, start) => count + (start < 0 ? 1 : 0), 0),
    match_up: matchUp === null ? null : Math.max(0, matchUp - now),
    makespan: progress(({ makespan }) => makespan),
    tardiness: progress(totalWeightedTardiness),
    evaluations,
  };
}

/** Distances between the times of an instance, for the operations that `isCompared` selects. */
export function deviationOf(
  instance: Instance,
  before: Times,
  after: Times,
  isCompared: (op: number) => boolean,
  isElsewhere: (op: number) => boolean = () => false,
): DeviationMetrics {
  const compared = deviate(instance, before, after, isCompared, isElsewhere);
  const { changed, moved, reassigned, ...deviation } = compared;
  return deviation;
}

function deviate(
  instance: Instance,
  before: Times,
  after: Times,
  isCompared: (op: number) => boolean,
  isElsewhere: (op: number) => boolean,
): DeviationMetrics & Edited {
  const starts = startDeviation(before, after, isCompared);
  const isAtHome = (op: number) => isCompared(op) && !isElsewhere(op);
  const sequences = sequenceDeviation(instance, before, after, isAtHome);
  const reassigned: number[] = [];
  for (let op = 0; op < before.start.length; op++) {
    const hasBoth = before.start[op] >= 0 && after.start[op] >= 0;
    if (hasBoth && isCompared(op) && isElsewhere(op)) reassigned.push(op);
  }
  const [start_changes, rank_changes] = [starts.changed.length, sequences.moved.length];
  return { start_changes, rank_changes, reassigned, ...starts, ...sequences };
}

/** The operations with another start, another place, and another mode. */
interface Edited extends Pick<StartDeviation, 'changed'>, Pick<SequenceDeviation, 'moved'> {
  readonly reassigned: readonly number[];
}

/** The machines of edited operations, before and after. */
function machinesOf(
  edited: Iterable<number>,
  { machine }: Instance,
  { instance }: Schedule,
): ReadonlySet<number> {
  const machines = new Set<number>();
  for (const op of edited) machines.add(machine[op]).add(instance.machine[op]);
  return machines;
}

/** Times as a schedule: completion times are kept, even if the instance has changed. */
function scheduleOfTimes(instance: Instance, { start, end }: Times): Schedule {
  const makespan = end.reduce((latest, time) => Math.max(latest, time), 0);
  return { instance, mode: instance.modes?.chosen ?? null, start, end, makespan };
}

function countDistinct(operations: Iterable<number>, groupOf: Int32Array): number {
  const groups = new Set<number>();
  for (const op of operations) groups.add(groupOf[op]);
  return groups.size;
}
