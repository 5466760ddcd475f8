import { completionTime, earliestStart } from '../../jssp/calendar.js';
import type { Instance } from '../../jssp/instance.js';
import { totalWeightedTardiness } from '../../jssp/objectives.js';
import { createSchedule, type Schedule } from '../../jssp/schedule.js';
import { refuseUnlessPlain } from '../../jssp/shop-parts.js';
import { insertUnplanned } from '../phases/compensate.js';
import { type RepairMethod, type RepairTask, singlePhaseResult } from '../task.js';
import { giveWay } from './give-way.js';

/**
 * Postponement: every job with an operation that cannot start as planned gives up its places from that operation on,
 * and takes the first remaining gaps; no other operation moves. New jobs take gaps, too. If a job would be late it may
 * take the places of jobs that are due after it ({@link giveWay}), if that lowers the total weighted tardiness. So few
 * operations move, but they may end much later.
 *
 * Feasible except for deadlines. Ignores the policy. Refuses shops with setups, transport, graphs or resources.
 * O(N log N), plus the length of queues for each operation that moves.
 */
export const postpone: RepairMethod = {
  name: 'postpone',
  repair: (task) => singlePhaseResult(postponed(task), 'compensation'),
};

/** The schedule of {@link postpone}. */
export function postponed(task: RepairTask): Schedule {
  const { instance } = task;
  refuseUnlessPlain(instance, 'the method postpone');
  const kept = keptStarts(task);
  const inGaps = completed(task, kept.slice());
  if (totalWeightedTardiness(inGaps) === 0 || instance.operations > MAX_OPERATIONS) return inGaps;
  giveWay(instance, kept);
  const inPlaces = completed(task, kept);
  return totalWeightedTardiness(inPlaces) < totalWeightedTardiness(inGaps) ? inPlaces : inGaps;
}

/** The size up to which {@link giveWay} takes no longer than a repair. */
const MAX_OPERATIONS = 20_000;

function completed(task: RepairTask, start: Int32Array): Schedule {
  insertUnplanned(task, start, createSchedule(task.instance, start).end.slice());
  return createSchedule(task.instance, start);
}

/** N entries: frozen and planned starts that are compatible, −1 after the first operation of a job that is not. */
function keptStarts({ instance, planned }: RepairTask): Int32Array {
  const { operations, jobs, machines, jobOf, machine, duration, frozen } = instance;
  const start = new Int32Array(operations).fill(-1);
  const jobFree = new Int32Array(jobs);
  const machineFree = new Int32Array(machines);
  const put = (op: number, time: number) => {
    start[op] = time;
    const end = completionTime(instance, op, time);
    jobFree[jobOf[op]] = Math.max(jobFree[jobOf[op]], end);
    if (duration[op] > 0) machineFree[machine[op]] = Math.max(machineFree[machine[op]], end);
  };
  for (let op = 0; op < operations; op++)
    if (frozen !== null && frozen[op] >= 0) put(op, frozen[op]);
  const isOut = new Uint8Array(jobs);
  for (const op of freeByPlan(instance, planned)) {
    const job = jobOf[op];
    if (isOut[job] === 1) continue;
    const time = planned[op];
    const ready = Math.max(jobFree[job], duration[op] > 0 ? machineFree[machine[op]] : 0);
    if (time >= ready && earliestStart(instance, op, time) === time) put(op, time);
    else isOut[job] = 1;
  }
  return start;
}

/** The free operations that have a plan, by planned start. */
function freeByPlan({ frozen }: Instance, planned: Int32Array): number[] {
  return Array.from(planned.keys())
    .filter((op) => planned[op] >= 0 && !(frozen !== null && frozen[op] >= 0))
    .sort((a, b) => planned[a] - planned[b] || a - b);
}
