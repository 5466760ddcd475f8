import type { Command } from 'commander';
import type { CommandEntry } from './common/command-line.js';
import { loadPackage } from './common/load-package.js';
import type { Session } from './common/session.js';

/** The commands, in the order in which the help lists them. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  run: {
    description: 'run planners on suites, judge their plans, compare them with the best known',
    load: async (session) => (await import('./run/run.js')).runCommand(session),
  },
  compare: {
    description: 'compare two runs record by record, and hold the first against limits',
    load: async (session) => (await import('./run/compare.js')).compareCommand(session),
  },
  report: {
    description: 'summarize runs; with --paper in the tables of the ALAS paper',
    load: async (session) => (await import('./run/report.js')).reportCommand(session),
  },
  paper: {
    description: 'reproduce the tables and figures of the ALAS and SagaLLM papers',
    load: async (session) => (await import('./paper/paper.js')).paperCommand(session, commands),
  },
  validate: {
    description: 'judge a plan: is it complete and feasible? (verify is for certificates)',
    load: async (session) => (await import('./plans/validate.js')).validateCommand(session),
  },
  prove: {
    description: 'write a proof that no schedule ends before a bound, for verify',
    load: async (session) => (await import('./plans/prove.js')).proveCommand(session),
  },
  verify: {
    description: 'check a certificate or a proof again (validate is for plans)',
    load: async (session) => (await import('./plans/verify.js')).verifyCommand(session),
  },
  submit: {
    description: 'check a submission to the leaderboard, and write its entry',
    load: async (session) => (await import('./run/submit.js')).submitCommand(session),
  },
  plan: {
    description: 'make one plan of an instance with one planner (optimize searches on)',
    load: async (session) => (await import('./plans/plan.js')).planCommand(session),
  },
  repair: {
    description: 'make a feasible schedule from a wrong or disrupted plan',
    load: async (session) => (await import('./repair/repair.js')).repairCommand(session),
  },
  execute: {
    description: 'execute a plan under events, with every repair and version in a log',
    load: async (session) => (await import('./shop/execute.js')).executeCommand(session),
  },
  optimize: {
    description: 'search within a budget for the shortest schedule of an instance',
    load: async (session) => (await import('./plans/optimize.js')).optimizeCommand(session),
  },
  log: {
    description: 'show, verify, replay and export logs of runs, and resume a run',
    load: async (session) => (await import('./log/log.js')).logCommand(session),
  },
  list: {
    description: 'list suites, instances or planners',
    load: async (session) => (await import('./instances/list.js')).listCommand(session),
  },
  show: {
    description: 'show the size, the bounds and the machine loads of an instance',
    load: async (session) => (await import('./instances/show.js')).showCommand(session),
  },
  generate: {
    description: 'write a new instance',
    load: async (session) => (await import('./instances/generate.js')).generateCommand(session),
  },
  import: {
    description: 'make an instance from the orders, routings and shifts of a shop',
    load: async (session) => (await import('./instances/import.js')).importCommand(session),
  },
  convert: {
    description: 'write an instance or a plan in the format of another program',
    load: async (session) => (await import('./instances/convert.js')).convertCommand(session),
  },
  workflow: {
    description: 'draft, check, show and run workflows',
    load: async (session) => (await import('./workflow/workflow.js')).workflowCommand(session),
  },
  doctor: {
    description: 'check this installation: versions, packages, threads, files',
    load: async (session) => (await import('./doctor/doctor.js')).doctorCommand(session),
  },
  serve: {
    description: 'keep shops alive over HTTP: a page for foremen, programs and agents',
    load: async (session) => (await loadService()).serveCommand(session),
  },
  mcp: {
    description: 'tools for agents: planning, judging and repairing over MCP',
    load: async (session) => (await loadService()).mcpCommand(session),
  },
  guard: {
    description: "a proxy for an agent's tools (MCP) that can undo their changes",
    load: async (session) => (await loadAgents()).createGuardCommand(session),
  },
};

/** The exports of the service's package that the command line uses. */
interface ServicePackage {
  readonly serveCommand: (session: Session) => Command;
  readonly mcpCommand: (session: Session) => Command;
}

/** The package is built after this one, so its types are not known here. */
const SERVICE: string = '@alas-jssp/service';

/** @throws InputError `missing_package` */
function loadService(): Promise<ServicePackage> {
  return loadPackage<ServicePackage>(SERVICE, () => import(SERVICE));
}

/** The exports of the package of agents that the command line uses. */
interface AgentsPackage {
  readonly createGuardCommand: (session: Session) => Command;
}

/** The package is built after this one, so its types are not known here. */
const AGENTS: string = '@alas-jssp/agents';

/** @throws InputError `missing_package` */
function loadAgents(): Promise<AgentsPackage> {
  return loadPackage<AgentsPackage>(AGENTS, () => import(AGENTS));
}
