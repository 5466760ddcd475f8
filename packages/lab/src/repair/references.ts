// Recomputes as references: everything free is searched for some seconds of processor time. They are kept
// by the content of their task, so that none is made twice.
import { createHash } from 'node:crypto';
import { canonicalJson } from '@alas-jssp/core';
import { recomputeRemainder } from 'alas-jssp/internal/lab';
import { createSchedule, type Objective, objectiveValue, type Schedule } from 'alas-jssp/jssp';
import { compensate, defaultPolicy, findMethod, policy, type RepairTask } from 'alas-jssp/lcrp';
import type { RepairCase } from './cases.js';
import { kept, readKept, withinProcessorTime } from './kept.js';

/** Where recomputes are kept, and the seconds of each. */
export interface ReferenceStore {
  directory: string;
  seconds: number;
}

/** A kept recompute. */
interface Reference {
  value: number;
  /** Seconds on the clock. */
  seconds: number;
  start: number[];
}

/** The schedule of the recompute of a case; null if it is not there and not to be made. */
export async function referenceOf(
  { task, objective }: RepairCase,
  { directory, seconds, isMade }: ReferenceStore & { isMade: boolean },
) {
  const file = fileOf(task, objective, directory, seconds);
  const compute = () => recompute(task, objective, seconds);
  const found = isMade ? await kept(file, compute) : readKept<Reference>(file);
  return found === null ? null : createSchedule(task.instance, Int32Array.from(found.start));
}

/** Whether the recompute of a case is there. */
export function hasReference(
  { task, objective }: RepairCase,
  { directory, seconds }: ReferenceStore,
) {
  return readKept(fileOf(task, objective, directory, seconds)) !== null;
}

/** A search from the better of compensation and dispatching, realigned with the plan. */
async function recompute(
  task: RepairTask,
  objective: Objective,
  seconds: number,
): Promise<Reference> {
  const { schedule: dispatched } = await findMethod('dispatch').repair(task, defaultPolicy, {
    seed: 0,
  });
  const compensated = compensate(task);
  const value = (schedule: Schedule) => objectiveValue(schedule, objective);
  const best = value(dispatched) < value(compensated) ? dispatched : compensated;
  const rules = policy({ objective });
  const began = performance.now();
  const found = await withinProcessorTime(seconds, (signal: AbortSignal) =>
    recomputeRemainder(task, best, rules, 1e12, { seed: 0, signal }),
  );
  const wall = (performance.now() - began) / 1000;
  return { value: value(found), seconds: Number(wall.toFixed(1)), start: [...found.start] };
}

function fileOf(task: RepairTask, objective: Objective, directory: string, seconds: number) {
  const text = canonicalJson({ ...contentOf(task, objective), objective, seconds });
  return `${directory}/recomputes/${createHash('sha256').update(text).digest('hex')}.json`;
}

/** What a recompute depends on: due dates and weights only where they count. */
function contentOf({ instance, planned }: RepairTask, objective: Objective) {
  const list = (array: Iterable<number> | null | undefined) =>
    array === null || array === undefined ? null : [...array];
  const { machines, jobOffset, machine, duration, release, deadline, frozen, calendar } = instance;
  const isDue = objective !== 'makespan';
  return {
    machines,
    jobOffset: list(jobOffset),
    machine: list(machine),
    duration: list(duration),
    release: list(release),
    due: isDue ? list(instance.due) : null,
    weight: isDue ? list(instance.weight) : null,
    deadline: list(deadline),
    frozen: list(frozen),
    calendar: calendar && {
      offset: list(calendar.offset),
      from: list(calendar.from),
      to: list(calendar.to),
      resumable: list(calendar.resumable),
    },
    planned: list(planned),
  };
}
