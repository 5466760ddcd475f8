import { Command, CommanderError } from 'commander';
import { AlasError } from '../core/errors.js';
import { packageVersion } from '../core/package-version.js';
import { loadCommand, outlineCommands } from './commands.js';
import { exitCode } from './common/exit-code.js';
import { ignoreClosedPipes, print } from './common/output.js';

/**
 * Runs the command line.
 *
 * @param args what the user typed after the command's name
 * @returns the exit code: 0 done, 1 the answer is "no", 2 wrong usage or bad input
 */
export async function main(args: readonly string[]): Promise<number> {
  ignoreClosedPipes();
  process.on('exit', explainEarlyEnd);
  try {
    return await perform(args[0] === 'help' ? [...args.slice(1), '--help'] : args);
  } catch (error) {
    return explain(error, args);
  } finally {
    process.off('exit', explainEarlyEnd);
  }
}

async function perform(args: readonly string[]): Promise<number> {
  if (args[0] === '--version' || args[0] === '-V') {
    await print(packageVersion());
    return exitCode.done;
  }
  const program = await createProgram(args[0]);
  await program.parseAsync([...args], { from: 'user' });
  return Number(process.exitCode ?? exitCode.done);
}

/** Builds the program with the command that the user named, or with an outline of all. */
async function createProgram(name = ''): Promise<Command> {
  const program = new Command('alas-jssp')
    .description(
      'Job-shop scheduling: benchmark suites, planners, an independent validator, and runs that can be compared.',
    )
    .version(packageVersion())
    .addHelpText('after', `\n${examples}`);
  const command = await loadCommand(name);
  for (const each of command ? [command] : outlineCommands()) program.addCommand(each);
  takeOverErrors(program);
  return program;
}

/** Commander would print its errors itself, and exit with 1, which here means "no". */
function takeOverErrors(command: Command): void {
  command.exitOverride().configureOutput({ outputError: () => {} });
  command.commands.forEach(takeOverErrors);
}

const examples = `Examples:
  $ alas-jssp run --suite dmu
  $ alas-jssp plan ft06 --planner dispatch:mwkr --format json > plan.json
  $ alas-jssp validate ft06 plan.json

Exit codes: 0 done; 1 the answer is "no"; 2 wrong usage or bad input;
130 interrupted. Each command has its own help: alas-jssp run --help`;

/** Turns an error into one line on stderr and an exit code; bugs keep their stack trace. */
function explain(error: unknown, args: readonly string[]): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCode.done;
    if (error.code !== 'commander.help') console.error(`alas-jssp: ${describeUsage(error, args)}`);
    return exitCode.badInput;
  }
  if (error instanceof AlasError) {
    console.error(`alas-jssp: ${error.message}`);
    return exitCode.badInput;
  }
  const system = error as NodeJS.ErrnoException;
  if (typeof system.syscall === 'string') {
    console.error(`alas-jssp: ${system.message}; check that the path exists and may be used`);
    return exitCode.badInput;
  }
  console.error('alas-jssp: this is a bug, please report it with the lines below');
  console.error(error);
  return exitCode.badInput;
}

/** Commander's message as one line in our words, with a cure where it has none. */
function describeUsage({ message }: CommanderError, [name = '']: readonly string[]): string {
  const [problem, hint] = message.replace(/^error: /, '').split(/\n\(|\)$/);
  const inWords = problem
    .replace(/ is invalid\. (.)/, (_, letter: string) => ` is invalid: ${letter.toLowerCase()}`)
    .replace(/\.$/, '');
  const help = name.startsWith('-') ? 'alas-jssp --help' : `alas-jssp ${name} --help`;
  return `${inWords}; ${hint === undefined ? `see ${help}` : hint.replace('Did', 'did')}`;
}

/**
 * Speaks up when the process ends before the command is done: a planner of the user's ended it, or
 * never settled its promise. Without this it would look like success.
 */
function explainEarlyEnd(code: number): void {
  if (code === exitCode.interrupted) return;
  console.error(
    'alas-jssp: the process ended before the command was done; a planner or handler must not end it, and must settle its promise',
  );
  process.exitCode = exitCode.badInput;
}
