import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { timestamp } from '@alas-jssp/core/clock';
import { InputError } from '@alas-jssp/core/errors';
import type { Manifest } from '../../harness/run/manifest.js';
import { type FilledRunSpec, RUN_DEFAULTS, type RunSpec } from '../../harness/run/spec.js';
import { settingsFrom } from '../common/setting-options.js';
import type { RunCommandOptions } from './run-options.js';

/** The word for threads of this process. */
const HERE = 'here';

/**
 * The spec of the given options; other settings have their default, or the value of the run to resume.
 *
 * @param before the spec of the run to resume
 * @throws InputError `bad_option` for options that exclude each other
 */
export function specOf(options: RunCommandOptions, before: FilledRunSpec | undefined): RunSpec {
  return {
    ...settingsFrom(options),
    ...repairOf(options, before),
    disruption: disruptionOf(options, before?.disruption ?? null),
    workers: options.workers ?? availableParallelism(),
  };
}

/**
 * The address of the server whose workers run the tasks; undefined for threads of this process. A resumed run
 * keeps its address.
 *
 * @throws InputError `bad_option` for `--workers` with tasks on a server
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
    `--workers counts threads of this process, but tasks run on ${address}`,
    'omit it, as each worker has its own --slots, or add --on here',
    {},
    workers,
  );
}

/** The output directory of a run; undefined for none. */
export function outOf({ out, resume, suite }: RunCommandOptions): string | undefined {
  if (out === false) return undefined;
  return resume ?? out ?? freeDirectory(suite ?? String(RUN_DEFAULTS.suite));
}

/**
 * The repairer of plans; undefined for none. With `--disrupt`, names are methods that repair disrupted
 * schedules; without it, only `llm` is allowed.
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
 * The disruption settings of executions; undefined without `--disrupt`. Executions are repaired only with
 * `--repair`.
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
        '--repair llm repairs plans, but with --disrupt, --repair names methods for disrupted schedules',
        'omit one of the two',
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
      `--repair ${other} repairs disrupted schedules, but there is no --disrupt`,
      'add --disrupt, or write --repair alone, or --repair llm, to repair infeasible plans',
      {},
      other,
    );
  }
  if (policy !== undefined) {
    const hint = 'add --disrupt, or omit it';
    throw new InputError('bad_option', '--policy goes with --disrupt only', hint, {}, policy);
  }
  return undefined;
}

/** The command line that resumes an interrupted run; the manifest has the other settings. */
export function resumeCommand(out: string, { baseline, failOn }: RunCommandOptions): string {
  const words = ['alas-jssp', 'run', '--resume', out];
  if (baseline !== undefined) words.push('--baseline', baseline);
  if (failOn.length > 0) words.push('--fail-on', failOn.map(({ text }) => text).join(','));
  return words.map(quote).join(' ');
}

/** A word, quoted for a shell if needed. */
function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A new directory named after the suite and the time in seconds, with a number if that name exists. */
function freeDirectory(suite: string): string {
  const name = suite.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  const directory = `results/${name}-${timestamp().slice(0, 19).replaceAll(':', '-')}`;
  let free = directory;
  for (let number = 2; existsSync(free); number++) free = `${directory}-${number}`;
  return free;
}
