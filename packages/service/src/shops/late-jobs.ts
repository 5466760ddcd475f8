import { labelsOf } from 'alas-jssp/internal/service';
import { jobEnd, type Schedule } from 'alas-jssp/jssp';
import type { LateJob } from '../api/shop-schemas.js';
import { wireTime } from '../api/wire.js';

/** The jobs that end after their due dates, the worst first. */
export function lateJobs(schedule: Schedule): LateJob[] {
  const { instance } = schedule;
  const { due, jobs, weight, timeScale } = instance;
  const labels = labelsOf(instance);
  if (due === null) return [];
  const late: LateJob[] = [];
  for (let job = 0; job < jobs; job++) {
    const end = jobEnd(schedule, job);
    if (due[job] < 0 || end <= due[job]) continue;
    late.push({
      job: labels.job(job),
      due: wireTime(timeScale, due[job]),
      end: wireTime(timeScale, end),
      late_by: end - due[job],
      weight: weight?.[job] ?? 1,
    });
  }
  return late.sort((a, b) => b.late_by * b.weight - a.late_by * a.weight);
}
