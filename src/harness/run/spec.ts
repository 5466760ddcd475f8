import { formatBudget, toBudget } from '@alas-jssp/core/stopping';
import * as z from 'zod';
import { objectives } from '../../jssp/objectives.js';
import { DEFAULT_PLANNER } from '../../jssp/planner.js';
import { CONCURRENCY } from '../../llm/admission/pace.js';
import { DEFAULT_ROUNDS, REPAIRERS, VARIANTS } from '../../pipeline/blueprint/spec.js';
import { settingMeta, settingsOf } from './setting.js';

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

const path = () => z.string().nullable().default(null);
const names = z.array(z.string()).min(1, 'name one').readonly();

/**
 * The settings of a run: values, defaults, and for each setting its option, its words and its effect. The options of
 * the command line, the manifest, the tasks of workers, comparisons of runs and the check of a resumed run derive from
 * this schema.
 */
export const runSpecSchema = z
  .strictObject({
    suite: z
      .string()
      .nullable()
      .default('dmu')
      .register(settingMeta, {
        scope: 'execution',
        option: {
          flags: '--suite <suite>',
          group: 'what',
          help: 'suite, instance, file, directory or glob to plan, or several with commas; may be repeated',
        },
      }),
    /** Specifications as `createPlanner` reads them. */
    planners: names.default([DEFAULT_PLANNER]).register(settingMeta, {
      scope: 'records',
      option: {
        flags: '--planner <spec>',
        group: 'planners',
        help: 'planner to run, of alas-jssp list planners; may be repeated',
      },
    }),
    /**
     * Each variant has its own records. If they are named, the defaults of `repair` and `optimize` are true and
     * {@link VARIANT_BUDGET}. Default: `full`, with the stages that `repair` and `optimize` request.
     */
    variants: z
      .array(z.enum(VARIANTS))
      .min(1, 'name one')
      .readonly()
      .optional()
      .register(settingMeta, {
        scope: 'records',
        option: {
          flags: '--variant <variants>',
          group: 'what',
          help: `variants of the pipeline: ${VARIANTS.join(', ')}`,
        },
      }),
    replicates: whole(1)
      .default(1)
      .register(settingMeta, {
        scope: 'records',
        option: {
          flags: '--replicates <count>',
          group: 'what',
          help: 'number of runs of each planner on each instance',
        },
      }),
    /** The seed of every record is derived from it. */
    seed: whole(0)
      .default(0)
      .register(settingMeta, {
        scope: 'records',
        option: {
          flags: '--seed <integer>',
          group: 'what',
          help: 'seed of all randomness; equal seeds give equal results',
        },
      }),
    /** Default: true if variants or `llm` are named. */
    repair: z
      .boolean()
      .optional()
      .register(settingMeta, {
        scope: 'results',
        option: {
          flags: '--repair [methods]',
          group: 'repair',
          help: 'repair every infeasible plan, with llm by its model; with --disrupt, methods that repair disrupted schedules',
        },
      }),
    /** With `llm`, models repair their plans in rounds, and the repair protocol handles the rest. */
    repairer: z.enum(REPAIRERS).default('lcrp').register(settingMeta, { scope: 'results' }),
    /** K: with `llm`, the rounds of the model. */
    rounds: whole(1)
      .default(DEFAULT_ROUNDS)
      .register(settingMeta, {
        scope: 'results',
        option: {
          flags: '--rounds <count>',
          group: 'repair',
          help: 'maximum number of repairs of one plan',
        },
      }),
    /** Planners and searches minimise it if they can; bounds refer to it. */
    objective: z
      .enum(objectives)
      .default('makespan')
      .register(settingMeta, {
        scope: 'records',
        option: {
          flags: '--objective <objective>',
          group: 'what',
          help: 'objective for dispatch:best, search, repair and --optimize',
        },
      }),
    /** See `withDueDates`; null for none. */
    dueTightness: limit('use a number above 0, such as 1.3').register(settingMeta, {
      scope: 'results',
      words: 'due tightness',
      option: {
        flags: '--due-tightness <factor>',
        group: 'what',
        help: 'give jobs weights, and due dates at this multiple of their lengths',
      },
    }),
    /** Null for none. */
    optimize: budget
      .nullable()
      .optional()
      .register(settingMeta, {
        scope: 'results',
        option: {
          flags: '--optimize <budget>',
          group: 'repair',
          help: 'budget of a search from every feasible plan: 10s, 2m, 200k-iterations, …',
        },
      }),
    /** Also runs the controls, and records which machine orders of each plan are kept. */
    attribution: z
      .boolean()
      .default(false)
      .register(settingMeta, {
        scope: 'records',
        option: {
          flags: '--attribution',
          group: 'repair',
          help: 'measure the shares of plan, repair and search: the same stages also start from an empty, a random and a rule plan',
        },
      }),
    /** Executes each feasible schedule under events; null if schedules are only planned. */
    disruption: z
      .strictObject({
        /** Events known as `instance` are those in the instance files. */
        spec: z.string().register(settingMeta, {
          scope: 'results',
          words: 'disruption',
          option: {
            flags: '--disrupt <disruption>',
            group: 'repair',
            help: 'execute every feasible schedule under events: light, medium, heavy, injectors, a file, or instance',
          },
        }),
        /** Each method has its own records. */
        methods: names
          .default(['lcrp'])
          .register(settingMeta, { scope: 'results', words: 'repair methods' }),
        policy: z
          .string()
          .default('default')
          .register(settingMeta, {
            scope: 'results',
            words: 'policy',
            option: {
              flags: '--policy <policy>',
              group: 'repair',
              help: 'repair policy of --disrupt: default, high-stability or a JSON file',
            },
          }),
      })
      .nullable()
      .default(null),
    /** Limits of one task. */
    limits: z
      .strictObject({
        /** Wall-clock time of the planner, without the start of a thread and validation. */
        seconds: limit('use seconds up to 2000000', 2_000_000).register(settingMeta, {
          scope: 'results',
          words: 'time limit',
          unit: 's',
          option: {
            flags: '--time-limit <seconds>',
            group: 'budgets',
            help: 'seconds after which a planner is stopped',
          },
        }),
        /** Heap of its thread (null: 1 to 2 GB); of a program and all its processes (null: 2 GB). */
        megabytes: limit('use megabytes up to 1048576', 2 ** 20).register(settingMeta, {
          scope: 'results',
          words: 'memory limit',
          unit: 'MB',
          option: {
            flags: '--memory <megabytes>',
            group: 'budgets',
            help: 'memory of a planner: heap of its thread, or all processes of an exec: program',
            usual: '2048 for a program',
          },
        }),
        /** The `{threads}` of the command of a program. */
        threads: whole(1)
          .default(1)
          .register(settingMeta, {
            scope: 'results',
            words: 'threads of a program',
            option: {
              flags: '--threads <count>',
              group: 'budgets',
              help: 'threads for an exec: program',
            },
          }),
      })
      .prefault({}),
    saveSchedules: z
      .boolean()
      .default(false)
      .register(settingMeta, {
        scope: 'files',
        words: 'saving of schedules',
        option: {
          flags: '--save-schedules',
          group: 'output',
          help: 'also write every judged plan as a file',
        },
      }),
    /** New runs are appended. */
    log: path().register(settingMeta, {
      scope: 'execution',
      option: {
        flags: '--log <file>',
        group: 'output',
        help: 'SQLite file in which every step is logged; see alas-jssp log',
      },
    }),
    workers: whole(1)
      .default(1)
      .register(settingMeta, {
        scope: 'execution',
        option: {
          flags: '--workers <count>',
          group: 'budgets',
          help: 'number of worker threads',
          usual: 'one for each processor',
        },
      }),
    /** Settings for planners that use a model. */
    models: z
      .strictObject({
        /** `replay:` reads it: stored answers are reused, and new ones are stored. */
        record: path().register(settingMeta, {
          scope: 'execution',
          words: 'directory of answers',
          option: {
            flags: '--record <dir>',
            group: 'planners',
            help: 'directory that keeps answers of models for replay',
            usual: 'OUT/answers',
          },
        }),
        /** Null: the prices of this package. */
        prices: path().register(settingMeta, {
          scope: 'execution',
          words: 'file of prices',
          option: {
            flags: '--prices <file>',
            group: 'planners',
            help: 'file with the prices of models; see docs/how-to/llm.md',
          },
        }),
        concurrency: whole(1)
          .default(CONCURRENCY)
          .register(settingMeta, {
            scope: 'execution',
            words: 'requests at once',
            option: {
              flags: '--llm-concurrency <count>',
              group: 'planners',
              help: 'maximum number of concurrent requests to a provider',
            },
          }),
        requestsPerMinute: whole(1)
          .nullable()
          .default(null)
          .register(settingMeta, {
            scope: 'execution',
            words: 'requests per minute',
            option: {
              flags: '--requests-per-minute <count>',
              group: 'planners',
              help: 'maximum number of requests to a provider in 60 seconds',
            },
          }),
        tokensPerMinute: limit().register(settingMeta, {
          scope: 'execution',
          words: 'tokens per minute',
          option: {
            flags: '--tokens-per-minute <count>',
            group: 'planners',
            help: 'maximum number of tokens to and from a provider in 60 seconds',
          },
        }),
        /** Spending limits of this run, until it ends or is resumed. */
        budget: z
          .strictObject({
            tokens: limit().register(settingMeta, {
              scope: 'execution',
              words: 'budget of tokens',
              option: {
                flags: '--budget-tokens <count>',
                group: 'budgets',
                help: 'tokens after which no request is sent',
              },
            }),
            usd: limit().register(settingMeta, {
              scope: 'execution',
              words: 'budget of dollars',
              option: {
                flags: '--budget-usd <dollars>',
                group: 'budgets',
                help: 'dollars after which no request is sent',
              },
            }),
            seconds: limit().register(settingMeta, {
              scope: 'execution',
              words: 'budget of seconds',
              option: {
                flags: '--budget-seconds <seconds>',
                group: 'budgets',
                help: 'seconds after which no request is sent',
              },
            }),
          })
          .prefault({}),
      })
      .prefault({}),
  })
  .transform((spec) => {
    const isNamed = spec.variants !== undefined;
    const { variants = ['full'], repair, optimize = isNamed ? VARIANT_BUDGET : null } = spec;
    return {
      ...spec,
      variants: [...new Set(variants)],
      repair: repair ?? (isNamed || spec.repairer === 'llm'),
      optimize,
    };
  });

/** The settings of a run that differ from the defaults. */
export interface RunSpec extends z.input<typeof runSpecSchema> {}

/** The complete settings of a run. */
export interface FilledRunSpec extends z.output<typeof runSpecSchema> {}

/** Limits of one task: null for none. */
export type TaskLimits = FilledRunSpec['limits'];

/** The settings of a run, in the order of the schema. */
export const RUN_SETTINGS = settingsOf(runSpecSchema);

/** The spec of a run without any setting. */
export const RUN_DEFAULTS: FilledRunSpec = runSpecSchema.parse({});
