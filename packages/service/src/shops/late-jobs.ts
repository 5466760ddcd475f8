import { labelsOf } from 'alas-jssp/internal/service';
import type { Schedule } from 'alas-jssp/jssp';
import type { LateJob } from '../api/shop-schemas.js';
import { wireTime } from '../api/wire.js';

/** The jobs that end after their due dates, the worst first. */
export function lateJobs({ instance, end }: Schedule): LateJob[] {
  const { due, jobs, jobOffset, weight, timeScale } = instance;
  const labels = labelsOf(instance);
  if (due === null) return [];
  const late: LateJob[] = [];
  for (let job = 0; job < jobs; job++) {
    const last = jobOffset[job + 1] - 1;
    if (due[job] < 0 || last < jobOffset[job] || end[last] <= due[job]) continue;
    late.push({
      job: labels.job(job),
      due: wireTime(timeScale, due[job]),
      end: wireTime(timeScale, end[last]),
      late_by: end[last] - due[job],
      weight: weight?.[job] ?? 1,
    });
  }
  return late.sort((a, b) => b.late_by * b.weight - a.late_by * a.weight);
}
