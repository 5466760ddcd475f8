import { agentNames, questionTexts, type Role, tasksOf } from '../prompts/templates.js';
import { type AgentPlan, isUsable, type Team } from './team.js';

/** Maximum number of turns. */
const TURNS = 6;

/** The next agent if one does not name it. */
const USUAL_NEXT = {
  scheduler: 'coordinator',
  coordinator: 'supervisor',
  supervisor: 'scheduler',
} as const;

type Member = keyof typeof USUAL_NEXT;

const members = Object.keys(USUAL_NEXT) as Member[];
const NOBODY = 'nobody';
const NEXT = { type: 'string', enum: [...members.map((role) => agentNames[role]), NOBODY] };

/** Three agents that hand the plan over: each works on it and names the next agent, until one declares it final. */
export async function swarm(team: Team, { structured }: { structured: boolean }) {
  const { act } = tasksOf('swarm');
  const task = `${act} ${structured ? questionTexts.nextShaped : questionTexts.nextPlain}`;
  const plans: AgentPlan[] = [];
  for (let role: Role | undefined = 'scheduler'; role !== undefined && plans.length < TURNS; ) {
    const plan: AgentPlan = await team.plan(
      { role, purpose: 'act', task, earlier: plans },
      { next: NEXT },
    );
    plans.push(plan);
    role = nextOf(plan, role as Member);
  }
  return plans;
}

/** The next agent: the last one that the answer names, or none (`nobody`) if there is a plan. */
function nextOf(plan: AgentPlan, role: Member): Member | undefined {
  const names = NEXT.enum.join('|');
  const named = [
    ...plan.answer.matchAll(new RegExp(`\\bnext["*]*\\s*[:=][\\s"*]*(${names})`, 'gi')),
  ];
  const name = named.at(-1)?.[1].toLowerCase();
  if (name === NOBODY && isUsable(plan)) return undefined;
  return members.find((member) => agentNames[member] === name) ?? USUAL_NEXT[role];
}
