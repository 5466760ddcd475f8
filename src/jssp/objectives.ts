import type { Instance } from './instance.js';
import type { Schedule } from './schedule.js';

/** The objective of a schedule, which is minimised; {@link objectives} lists all. */
export type Objective = 'makespan' | 'total-weighted-tardiness';

/** Every objective there is. */
export const objectives: readonly Objective[] = ['makespan', 'total-weighted-tardiness'];

/** The default objective of an instance: total weighted tardiness if jobs have due dates, otherwise the makespan. */
export function objectiveOf({ due }: Pick<Instance, 'due'>): Objective {
  return due === null ? 'makespan' : 'total-weighted-tardiness';
}

/** The other one of the two objectives, which may break ties. */
export function otherObjective(objective: Objective): Objective {
  return objective === 'makespan' ? 'total-weighted-tardiness' : 'makespan';
}

/** The value of a schedule under an objective, in units of time (times weight); less is better. */
export function objectiveValue(schedule: Schedule, objective: Objective): number {
  return objective === 'makespan' ? schedule.makespan : totalWeightedTardiness(schedule);
}

/** The same for given completion times of jobs (n entries; 0 for a job without operations). */
export function objectiveOfEnds(
  instance: Instance,
  ends: Float64Array,
  objective: Objective,
): number {
  if (objective !== 'makespan') return sumOfTardiness(instance, (job) => ends[job]);
  return ends.reduce((latest, end) => Math.max(latest, end), 0);
}

/**
 * The sum, over all jobs with a due date, of weight × max(0, completion − due date): the objective Σ wⱼTⱼ of Singer and
 * Pinedo 1998, doi:10.1080/07408179808966461. Exact (a safe integer) for every valid schedule.
 *
 * A job is complete when the last of its operations is, downtimes included. As in the makespan, unscheduled operations
 * do not count: the value is meaningful for complete schedules.
 */
export function totalWeightedTardiness({ instance, end }: Schedule): number {
  const { jobOffset } = instance;
  return sumOfTardiness(instance, (job) => {
    let completion = 0;
    for (let op = jobOffset[job]; op < jobOffset[job + 1]; op++) {
      if (end[op] > completion) completion = end[op];
    }
    return completion;
  });
}

/** The total weighted tardiness for completion times given by `completionOf`. */
export function sumOfTardiness(
  { jobs, due, weight }: Instance,
  completionOf: (job: number) => number,
): number {
  if (due === null) return 0;
  let sum = 0;
  for (let job = 0; job < jobs; job++) {
    if (due[job] < 0) continue;
    sum += (weight?.[job] ?? 1) * Math.max(0, completionOf(job) - due[job]);
  }
  return sum;
}
