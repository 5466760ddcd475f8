import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Limit } from '../../harness/records/limits.js';
import { SETTING_GROUPS } from '../../harness/run/setting.js';
import {
  collectPlanners,
  type OutputOptions,
  refuseNegation,
  withOutput,
} from '../common/options.js';
import type { Session } from '../common/session.js';
import { withSettings } from '../common/setting-options.js';
import { ADDRESS_FORM } from '../common/temporal.js';
import { failOnOption } from './gate-option.js';

/** The options of `alas-jssp run`: those named here, and one for each setting of a run. */
export interface RunCommandOptions extends OutputOptions, Readonly<Record<string, unknown>> {
  /** Several suites are separated by commas. */
  suite?: string;
  /** True if given without methods. */
  repair?: true | string[];
  disrupt?: string;
  policy?: string;
  workers?: number;
  on?: string;
  /** False for `--no-out`. */
  out?: string | false;
  resume?: string;
  baseline?: string;
  failOn: Limit[];
  estimate?: boolean;
  showPrompt?: boolean;
}

const { planners, budgets, output, resuming } = SETTING_GROUPS;

/** Adds the options of `alas-jssp run` in groups: the settings of a run, and the actions of the command. */
export function withRunOptions(session: Session, command: Command): Command {
  withSettings(command, {
    '--suite': (text, before?: string) => (before === undefined ? text : `${before},${text}`),
    '--planner': collectPlanners,
    '--repair': collectMethods,
  });
  command
    .optionsGroup(planners)
    .option('--estimate', 'print the number and cost of requests to models, and send none')
    .addOption(
      new Option(
        '--show-prompt',
        'print the first prompt to each model, for the first instance, and send none',
      ).conflicts('estimate'),
    )
    .optionsGroup(budgets)
    .option(
      '--on <address>',
      `run tasks on the workers of a Temporal server: ${ADDRESS_FORM}; here for threads of this process (the default)`,
    )
    .optionsGroup(output)
    .option('--out <dir>', 'output directory of the run (default: results/<suite>-<time>)')
    .option('--no-out', 'write no files');
  withOutput(session, command)
    .helpOption('-h, --help', 'display help for command')
    .optionsGroup(resuming)
    .addOption(
      new Option(
        '--resume <dir>',
        'directory of a run to resume: missing and failed records are run',
      ).conflicts('out'),
    )
    .option('--baseline <run>', 'earlier run to compare with')
    .addOption(failOnOption());
  return refuseNegation(command, 'out');
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
