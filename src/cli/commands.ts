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
    load: async () => (await import('./run/run.js')).runCommand(),
  },
  compare: {
    description: 'compare two runs record by record, and hold the first against limits',
    load: async () => (await import('./run/compare.js')).compareCommand(),
  },
  report: {
    description: 'sum up runs, also in the tables of the ALAS paper',
    load: async () => (await import('./run/report.js')).reportCommand(),
  },
  validate: {
    description: 'judge a plan: is it complete and feasible for that very instance?',
    load: async () => (await import('./plans/validate.js')).validateCommand(),
  },
  verify: {
    description: 'check a certificate again, from nothing but the instance',
    load: async () => (await import('./plans/verify.js')).verifyCommand(),
  },
  plan: {
    description: 'plan one instance; the plan goes to stdout, its quality to stderr',
    load: async () => (await import('./plans/plan.js')).planCommand(),
  },
  repair: {
    description: 'make a feasible schedule of a plan that is wrong or disrupted',
    load: async () => (await import('./repair/repair.js')).repairCommand(),
  },
  optimize: {
    description: 'search for a short schedule of one instance',
    load: async () => (await import('./plans/optimize.js')).optimizeCommand(),
  },
  log: {
    description: 'show, verify, replay and export the log of a run, and go on with it',
    load: async () => (await import('./log/log.js')).logCommand(),
  },
  list: {
    description: 'list the suites, instances or planners there are',
    load: async () => (await import('./instances/list.js')).listCommand(),
  },
  show: {
    description: 'show the size, the bounds and the machine loads of an instance',
    load: async () => (await import('./instances/show.js')).showCommand(),
  },
  generate: {
    description: 'write a new instance',
    load: async () => (await import('./instances/generate.js')).generateCommand(),
  },
  workflow: {
    description: 'check, show and run workflows',
    load: async () => (await import('./workflow/workflow.js')).workflowCommand(),
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
