import { InputError } from '@alas-jssp/core/errors';
import { Command, Option } from 'commander';
import { type FormatLoss, refuseFormatLosses } from '../../jssp/formats/exchange/losses.js';
import {
  EXCHANGE_FORMATS,
  type ExchangeFormat,
  writeInstanceAs,
  writePlanAs,
} from '../../jssp/formats/exchange/write-as.js';
import { type Instance, replaceInstance } from '../../jssp/instance.js';
import { resolveSource } from '../../jssp/suites.js';
import { createTimeScale } from '../../jssp/time-scale.js';
import { counted } from '../../report/format.js';
import { validate } from '../../validator/index.js';
import { outputFile, writeOutput } from '../common/files.js';
import { collect, wholeNumber, withQuiet } from '../common/options.js';
import { print, remark } from '../common/output.js';
import { readPlanOf, warnIfOtherInstance } from '../common/plan-files.js';
import type { Session } from '../common/session.js';

interface Options {
  to: ExchangeFormat;
  out?: string;
  allowLoss?: string[];
  epoch?: string;
  unit?: number;
  zone?: string;
}

/** `alas-jssp convert`: writes an instance, or a plan, in the format of another program. */
export function convertCommand(session: Session): Command {
  return withQuiet(session, new Command('convert'))
    .argument('<instance>', 'a benchmark instance or a file')
    .argument('[plan]', 'a plan of it, to convert instead; - for stdin')
    .addOption(
      new Option('--to <format>', 'format to write')
        .choices(EXCHANGE_FORMATS)
        .makeOptionMandatory(),
    )
    .option('--out <file>', 'file to write instead of stdout; compressed if .gz', outputFile)
    .option(
      '--allow-loss <features>',
      'features that may be lost, separated by commas; may be repeated',
      collect,
    )
    .option('--epoch <time>', 'date of time 0, for a shop without a clock (ms-project)')
    .option(
      '--unit <seconds>',
      'seconds of a unit of time, with --epoch (default: 60)',
      wholeNumber('a unit', 1, 86_400),
    )
    .option('--zone <name>', 'time zone, with --epoch (default: UTC)')
    .addHelpText(
      'after',
      `
Files of other programs are recognized by content, here and wherever a command
reads an instance or a plan. What a format expresses in another way, or does
not keep, is listed on stderr. A constraint that it cannot express is refused,
unless --allow-loss names it. docs/how-to/interop.md describes the formats.

Examples:
  $ alas-jssp convert ft06 --to pyjobshop --out ft06.pyjobshop.json
  $ alas-jssp convert ft06 plan.json --to job-shop-lib --out schedule.json
  $ alas-jssp convert ft06 solution.json --to csv
  $ alas-jssp convert ft06 plan.json --to ms-project --epoch 2026-11-23T06:00 \\
      --out ft06.xml`,
    )
    .action((spec: string, plan: string | undefined, options: Options) =>
      convert(session, spec, plan, options),
    );
}

async function convert(
  session: Session,
  spec: string,
  file: string | undefined,
  { to, out, allowLoss, ...clock }: Options,
): Promise<void> {
  refuseFormatLosses([], to, allowLoss);
  const source = resolveSource(spec);
  const instance = withClock(source.load(), clock);
  const { text, losses } =
    file === undefined
      ? writeInstanceAs(instance, to)
      : await convertPlan(session, source.name, instance, file, to);
  refuseFormatLosses(losses, to, allowLoss);
  if (out === undefined) await print(session, text);
  else writeOutput(out, text);
  for (const loss of losses) remark(session, describeLoss(loss));
}

/** The instance with the clock of the options, if it has none of its own. */
function withClock(instance: Instance, given: Partial<Options>) {
  const { epoch, unit = 60, zone = 'UTC' } = given;
  if (epoch === undefined) {
    const lone = (['unit', 'zone'] as const).find((name) => given[name] !== undefined);
    if (lone === undefined) return instance;
    throw new InputError('no_epoch', `--${lone} needs --epoch`, 'give --epoch, the date of time 0');
  }
  if (instance.timeScale !== null) {
    const problem = `${instance.name} has a clock of its own`;
    throw new InputError('other_clock', problem, 'omit --epoch, --unit and --zone');
  }
  return replaceInstance(instance, { timeScale: createTimeScale({ epoch, unit, zone }) });
}

async function convertPlan(
  session: Session,
  name: string,
  instance: Instance,
  file: string,
  to: ExchangeFormat,
) {
  const planFile = await readPlanOf(session, file, instance);
  for (const line of warnIfOtherInstance(planFile, name)) remark(session, line);
  const { valid, total, violations } = validate(instance, planFile.plan);
  if (!valid) {
    const problem = `${counted(total, 'violation')}: ${violations[0].message}`;
    remark(session, `the plan is invalid, ${problem}`);
  }
  return writePlanAs(planFile.plan, instance, name, to);
}

const EFFECTS: Readonly<Record<FormatLoss['effect'], string>> = {
  none: '',
  stricter: ' (some schedules are missed there)',
  looser: ' (its schedules may be infeasible here)',
};

function describeLoss({ feature, note, effect }: FormatLoss): string {
  return `${feature}: ${note}${EFFECTS[effect]}`;
}
