import { writeFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { writeInstanceJson } from '../jssp/formats/instance-json.js';
import { writeStandard } from '../jssp/formats/standard.js';
import { generateRandom, generateTaillard } from '../jssp/generator.js';
import type { Instance } from '../jssp/instance.js';
import { wholeNumber, withSeed } from './options.js';

interface FileOptions {
  as?: 'standard' | 'json';
  out?: string;
}

/** `alas-jssp generate`: writes new instances. */
export function generateCommand(): Command {
  return new Command('generate')
    .description('write a new instance')
    .addCommand(taillardCommand())
    .addCommand(randomCommand());
}

function taillardCommand(): Command {
  return withFile(
    withSize(new Command('taillard'))
      .description("Taillard's 1993 generator; with his seeds it gives ta01 to ta80")
      .requiredOption('--time-seed <integer>', 'seed of the durations', lehmerSeed)
      .requiredOption('--machine-seed <integer>', 'seed of the machine orders', lehmerSeed),
  )
    .addHelpText(
      'after',
      `
Examples (these seeds give ta01; all of them are in benchmarks/taillard-seeds.csv):
  $ alas-jssp generate taillard --jobs 15 --machines 15 --time-seed 840612802 --machine-seed 398197754
  $ alas-jssp generate taillard --jobs 50 --machines 10 --time-seed 1 --machine-seed 2 --out my.txt`,
    )
    .action((options: TaillardOptions) => {
      save(generateTaillard(options), options);
    });
}

function randomCommand(): Command {
  return withFile(
    withSeed(
      withSize(new Command('random'))
        .description('a random instance; jobs may differ in length and revisit machines')
        .option('--min-length <count>', 'fewest operations of a job', wholeNumber('a length', 0))
        .option('--max-length <count>', 'most operations of a job', wholeNumber('a length', 0))
        .option('--min-duration <time>', 'shortest duration', wholeNumber('a duration', 0))
        .option('--max-duration <time>', 'longest duration', wholeNumber('a duration', 0))
        .option('--recirculation', 'jobs may visit a machine more than once', false),
    ),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ alas-jssp generate random --jobs 20 --machines 10 --seed 7 > shop.txt
  $ alas-jssp generate random --jobs 8 --machines 5 --min-length 2 --max-length 9 --recirculation --as json`,
    )
    .action((options: RandomOptions) => {
      save(generateRandom(options), options);
    });
}

type TaillardOptions = Parameters<typeof generateTaillard>[0] & FileOptions;
type RandomOptions = Parameters<typeof generateRandom>[0] & FileOptions;

const lehmerSeed = wholeNumber('a seed', 1, 2 ** 31 - 2);

function withSize(command: Command): Command {
  return command
    .requiredOption('--jobs <n>', 'number of jobs', wholeNumber('a number of jobs', 1))
    .requiredOption('--machines <m>', 'number of machines', wholeNumber('a number of machines', 1))
    .option('--name <name>', 'name of the instance');
}

function withFile(command: Command): Command {
  return command
    .addOption(
      new Option('--as <format>', 'file format; standard unless jobs differ in length').choices([
        'standard',
        'json',
      ]),
    )
    .option('--out <file>', 'write to a file instead of stdout');
}

function save(instance: Instance, { as, out }: FileOptions): void {
  const { jobs, machines, operations, jobOffset } = instance;
  const rectangular = jobOffset.every((offset, job) => offset === job * machines);
  const text =
    (as ?? (rectangular ? 'standard' : 'json')) === 'json'
      ? writeInstanceJson(instance)
      : writeStandard(instance, [
          `${instance.name}: ${jobs} jobs, ${machines} machines, ${operations} operations`,
        ]);
  if (out === undefined) process.stdout.write(text);
  else writeFileSync(out, text);
}
