import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Limit } from '../../harness/records/limits.js';
import { RUN_DEFAULTS } from '../../harness/run/spec.js';
import { type Objective, objectives } from '../../jssp/objectives.js';
import { parseVariant, VARIANTS, type Variant } from '../../pipeline/blueprint/spec.js';
import {
  amount,
  collect,
  collectPlanners,
  type OutputOptions,
  seconds,
  wholeNumber,
} from '../common/options.js';
import { ADDRESS_FORM } from '../common/temporal.js';

/** The options of `alas-jssp run`, as commander reads them. */
export interface RunCommandOptions extends OutputOptions {
  suite?: string[];
  planner?: string[];
  replicates?: number;
  seed: number;
  workers?: number;
  on?: string;
  /** False for `--no-out`. */
  out?: string | false;
  resume?: string;
  saveSchedules: boolean;
  baseline?: string;
  failOn: Limit[];
  timeLimit?: number;
  memory?: number;
  threads?: number;
  variant?: Variant[];
  rounds?: number;
  log?: string;
  /** True if given without methods. */
  repair?: true | string[];
  objective?: Objective;
  dueTightness?: number;
  optimize?: string;
  disrupt?: string;
  policy?: string;
  record?: string;
  prices?: string;
  estimate?: boolean;
  showPrompt?: boolean;
  llmConcurrency?: number;
  requestsPerMinute?: number;
  tokensPerMinute?: number;
  budgetTokens?: number;
  budgetUsd?: number;
  budgetSeconds?: number;
}

/** Adds the options of a run's spec, with the spec's defaults. */
export function withSpec(command: Command): Command {
  const { replicates, rounds, models } = RUN_DEFAULTS;
  return command
    .option(
      '--suite <suite>',
      'suite, instance, file, directory or glob to plan; may be repeated',
      append,
    )
    .option(
      '--planner <spec>',
      'planner to run, of alas-jssp list planners; may be repeated',
      collectPlanners,
    )
    .option(
      '--replicates <count>',
      `number of runs of each planner on each instance (default: ${replicates})`,
      count,
    )
    .option(
      '--repair [methods]',
      'repair every infeasible plan, with llm by its model; with --disrupt, methods that repair disrupted schedules',
      collectMethods,
    )
    .option('--variant <variants>', `variants of the pipeline: ${VARIANTS.join(', ')}`, variants)
    .option(
      '--rounds <count>',
      `most repair attempts for a plan (default: ${rounds})`,
      wholeNumber('a number of rounds', 1),
    )
    .addOption(
      new Option(
        '--objective <objective>',
        'objective for dispatch:best, search, repair and --optimize',
      ).choices(objectives),
    )
    .option(
      '--due-tightness <factor>',
      'give jobs weights, and due dates at this multiple of their lengths',
      amount('a tightness'),
    )
    .option(
      '--optimize <budget>',
      'budget of a search from every feasible plan: 10s, 2m, 200k-iterations, …',
    )
    .option(
      '--disrupt <disruption>',
      'execute every feasible schedule under events: light, medium, heavy, injectors, a file, or instance',
    )
    .option(
      '--policy <policy>',
      'repair policy of --disrupt: default, high-stability or a JSON file',
    )
    .option(
      '--workers <count>',
      'number of worker threads (default: one for each processor)',
      count,
    )
    .option(
      '--on <address>',
      `run tasks on the workers of a Temporal server: ${ADDRESS_FORM}; here for threads of this process (the default)`,
    )
    .option('--time-limit <seconds>', 'seconds after which a planner is stopped', seconds)
    .option(
      '--memory <megabytes>',
      'memory of a planner: heap of its thread, or all processes of an exec: program (default there: 2048)',
      count,
    )
    .option('--threads <count>', 'threads for an exec: program (default: 1)', count)
    .option('--save-schedules', 'also write every judged plan as a file', false)
    .option('--log <file>', 'SQLite file in which every step is logged; see alas-jssp log')
    .option(
      '--record <dir>',
      'directory that keeps answers of models for replay (default: OUT/answers)',
    )
    .option('--budget-tokens <count>', 'tokens after which no request is sent', count)
    .option('--budget-usd <dollars>', 'dollars after which no request is sent', amount('a budget'))
    .option(
      '--budget-seconds <seconds>',
      'seconds after which no request is sent',
      amount('a budget'),
    )
    .option(
      '--llm-concurrency <count>',
      `most requests to a provider at once (default: ${models.concurrency})`,
      count,
    )
    .option('--requests-per-minute <count>', 'most requests to a provider in a minute', count)
    .option('--tokens-per-minute <count>', 'most tokens to and from a provider in a minute', count)
    .option('--prices <file>', 'file with the prices of models; see docs/how-to/llm.md');
}

const count = wholeNumber('a count', 1);

function variants(text: string, values: Variant[] | undefined): Variant[] {
  return collect(text, values).map(parseVariant);
}

/** Parses names between commas; before the first value, `values` is the option's value without one. */
function collectMethods(text: string, values: string[] | boolean): string[] {
  const names = text.split(',').map((name) => name.trim());
  const methods = [...(Array.isArray(values) ? values : []), ...names];
  const twice = methods.find((name, k) => methods.indexOf(name) < k);
  if (names.includes('')) throw new InvalidArgumentError('name a method between the commas');
  if (twice === undefined) return methods;
  throw new InvalidArgumentError(`name each method once; '${twice}' is there twice`);
}

function append(text: string, values: string[] | undefined): string[] {
  return [...(values ?? []), text];
}
