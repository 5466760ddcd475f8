import type { AnswerShape, Message } from 'alas-jssp/llm';
import type { TeamRole, TeamTask, TeamTurn } from './team.js';

/** The words of an agent, for others. */
export interface Said {
  readonly name: string;
  readonly text: string;
}

/** An answer that was asked to be a plan. */
export interface SaidPlan<Plan, Reading extends { readonly plan: Plan | null }> extends Said {
  readonly turn: TeamTurn;
  readonly reading: Reading;
}

/** A request to one role. */
interface RoleRequest {
  readonly role: TeamRole;
  readonly purpose: string;
  readonly task: string;
  /** Earlier contributions, oldest first. */
  readonly earlier?: readonly Said[];
}

/** The agents of one round. */
export interface TeamTalk<Plan, Reading extends { readonly plan: Plan | null }> {
  readonly task: TeamTask<Plan, Reading>;
  /** All requests so far, in the order of the topology, whichever answer came first. */
  readonly turns: TeamTurn[];
  /** Seconds so far; concurrent requests count once: the longest of them. */
  seconds(): number;
  /** The last answer with a readable plan, or else the last one that should have been a plan. */
  latest(): SaidPlan<Plan, Reading> | null;
  /**
   * Asks a role, which sees all facts, for a plan.
   *
   * @param beside JSON Schemas of additional members of the answer, by name, for providers that enforce a shape
   */
  plan(
    request: RoleRequest,
    beside?: Readonly<Record<string, object>>,
  ): Promise<SaidPlan<Plan, Reading>>;
  /** Asks a role, which sees its own facts alone, for a remark. */
  remark(request: RoleRequest): Promise<Said>;
  /** Asks several roles at once, none of which sees the answers of the others. */
  remarks(requests: readonly RoleRequest[]): Promise<Said[]>;
}

/** The only planner of topology `single`. */
export const LONE_PLANNER: TeamRole = {
  id: 'planner',
  name: 'planner',
  kind: 'coordinator',
  duty: 'You make the whole plan.',
  facts: '',
};

/**
 * Opens the conversation of a round.
 *
 * @param occurrences requests so far by key, in all rounds
 */
export function createTeamTalk<Plan, Reading extends { readonly plan: Plan | null }>(
  task: TeamTask<Plan, Reading>,
  round: number,
  occurrences: Map<string, number>,
): TeamTalk<Plan, Reading> {
  const turns: TeamTurn[] = [];
  const plans: SaidPlan<Plan, Reading>[] = [];
  let seconds = 0;
  const note = (...answered: readonly TeamTurn[]) => {
    turns.push(...answered);
    seconds += Math.max(0, ...answered.map((one) => one.seconds));
  };
  const send = async (
    request: RoleRequest,
    messages: readonly Message[],
    shape: AnswerShape | null,
  ) => {
    task.signal?.throwIfAborted();
    const { role, purpose } = request;
    const key = `${role.kind === 'validator' ? 'validator' : 'agent'}/${role.id}`;
    const occurrence = (occurrences.get(key) ?? 0) + 1;
    occurrences.set(key, occurrence);
    const asked = { key, occurrence, round, role: role.id, purpose, messages, shape };
    const answer = await task.ask(asked);
    const turn: TeamTurn = { role: role.id, purpose, ...answer };
    return turn;
  };
  return {
    task,
    turns,
    seconds: () => seconds,
    latest: () => plans.findLast(({ reading }) => reading.plan !== null) ?? plans.at(-1) ?? null,
    async plan(request, beside = {}) {
      const shape = task.shape === undefined ? null : withMembers(task.shape, beside);
      const turn = await send(request, planMessages(task, request), shape);
      note(turn);
      const reading = task.readAnswer(turn.text);
      const said = { name: request.role.name, text: turn.text, turn, reading };
      plans.push(said);
      return said;
    },
    async remark(request) {
      const turn = await send(request, remarkMessages(task.system, request), null);
      note(turn);
      return { name: request.role.name, text: turn.text };
    },
    async remarks(requests) {
      const sent = requests.map((one) => send(one, remarkMessages(task.system, one), null));
      const outcomes = await Promise.allSettled(sent);
      const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      note(...answers);
      await Promise.all(sent);
      return answers.map(({ text }, i) => ({ name: requests[i].role.name, text }));
    },
  };
}

/** A shape with additional members. */
function withMembers(
  { name, schema }: AnswerShape,
  members: Readonly<Record<string, object>>,
): AnswerShape {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: object;
    readonly required?: readonly string[];
  };
  const all = { ...properties, ...members };
  return {
    name,
    schema: { ...schema, properties: all, required: [...required, ...Object.keys(members)] },
  };
}

/** The request for a plan: all facts, what others have said, the task, and the form of the answer. */
function planMessages<Plan, Reading extends { readonly plan: Plan | null }>(
  { system, facts, request }: TeamTask<Plan, Reading>,
  { role, task, earlier = [] }: RoleRequest,
): Message[] {
  // A lone planner gets the same prompt as without a team, so that answers to it can be replayed.
  const who = role === LONE_PLANNER ? '' : `\n\nYou are the ${role.name}. ${role.duty}`;
  return [
    { role: 'system', content: `${system}${who}` },
    { role: 'user', content: [facts, ...saidParts(earlier), task, request].join('\n\n') },
  ];
}

/**
 * The request for a remark. A validator gets a prompt of its own, not that of planners, and sees its facts and the plan.
 */
function remarkMessages(system: string, { role, task, earlier = [] }: RoleRequest): Message[] {
  const who = `You are the ${role.name}. ${role.duty}`;
  const own = role.kind === 'validator' ? who : `${system}\n\n${who}`;
  return [
    { role: 'system', content: own },
    { role: 'user', content: [role.facts, ...saidParts(earlier), task].join('\n\n') },
  ];
}

function saidParts(earlier: readonly Said[]): string[] {
  return earlier.map(({ name, text }) => `The ${name} says:\n${text}`);
}
