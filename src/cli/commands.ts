import { Command } from 'commander';
import { InputError } from '../core/errors.js';
import { suggestNames } from '../core/nearest-names.js';

interface Entry {
  readonly description: string;
  /** Loads the command: only the one that is needed, which keeps start-up short. */
  readonly load: () => Promise<Command>;
}

/** The commands, in the order in which the help lists them. */
const commands: Readonly<Record<string, Entry>> = {
  run: {
    description: 'run planners on suites, judge what they plan, compare it with the best known',
    load: async () => (await import('./run.js')).runCommand(),
  },
  compare: {
    description: 'compare two runs record by record, and hold the first against limits',
    load: async () => (await import('./compare.js')).compareCommand(),
  },
  report: {
    description: 'sum up runs, also in the tables of the ALAS paper',
    load: async () => (await import('./report.js')).reportCommand(),
  },
  validate: {
    description: 'judge a plan: is it complete and feasible for that very instance?',
    load: async () => (await import('./validate.js')).validateCommand(),
  },
  verify: {
    description: 'check a certificate again, from nothing but the instance',
    load: async () => (await import('./verify.js')).verifyCommand(),
  },
  plan: {
    description: 'plan one instance; the plan goes to stdout, its quality to stderr',
    load: async () => (await import('./plan.js')).planCommand(),
  },
  repair: {
    description: 'make a feasible schedule of a plan that is wrong or disrupted',
    load: async () => (await import('./repair.js')).repairCommand(),
  },
  optimize: {
    description: 'search for a short schedule of one instance',
    load: async () => (await import('./optimize.js')).optimizeCommand(),
  },
  log: {
    description: 'show, verify, replay and export the log of a run, and go on with it',
    load: async () => (await import('./log.js')).logCommand(),
  },
  list: {
    description: 'list the suites, instances or planners there are',
    load: async () => (await import('./list.js')).listCommand(),
  },
  show: {
    description: 'show the size, the bounds and the machine loads of an instance',
    load: async () => (await import('./show.js')).showCommand(),
  },
  generate: {
    description: 'write a new instance',
    load: async () => (await import('./generate.js')).generateCommand(),
  },
  workflow: {
    description: 'check, show and run workflows',
    load: async () => (await import('./workflow.js')).workflowCommand(),
  },
};

/**
 * The command of that name, or undefined if it is no name but an option.
 *
 * @throws InputError `unknown_command` with the names that come closest
 */
export async function loadCommand(name: string): Promise<Command | undefined> {
  if (Object.hasOwn(commands, name)) {
    const { description, load } = commands[name];
    return (await load()).description(description);
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

/** All commands by name and description only: what the help of the program shows. */
export function outlineCommands(): Command[] {
  return Object.entries(commands).map(([name, { description }]) =>
    new Command(name).description(description),
  );
}
