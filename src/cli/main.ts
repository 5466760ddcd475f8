import { Command, CommanderError } from 'commander';
import { AlasError } from '../core/errors.js';
import { packageVersion } from '../harness/manifest.js';
import { exitCode } from './exit-code.js';

/**
 * Runs the command line.
 *
 * @param args what the user typed after the command's name
 * @returns the exit code: 0 done, 1 the answer is "no", 2 wrong usage or bad input
 */
export async function main(args: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading (`| head`): that is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCode.done : exitCode.badInput);
  });
  process.exitCode = exitCode.done;
  try {
    const program = await createProgram(args[0]);
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode);
  } catch (error) {
    return explain(error);
  }
}

/** The commands; each is loaded only when it is needed, which keeps start-up short. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./run.js')).runCommand(),
  compare: async () => (await import('./compare.js')).compareCommand(),
  validate: async () => (await import('./validate.js')).validateCommand(),
  verify: async () => (await import('./verify.js')).verifyCommand(),
  plan: async () => (await import('./plan.js')).planCommand(),
  list: async () => (await import('./list.js')).listCommand(),
  show: async () => (await import('./show.js')).showCommand(),
  generate: async () => (await import('./generate.js')).generateCommand(),
};

/** Builds the program with the command that the user named, or with all where none is known. */
async function createProgram(name = ''): Promise<Command> {
  const program = new Command('alas-jssp')
    .description(
      'Job-shop scheduling: benchmark suites, planners, an independent validator, and runs that can be compared.',
    )
    .version(packageVersion())
    .addHelpText('after', `\n${examples}`);
  const loaders = Object.hasOwn(commands, name) ? [commands[name]] : Object.values(commands);
  for (const load of loaders) program.addCommand(await load());
  // Commander would exit with 1 for wrong usage; here 1 means that the answer is "no".
  overrideExit(program);
  return program;
}

function overrideExit(command: Command): void {
  command.exitOverride();
  command.commands.forEach(overrideExit);
}

const examples = `Examples:
  $ alas-jssp run --suite dmu
  $ alas-jssp plan ft06 --planner dispatch:mwkr --format json > plan.json
  $ alas-jssp validate ft06 plan.json

Exit codes: 0 done; 1 the answer is "no"; 2 wrong usage or bad input; 130 interrupted.
Each command has its own help: alas-jssp run --help`;

/** Turns an error into one line on stderr and an exit code; bugs keep their stack trace. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? exitCode.done : exitCode.badInput;
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
