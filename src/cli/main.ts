import { Command, CommanderError } from 'commander';
import { AlasError } from '../core/errors.js';
import { packageVersion } from '../harness/manifest.js';
import { compareCommand } from './compare.js';
import { exitCode } from './exit-code.js';
import { generateCommand } from './generate.js';
import { listCommand } from './list.js';
import { planCommand } from './plan.js';
import { runCommand } from './run.js';
import { showCommand } from './show.js';
import { validateCommand } from './validate.js';
import { verifyCommand } from './verify.js';

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
    await createProgram().parseAsync([...args], { from: 'user' });
    return Number(process.exitCode);
  } catch (error) {
    return explain(error);
  }
}

function createProgram(): Command {
  const program = new Command('alas-jssp')
    .description(
      'Job-shop scheduling: benchmark suites, planners, an independent validator, and runs that can be compared.',
    )
    .version(packageVersion())
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\n${examples}`);
  const commands = [
    runCommand(),
    compareCommand(),
    validateCommand(),
    verifyCommand(),
    planCommand(),
    listCommand(),
    showCommand(),
    generateCommand(),
  ];
  for (const command of commands) program.addCommand(command);
  // Commander would exit with 1 for wrong usage; here 1 means that the answer is "no".
  for (const command of [program, ...commands]) command.exitOverride().showSuggestionAfterError();
  return program;
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
