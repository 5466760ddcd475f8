import { InputError } from '@alas-jssp/core/errors';
import { Command, InvalidArgumentError, Option } from 'commander';
import { generateFlexible } from '../../jssp/flexible-generator.js';
import { writeFlexible } from '../../jssp/formats/flexible.js';
import { writeInstanceJson } from '../../jssp/formats/instance-json.js';
import { flexibleFileEnding } from '../../jssp/formats/source.js';
import { writeStandard } from '../../jssp/formats/standard.js';
import { generateRandom, generateTaillard, withDueDates } from '../../jssp/generator.js';
import type { Instance } from '../../jssp/instance.js';
import { isPlain } from '../../jssp/shop-parts.js';
import { resolveSource } from '../../jssp/suites.js';
import { outputFile, writeOutput } from '../common/files.js';
import { wholeNumber, withJson, withQuiet } from '../common/options.js';
import { print, remark } from '../common/output.js';
import type { Session } from '../common/session.js';
import { withSeed } from '../common/setting-options.js';

type FileFormat = 'standard' | 'fjs' | 'json';

interface FileOptions {
  format?: FileFormat;
  out?: string;
}

/** `alas-jssp generate`: writes new instances. */
export function generateCommand(session: Session): Command {
  return new Command('generate')
    .addCommand(taillardCommand(session))
    .addCommand(randomCommand(session))
    .addCommand(flexibleCommand(session))
    .addCommand(copyCommand(session));
}

/** Writes an instance in another format. */
function copyCommand(session: Session): Command {
  return withFile(session, new Command('copy'))
    .description('an instance that exists, in another format')
    .argument('<instance>', 'a benchmark instance or a file')
    .addHelpText(
      'after',
      `
Writes one of our own formats. alas-jssp convert also writes formats of other
programs, and converts plans.

Examples:
  $ alas-jssp generate copy mk01 --out mk01.json
  $ alas-jssp generate copy my-shop.json --as fjs > my-shop.fjs`,
    )
    .action(async (spec: string, options: FileOptions) => {
      await save(session, resolveSource(spec).load(), options);
    });
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

function flexibleCommand(session: Session): Command {
  const time = (what: string) => wholeNumber(what, 0);
  return withFile(
    session,
    withSeed(
      withSize(new Command('flexible'))
        .description('a random shop with alternative machines, setups, transport, operators')
        .option(
          '--flexibility <mean>',
          'mean number of machines of an operation (default: 2)',
          fraction,
        )
        .option(
          '--variation <share>',
          'by which durations differ by machine (default: 0.2)',
          fraction,
        )
        .option('--min-length <count>', 'fewest operations of a job', time('a length'))
        .option('--max-length <count>', 'most operations of a job', time('a length'))
        .option('--min-duration <time>', 'shortest duration', time('a duration'))
        .option('--max-duration <time>', 'longest duration', time('a duration'))
        .option('--recirculation', 'let jobs visit a machine more than once', false)
        .option('--families <count>', 'families with setups between them', time('a number'))
        .option('--max-setup <time>', 'longest setup (default: 20)', time('a setup'))
        .option('--attended-setups', 'setups begin only after the job has arrived', false)
        .option('--max-transport <time>', 'longest transport between machines', time('a time'))
        .option('--operators <count>', 'operators, for half of the work', time('a number'))
        .option('--assembly <share>', 'share of operations with other predecessors', fraction)
        .option('--min-lag <time>', 'greatest of the least waiting times', time('a time'))
        .option('--max-lag <time>', 'greatest waiting time; 0 is no-wait', time('a time')),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp generate flexible --jobs 10 --machines 5 --seed 7 > shop.fjs
  $ alas-jssp generate flexible --jobs 10 --families 4 --out setups.json
  $ alas-jssp generate flexible --jobs 8 --machines 6 --families 3 \\
      --operators 2 --max-transport 9 --assembly 0.3 --max-lag 9 --out shop.json`,
    )
    .action(async (options: FlexibleOptions) => {
      await save(
        session,
        make(() => generateFlexible(options), options),
        options,
      );
    });
}

interface DueOptions {
  dueTightness?: number;
}

type TaillardOptions = Parameters<typeof generateTaillard>[0] & DueOptions & FileOptions;
type FlexibleOptions = Parameters<typeof generateFlexible>[0] & DueOptions & FileOptions;
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

/** A parser for shares and means such as 0.3. */
function fraction(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('give a number of 0 or more, such as 0.3.');
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
    'file format (default: by the ending of --out, otherwise the simplest that holds the instance)',
  ).choices(['standard', 'fjs', 'json']);
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
  const text = WRITERS[formatFor(instance, options)](instance, facts);
  if (options.out === undefined) {
    await print(session, text);
    return;
  }
  writeOutput(options.out, text);
  remark(session, `${facts}, in ${options.out}`);
}

const WRITERS: Record<FileFormat, (instance: Instance, facts: string) => string> = {
  standard: (instance, facts) => writeStandard(instance, [facts]),
  fjs: writeFlexible,
  json: writeInstanceJson,
};

function formatFor(instance: Instance, { format, out = '' }: FileOptions): FileFormat {
  const { jobOffset, machines, due } = instance;
  const isJsonFile = /\.json(\.gz)?$/i.test(out);
  const isFlexibleFile = flexibleFileEnding.test(out);
  const other = (isJsonFile && format !== 'json') || (isFlexibleFile && format !== 'fjs');
  if (format !== undefined && other) {
    const ending = isJsonFile ? 'json' : 'fjs';
    throw new InputError(
      'other_format',
      `an instance in a file that ends in .${ending} is not written in ${FORMAT_WORDS[format]}`,
      'omit --format, or change the ending of the file',
      { file: out },
    );
  }
  if (format !== undefined) return format;
  if (isJsonFile || !isPlain(instance) || due !== null) return 'json';
  if (isFlexibleFile || instance.modes !== null) return 'fjs';
  return jobOffset.every((offset, job) => offset === job * machines) ? 'standard' : 'json';
}

const FORMAT_WORDS: Readonly<Record<FileFormat, string>> = {
  standard: 'standard format',
  fjs: 'the .fjs format',
  json: 'JSON',
};
