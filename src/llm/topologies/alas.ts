import type { Instance } from '../../jssp/instance.js';
import { tasksOf } from '../prompts/templates.js';
import type { AgentPlan, Team } from './team.js';

/** Agents for jobs there are at most; each has as many jobs as that takes. */
const JOB_AGENTS = 8;

/**
 * Agents for the jobs plan these in parallel, each without knowing of the others; the machine coordinator
 * puts their plans together, and the supervisor makes the final plan of that.
 */
export async function alas(team: Team): Promise<AgentPlan[]> {
  const { propose, coordinate, supervise } = tasksOf('alas');
  const proposals = await allOf(
    groupsOf(team.instance).map((jobs, i) =>
      team.part(jobs, ` ${i + 1}`).plan({ role: 'jobAgent', purpose: 'propose', task: propose }),
    ),
  );
  const whole = await team.plan({
    role: 'coordinator',
    purpose: 'coordinate',
    task: coordinate,
    earlier: proposals,
  });
  const final = await team.plan({
    role: 'supervisor',
    purpose: 'supervise',
    task: supervise,
    earlier: [whole],
  });
  return [whole, final];
}

/** The jobs that have operations, in groups of equal size. */
function groupsOf({ jobs, jobOffset }: Instance): number[][] {
  const all = Array.from({ length: jobs }, (_, job) => job).filter(
    (job) => jobOffset[job] < jobOffset[job + 1],
  );
  const size = Math.ceil(all.length / JOB_AGENTS);
  const groups: number[][] = [];
  for (let i = 0; i < all.length; i += size) groups.push(all.slice(i, i + size));
  return groups;
}

/** Waits for all, so that none is left behind when one fails; then the first failure counts. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
