import { tasksOf } from '../prompts/templates.js';
import type { AgentPlan, Team } from './team.js';

/** Three consecutive tasks of different agents, each with the result of the one before. */
export async function crew(team: Team): Promise<AgentPlan[]> {
  const { schedule, coordinate, supervise } = tasksOf('crew');
  const first = await team.plan({ role: 'scheduler', purpose: 'schedule', task: schedule });
  const second = await team.plan({
    role: 'coordinator',
    purpose: 'coordinate',
    task: coordinate,
    earlier: [first],
  });
  const third = await team.plan({
    role: 'supervisor',
    purpose: 'supervise',
    task: supervise,
    earlier: [second],
  });
  return [first, second, third];
}
