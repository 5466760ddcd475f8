import { createHash } from 'node:crypto';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Instance } from '../../jssp/instance.js';
import { isClassic } from '../../jssp/shop-parts.js';
import type { PlanFormat, Topology } from '../planner-spec.js';
import { featureTexts } from './feature-texts.js';
import { formatFor } from './formats.js';

/**
 * The version of the texts below; it must change whenever one of them changes, so that answers are only compared within
 * a version.
 */
export const PROMPT_VERSION = 'alas-jssp/prompts@1';

/** The descriptions of their roles for the agents. */
export const roles = {
  planner:
    'You plan a job shop. You decide when every operation of every job is done, and you answer for a complete plan without conflicts that is done as early as possible.',
  scheduler:
    'You are the job scheduler of a job shop. You decide when the operations of each job are done, and you answer for it that every job is complete and in its order.',
  coordinator:
    'You are the machine coordinator of a job shop. You look at each machine: it never does two operations at a time, works only when it is available, and does not stand idle without need.',
  supervisor:
    'You are the supervisor of a job shop. You weigh what the job scheduler and the machine coordinator have worked out, and you answer for the final plan: complete, without conflicts, done as early as possible.',
  jobAgent:
    'You are the agent of some of the jobs of a job shop. You plan them so that they are done as early as possible; the agents of the other jobs need the same machines.',
} as const;

export type Role = keyof typeof roles;

/** The names by which agents know each other. */
export const agentNames = {
  planner: 'planner',
  scheduler: 'job scheduler',
  coordinator: 'machine coordinator',
  supervisor: 'supervisor',
  jobAgent: 'job agent',
} as const satisfies Record<Role, string>;

/** Texts about the shop; the lines in the middle are used only if they apply. */
export const shopTexts = {
  head: 'A job shop: {{operations}} operations of {{jobs}} jobs on the machines Machine0 to Machine{{lastMachine}}.',
  part: 'These are some of the jobs of a larger shop. The others are planned on their own; the machine times they have taken so far are listed as not available.',
  list: 'The jobs, each with its operations in the order in which they must be done, first the machine, then the duration:',
  release: 'After an operation, @ is the time before which it cannot start.',
  frozen: 'After an operation, = is the start that it has already taken and must keep.',
  due: 'After a job, "due" is when it should be done (it may be late), with what a unit of time of lateness weighs.',
  deadline: 'After a job, "deadline" is when it must be done.',
  zero: 'An operation of duration 0 takes no machine, but has its place in its job and in the plan.',
  visits: 'Some jobs come to a machine more than once.',
  downtimes:
    'Times when machines are not available, first to last, where the last is free again. No operation may start in one or run into one{{resumable}}:',
  resumable:
    '; but those marked ~ interrupt: an operation that began before goes on after it, and ends later by its length',
  rules:
    'Rules: an operation starts when the one before it in its job has ended, or later. A machine does one operation at a time. An operation that has started runs for its whole duration. Times are whole numbers from 0. The aim is that the last operation ends as early as possible.',
} as const;

/** The tasks of the agents, by topology. */
const tasks = {
  single: { plan: 'Make the best plan that you can.' },
  'group-chat': {
    propose:
      'You talk with the machine coordinator and the supervisor. Make a plan; if there are remarks on an earlier one, heed them.',
    remark:
      'You talk with the job scheduler and the supervisor. Look at the last plan machine by machine, and say in at most ten short lines where operations collide or a machine waits without need. If nothing is wrong, say OK.',
    decide:
      'You talk with the job scheduler and the machine coordinator. If the last plan is complete and without conflicts, say OK and nothing else; if not, say in at most ten short lines what the job scheduler has to change.',
    close: 'The talk is over. Make the final plan out of what has been said.',
  },
  crew: {
    schedule: 'First task of three: make a plan in which every job is complete and in its order.',
    coordinate:
      'Second task of three: take the plan of the job scheduler, resolve all conflicts on the machines, and give the whole plan.',
    supervise:
      'Third task of three: check the plan of the machine coordinator against all rules, improve it where you can, and give the whole final plan.',
  },
  graph: {
    schedule: 'Make a plan in which every job is complete and in its order.',
    revise:
      'Your last plan was checked. Make it again with what is said about it put right, and give the whole plan.',
    check:
      'Check the plan against all rules, machine by machine. If nothing is wrong, say OK; if not, name at most ten mistakes, a short line each.',
    close: 'The plan still has mistakes. Put them right, and give the whole final plan.',
  },
  swarm: {
    act: 'Go on with the plan from where the others have left it, and give the whole plan. Then say who goes on: `next` is "job scheduler", "machine coordinator", "supervisor", or "nobody" if the plan is final.',
  },
  alas: {
    propose: 'Plan your jobs as if the machines were yours alone.',
    coordinate:
      'The agents have planned their jobs without knowing of each other. Put the plans together: where operations collide on a machine, decide which goes first, and move what follows from that. Give the whole plan.',
    supervise:
      'Check the plan that the machine coordinator has put together against all rules, improve it where you can, and give the whole final plan.',
  },
} as const satisfies Record<Topology, Readonly<Record<string, string>>>;

/** Texts around the parts of a prompt. */
export const questionTexts = {
  earlier: 'What has been worked out so far:',
  contribution: '--- {{agent}}:\n{{text}}',
  nextPlain: 'Write last, on a line of its own: next: WHO',
  nextShaped: 'Put it into the member "next".',
} as const;

export const repairTexts = {
  plan: 'An earlier plan of this shop breaks rules. It was:\n{{plan}}',
  cut: '(and so on: the rest is left out)',
  none: 'An earlier answer held no plan that could be read.',
  findings:
    'There are {{total}} violations ({{counts}}). What is behind them, the most telling first:',
  task: 'Give the whole plan again with all of that put right. Change no more than it takes.',
} as const;

/** The prompt to judge one's own plan; it is not part of any prompt hash. */
export const judgeTexts = {
  plan: 'This is the plan that you have made (jobs and steps count from 1, machines from 0):\n{{plan}}',
  task: 'Check your plan against all rules: is every operation in it once, on its machine, for its duration, after the one before it in its job, and is no machine ever used by two at a time? The answer is a JSON object {"valid":<true or false>,"errors":[<each fault in a few words>]}, and nothing else.',
} as const;

/** The tasks of a topology. */
export function tasksOf<T extends Topology>(topology: T): (typeof tasks)[T] {
  return tasks[topology];
}

/** The purposes of prompts: the names of the tasks, and the repair of a plan. */
export const PURPOSES: readonly string[] = [
  ...new Set([...Object.values(tasks).flatMap((own) => Object.keys(own)), 'repair']),
].filter((name) => name !== 'revise');

/** Fills in the placeholders `{{name}}` of a template. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

/**
 * SHA-256, in hexadecimal, of all texts from which a topology (or the repair of a plan) makes its prompts: answers with
 * equal hashes can be compared.
 *
 * @param template SHA-256 of the file of a template, if there is one
 * @param instance a shop whose prompts may have more than those of a classic job shop
 */
export function promptHash(
  use: Topology | 'repair',
  { format, structured }: { readonly format: PlanFormat; readonly structured: boolean },
  template?: string,
  instance?: Instance,
): string {
  const { members, plain, shaped } = formatFor(instance, format);
  const texts = {
    version: PROMPT_VERSION,
    use: use === 'repair' ? repairTexts : tasks[use],
    answer: structured ? { members, shaped } : { plain },
    roles,
    agentNames,
    shopTexts,
    questionTexts,
    ...(template === undefined ? {} : { template }),
    ...(instance === undefined || isClassic(instance) ? {} : { featureTexts }),
  };
  return createHash('sha256').update(canonicalJson(texts)).digest('hex');
}
