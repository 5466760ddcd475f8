import { tasksOf } from '../prompts/templates.js';
import type { AgentPlan, Team } from './team.js';

/** One agent with one request. */
export async function single(team: Team): Promise<AgentPlan[]> {
  const { plan } = tasksOf('single');
  return [await team.plan({ role: 'planner', purpose: 'plan', task: plan })];
}
