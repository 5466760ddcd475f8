import type { Instance } from '../../jssp/instance.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import type { Schedule } from '../../jssp/schedule.js';
import type { Phase, Repaired, RepairTask } from '../task.js';
import type { Times } from '../times.js';
import { editRadius } from './edit-radius.js';
import { type SequenceDeviation, sequenceDeviation } from './sequence-deviation.js';
import { matchUpTime, type StartDeviation, startDeviation } from './start-deviation.js';

/** A value of the plan, after phases that a method may have (else null), and in the end. */
interface Progress {
  readonly before: number;
  /** After local compensation. */
  readonly compensated: number | null;
  /** After reordering and growth, before any fallback. */
  readonly reordered: number | null;
  readonly final: number;
}

/** What a repair changed, and what came of it. Times are in the instance's unit. */
export interface RepairMetrics {
  /** Operations that the events affected directly. */
  readonly affected: number;
  /** What is otherwise than planned; operations that nobody had planned are not counted. */
  readonly edited: {
    /** Free operations with another start or another place in the queue of their machine. */
    readonly operations: number;
    /** Those with another start. */
    readonly starts: number;
    /** Those with another place among the planned operations of their machine. */
    readonly ranks: number;
    /** Jobs and machines of edited operations. */
    readonly jobs: number;
    readonly machines: number;
    /** Edited operations as a share of the free operations that were planned. */
    readonly fraction: number;
    /** The largest distance of an edited operation from the affected ones; null: out of reach. */
    readonly radius: number | null;
  };
  /** Operations that have no start: only a plan that was not repaired has any. */
  readonly unscheduled: number;
  readonly starts: Omit<StartDeviation, 'changed'>;
  readonly sequences: Omit<SequenceDeviation, 'moved'>;
  /** From now until everything is as planned again; null if that is never. */
  readonly matchUp: number | null;
  readonly makespan: Progress;
  /** Total weighted tardiness. */
  readonly tardiness: Progress;
  readonly phase: Phase;
  readonly evaluations: number;
}

/**
 * Measures a repair against the plan. Only operations that are free now and had a planned start are
 * compared: what has started cannot be changed, and what is new cannot differ from a plan. (A
 * running operation that ends later counts in the match-up time alone.) Pure; O(N log N).
 *
 * The value before is that of what was planned of the operations there are now, with the due dates
 * and weights there are now, and without jobs that were not planned.
 *
 * @param before what was planned, in the numbers of the task; its starts are `task.planned`
 */
export function measureRepair(
  task: RepairTask,
  before: Times,
  { schedule, compensated, reordered, phase, evaluations }: Repaired,
): RepairMetrics {
  const { instance, now } = task;
  const { frozen } = instance;
  const isFree = (op: number) => frozen === null || frozen[op] < 0;
  const { changed, ...starts } = startDeviation(before, schedule, isFree);
  const { moved, ...sequences } = sequenceDeviation(instance, before, schedule, isFree);
  const edited = new Set([...changed, ...moved]);
  const matchUp = matchUpTime(before, schedule);
  const progress = (value: (schedule: Schedule) => number): Progress => ({
    before: value(scheduleOfTimes(instance, before)),
    compensated: compensated === null ? null : value(compensated),
    reordered: reordered === null ? null : value(reordered),
    final: value(schedule),
  });
  return {
    affected: task.affected.length,
    edited: {
      operations: edited.size,
      starts: changed.length,
      ranks: moved.length,
      jobs: countDistinct(edited, instance.jobOf),
      machines: countDistinct(edited, instance.machine),
      fraction: starts.compared === 0 ? 0 : edited.size / starts.compared,
      radius: editRadius(task, edited),
    },
    unscheduled: schedule.start.reduce((count, start) => count + (start < 0 ? 1 : 0), 0),
    starts,
    sequences,
    matchUp: matchUp === null ? null : Math.max(0, matchUp - now),
    makespan: progress(({ makespan }) => makespan),
    tardiness: progress(totalWeightedTardiness),
    phase,
    evaluations,
  };
}

/** Times as a schedule: completion times stay as they are, whatever the instance says now. */
function scheduleOfTimes(instance: Instance, { start, end }: Times): Schedule {
  const makespan = end.reduce((latest, time) => Math.max(latest, time), 0);
  return { instance, start, end, makespan };
}

function countDistinct(operations: Iterable<number>, groupOf: Int32Array): number {
  const groups = new Set<number>();
  for (const op of operations) groups.add(groupOf[op]);
  return groups.size;
}
