import type { Instance } from './instance.js';
import { operationLabels } from './operation-labels.js';
import { clockFor } from './shop-clock.js';

/**
 * How a shop speaks of what is numbered, in sentences for people: by its own names and clock where it has
 * them, else by numbers, jobs and steps from 1 and machines from 0.
 */
export interface Words {
  /** `WO-4711`, or `job 3`. */
  job(job: number): string;
  /** `Lathe 2`, or `machine 2`. */
  machine(machine: number): string;
  /** `turning`, `turning (2)` of a job with two of them, or `step 5`; job and step from 0. */
  step(job: number, step: number): string;
  /** `WO-4711, turning`, or `job 3, step 5`. */
  operation(op: number): string;
  /** `Mon 23 Nov 14:10`, or `14:10` on the day of a time that is near; or `120`. */
  time(time: number, near?: number): string;
  /** `12 min`, or `12`. */
  duration(units: number): string;
}

const known = new WeakMap<Instance, Words>();

/** The words of an instance. */
export function wordsOf(instance: Instance): Words {
  const words = known.get(instance) ?? createWords(instance);
  known.set(instance, words);
  return words;
}

/** The words of a shop without names and clock. */
export const numberWords: Omit<Words, 'operation'> = {
  job: (job) => `job ${job + 1}`,
  machine: (machine) => `machine ${machine}`,
  step: (_, step) => `step ${step + 1}`,
  time: String,
  duration: String,
};

function createWords(instance: Instance): Words {
  const { names, jobOf, jobOffset, timeScale } = instance;
  const labels = operationLabels(instance);
  const { time, duration } = clockFor(timeScale);
  const words: Words = {
    job: (job) => names?.jobs?.[job] || numberWords.job(job),
    machine: (machine) => names?.machines?.[machine] || numberWords.machine(machine),
    step(job, step) {
      const op = jobOffset[job] + step;
      const name = step >= 0 && op < jobOffset[job + 1] ? labels?.[op] : undefined;
      return name || numberWords.step(job, step);
    },
    operation: (op) =>
      `${words.job(jobOf[op])}, ${words.step(jobOf[op], op - jobOffset[jobOf[op]])}`,
    time,
    duration,
  };
  return words;
}

/** When all is done: `makespan 812`, or `all done by Tue 24 Nov 16:20` where the shop has a clock. */
export function endWords({ timeScale }: Instance, makespan: number | null): string {
  if (timeScale === null || makespan === null) return `makespan ${makespan}`;
  return `all done by ${clockFor(timeScale).time(makespan)}`;
}

/** The same before and after: `makespan 812 → 820`, or `all done by Tue 24 Nov 16:20 instead of 16:05`. */
export function endChangeWords(
  { timeScale }: Instance,
  { before, after }: { readonly before: number | null; readonly after: number },
): string {
  if (timeScale === null) return `makespan ${before} → ${after}`;
  const { time } = clockFor(timeScale);
  const end = `all done by ${time(after)}`;
  if (before === null) return end;
  return before === after ? `${end} as before` : `${end} instead of ${time(before, after)}`;
}

/** A warning of work that ends after the time up to which shifts are known; undefined if there is none. */
export function afterShiftsWords(
  { calendar, timeScale }: Pick<Instance, 'calendar' | 'timeScale'>,
  end: number,
): string | undefined {
  const until = calendar?.until;
  if (until === undefined || end <= until) return undefined;
  const { time } = clockFor(timeScale);
  return `shifts are known until ${time(until)}: work after it, up to ${time(end)}, is planned day and night; import again with a later --horizon`;
}

/** A reader's words for an operation: `WO-4711, turning`, or counted from 1 as in files: `job 2, step 5`. */
export function describeOperation(instance: Instance, op: number): string {
  return wordsOf(instance).operation(op);
}

/** The words for all that an instance has beside jobs and machines: `due dates`, `downtimes`. */
export function constraintsOf(instance: Instance): string[] {
  const names = {
    release: 'releases',
    due: 'due dates',
    weight: 'weights',
    deadline: 'deadlines',
    frozen: 'frozen starts',
    calendar: 'downtimes',
  } as const;
  return Object.entries(names)
    .filter(([key]) => instance[key as keyof typeof names] !== null)
    .map(([, name]) => name);
}
