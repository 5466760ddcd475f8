import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { timestamp } from '../../core/clock.js';
import { InputError } from '../../core/errors.js';
import type { Manifest } from '../../harness/run/manifest.js';
import { type FilledRunSpec, RUN_DEFAULTS, type RunSpec } from '../../harness/run/spec.js';
import type { RunCommandOptions } from './run-options.js';

/** The word for threads of this process. */
const HERE = 'here';

/**
 * The spec that the options stand for, as far as they are given: the rest is the default, or as it was in
 * the run to resume.
 *
 * @param before the spec of the run to resume
 * @param isGiven tells whether the user gave an option, or it has its default
 * @throws InputError `bad_option` for options that do not go together
 */
export function specOf(
  options: RunCommandOptions,
  before: FilledRunSpec | undefined,
  isGiven: (option: keyof RunCommandOptions) => boolean,
): RunSpec {
  return {
    suite: options.suite?.join(','),
    planners: options.planner,
    variants: options.variant,
    replicates: options.replicates,
    seed: isGiven('seed') ? options.seed : undefined,
    ...repairOf(options, before),
    rounds: options.rounds,
    objective: options.objective,
    dueTightness: options.dueTightness,
    optimize: options.optimize,
    disruption: disruptionOf(options, before?.disruption ?? null),
    limits: {
      seconds: options.timeLimit,
      megabytes: options.memory,
      threads: options.threads,
    },
    saveSchedules: options.saveSchedules || undefined,
    log: options.log,
    workers: options.workers ?? availableParallelism(),
    models: {
      record: options.record,
      prices: options.prices,
      concurrency: options.llmConcurrency,
      requestsPerMinute: options.requestsPerMinute,
      tokensPerMinute: options.tokensPerMinute,
      budget: {
        tokens: options.budgetTokens,
        usd: options.budgetUsd,
        seconds: options.budgetSeconds,
      },
    },
  };
}

/**
 * The address of those who perform the tasks; undefined for threads of this process. A run that is gone on
 * with goes on where it was.
 *
 * @throws InputError `bad_option` if threads are counted that are not here
 */
export function addressOf(
  { on, workers }: RunCommandOptions,
  before: Manifest | undefined,
): string | undefined {
  const address = on ?? before?.on ?? HERE;
  if (address === HERE) return undefined;
  if (workers === undefined) return address;
  throw new InputError(
    'bad_option',
    `--workers counts threads of this process, and the tasks are performed on ${address}`,
    'leave it out, as each worker has --slots of its own, or add --on here',
    {},
    workers,
  );
}

/** Where a run is written; undefined for nowhere. */
export function outOf({ out, resume, suite }: RunCommandOptions): string | undefined {
  if (out === false) return undefined;
  return resume ?? out ?? freeDirectory(suite?.join(',') ?? String(RUN_DEFAULTS.suite));
}

/**
 * Whether plans are repaired, and by whom. With `--disrupt` the names are of methods that repair what is
 * disrupted; without it the only one that is not the default is `llm`.
 */
function repairOf(
  { repair, disrupt }: RunCommandOptions,
  before: FilledRunSpec | undefined,
): Pick<RunSpec, 'repair' | 'repairer'> {
  if (repair === undefined) return {};
  const isDisrupted = disrupt !== undefined || (before?.disruption ?? null) !== null;
  const isAsked = Array.isArray(repair) && repair.includes('llm') && !isDisrupted;
  return { repair: true, repairer: isAsked ? 'llm' : 'lcrp' };
}

/**
 * The disruptions that schedules are executed under; undefined if no option says so. Nothing is
 * repaired in an execution unless `--repair` asks for it.
 */
function disruptionOf(
  { disrupt, repair, policy }: RunCommandOptions,
  before: FilledRunSpec['disruption'],
): RunSpec['disruption'] {
  const methods = Array.isArray(repair) ? repair : repair ? ['lcrp'] : undefined;
  const spec = disrupt ?? before?.spec;
  if (spec !== undefined) {
    if (methods?.includes('llm')) {
      throw new InputError(
        'bad_option',
        '--repair llm repairs plans, and with --disrupt --repair names what repairs disrupted schedules',
        'leave out one of the two',
        {},
        'llm',
      );
    }
    return { spec, methods: methods ?? before?.methods ?? ['none'], policy };
  }
  const other = methods?.find((method) => method !== 'lcrp' && method !== 'llm');
  if (other !== undefined) {
    throw new InputError(
      'bad_option',
      `--repair ${other} repairs what is disrupted, and nothing is`,
      'add --disrupt, or write --repair alone, or --repair llm, to repair infeasible plans',
      {},
      other,
    );
  }
  if (policy !== undefined) {
    const hint = 'add --disrupt, or leave it out';
    throw new InputError('bad_option', '--policy goes with --disrupt only', hint, {}, policy);
  }
  return undefined;
}

/** The command line that goes on with an interrupted run; the rest is in its manifest. */
export function resumeCommand(out: string, { baseline, failOn }: RunCommandOptions): string {
  const words = ['alas-jssp', 'run', '--resume', out];
  if (baseline !== undefined) words.push('--baseline', baseline);
  if (failOn.length > 0) words.push('--fail-on', failOn.map(({ text }) => text).join(','));
  return words.map(quote).join(' ');
}

/** A word as a shell reads it. */
function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A directory named after the suite and the second; a number follows if another run has that name. */
function freeDirectory(suite: string): string {
  const name = suite.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  const directory = `results/${name}-${timestamp().slice(0, 19).replaceAll(':', '-')}`;
  let free = directory;
  for (let number = 2; existsSync(free); number++) free = `${directory}-${number}`;
  return free;
}
