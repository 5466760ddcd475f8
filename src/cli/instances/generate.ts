import { InputError } from '@alas-jssp/core/errors';
import { Command, InvalidArgumentError, Option } from 'commander';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { writeStandard } from '../../jssp/formats/standard.js';
import { generateRandom, generateTaillard, withDueDates } from '../../jssp/generator.js';
import type { Instance } from '../../jssp/instance.js';
import { outputFile, writeOutput } from '../common/files.js';
import { wholeNumber, withJson, withQuiet } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { withSeed } from '../common/setting-options.js';

type FileFormat = 'standard' | 'json';

interface FileOptions {
  format?: FileFormat;
  out?: string;
}

/** `alas-jssp generate`: writes new instances. */
export function generateCommand(session: Session): Command {
  return new Command('generate')
    .addCommand(taillardCommand(session))
    .addCommand(randomCommand(session));
}

function taillardCommand(session: Session): Command {
  return withFile(
    session,
    withSize(new Command('taillard'))
      .description("Taillard's 1993 generator; with his seeds it gives ta01 to ta80")
      .requiredOption('--time-seed <integer>', 'seed of the durations', lehmerSeed)
      .requiredOption('--machine-seed <integer>', 'seed of the machine orders', lehmerSeed),
  )
    .addHelpText(
      'after',
      `
Examples (the first seeds give ta01; benchmarks/taillard-seeds.csv has all):
  $ alas-jssp generate taillard --jobs 15 --machines 15 \\
      --time-seed 840612802 --machine-seed 398197754
  $ alas-jssp generate taillard --jobs 50 --machines 10 \\
      --time-seed 1 --machine-seed 2 --out my.txt`,
    )
    .action(async (options: TaillardOptions) => {
      await save(
        session,
        make(() => generateTaillard(options), options),
        options,
      );
    });
}

function randomCommand(session: Session): Command {
  return withFile(
    session,
    withSeed(
      withSize(new Command('random'))
        .description('a random instance; jobs may differ in length and revisit machines')
        .option('--min-length <count>', 'fewest operations of a job', wholeNumber('a length', 0))
        .option('--max-length <count>', 'most operations of a job', wholeNumber('a length', 0))
        .option('--min-duration <time>', 'shortest duration', wholeNumber('a duration', 0))
        .option('--max-duration <time>', 'longest duration', wholeNumber('a duration', 0))
        .option('--recirculation', 'let jobs visit a machine more than once', false),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp generate random --jobs 20 --machines 10 --seed 7 > shop.txt
  $ alas-jssp generate random --jobs 8 --machines 5 --out shop.json \\
      --min-length 2 --max-length 9 --recirculation
  $ alas-jssp generate random --jobs 10 --machines 10 --due-tightness 1.3 \\
      --out tardy.json`,
    )
    .action(async (options: RandomOptions) => {
      await save(
        session,
        make(() => generateRandom(options), options),
        options,
      );
    });
}

interface DueOptions {
  dueTightness?: number;
}

type TaillardOptions = Parameters<typeof generateTaillard>[0] & DueOptions & FileOptions;
type RandomOptions = Parameters<typeof generateRandom>[0] & DueOptions & FileOptions;

const lehmerSeed = wholeNumber('a seed', 1, 2 ** 31 - 2);

function withSize(command: Command): Command {
  return command
    .requiredOption('--jobs <n>', 'number of jobs', wholeNumber('a number of jobs', 1))
    .requiredOption('--machines <m>', 'number of machines', wholeNumber('a number of machines', 1))
    .option('--name <name>', 'name of the instance')
    .option(
      '--due-tightness <factor>',
      'make jobs due at release + factor × job length, with weights 4, 2 and 1; such as 1.3',
      factor,
    );
}

/** A parser for numbers such as 1.3. */
function factor(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text)) return value;
  throw new InvalidArgumentError('a tightness is a number of 0 or more, such as 1.3.');
}

function withFile(session: Session, command: Command): Command {
  const format = new Option(
    '--as, --format <format>',
    'file format (default: json if jobs differ in length or have due dates or --out ends in .json, else standard)',
  ).choices(['standard', 'json']);
  return withQuiet(session, withJson(command.addOption(format))).option(
    '--out <file>',
    'file to write instead of stdout; compressed if it ends in .gz',
    outputFile,
  );
}

/** Runs a generator and adds due dates if requested; errors name options instead of parameters. */
function make(generate: () => Instance, { dueTightness }: DueOptions): Instance {
  try {
    const instance = generate();
    return dueTightness === undefined ? instance : withDueDates(instance, dueTightness);
  } catch (error) {
    if (!(error instanceof InputError && error.code === 'bad_parameter')) throw error;
    const { code, hint, location, value } = error;
    const option = String(location.path).replaceAll(
      /[A-Z]/g,
      (letter) => `-${letter.toLowerCase()}`,
    );
    throw new InputError(code, `--${option} is ${value}`, hint, {}, value);
  }
}

async function save(session: Session, instance: Instance, options: FileOptions): Promise<void> {
  const { name, jobs, machines, operations } = instance;
  const facts = `${name}: ${jobs} jobs, ${machines} machines, ${operations} operations`;
  const text =
    formatFor(instance, options) === 'json'
      ? writeInstanceJson(instance)
      : writeStandard(instance, [facts]);
  if (options.out === undefined) {
    await print(session, text);
    return;
  }
  writeOutput(options.out, text);
  remark(session, `${facts}, in ${options.out}`);
}

function formatFor(
  { jobOffset, machines, due }: Instance,
  { format, out }: FileOptions,
): FileFormat {
  const isJsonFile = /\.json(\.gz)?$/i.test(out ?? '');
  if (isJsonFile && format === 'standard') {
    throw new InputError(
      'other_format',
      'an instance in a file that ends in .json is not written in standard format',
      'omit --format, or change the ending of the file',
      { file: out },
    );
  }
  const rectangular = jobOffset.every((offset, job) => offset === job * machines);
  return format ?? (isJsonFile || !rectangular || due !== null ? 'json' : 'standard');
}
