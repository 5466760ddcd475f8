import type { Instance } from '../../jssp/instance.js';
import { tasksOf } from '../prompts/templates.js';
import type { AgentPlan, Team } from './team.js';

/** Maximum number of job agents, which share the jobs equally. */
const JOB_AGENTS = 8;

/**
 * Job agents plan their groups in parallel and independently; the machine coordinator merges their plans, and the
 * supervisor makes the final plan from that.
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

/** Waits for all promises, even if one fails; then rejects with the first failure. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
