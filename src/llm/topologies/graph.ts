import type { Contribution } from '../prompts/prompt.js';
import { tasksOf } from '../prompts/templates.js';
import { type AgentPlan, isConsent, isUsable, type Team } from './team.js';

/** Maximum number of revisions after remarks. */
const REVISIONS = 2;

/** The memory that the agents share: the last plan and the last remarks. */
interface SharedMemory {
  readonly plans: AgentPlan[];
  remarks: Contribution | undefined;
}

type NodeName = 'schedule' | 'check' | 'close';

/** Does the work of a node, and returns the next node. */
type Node = (state: SharedMemory, team: Team) => Promise<NodeName | 'end'>;

const tasks = tasksOf('graph');

const nodes: Readonly<Record<NodeName, Node>> = {
  async schedule({ plans, remarks }, team) {
    const task = remarks === undefined ? tasks.schedule : tasks.revise;
    const earlier = remarks === undefined ? [] : [...plans.slice(-1), remarks];
    plans.push(await team.plan({ role: 'scheduler', purpose: 'schedule', task, earlier }));
    return 'check';
  },
  async check(state, team) {
    const { plans } = state;
    const earlier = plans.slice(-1);
    state.remarks = await team.remark({
      role: 'coordinator',
      purpose: 'check',
      task: tasks.check,
      earlier,
    });
    if (isConsent(state.remarks) && isUsable(earlier[0])) return 'end';
    return plans.length <= REVISIONS ? 'schedule' : 'close';
  },
  async close({ plans, remarks }, team) {
    const earlier = [...plans.slice(-1), ...(remarks === undefined ? [] : [remarks])];
    const { close: task } = tasks;
    plans.push(await team.plan({ role: 'supervisor', purpose: 'close', task, earlier }));
    return 'end';
  },
};

/**
 * A graph of states: the job scheduler plans, the machine coordinator checks; while there are objections the plan is
 * revised, and finally the supervisor fixes the rest.
 */
export async function stateGraph(team: Team): Promise<AgentPlan[]> {
  const state: SharedMemory = { plans: [], remarks: undefined };
  for (let node: NodeName | 'end' = 'schedule'; node !== 'end'; ) {
    node = await nodes[node](state, team);
  }
  return state.plans;
}
