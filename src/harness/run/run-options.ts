import { InputError } from '../../core/errors.js';
import { type Budget, parseBudget } from '../../core/stopping.js';
import type { InstanceSource } from '../../jssp/suites.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import { parseVariant, type Repairer, type Variant } from '../../pipeline/blueprint/spec.js';
import { createPlanner } from '../../pipeline/planners/planners.js';
import type { AskWait } from '../../pipeline/planners/question.js';
import type { RunRecord } from '../records/record.js';
import type { TaskLimits } from '../worker/watch.js';
import { type DisruptionOptions, type RunDisruption, readDisruption } from './disruption.js';
import { fileNamePart, readManifest, type StoredRun } from './run-directory.js';
import type { RunModelsOptions } from './run-models-options.js';

/** What to run, on what, and where to write. */
export interface RunOptions {
  sources: readonly InstanceSource[];
  /** Planner specifications, see {@link createPlanner}. */
  planners: readonly string[];
  /** How often each planner meets each instance. Default 1. */
  replicates?: number | undefined;
  /** Base seed. Default 0. */
  seed?: number | undefined;
  /**
   * Variants of the pipeline, each with records of its own. They speak of the whole of it: where they
   * are named, plans are repaired, and searched on from with `optimize` or 20k-iterations. Default:
   * `full`, with what `repair` and `optimize` ask for.
   */
  variants?: readonly Variant[] | undefined;
  /**
   * Makes a feasible schedule of each infeasible plan. With `llm` models get K rounds to do so
   * themselves, and what they leave infeasible is repaired. Default false.
   */
  repair?: boolean | Repairer | undefined;
  /** Repairs of one plan at most (K). Default 1. */
  rounds?: number | undefined;
  /**
   * Budget of a search that goes on from each feasible plan: `10s`, `200k-iterations`, ….
   * Default: none, plans stay as they are.
   */
  optimize?: string | undefined;
  /** Executes each feasible schedule under disruptions. Default: schedules are only planned. */
  disruption?: DisruptionOptions | undefined;
  /** Number of worker threads. Default 1. */
  workers?: number | undefined;
  /** What one task may use. Default: that of the run to resume, else see {@link TaskLimits}. */
  limits?: TaskLimits | undefined;
  /** Directory of the run. Without it nothing is written. */
  out?: string | undefined;
  /** SQLite file in which every step of every task is logged; runs are added to what it holds. */
  log?: string | undefined;
  /** Saves every judged plan under `out`. Default false. */
  saveSchedules?: boolean | undefined;
  /** Goes on with the run in `out`: does what is missing and what ended with an error. */
  resume?: boolean | undefined;
  /** How models are asked, for planners that ask one. */
  models?: RunModelsOptions | undefined;
  /** A run that could not be compared with this one is refused before it begins. */
  baseline?: StoredRun | undefined;
  /** Ends the run early: what is finished is kept, running tasks are stopped. */
  signal?: AbortSignal | undefined;
  /** Told of every new record, in the order in which they finish. */
  onRecord?: ((record: RunRecord) => void) | undefined;
  /** Told how far the run is: at its start and after every record. */
  onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Told of every wait for a model: for its limits, or before it is asked again. */
  onWait?: ((wait: AskWait) => void) | undefined;
  /** For the manifest: the command line, the name of the suite and the commit of this package. */
  command?: string | undefined;
  suite?: string | undefined;
  commit?: string | null | undefined;
}

/** How far a run is. */
export interface RunProgress {
  /** Records that are there. */
  readonly done: number;
  /** Those of them that were there before the run was resumed. */
  readonly kept: number;
  readonly total: number;
}

/** Budget of the search where variants are named and no other is. */
const VARIANT_BUDGET = '20k-iterations';

/** Options that hold what was left out, too. */
export interface FilledRunOptions extends Omit<RunOptions, 'repair'> {
  replicates: number;
  seed: number;
  workers: number;
  limits: TaskLimits;
  variants: readonly Variant[];
  repair: boolean;
  repairer: Repairer;
  rounds: number;
  /** Those of the planners that ask models. */
  asking: readonly string[];
  /** What `optimize` stands for; null without. */
  budget: Budget | null;
  /** What `disruption` stands for; null without. */
  executing: RunDisruption | null;
  saveSchedules: boolean;
  resume: boolean;
}

/**
 * Checks the options and fills in what was left out. Planners go by their canonical names, and
 * those that are named twice count once.
 *
 * @throws InputError that names the option
 */
export function fillRunOptions(options: RunOptions): FilledRunOptions {
  const { variants } = options;
  const planners = [...new Set(options.planners.map((spec) => createPlanner(spec).name))];
  const optimize = options.optimize ?? (variants === undefined ? undefined : VARIANT_BUDGET);
  const filled = {
    ...options,
    planners,
    asking: planners.filter(isModelSpec),
    replicates: options.replicates ?? 1,
    seed: options.seed ?? 0,
    workers: options.workers ?? 1,
    limits: limitsOf(options),
    variants: [...new Set(variants?.map(parseVariant) ?? ['full' as const])],
    repair: variants !== undefined || (options.repair ?? false) !== false,
    repairer: options.repair === 'llm' ? ('llm' as const) : ('lcrp' as const),
    rounds: options.rounds ?? 1,
    optimize,
    budget: optimize === undefined ? null : parseBudget(optimize),
    executing: options.disruption === undefined ? null : readDisruption(options.disruption),
    saveSchedules: options.saveSchedules ?? false,
    resume: options.resume ?? false,
  };
  const { sources, limits } = filled;
  if (sources.length === 0) refuse('no_sources', 'there is no instance to run', 'name a suite');
  if (planners.length === 0) refuse('no_planner', 'there is no planner to run', 'name one');
  checkInteger(filled.replicates, 'replicates', 1);
  checkInteger(filled.seed, 'seed', 0);
  checkInteger(filled.workers, 'workers', 1);
  checkInteger(filled.rounds, 'rounds', 1);
  if (filled.variants.length === 0) refuse('no_variant', 'there is no variant to run', 'name one');
  checkModels(filled);
  checkLimit(limits.seconds, 'time limit', 'seconds', 2_000_000);
  checkLimit(limits.megabytes, 'memory limit', 'megabytes', 2 ** 20);
  if (filled.out === undefined && (filled.saveSchedules || filled.resume)) {
    refuse(
      'no_out',
      `to ${filled.resume ? 'resume a run' : 'save schedules'} takes a directory`,
      'name it as `out`',
    );
  }
  if (filled.out === '') refuse('no_out', 'the directory of the run has no name', 'name one');
  if (filled.saveSchedules || filled.log !== undefined) checkFileNames(filled);
  return filled;
}

/** The limits that were given, and those of a run to resume for what was not. */
function limitsOf({ limits = {}, resume, out }: RunOptions): TaskLimits {
  if (resume !== true || out === undefined || out === '') return limits;
  const { seconds, megabytes } = readManifest(out).limits;
  return {
    seconds: limits.seconds ?? seconds ?? undefined,
    megabytes: limits.megabytes ?? megabytes ?? undefined,
  };
}

function checkInteger(value: number, what: string, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  refuse('bad_number', `${what} is ${value}`, `use a whole number of at least ${least}`);
}

function checkLimit(value: number | undefined, what: string, unit: string, most: number): void {
  if (value === undefined || (value > 0 && value <= most)) return;
  refuse('bad_number', `the ${what} of a task is ${value}`, `use ${unit} up to ${most}`);
}

/** Numbers that models are asked by. */
function checkModels({ models, asking, repairer }: FilledRunOptions): void {
  if (repairer === 'llm' && asking.length === 0) {
    refuse(
      'no_model',
      'no planner asks a model that could repair',
      'name one, such as openai:MODEL',
    );
  }
  const { concurrency, requestsPerMinute, tokensPerMinute, budget = {} } = models ?? {};
  if (concurrency !== undefined) checkInteger(concurrency, 'requests at once', 1);
  if (requestsPerMinute !== undefined) checkInteger(requestsPerMinute, 'requests per minute', 1);
  const amounts = { tokensPerMinute, ...budget };
  for (const [what, amount] of Object.entries(amounts)) {
    if (amount === undefined || (Number.isFinite(amount) && amount > 0)) continue;
    refuse('bad_number', `${what} is ${amount}`, 'use a number above 0');
  }
}

/** Schedules and logs go by the names of instance, planner and method: no two may be the same. */
function checkFileNames({ sources, planners, executing }: FilledRunOptions): void {
  const methods = executing?.settings.methods ?? [];
  for (const names of [sources.map(({ name }) => name), planners, methods]) {
    const seen = new Map<string, string>();
    for (const name of names) {
      const part = fileNamePart(name).toLowerCase();
      const other = seen.get(part);
      if (other !== undefined) {
        refuse(
          'name_clash',
          `the schedules of '${other}' and '${name}' would have the same file name`,
          'run them apart, or rename one',
        );
      }
      seen.set(part, name);
    }
  }
}

function refuse(code: string, problem: string, cure: string): never {
  throw new InputError(code, problem, cure);
}
