import type { MovesView, MoveView, ScheduleView } from '../../../../harness/page/schedule-data.js';

/**
 * The operations that start at another time in a proposal than in the schedule that is followed, as the chart
 * draws them. Jobs and steps keep their numbers, operations do not.
 *
 * @param why the cause of the move of an operation of the proposal, in words, as far as the service says
 */
export function movesBetween(
  before: ScheduleView,
  after: ScheduleView,
  why: (op: number) => string,
): MovesView {
  const moved: MoveView[] = [];
  let known = 0;
  for (let job = 0; job < after.jobs; job++) {
    const steps = after.jobOffset[job + 1] - after.jobOffset[job];
    for (let step = 0; step < steps; step++) {
      const operation = after.jobOffset[job] + step;
      const old = operationOf(before, job, step);
      if (old >= 0) known++;
      const start = old < 0 ? -1 : before.start[old];
      if (start === after.start[operation]) continue;
      const end = old < 0 ? -1 : before.end[old];
      const later = start < after.start[operation] ? 'later' : 'earlier';
      const cause = old < 0 ? 'missing' : later;
      moved.push({ operation, start, end, cause, waitsFor: -1, why: why(operation) });
    }
  }
  moved.sort((a, b) => after.start[a.operation] - after.start[b.operation]);
  return { moved, makespan: before.makespan, gone: before.machine.length - known };
}

function operationOf({ jobs, jobOffset }: ScheduleView, job: number, step: number): number {
  if (job >= jobs || jobOffset[job] + step >= jobOffset[job + 1]) return -1;
  return jobOffset[job] + step;
}
