// Recomputes as references: everything free is searched for some seconds of processor time. They are kept
// by the content of their task, so that none is made twice.
import { createHash } from 'node:crypto';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { createSchedule, objectiveValue } from 'alas-jssp/jssp';
import { compensate, defaultPolicy, findMethod, policy } from 'alas-jssp/lcrp';
import { recomputeRemainder } from '../../dist/lcrp/phases/fallback.js';
import { kept, readKept, withinProcessorTime } from './kept.mjs';

/** The schedule of the recompute of a case; null if it is not there and not to be made. */
export async function referenceOf({ task, objective }, { directory, seconds, isMade }) {
  const file = fileOf(task, objective, directory, seconds);
  const compute = () => recompute(task, objective, seconds);
  const found = isMade ? await kept(file, compute) : readKept(file);
  return found === null ? null : createSchedule(task.instance, Int32Array.from(found.start));
}

/** Whether the recompute of a case is there. */
export function hasReference({ task, objective }, { directory, seconds }) {
  return readKept(fileOf(task, objective, directory, seconds)) !== null;
}

/** A search from the better of compensation and dispatching, realigned with the plan. */
async function recompute(task, objective, seconds) {
  const { schedule: dispatched } = findMethod('dispatch').repair(task, defaultPolicy, { seed: 0 });
  const compensated = compensate(task);
  const value = (schedule) => objectiveValue(schedule, objective);
  const best = value(dispatched) < value(compensated) ? dispatched : compensated;
  const rules = policy({ objective });
  const began = performance.now();
  const found = await withinProcessorTime(seconds, (signal) =>
    recomputeRemainder(task, best, rules, 1e12, { seed: 0, signal }),
  );
  const wall = (performance.now() - began) / 1000;
  return { value: value(found), seconds: Number(wall.toFixed(1)), start: [...found.start] };
}

function fileOf(task, objective, directory, seconds) {
  const text = canonicalJson({ ...contentOf(task, objective), objective, seconds });
  return `${directory}/recomputes/${createHash('sha256').update(text).digest('hex')}.json`;
}

/** What a recompute depends on: due dates and weights only where they count. */
function contentOf({ instance, planned }, objective) {
  const list = (array) => (array === null || array === undefined ? null : [...array]);
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
