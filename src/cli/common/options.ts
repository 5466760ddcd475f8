import { InputError } from '@alas-jssp/core/errors';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readTime } from '../../jssp/formats/time-fields.js';
import { type Instance, MAX_TIME } from '../../jssp/instance.js';
import { type Format, formats } from '../../report/table.js';
import type { Session } from './session.js';

/** The options of every command that prints results. */
export interface OutputOptions {
  format: Format;
}

/** Adds `--format`, `--json` and `--quiet`; tables are the default on a terminal only. */
export function withOutput(session: Session, command: Command): Command {
  const format = new Option('--format <format>', 'format of the results on stdout')
    .choices(formats)
    .default(session.host.stdout.isTTY ? 'table' : 'csv', 'table on a terminal, csv elsewhere');
  return withQuiet(
    session,
    withJson(command.addOption(format)),
    'no progress or remarks on stderr',
  );
}

/** Adds `--quiet`. */
export function withQuiet(
  session: Session,
  command: Command,
  meaning = 'no remarks on stderr',
): Command {
  return command.option('-q, --quiet', meaning, false).on('option:quiet', () => {
    session.quiet = true;
  });
}

/** Adds `--json`, short for `--format json`, and refuses it with any other format. */
export function withJson(command: Command): Command {
  return command
    .addOption(new Option('--json', 'short for --format json').implies({ format: 'json' }))
    .hook('preAction', (_, acting) => {
      const { json, format } = acting.opts<{ json?: boolean; format?: string }>();
      if (json && format !== 'json') {
        acting.error(`--json cannot be used with --format ${format}`);
      }
    });
}

/** Refuses an option together with its negation; commander would use the last. */
export function refuseNegation(command: Command, name: string): Command {
  const given = new Set<string>();
  for (const option of [name, `no-${name}`]) {
    command.on(`option:${option}`, () => {
      if (given.add(option).size > 1) {
        command.error(`--${name} cannot be used with --no-${name}`);
      }
    });
  }
  return command;
}

/** Whether the user gave the option, or one that implies it. */
export function isGiven(command: Command, option: string): boolean {
  return ['cli', 'implied'].includes(command.getOptionValueSource(option) ?? '');
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

/** A time from the command line: a number, or a date for instances with a clock. */
export type GivenTime = number | string;

/** Parses a time: a whole number, or a date that {@link timeOf} converts when the instance is known. */
export function givenTime(text: string): GivenTime {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return text;
  if (/^\d+$/.test(text) && Number(text) <= MAX_TIME) return Number(text);
  throw new InvalidArgumentError(
    `a time is a whole number, 0 to ${MAX_TIME}, or like 2026-11-23T14:10 if the shop has a clock.`,
  );
}

/**
 * A time from the command line, in units of an instance.
 *
 * @param option the option's name, for errors
 * @throws InputError `bad_time` for a date that is invalid, or if the instance has no clock
 */
export function timeOf<T extends GivenTime | undefined>(
  given: T,
  { timeScale, name }: Instance,
  option: string,
): number | Exclude<T, GivenTime> {
  if (typeof given !== 'string') return given as number | Exclude<T, GivenTime>;
  if (timeScale !== null) return readTime(timeScale, given, 'bad_time', { file: option });
  const problem = `${name} has no clock, and ${given} is a date`;
  throw new InputError('bad_time', problem, 'give a whole number', { file: option }, given);
}

/** A parser for a number of seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('a time limit is a number of seconds above 0.');
}

/** Collects the values of a repeatable option that may hold a comma list. */
export function collect(text: string, values: string[] | undefined): string[] {
  return [...(values ?? []), ...text.split(',').map((value) => value.trim())].filter(
    (value) => value !== '',
  );
}

/**
 * Like {@link collect}, for planners: a comma between two settings, as in
 * `openai:gpt-4o#topology=crew,format=csv`, does not separate planners, and a comma after `exec:` belongs to
 * the command.
 */
export function collectPlanners(text: string, values: string[] | undefined): string[] {
  if (/^\s*([\w.-]+=)?exec:/.test(text)) return [...(values ?? []), text.trim()];
  const planners: string[] = [];
  for (const part of collect(text, undefined)) {
    const isSetting = /^[\w-]+\s*=/.test(part) && planners.at(-1)?.includes('#');
    if (isSetting) planners.push(`${planners.pop()},${part}`);
    else planners.push(part);
  }
  return [...(values ?? []), ...planners];
}

/** Collects the values of a repeatable option, without splitting them. */
export function gather(text: string, values: readonly string[] | undefined): string[] {
  return [...(values ?? []), text];
}

/** Reads a number above 0. */
export function amount(what: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (value > 0 && value < Number.POSITIVE_INFINITY) return value;
    throw new InvalidArgumentError(`${what} is a number above 0.`);
  };
}
