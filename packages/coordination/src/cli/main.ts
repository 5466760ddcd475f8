import { createRequire } from 'node:module';
import {
  type CommandEntry,
  type CommandLine,
  type CommandProcess,
  runCommandLine,
} from 'alas-jssp/command-line';

/** The commands, in the order of the help. */
const commands: Readonly<Record<string, CommandEntry>> = {
  validate: {
    description: 'judge a plan: does everybody get where they should be, in time?',
    load: async (session) => (await import('./validate.js')).validateCommand(session),
  },
  plan: {
    description: 'search for the cheapest plan of a problem',
    load: async (session) => (await import('./plan.js')).planCommand(session),
  },
  repair: {
    description: 'repair a plan after something has happened, and tell who has to be told what',
    load: async (session) => (await import('./repair.js')).repairCommand(session),
  },
  execute: {
    description: 'carry out a plan in a log, and repair it as things happen',
    load: async (session) => (await import('./execute.js')).executeCommand(session),
  },
  list: {
    description: 'list the problems, plans and events that come with the package, and suites',
    load: async (session) => (await import('./list.js')).listCommand(session),
  },
  show: {
    description: 'show what a problem states, or plans for it as a page',
    load: async (session) => (await import('./show.js')).showCommand(session),
  },
  schema: {
    description: 'print the JSON schema of problems, plans, events or records of runs',
    load: async (session) => (await import('./schema.js')).schemaCommand(session),
  },
  import: {
    description: 'make problems of what other collections state, and tell what they contradict',
    load: async (session) => (await import('./import.js')).importCommand(session),
  },
  run: {
    description:
      'run planners on problems: what they claim, what the judge says, what repair makes of it',
    load: async (session) => (await import('./run.js')).runCommand(session),
  },
  report: {
    description: 'print the tables of runs',
    load: async (session) => (await import('./report.js')).reportCommand(session),
  },
  travel: {
    description: 'plan, judge and book trips: offers, a booking service, seven agents, recovery',
    load: async (session) => (await import('./travel/travel.js')).travelCommand(session),
  },
  papers: {
    description: 'judge the plans that the background papers print',
    load: async (session) => (await import('./papers.js')).papersCommand(session),
  },
};

const line: CommandLine = {
  name: 'alas-coordination',
  description:
    'Coordination problems of people, vehicles and activities: an independent judge, plans and repair.',
  version: () => {
    const manifest = createRequire(import.meta.url)('../../package.json') as { version: string };
    return manifest.version;
  },
  commands,
  groups: ['travel'],
  examples: `Examples:
  $ alas-coordination list
  $ alas-coordination show wedding
  $ alas-coordination validate wedding sagallm-table-6
  $ alas-coordination plan ride-sharing
  $ alas-coordination repair wedding wedding wedding-traffic
  $ alas-coordination run --planner papers
  $ alas-coordination travel book berlin-cologne

Exit codes: 0 done; 1 the answer is "no"; 2 wrong usage or bad input;
130 interrupted.`,
};

/**
 * Runs the command line of coordination problems.
 *
 * @param args the arguments after the command's name
 * @returns the exit code: 0 done, 1 the answer is "no", 2 wrong usage or bad input
 */
export function main(args: readonly string[], host: CommandProcess = process): Promise<number> {
  return runCommandLine(line, args, host);
}
