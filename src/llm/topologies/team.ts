import type { Instance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import type { Answer, AnswerShape } from '../client.js';
import { type DecodedPlan, decodePlan } from '../decoding/decode-plan.js';
import { formatFor, planShape } from '../prompts/formats.js';
import { partOf } from '../prompts/part.js';
import {
  type Contribution,
  createPrompt,
  type Prompt,
  type PromptSettings,
} from '../prompts/prompt.js';
import { writeShop } from '../prompts/shop.js';
import { agentNames, type Role, roles } from '../prompts/templates.js';

/** A request of an agent. */
export interface AgentQuestion extends Prompt {
  /** The window of jobs that is being planned, from 0. */
  readonly window: number;
  readonly agent: string;
  /** The name of the task. */
  readonly purpose: string;
}

/** A request of an agent, and the answer to it. */
export interface Turn extends Omit<AgentQuestion, 'request'> {
  readonly answer: Answer;
}

/** The task of an agent. */
interface Assignment {
  readonly role: Role;
  readonly purpose: string;
  readonly task: string;
  /** Earlier contributions in its prompt, oldest first. */
  readonly earlier?: readonly Contribution[];
}

/** A plan of an agent, as text for other agents and decoded. */
export interface AgentPlan extends Contribution {
  /** The whole answer; `text` is the part with the plan. */
  readonly answer: string;
  /** The decoded plan; no other place decodes it. */
  readonly plan: Plan;
  /** Skipped parts of the answer. */
  readonly ignored: DecodedPlan['ignored'];
}

/** Agents that plan the jobs of an instance. */
export interface Team {
  readonly instance: Instance;
  /**
   * Asks an agent for a plan.
   *
   * @param beside JSON Schemas of additional members of the answer, by name
   */
  plan(assignment: Assignment, beside?: Readonly<Record<string, object>>): Promise<AgentPlan>;
  /** Asks an agent for a remark. */
  remark(assignment: Assignment): Promise<Contribution>;
  /** The sub-team that plans some of the jobs, as if there were no others. */
  part(jobs: readonly number[], suffix: string): Team;
}

/** The settings of a team. */
export interface TeamOptions {
  readonly instance: Instance;
  /** Whether other jobs of the shop are planned separately. */
  readonly isPart: boolean;
  readonly window: number;
  /** Tokens of a complete answer. */
  readonly answerTokens: number;
  readonly settings: PromptSettings;
  readonly ask: (question: AgentQuestion) => Promise<Answer>;
}

/** Makes a team whose agents send separate requests; errors of `ask` are rethrown. */
export function createTeam(options: TeamOptions): Team {
  return teamFor(options, '');
}

function teamFor(options: TeamOptions, suffix: string): Team {
  const { instance, isPart, window, answerTokens, settings, ask } = options;
  const { format, structured } = settings;
  const { plain, shaped, read } = formatFor(instance, format);
  const shop = writeShop(instance, isPart);

  async function say(
    { role, purpose, task, earlier = [] }: Assignment,
    { answer, shape }: { readonly answer?: string; readonly shape?: AnswerShape | undefined } = {},
  ): Promise<Contribution> {
    const agent = `${agentNames[role]}${suffix}`;
    const asked = { task, answer, agent, purpose };
    const parts = { role: roles[role], shop, earlier, ...asked, shape, answerTokens };
    const { text } = await ask({ window, agent, purpose, ...createPrompt(parts, settings) });
    return { agent, text };
  }

  return {
    instance,
    async plan(assignment, beside) {
      const shape = structured ? planShape(format, beside, instance) : undefined;
      const how = { answer: structured ? shaped : plain, shape };
      const { agent, text: answer } = await say(assignment, how);
      const text = read(answer);
      const { plan, ignored } = decodePlan(text, instance);
      return { agent, text, answer, plan, ignored };
    },
    remark: (assignment) => say(assignment),
    part(jobs, suffix) {
      const part = partOf(instance, jobs, { entries: [], tokens: 0 });
      return teamFor({ ...options, instance: part, isPart: true }, suffix);
    },
  };
}

/** Whether an agent has no objection: it answers only OK. */
export function isConsent({ text }: Contribution): boolean {
  return /^\W*ok(?:ay)?\W*$/i.test(text);
}

/** The last plan with readable entries, or else the last plan. */
export function lastUsable(plans: readonly AgentPlan[]): AgentPlan {
  return plans.findLast(isUsable) ?? plans[plans.length - 1];
}

/** Whether a plan has readable entries. */
export function isUsable({ plan }: AgentPlan): boolean {
  return plan.entries.length > 0;
}
