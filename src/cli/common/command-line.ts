import { inspect } from 'node:util';
import { AlasError, InputError } from '@alas-jssp/core/errors';
import { suggestNames } from '@alas-jssp/core/nearest-names';
import { type Argument, Command, CommanderError, type Option } from 'commander';
import { onReadingNotes } from '../../jssp/formats/exchange/reading-notes.js';
import { ignoreClosedPipes, print, printError, remarkNotRead, widthOf } from './output.js';
import { type CommandProcess, exitCode, type Session } from './session.js';

/** A command, loaded on first use to keep start-up short. */
export interface CommandEntry {
  readonly description: string;
  readonly load: (session: Session) => Promise<Command>;
}

/** A program with commands. */
export interface CommandLine {
  /** The word that the user types before the name of a command. */
  readonly name: string;
  readonly description: string;
  readonly version: () => string;
  /** Commands by name, in the order in which the help lists them. */
  readonly commands: Readonly<Record<string, CommandEntry>>;
  /** Commands with subcommands. */
  readonly groups: readonly string[];
  /** Text below the help. */
  readonly examples: string;
}

/**
 * Runs a command line. Errors print one line on stderr; the exit code states the outcome.
 *
 * @param args what the user typed after the program's name
 * @param host the streams and signals
 * @returns the exit code: 0 done, 1 the answer is "no", 2 wrong usage or bad input
 */
export async function runCommandLine(
  line: CommandLine,
  args: readonly string[],
  host: CommandProcess,
): Promise<number> {
  const typed = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const session: Session = {
    program: line.name,
    host,
    args: typed,
    quiet: false,
    notRead: new Set(),
    exitCode: exitCode.done,
  };
  const explainEarlyEnd = (code: number) => {
    if (code !== exitCode.interrupted) host.exitCode = reportEarlyEnd(session);
  };
  ignoreClosedPipes(host);
  host.on('exit', explainEarlyEnd);
  const endNotes = onReadingNotes((file, notes) => {
    for (const note of notes) remarkNotRead(session, file, note);
  });
  try {
    await perform(line, session);
    return session.exitCode;
  } catch (error) {
    return explain(line, session, error);
  } finally {
    endNotes();
    host.off('exit', explainEarlyEnd);
  }
}

async function perform(line: CommandLine, session: Session): Promise<void> {
  const [name = ''] = session.args;
  if (name === '--version' || name === '-V') return print(session, line.version());
  const program = await createProgram(line, session, name);
  await program.parseAsync([...session.args], { from: 'user' });
}

/** Builds the program with the command that the user named, or with names and descriptions of all. */
async function createProgram(line: CommandLine, session: Session, name: string): Promise<Command> {
  const program = new Command(line.name)
    .description(line.description)
    .version(line.version())
    .addHelpText('after', `\n${line.examples}`);
  const command = await loadCommand(line, session, name);
  for (const each of command ? [command] : outlineCommands(line)) program.addCommand(each);
  overrideCommander(program, session.host);
  return program.hook('preAction', (_, acting) => refuseEmptyNames(acting));
}

/**
 * The command of that name; undefined for an option.
 *
 * @throws InputError `unknown_command` with the closest names
 */
async function loadCommand(
  { commands }: CommandLine,
  session: Session,
  name: string,
): Promise<Command | undefined> {
  if (Object.hasOwn(commands, name)) {
    const { description, load } = commands[name];
    return (await load(session)).description(description);
  }
  if (name === '' || name.startsWith('-')) return undefined;
  throw new InputError(
    'unknown_command',
    `there is no command '${name}'`,
    suggestNames(name, Object.keys(commands)),
    {},
    name,
  );
}

/** All commands with name and description only, for the program's help. */
function outlineCommands({ commands }: CommandLine): Command[] {
  return Object.entries(commands).map(([name, { description }]) =>
    new Command(name).description(description),
  );
}

/** Refuses an empty argument, and an option whose file or directory has an empty name. */
function refuseEmptyNames(command: Command): void {
  const index = command.args.indexOf('');
  if (index >= 0) {
    const names = command.registeredArguments;
    const argument = names[Math.min(index, names.length - 1)].name();
    command.error(`argument '${argument}' has an empty name`);
  }
  for (const option of command.options) {
    const isName = /<(file|dir|run|plan|module)>/.test(option.flags);
    if (isName && command.getOptionValue(option.attributeName()) === '') {
      command.error(`option '${option.flags}' has an empty name`);
    }
  }
}

/** By default, commander prints its errors and exits with 1, which means "no" here. */
function overrideCommander(command: Command, host: CommandProcess): void {
  const { stdout, stderr } = host;
  command.exitOverride().configureOutput({
    writeOut: (text) => stdout.write(text),
    writeErr: (text) => stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
    outputError: () => {},
  });
  command.configureHelp({
    subcommandTerm: nameWithArguments,
    argumentDescription: describeValue,
    optionDescription: describeValue,
  });
  for (const each of command.commands) overrideCommander(each, host);
}

/** A command in a list, such as `diff <file> <before> <after>`. */
function nameWithArguments(command: Command): string {
  const names = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...names].join(' ');
}

/** The meaning of an argument or option, with choices and default in words; commander writes JSON. */
function describeValue(value: Argument | Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription } = value;
  const isPrintable = ['string', 'number'].includes(typeof defaultValue);
  const usual = defaultValueDescription ?? (isPrintable ? String(defaultValue) : undefined);
  const more = [
    ...(argChoices === undefined ? [] : [`choices: ${argChoices.join(', ')}`]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ];
  return more.length === 0 ? description : `${description} (${more.join('; ')})`;
}

/** Turns an error into one line on stderr and an exit code; bugs keep their stack trace. */
function explain(line: CommandLine, session: Session, error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCode.done;
    if (error.code !== 'commander.help')
      printError(session, describeUsage(line, error, session.args));
    return exitCode.badInput;
  }
  if (error instanceof AlasError) {
    printError(session, error.message);
    return exitCode.badInput;
  }
  const system = error as NodeJS.ErrnoException;
  if (typeof system.syscall === 'string') {
    printError(session, describeSystemError(system));
    return exitCode.badInput;
  }
  printError(session, 'this is a bug, please report it with the lines below');
  session.host.stderr.write(`${inspect(error)}\n`);
  return exitCode.badInput;
}

/** An error of the operating system, with a hint. */
function describeSystemError({ message, code = '' }: NodeJS.ErrnoException): string {
  const isFull = ['ENOSPC', 'EDQUOT'].includes(code);
  return `${message}; ${isFull ? 'make room on the disk' : 'check that the path exists and is accessible'}`;
}

/** Commander's message as one line, with a hint if it has none. */
function describeUsage(
  line: CommandLine,
  { message, code }: CommanderError,
  [name = '', sub = '']: readonly string[],
): string {
  const [problem, hint] = message.replace(/^error: /, '').split(/\n\((?=Did you mean .*\?\)$)|\)$/);
  const inWords = problem
    .replace(
      /^command-argument value ('.*') is invalid for argument '.*?'/s,
      'argument $1 is invalid',
    )
    .replace(/ is invalid\. (.)/, (_, letter: string) => ` is invalid: ${letter.toLowerCase()}`)
    .replace(/\.$/, '');
  const isGroup = line.groups.includes(name) && /^[a-z]+$/.test(sub);
  const isKnown = code !== 'commander.unknownCommand';
  const words = name.startsWith('-') ? [] : isGroup && isKnown ? [name, sub] : [name];
  const help = [line.name, ...words, '--help'].join(' ');
  return `${inWords}; ${hint === undefined ? `see ${help}` : hint.replace('Did', 'did')}`;
}

/**
 * Reports a process that ends before the command is done: a planner of the user ended it or never settled
 * its promise. Without this report, the exit code would be that of success.
 */
function reportEarlyEnd(session: Session): number {
  printError(
    session,
    'the process ended before the command was done; a planner or handler must not end the process and must settle its promise',
  );
  return exitCode.badInput;
}
