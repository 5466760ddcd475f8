import { earliestStart } from '../jssp/calendar.js';
import { horizonOf } from '../jssp/horizon.js';
import type { Instance } from '../jssp/instance.js';
import { type Candidate, isSchedule } from '../jssp/plan.js';

/** Something odd that breaks no rule. */
export interface Warning {
  readonly code: 'other_instance' | 'idle_start' | 'beyond_horizon';
  readonly message: string;
}

/**
 * Looks for signs of a mistake: a schedule made for an instance of another name, a plan that
 * lets every machine idle at first, a plan longer than doing everything one after the other.
 *
 * @param starts N start times
 * @param makespan null for an incomplete schedule, which is only asked for its instance
 */
export function findWarnings(
  instance: Instance,
  candidate: Candidate,
  starts: Int32Array,
  makespan: number | null,
): Warning[] {
  const warnings: Warning[] = [];
  if (isSchedule(candidate) && candidate.instance.name !== instance.name) {
    warnings.push({
      code: 'other_instance',
      message: `the schedule was made for ${candidate.instance.name}, not for ${instance.name}`,
    });
  }
  if (makespan === null || instance.operations === 0) return warnings;
  const first = starts.reduce((a, b) => Math.min(a, b));
  const earliest = earliestFirstStart(instance);
  if (first > earliest) {
    warnings.push({
      code: 'idle_start',
      message: `nothing starts before ${first}, but work could start at ${earliest}`,
    });
  }
  const horizon = horizonOf(instance);
  if (makespan > horizon) {
    warnings.push({
      code: 'beyond_horizon',
      message: `the makespan of ${makespan} is longer than doing everything one after the other (${horizon})`,
    });
  }
  return warnings;
}

function earliestFirstStart(instance: Instance): number {
  const { jobs, jobOffset } = instance;
  let earliest = Number.POSITIVE_INFINITY;
  for (let job = 0; job < jobs; job++) {
    if (jobOffset[job] === jobOffset[job + 1]) continue;
    earliest = Math.min(earliest, earliestStart(instance, jobOffset[job], 0));
  }
  return earliest;
}
