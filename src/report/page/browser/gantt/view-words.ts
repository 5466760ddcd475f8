import { clockFor } from '../../../../jssp/shop-clock.js';
import type { ScheduleView } from '../../views/schedule-data.js';
import { CHART_TEXTS, type ChartTexts } from './chart-texts.js';

/** The words for a drawn schedule, with the names and the clock of its shop if it has them. */
export interface ViewWords {
  job(job: number): string;
  machine(machine: number): string;
  /** `turning`, or `step 2`. */
  step(op: number): string;
  /** `WO-4711, turning`, or `job 3, step 5`. */
  operation(op: number): string;
  /** `Mon 23 Nov 14:10`, or `14:10` on the day of a time that is near; without a clock the number. */
  time(time: number, near?: number): string;
  /** `12 min`; without a clock the number. */
  duration(units: number): string;
  /** Texts for the bars of a job, the longest first: its name, the distinct part of it, or its number. */
  jobLabels(job: number): readonly string[];
  /** N entries: the job of each operation. */
  readonly jobOf: Int32Array;
  readonly texts: ChartTexts;
}

/** The words of a schedule. */
export function wordsOfView(view: ScheduleView, texts: ChartTexts = CHART_TEXTS): ViewWords {
  const { names, timeScale, jobs, jobOffset, machine } = view;
  const jobOf = new Int32Array(machine.length);
  for (let job = 0; job < jobs; job++) jobOf.fill(job, jobOffset[job], jobOffset[job + 1]);
  const job = (j: number) => names?.jobs?.[j] || texts.job(j + 1);
  const step = (op: number) => names?.operations?.[op] || texts.step(op - jobOffset[jobOf[op]] + 1);
  const clock = clockFor(timeScale, texts.clock);
  const prefix = commonPrefix(names?.jobs?.filter((name) => name !== '') ?? []);
  return {
    jobOf,
    texts,
    job,
    step,
    machine: (k) => names?.machines?.[k] || texts.machine(k),
    operation: (op) => `${job(jobOf[op])}, ${step(op)}`,
    time: (time, near) => clock.time(time, near),
    duration: clock.duration,
    jobLabels(j) {
      const name = names?.jobs?.[j];
      return name ? [name, name.slice(prefix)] : [String(j + 1)];
    },
  };
}

/** The length of the common prefix of names before the first digit: that of `WO-` for `WO-4711` and `WO-4712`. */
function commonPrefix(names: readonly string[]): number {
  if (names.length < 2) return 0;
  const [first, ...others] = names;
  let length = 0;
  while (length < first.length - 1 && !/\d/.test(first[length])) {
    const sign = first[length];
    if (others.some((name) => name[length] !== sign || name.length <= length + 1)) break;
    length++;
  }
  return length;
}
