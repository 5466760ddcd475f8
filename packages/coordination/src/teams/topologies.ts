import type { RoleKind, TeamRole, TeamTask, TeamTopology } from './team.js';
import { LONE_PLANNER, type Said, type SaidPlan, type TeamTalk } from './team-talk.js';

/** Maximum number of plans by the coordinator in `chat` and `graph`, before the supervisor makes the last one. */
const MOST_PLANS = 2;

const TASKS = {
  alone: 'Make the plan.',
  contribute:
    'Say what your part of the plan is: who does what, where, from when to when. No more than that.',
  propose: 'Make the whole plan, with what the others have said.',
  check:
    'Check the plan against your facts alone. If it breaks none, answer OK and nothing else. Otherwise name each fact that it breaks, one line each.',
  decide:
    'If the plan is final, answer OK and nothing else. Otherwise say what has to change, one line each.',
  again: 'Make the whole plan again, without the faults that were found.',
  close: 'Make the final plan. What the others say may be wrong: the facts decide.',
  act: 'Make the plan, or improve the one that you are given. Add, below it in a line of its own or as a member of the JSON, `next: ` and the role that should work on it now, or `next: nobody` if it is final. The roles are',
} as const;

type Work = <Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
) => Promise<void>;

/** How each topology makes its first plan. The plans are kept by the talk. */
export const topologyWork: Readonly<Record<TeamTopology, Work>> = {
  single: async (talk) => {
    await talk.plan({ role: LONE_PLANNER, purpose: 'plan', task: TASKS.alone });
  },
  chat,
  graph,
  crew,
  swarm,
  alas,
};

/** The role that makes final plans, and answers the judge. */
export function finalRole<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
): TeamRole {
  if (task.topology === 'single') return LONE_PLANNER;
  return some(task, 'supervisor')[0] ?? coordinatorOf(task);
}

/** Specialists contribute in parallel, validators check in parallel: none sees the others. */
async function alas<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
): Promise<void> {
  const { task } = talk;
  const parts = await talk.remarks(
    some(task, 'specialist').map((role) => ({
      role,
      purpose: 'contribute',
      task: TASKS.contribute,
    })),
  );
  const whole = await propose(talk, parts);
  const objections = await check(talk, whole);
  if (objections.length > 0 || !isUsable(whole)) await close(talk, [whole, ...objections]);
}

/** One after the other, each with what the ones before have said. */
async function crew<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
): Promise<void> {
  const parts = await contributions(talk, (said) => said);
  const whole = await propose(talk, parts);
  await close(talk, [whole, ...(await check(talk, whole))]);
}

/** All agents hear everything; the supervisor accepts a plan, or makes the last one. */
async function chat<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
): Promise<void> {
  const { task } = talk;
  const said: Said[] = await contributions(talk, (before) => before);
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const plan = await propose(talk, said, plans === 0 ? TASKS.propose : TASKS.again);
    said.push(plan);
    for (const role of validatorsOf(task)) {
      const earlier = [shown(task, plan)];
      said.push(await talk.remark({ role, purpose: 'check', task: TASKS.check, earlier }));
    }
    const [supervisor] = some(task, 'supervisor');
    if (supervisor === undefined) return;
    const judged = { ...supervisor, facts: task.facts };
    const decision = await talk.remark({
      role: judged,
      purpose: 'decide',
      task: TASKS.decide,
      earlier: said,
    });
    if (isConsent(decision) && isUsable(plan)) return;
    said.push(decision);
  }
  await close(talk, said);
}

/** The plan goes round between coordinator and validators while there are objections. */
async function graph<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
): Promise<void> {
  const parts = await contributions(talk, () => []);
  let earlier = parts;
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const plan = await propose(talk, earlier, plans === 0 ? TASKS.propose : TASKS.again);
    const objections = await check(talk, plan);
    if (objections.length === 0 && isUsable(plan)) return;
    earlier = [plan, ...objections];
  }
  await close(talk, earlier);
}

/** The agents hand the plan over: each works on it and names the next one. All of them see all facts. */
async function swarm<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
): Promise<void> {
  const { task } = talk;
  const members = task.roles.filter(({ kind }) => kind !== 'validator' || checks(task));
  const names = members.map(({ id }) => id).join(', ');
  const next = { type: 'string', enum: [...members.map(({ id }) => id), 'nobody'] };
  let role: TeamRole | undefined = coordinatorOf(task);
  let last: SaidPlan<Plan, Reading> | null = null;
  for (let turns = 0; role !== undefined && turns < members.length; turns++) {
    const earlier: readonly Said[] = last === null ? [] : [last];
    const request = { role, purpose: 'act', task: `${TASKS.act} ${names}.`, earlier };
    const plan: SaidPlan<Plan, Reading> = await talk.plan(request, { next });
    last = plan;
    role = nextOf(plan, members, role);
  }
}

function nextOf<Plan, Reading extends { readonly plan: Plan | null }>(
  plan: SaidPlan<Plan, Reading>,
  members: readonly TeamRole[],
  role: TeamRole,
): TeamRole | undefined {
  const named = [...plan.text.matchAll(/\bnext["*`]*\s*[:=][\s"*`]*([a-z0-9-]+)/gi)];
  const name = named.at(-1)?.[1].toLowerCase();
  if (name === 'nobody' && isUsable(plan)) return undefined;
  const at = members.indexOf(role);
  return members.find(({ id }) => id === name) ?? members[(at + 1) % members.length];
}

/** The specialists speak one after the other. */
async function contributions<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
  seen: (before: readonly Said[]) => readonly Said[],
): Promise<Said[]> {
  const said: Said[] = [];
  for (const role of some(talk.task, 'specialist')) {
    const earlier = [...seen(said)];
    said.push(await talk.remark({ role, purpose: 'contribute', task: TASKS.contribute, earlier }));
  }
  return said;
}

function propose<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
  earlier: readonly Said[],
  task: string = TASKS.propose,
): Promise<SaidPlan<Plan, Reading>> {
  return talk.plan({ role: coordinatorOf(talk.task), purpose: 'propose', task, earlier });
}

/** The objections of the validators, each of which sees its own facts and the plan alone. */
async function check<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
  plan: SaidPlan<Plan, Reading>,
): Promise<Said[]> {
  const remarks = await talk.remarks(
    validatorsOf(talk.task).map((role) => ({
      role,
      purpose: 'check',
      task: TASKS.check,
      earlier: [shown(talk.task, plan)],
    })),
  );
  return remarks.filter((one) => !isConsent(one));
}

/** A plan as others see it: as it was read, so that a validator does not see the reasons of its author. */
function shown<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
  { name, text, reading }: SaidPlan<Plan, Reading>,
): Said {
  return { name, text: reading.plan === null ? text : task.writePlan(reading.plan) };
}

async function close<Plan, Reading extends { readonly plan: Plan | null }>(
  talk: TeamTalk<Plan, Reading>,
  earlier: readonly Said[],
): Promise<void> {
  const role = finalRole(talk.task);
  await talk.plan({ role, purpose: 'close', task: TASKS.close, earlier });
}

function some<Plan, Reading extends { readonly plan: Plan | null }>(
  { roles }: TeamTask<Plan, Reading>,
  kind: RoleKind,
): readonly TeamRole[] {
  return roles.filter((role) => role.kind === kind);
}

function coordinatorOf<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
): TeamRole {
  return some(task, 'coordinator')[0] ?? some(task, 'supervisor')[0] ?? LONE_PLANNER;
}

function validatorsOf<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
): readonly TeamRole[] {
  return checks(task) ? some(task, 'validator') : [];
}

/** Whether validators take part: not in variants in which nobody, or the planner itself, validates. */
function checks<Plan, Reading extends { readonly plan: Plan | null }>({
  variant,
}: TeamTask<Plan, Reading>): boolean {
  return variant === 'full' || variant === 'no-repair';
}

/** Whether an agent has no objection: it answers only OK. */
function isConsent({ text }: Said): boolean {
  return /^\W*ok(?:ay)?\W*$/i.test(text);
}

function isUsable<Plan, Reading extends { readonly plan: Plan | null }>({
  reading,
}: SaidPlan<Plan, Reading>): boolean {
  return reading.plan !== null;
}
