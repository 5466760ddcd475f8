import { InputError } from '@alas-jssp/core/errors';
import { horizonOf } from '../../jssp/bounds.js';
import type { Instance } from '../../jssp/instance.js';
import type { PlanEntry } from '../../jssp/plan.js';
import type { PlanFormat } from '../planner-spec.js';
import { estimateTokens } from '../token-estimate.js';
import { formatFor } from './formats.js';
import { mostTakenTokens, partOf } from './part.js';
import { writeShop } from './shop.js';

/** The most that a model can read and write at once. */
export interface ModelLimits {
  /** Tokens of a prompt and its answer together. */
  readonly contextTokens: number;
  /** Tokens of an answer. */
  readonly outputTokens: number;
  readonly format: PlanFormat;
  /** Tokens that a template adds to a prompt. Default: 0. */
  readonly frame?: number | undefined;
  /** Number of earlier answers that a prompt contains, in addition to the shop. Default 0. */
  readonly answers?: number | undefined;
}

/** Jobs that are planned together, in one prompt. */
export interface Window {
  /** From 0, in increasing order. */
  readonly jobs: readonly number[];
  /** Estimates: of the prompt without earlier answers, of a complete answer, and of its list of times. */
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly takenTokens: number;
}

/** Tokens of a prompt without the shop: the role, the task, and the format of the answer. */
export const PROMPT_ROOM = 400;

/** Share of an answer beyond the shortest way of writing it: models add blanks and line ends. */
export const LOOSE_WRITING = 1.25;

/** The share of a context that may list the machine times of earlier windows. */
const TAKEN_SHARE = 0.25;

/**
 * Splits an instance into windows of jobs that fit the limits of a model: usually one window with all jobs. The windows
 * are planned one after the other, each around the machine times of the earlier ones. O(N log N) for windows that hold
 * many jobs.
 *
 * @throws InputError `context_too_small`, with the numbers, if a job does not fit by itself
 */
export function planWindows(instance: Instance, limits: ModelLimits): Window[] {
  const jobs = Array.from({ length: instance.jobs }, (_, job) => job);
  const whole = windowOf(instance, jobs, 0, limits);
  if (fits(whole, limits)) return [whole];
  const windows: Window[] = [];
  for (let from = 0; from < instance.jobs; ) {
    const taken = takenTokens(instance, from, limits);
    const attempt = (count: number) =>
      windowOf(instance, jobs.slice(from, from + count), taken, limits);
    const window = largest(attempt, instance.jobs - from, limits);
    windows.push(window);
    from += window.jobs.length;
  }
  return windows;
}

/** The largest window that fits: found by doubling, then by bisection. */
function largest(attempt: (count: number) => Window, most: number, limits: ModelLimits): Window {
  let best = attempt(1);
  if (!fits(best, limits)) throw tooSmall(best, limits);
  let step = 1;
  for (; best.jobs.length + step <= most; step *= 2) {
    const larger = attempt(best.jobs.length + step);
    if (!fits(larger, limits)) break;
    best = larger;
  }
  for (; step >= 1; step = Math.floor(step / 2)) {
    if (best.jobs.length + step > most) continue;
    const larger = attempt(best.jobs.length + step);
    if (fits(larger, limits)) best = larger;
  }
  return best;
}

function fits({ promptTokens, answerTokens }: Window, limits: ModelLimits): boolean {
  const { contextTokens, outputTokens, answers = 0 } = limits;
  return (
    answerTokens <= outputTokens && promptTokens + (1 + answers) * answerTokens <= contextTokens
  );
}

function windowOf(
  instance: Instance,
  jobs: readonly number[],
  takenTokens: number,
  { format, frame = 0 }: ModelLimits,
): Window {
  const isPart = jobs.length < instance.jobs;
  const part = isPart ? partOf(instance, jobs, { entries: [], tokens: 0 }) : instance;
  const promptTokens = estimateTokens(writeShop(part, isPart)) + PROMPT_ROOM + frame + takenTokens;
  return { jobs, promptTokens, answerTokens: answerTokens(part, format), takenTokens };
}

/** The share of a prompt for the times that the jobs before its window have taken. */
function takenTokens(instance: Instance, jobs: number, { contextTokens }: ModelLimits): number {
  // Frozen operations of later jobs occupy machines, too.
  const operations = instance.frozen === null ? instance.jobOffset[jobs] : instance.operations;
  if (operations === 0) return 0;
  const share = Math.max(TAKEN_SHARE * contextTokens, mostTakenTokens(instance, 0));
  return Math.floor(Math.min(share, mostTakenTokens(instance, operations)));
}

/** Estimated tokens of a complete plan in a format, if its times have as many digits as possible. */
function answerTokens(instance: Instance, format: PlanFormat): number {
  const { jobOffset, jobOf, machine } = instance;
  const latest = horizonOf(instance);
  const entries = Array.from(machine, (k, op): PlanEntry => {
    const job = jobOf[op];
    return { job, step: op - jobOffset[job], machine: k, start: latest, end: latest };
  });
  return Math.ceil(LOOSE_WRITING * estimateTokens(formatFor(instance, format).write(entries)));
}

function tooSmall({ jobs: [job], promptTokens, answerTokens }: Window, limits: ModelLimits) {
  const { contextTokens, outputTokens, format, answers = 0 } = limits;
  const beside = answers > 0 ? ` (and ${answers} such answers in the prompt)` : '';
  return new InputError(
    'context_too_small',
    `job ${job + 1} alone takes about ${promptTokens} tokens of prompt and ${answerTokens} of answer as ${format}${beside}, of a context of ${contextTokens} and answers of at most ${outputTokens}`,
    'give a model with a larger context, a larger output limit, or the format sequences',
    {},
    { promptTokens, answerTokens, contextTokens, outputTokens },
  );
}
