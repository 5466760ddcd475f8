import { timestamp } from '../../core/clock.js';
import { InputError } from '../../core/errors.js';
import type { Limit } from '../../harness/records/limits.js';
import type { DisruptionOptions } from '../../harness/run/disruption.js';
import type { Manifest } from '../../harness/run/manifest.js';
import { readManifest, readRun } from '../../harness/run/run-directory.js';
import type { RunOptions } from '../../harness/run/run-options.js';
import { resolveSources } from '../../jssp/suites.js';
import { parseVariant, type Variant } from '../../pipeline/blueprint/spec.js';
import type { OutputOptions } from '../common/options.js';
import type { Session } from '../common/session.js';
import { type ModelOptions, modelsOf } from './model-options.js';
import { packageCommit } from './package-commit.js';

/** The options of `alas-jssp run`, as commander reads them. */
export interface RunCommandOptions extends OutputOptions, ModelOptions {
  suite?: string[];
  planner?: string[];
  replicates: number;
  seed: number;
  workers: number;
  /** False for `--no-out`. */
  out?: string | false;
  resume?: string;
  saveSchedules: boolean;
  baseline?: string;
  failOn: Limit[];
  timeLimit?: number;
  variant?: Variant[];
  rounds: number;
  log?: string;
  /** True without methods. */
  repair: boolean | string[];
  optimize?: string;
  disrupt?: string;
  policy?: string;
}

/**
 * What to run; what was not given on the command line is taken from a run to resume.
 *
 * @param isGiven tells whether the user gave an option, or it has its default
 */
export function settingsOf(
  session: Session,
  options: RunCommandOptions,
  isGiven: (option: keyof RunCommandOptions) => boolean,
): RunOptions {
  const earlier = options.resume === undefined ? null : readManifest(options.resume);
  const spec = options.suite?.join(',') ?? earlier?.suite ?? 'dmu';
  const out = options.resume ?? options.out ?? `results/${defaultName(spec)}`;
  return {
    sources: resolveSources(spec),
    planners: options.planner ?? earlier?.planners ?? ['dispatch:best'],
    replicates: isGiven('replicates') ? options.replicates : (earlier?.replicates ?? 1),
    seed: isGiven('seed') ? options.seed : (earlier?.seed ?? 0),
    variants: options.variant ?? variantsOf(earlier),
    rounds: isGiven('rounds') ? options.rounds : (earlier?.rounds ?? 1),
    log: options.log ?? earlier?.log ?? undefined,
    repair: repairOf(options, earlier),
    models: modelsOf(options, earlier?.models ?? null),
    optimize: options.optimize ?? earlier?.optimize ?? undefined,
    disruption: disruptionOf(options, earlier?.disruption ?? null),
    saveSchedules: options.saveSchedules || (earlier?.save_schedules ?? false),
    workers: options.workers,
    // The harness takes those of a run to resume where none is given.
    limits: { seconds: options.timeLimit },
    resume: options.resume !== undefined,
    out: out === false ? undefined : out,
    baseline: options.baseline === undefined ? undefined : readRun(options.baseline),
    command: ['alas-jssp', ...session.args].join(' '),
    suite: spec,
    commit: packageCommit(),
  };
}

/** The variants of a run to resume, if they were named: `full` alone means what else was asked for. */
function variantsOf(earlier: Manifest | null): Variant[] | undefined {
  const variants = earlier?.variants.map(parseVariant) ?? [];
  return variants.length === 0 || String(variants) === 'full' ? undefined : variants;
}

/**
 * Whether plans are repaired, and by whom. With `--disrupt` the names are of methods that repair what is
 * disrupted; without it the only one that is not the default is `llm`.
 */
function repairOf(
  { repair, disrupt }: RunCommandOptions,
  earlier: Manifest | null,
): RunOptions['repair'] {
  const isDisrupted = disrupt !== undefined || (earlier?.disruption ?? null) !== null;
  if (Array.isArray(repair) && repair.includes('llm') && !isDisrupted) return 'llm';
  if (repair === false && earlier?.repair) return earlier.repairer;
  return repair !== false;
}

/**
 * What schedules are executed under; undefined if they are not. Nothing is repaired in an execution
 * unless `--repair` asks for it.
 *
 * @throws InputError `bad_option` for a method or policy that needs an execution
 */
function disruptionOf(
  { disrupt, repair, policy }: RunCommandOptions,
  earlier: Manifest['disruption'],
): DisruptionOptions | undefined {
  const methods = Array.isArray(repair) ? repair : repair ? ['lcrp'] : undefined;
  const spec = disrupt ?? earlier?.spec;
  if (spec !== undefined) {
    if (methods?.includes('llm')) {
      throw new InputError(
        'bad_option',
        '--repair llm mends plans, and with --disrupt --repair names what repairs disrupted schedules',
        'leave out one of the two',
        {},
        'llm',
      );
    }
    return {
      spec,
      methods: methods ?? earlier?.methods ?? ['none'],
      policy: policy ?? earlier?.policy,
    };
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
    const cure = 'add --disrupt, or leave it out';
    throw new InputError('bad_option', '--policy goes with --disrupt only', cure, {}, policy);
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

function defaultName(spec: string): string {
  const name = spec.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${name}-${timestamp().slice(0, 19).replaceAll(':', '-')}`;
}
