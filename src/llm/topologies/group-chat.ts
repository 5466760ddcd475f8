import type { Contribution } from '../prompts/prompt.js';
import { tasksOf } from '../prompts/templates.js';
import { type AgentPlan, isConsent, isUsable, type Team } from './team.js';

/** Maximum number of plans by the job scheduler. */
const MAX_PLANS = 2;

/**
 * Three agents in one shared conversation: the job scheduler makes a plan, the machine coordinator comments on it, the
 * supervisor accepts it or requests changes. If it accepts none, it makes the last plan itself.
 */
export async function groupChat(team: Team): Promise<AgentPlan[]> {
  const { propose, remark, decide, close } = tasksOf('group-chat');
  const chat: Contribution[] = [];
  const plans: AgentPlan[] = [];
  while (plans.length < MAX_PLANS) {
    const plan = await team.plan({
      role: 'scheduler',
      purpose: 'propose',
      task: propose,
      earlier: chat,
    });
    plans.push(plan);
    chat.push(plan);
    chat.push(
      await team.remark({ role: 'coordinator', purpose: 'remark', task: remark, earlier: chat }),
    );
    const decision = await team.remark({
      role: 'supervisor',
      purpose: 'decide',
      task: decide,
      earlier: chat,
    });
    if (isConsent(decision) && isUsable(plan)) return plans;
    chat.push(decision);
  }
  plans.push(await team.plan({ role: 'supervisor', purpose: 'close', task: close, earlier: chat }));
  return plans;
}
