import { tasksOf } from '../prompts/templates.js';
import type { PlanContribution, Team } from './team.js';

/** One agent that is asked once. */
export async function single(team: Team): Promise<PlanContribution[]> {
  const { plan } = tasksOf('single');
  return [await team.plan({ role: 'planner', purpose: 'plan', task: plan })];
}
