import type { Instance } from './instance.js';
import { operationLabels } from './operation-labels.js';
import { english, type Sentences } from './sentences/english.js';
import { clockFor } from './shop-clock.js';

/**
 * How a shop refers to its jobs, machines, steps and times in sentences: by its own names and clock if it has them,
 * otherwise by numbers, jobs and steps from 1 and machines from 0.
 */
export interface Words {
  /** `WO-4711`, or `job 3`. */
  job(job: number): string;
  /** `Lathe 2`, or `machine 2`. */
  machine(machine: number): string;
  /** `Ana`, or `resource 1`; from 0. */
  resource(resource: number): string;
  /** `turning`, `turning (2)` if the job has two such steps, or `step 5`; job and step from 0. */
  step(job: number, step: number): string;
  /** `WO-4711, turning`, or `job 3, step 5`. */
  operation(op: number): string;
  /** `Mon 23 Nov 14:10`, or `14:10` if `near` is on the same day; or `120`. */
  time(time: number, near?: number): string;
  /** `12 min`, or `12`. */
  duration(units: number): string;
  /** The sentences that use these words. */
  readonly sentences: Sentences;
}

const known = new WeakMap<Instance, Map<Sentences, Words>>();

/** The words of an instance in a language; default: English. */
export function wordsOf(instance: Instance, sentences: Sentences = english): Words {
  const inLanguages = known.get(instance) ?? new Map<Sentences, Words>();
  known.set(instance, inLanguages);
  const words = inLanguages.get(sentences) ?? createWords(instance, sentences);
  inLanguages.set(sentences, words);
  return words;
}

/** The words of a shop without names and clock, in English. */
export const numberWords: Omit<Words, 'operation'> = {
  job: (job) => english.names.job(job + 1),
  machine: english.names.machine,
  resource: (resource) => english.names.resource(resource + 1),
  step: (_, step) => english.names.step(step + 1),
  time: String,
  duration: String,
  sentences: english,
};

function createWords(instance: Instance, sentences: Sentences): Words {
  const { names, jobOf, jobOffset, timeScale, resources } = instance;
  const { names: unnamed } = sentences;
  const labels = operationLabels(instance);
  const { time, duration } = clockFor(timeScale, sentences.clock);
  const words: Words = {
    sentences,
    job: (job) => names?.jobs?.[job] || unnamed.job(job + 1),
    machine: (machine) => names?.machines?.[machine] || unnamed.machine(machine),
    resource: (resource) => resources?.names?.[resource] || unnamed.resource(resource + 1),
    step(job, step) {
      const op = jobOffset[job] + step;
      const name = step >= 0 && op < jobOffset[job + 1] ? labels?.[op] : undefined;
      return name || unnamed.step(step + 1);
    },
    operation: (op) =>
      `${words.job(jobOf[op])}, ${words.step(jobOf[op], op - jobOffset[jobOf[op]])}`,
    time,
    duration,
  };
  return words;
}

/** The completion of all work: `makespan 812`, or `all done by Tue 24 Nov 16:20` if the shop has a clock. */
export function endWords({ timeScale }: Instance, makespan: number | null): string {
  const { plan } = english;
  if (timeScale === null || makespan === null) return plan.makespan(String(makespan));
  return plan.end(clockFor(timeScale).time(makespan));
}

/**
 * The completion of all work before and after a change: `makespan 812 → 820`, or `all done by Tue 24 Nov 16:20 instead
 * of 16:05`.
 */
export function endChangeWords(
  { timeScale }: Instance,
  { before, after }: { readonly before: number | null; readonly after: number },
): string {
  const { plan } = english;
  if (timeScale === null) return plan.makespanChange(String(before), String(after));
  const { time } = clockFor(timeScale);
  const end = plan.end(time(after));
  if (before === null) return end;
  return `${end} ${before === after ? plan.asBefore : plan.insteadOf(time(before, after))}`;
}

/** A warning that work ends after the last known shift; undefined if it does not. */
export function afterShiftsWords(
  { calendar, timeScale }: Pick<Instance, 'calendar' | 'timeScale'>,
  end: number,
  { plan, clock }: Sentences = english,
): string | undefined {
  const until = calendar?.until;
  if (until === undefined || end <= until) return undefined;
  const { time } = clockFor(timeScale, clock);
  return plan.afterShifts(time(until), time(end));
}

/** An operation in words: `WO-4711, turning`, or counted from 1 as in files: `job 2, step 5`. */
export function describeOperation(instance: Instance, op: number): string {
  return wordsOf(instance).operation(op);
}

/** The additional constraints of an instance in words: `due dates`, `downtimes`. */
export function constraintsOf(instance: Instance): string[] {
  const names = {
    release: 'releases',
    due: 'due dates',
    weight: 'weights',
    deadline: 'deadlines',
    frozen: 'frozen starts',
    calendar: 'downtimes',
    modes: 'alternative machines',
    setups: 'setups',
    transport: 'transport times',
    precedence: 'precedence graphs or waiting times',
    resources: 'operators or tools',
  } as const;
  return Object.entries(names)
    .filter(([key]) => instance[key as keyof typeof names] !== null)
    .map(([, name]) => name);
}
