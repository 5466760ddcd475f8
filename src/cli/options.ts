import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Format, formats } from '../report/table.js';

/** What every command that prints results understands. */
export interface OutputOptions {
  format: Format;
  quiet: boolean;
}

/** Adds `--format`, `--json` and `--quiet`; tables are the default on a terminal only. */
export function withOutput(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'how results are written to stdout')
        .choices(formats)
        .default(process.stdout.isTTY ? 'table' : 'csv', 'table on a terminal, csv elsewhere'),
    )
    .addOption(new Option('--json', 'short for --format json').implies({ format: 'json' }))
    .option('-q, --quiet', 'no progress and no remarks on stderr', false);
}

/** Adds `--seed`. */
export function withSeed(command: Command): Command {
  return command.option(
    '--seed <integer>',
    'seed of everything random; equal seeds give equal results',
    wholeNumber('a seed', 0),
    0,
  );
}

/** A parser for whole numbers of at least `least` (and at most `most`). */
export function wholeNumber(
  what: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text) && value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new InvalidArgumentError(`${what} is a whole number, ${range}.`);
  };
}

/** Collects the values of an option that may be given several times or hold a comma list. */
export function collect(text: string, values: string[] | undefined): string[] {
  return [...(values ?? []), ...text.split(',').map((value) => value.trim())].filter(
    (value) => value !== '',
  );
}
