import { z } from 'zod';
import { InputError } from '../../core/errors.js';
import { describeFound, formatPath, isObject, valueAt } from '../../core/json-path.js';
import { suggestNames } from '../../core/nearest-names.js';
import { formatBudget, parseBudget, toBudget } from '../../core/stopping.js';
import { objectives } from '../../jssp/objectives.js';
import { findMethod } from '../../lcrp/baselines/find-method.js';
import { CONCURRENCY } from '../../llm/admission/pace.js';
import { isModelSpec } from '../../llm/planner-spec.js';
import { DEFAULT_ROUNDS, needsModel, REPAIRERS, VARIANTS } from '../../pipeline/blueprint/spec.js';
import { requireDifferentNames } from '../../pipeline/planners/planner-name.js';
import { createPlanner, needsTimeLimit } from '../../pipeline/planners/planners.js';
import { DEFAULT_PLANNER } from '../../search/planners.js';

/** Budget of the search if variants are named without a budget. */
export const VARIANT_BUDGET = '20k-iterations';

/** A number above 0 and at most `most`; null for no limit. */
const limit = (hint = 'use a number above 0', most = Number.MAX_VALUE) =>
  z.number(hint).positive(hint).max(most, hint).nullable().default(null);

const whole = (least: number) => {
  const hint = `use a whole number of at least ${least}`;
  return z.int(hint).min(least, hint);
};

/** A budget as an object or as a text, which is parsed. */
const budget = z.union([
  z.string(),
  z
    .strictObject({
      seconds: z.number().optional(),
      iterations: z.number().optional(),
      target: z.number().optional(),
    })
    .transform((given) => formatBudget(toBudget(given))),
]);

const path = z.string().nullable().default(null);
const names = z.array(z.string()).min(1, 'name one').readonly();

/**
 * The settings of a run and their defaults. The command line maps its options to them, the manifest stores them, worker
 * threads receive them, and comparisons of runs use them. {@link SETTINGS} has words for them.
 */
export const runSpecSchema = z
  .strictObject({
    /** A suite, an instance, a file, a directory or a glob, or several, separated by commas. */
    suite: z.string().nullable().default('dmu'),
    /** Planner specifications, see {@link createPlanner}. */
    planners: names.default([DEFAULT_PLANNER]),
    /**
     * Variants of the pipeline, each with its own records. If they are named, the defaults of `repair` and `optimize`
     * are true and {@link VARIANT_BUDGET}. Default: `full`, with the stages that `repair` and `optimize` request.
     */
    variants: z.array(z.enum(VARIANTS)).min(1, 'name one').readonly().optional(),
    /** Number of runs of each planner on each instance. */
    replicates: whole(1).default(1),
    /** Base seed, from which that of every record is derived. */
    seed: whole(0).default(0),
    /** Makes a feasible schedule of each infeasible plan. Default: true if variants or `llm` are named. */
    repair: z.boolean().optional(),
    /** With `llm`, models repair their plans in rounds, and the repair protocol handles the rest. */
    repairer: z.enum(REPAIRERS).default('lcrp'),
    /** Maximum number of repairs of one plan (K). */
    rounds: whole(1).default(DEFAULT_ROUNDS),
    /** The value that planners and searches minimise, if they can; bounds refer to it. */
    objective: z.enum(objectives).default('makespan'),
    /** Due dates and weights for instances that have none, see `withDueDates`; null for none. */
    dueTightness: limit('use a number above 0, such as 1.3'),
    /** Budget of a search from each feasible plan: `10s`, `200k-iterations`, …; null for none. */
    optimize: budget.nullable().optional(),
    /** Executes each feasible schedule under disruptions; null if schedules are only planned. */
    disruption: z
      .strictObject({
        /**
         * `light`, `medium` or `heavy`; the injectors in their short form, such as
         * `breakdowns:mtbf=0.5,mttr=0.05+delays`; a file of events; or `instance` for the events in the instance files.
         */
        spec: z.string(),
        /** Repair methods, each with its own records. */
        methods: names.default(['lcrp']),
        /** The name of a policy, or a file. */
        policy: z.string().default('default'),
      })
      .nullable()
      .default(null),
    /** Time and memory limits of one task. */
    limits: z
      .strictObject({
        /** Wall-clock time of the planner, without the start of a thread and validation. */
        seconds: limit('use seconds up to 2000000', 2_000_000),
        /** Heap of its thread (null: 1 to 2 GB); of a program and all its processes (null: 2 GB). */
        megabytes: limit('use megabytes up to 1048576', 2 ** 20),
        /** Threads that a program may use, the `{threads}` of its command. */
        threads: whole(1).default(1),
      })
      .prefault({}),
    /** Saves every validated plan in the directory of the run. */
    saveSchedules: z.boolean().default(false),
    /** SQLite file that logs every step of every task; new runs are appended. */
    log: path,
    /** Number of worker threads. */
    workers: whole(1).default(1),
    /** Model settings, for planners that use one. */
    models: z
      .strictObject({
        /**
         * Directory of answers, which `replay:` reads: stored answers are reused, and new ones are stored. Null:
         * `answers` in the directory of the run.
         */
        record: path,
        /** File of prices. Null: those of this package. */
        prices: path,
        /** Maximum number of concurrent requests to one provider. */
        concurrency: whole(1).default(CONCURRENCY),
        /** Maximum numbers of requests and tokens of one provider in any 60 seconds. */
        requestsPerMinute: whole(1).nullable().default(null),
        tokensPerMinute: limit(),
        /** Spending limits of this run, until it ends or is resumed. */
        budget: z.strictObject({ tokens: limit(), usd: limit(), seconds: limit() }).prefault({}),
      })
      .prefault({}),
  })
  // In the order above, for readers of a manifest.
  .transform(({ suite, planners, variants, replicates, seed, repair, optimize, ...spec }) => {
    const { repairer, rounds, ...rest } = spec;
    const isNamed = variants !== undefined;
    return {
      suite,
      planners,
      variants: [...new Set(variants ?? (['full'] as const))],
      replicates,
      seed,
      repair: repair ?? (isNamed || repairer === 'llm'),
      repairer,
      rounds,
      optimize: optimize === undefined && isNamed ? VARIANT_BUDGET : (optimize ?? null),
      ...rest,
    };
  });

/** The settings of a run that differ from the defaults. */
export interface RunSpec extends z.input<typeof runSpecSchema> {}

/** The complete settings of a run. */
export interface FilledRunSpec extends z.output<typeof runSpecSchema> {}

/** Words for settings whose keys are not clear enough, and the unit of their values. */
export const SETTINGS: Readonly<Record<string, readonly [words: string, unit?: string]>> = {
  dueTightness: ['due tightness'],
  'disruption.spec': ['disruption'],
  'disruption.methods': ['repair methods'],
  'disruption.policy': ['policy'],
  'limits.seconds': ['time limit', 's'],
  'limits.megabytes': ['memory limit', 'MB'],
  'limits.threads': ['threads of a program'],
  saveSchedules: ['saving of schedules'],
  'models.record': ['directory of answers'],
  'models.prices': ['file of prices'],
  'models.concurrency': ['requests at once'],
  'models.requestsPerMinute': ['requests per minute'],
  'models.tokensPerMinute': ['tokens per minute'],
  'models.budget.tokens': ['budget of tokens'],
  'models.budget.usd': ['budget of dollars'],
  'models.budget.seconds': ['budget of seconds'],
};

/** Limits of one task: null for none. */
export type TaskLimits = FilledRunSpec['limits'];

/** The spec of a run without any setting. */
export const RUN_DEFAULTS: FilledRunSpec = runSpecSchema.parse({});

/**
 * Checks a spec and fills in defaults. Planners and methods get their canonical names; duplicates are removed. A
 * complete spec is unchanged.
 *
 * @throws InputError that names the setting
 */
export function fillRunSpec(given: RunSpec): FilledRunSpec {
  const parsed = runSpecSchema.safeParse(given);
  if (!parsed.success) throw refusal(parsed.error, given);
  const spec = parsed.data;
  const planners = [...new Set(spec.planners.map((planner) => createPlanner(planner).name))];
  const methods = [...new Set(spec.disruption?.methods.map((method) => findMethod(method).name))];
  requireDifferentNames(planners);
  requireLimit(planners, spec.limits);
  if (spec.optimize !== null) parseBudget(spec.optimize);
  if (spec.repairer === 'llm' && !planners.some(isModelSpec)) {
    throw new InputError(
      'no_model',
      'no planner asks a model that could repair',
      'name one, such as openai:MODEL',
    );
  }
  return { ...spec, planners, disruption: spec.disruption && { ...spec.disruption, methods } };
}

/** Refuses programs that use `{seconds}` without a time limit. */
function requireLimit(planners: readonly string[], { seconds }: TaskLimits): void {
  const planner = seconds === null ? planners.find(needsTimeLimit) : undefined;
  if (planner === undefined) return;
  throw new InputError(
    'no_seconds',
    '{seconds} has no value without a limit of time',
    'give one with --time-limit, as `limits.seconds`, or write a number in its place',
    {},
    planner,
  );
}

/** Whether a variant allows a planner; one variant is only for planners that use a model. */
export function suits(planner: string, variant: string): boolean {
  return !needsModel(variant) || isModelSpec(planner);
}

/** Planners that are skipped in some variants of a run, in words. */
export function skippedIn({
  planners,
  variants,
}: Pick<FilledRunSpec, 'planners' | 'variants'>): string[] {
  return variants.flatMap((variant) => {
    const skipped = planners.filter((planner) => !suits(planner, variant));
    const words = `${variant} is for planners that ask a model: skipped for`;
    return skipped.length === 0 ? [] : [`${words} ${skipped.join(', ')}`];
  });
}

/** The planners of a run that use models. */
export function askingPlanners({ planners }: Pick<FilledRunSpec, 'planners'>): string[] {
  return planners.filter(isModelSpec);
}

/** A spec overlaid with given settings, such as on resume; lists are replaced. */
export function layOver(before: FilledRunSpec, given: RunSpec): RunSpec {
  return merge(before, given) as RunSpec;
}

function merge(before: unknown, given: unknown): unknown {
  if (given === undefined) return before;
  if (!isObject(before) || !isObject(given)) return given;
  const merged = Object.entries(given).map(([key, value]) => [key, merge(before[key], value)]);
  return { ...before, ...Object.fromEntries(merged) };
}

/** A spec with every group of settings; hints suggest names from it. */
const ALL_SETTINGS: unknown = {
  ...RUN_DEFAULTS,
  optimize: { seconds: 1, iterations: 1, target: 1 },
  disruption: { spec: '', methods: [], policy: '' },
};

/** The first error of a spec, in one line. */
function refusal({ issues: [issue] }: z.ZodError, spec: unknown): InputError {
  const place = issue.path.filter((key) => typeof key === 'string').join('.');
  const value = valueAt(spec, issue.path);
  const [words = place || 'the spec of a run'] = SETTINGS[place] ?? [];
  const one = words.replace(/s$/, '');
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys;
    const group = valueAt(ALL_SETTINGS, issue.path) as object;
    const hint = suggestNames(key, Object.keys(group));
    return new InputError('unknown_setting', `a run has no setting '${key}'`, hint, {}, key);
  }
  if (issue.code === 'invalid_value') {
    const hint = suggestNames(String(value), issue.values.map(String));
    return new InputError(`bad_${one}`, `there is no ${one} '${value}'`, hint, {}, value);
  }
  if (issue.code === 'too_small' && issue.origin === 'array') {
    return new InputError(
      `no_${one.replace(/.* /, '')}`,
      `there is no ${one} to run`,
      issue.message,
      {},
      value,
    );
  }
  const hint = hintOf(issue);
  return typeof value === 'number'
    ? new InputError('bad_number', `${words} is ${value}`, hint, {}, value)
    : new InputError(
        'bad_spec',
        describeFound(value),
        hint,
        { path: formatPath(issue.path) },
        value,
      );
}

/** The hint for an issue: from the schema, or the expected kind of value. */
function hintOf(issue: z.core.$ZodIssue): string {
  if (!issue.message.startsWith('Invalid input')) return issue.message;
  if (issue.code !== 'invalid_type') return 'see RunSpec for what is expected';
  return `use ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
}
