import type { Instance } from '../../jssp/instance.js';
import type { PlanEntry } from '../../jssp/plan.js';
import type { Answer, AnswerShape } from '../client.js';
import { decodePlan } from '../decoding/decode-plan.js';
import { planFormats, planShape } from '../prompts/formats.js';
import { partOf } from '../prompts/part.js';
import {
  type Contribution,
  createQuestion,
  type PromptSettings,
  type Question,
} from '../prompts/question.js';
import { writeShop } from '../prompts/shop.js';
import { agentNames, type Role, roles } from '../prompts/templates.js';

/** A question of an agent. */
export interface AgentQuestion extends Question {
  /** The window of jobs that is being planned, from 0. */
  readonly window: number;
  readonly agent: string;
  /** The name of the task. */
  readonly purpose: string;
}

/** What an agent was asked, and what came of it. */
export interface Turn extends Omit<AgentQuestion, 'request'> {
  readonly completion: Answer;
}

/** What an agent is to do. */
interface Assignment {
  readonly role: Role;
  readonly purpose: string;
  readonly task: string;
  /** What it is shown of what was said before, oldest first. */
  readonly earlier?: readonly Contribution[];
}

/** A plan that an agent has given. */
export interface PlanContribution extends Contribution {
  /** The whole answer; `text` is what of it is to be decoded. */
  readonly answer: string;
  /** What can be read of it. */
  readonly entries: readonly PlanEntry[];
}

/** Agents that plan the jobs of an instance. */
export interface Team {
  readonly instance: Instance;
  /**
   * Asks an agent for a plan.
   *
   * @param beside JSON Schemas of what is asked for beside the plan, by the names of the members
   */
  plan(
    assignment: Assignment,
    beside?: Readonly<Record<string, object>>,
  ): Promise<PlanContribution>;
  /** Asks an agent for words. */
  remark(assignment: Assignment): Promise<Contribution>;
  /** Those of the team who plan some of the jobs, as if there were no others. */
  part(jobs: readonly number[], suffix: string): Team;
}

/** What a team is made of. */
export interface TeamOptions {
  readonly instance: Instance;
  /** Whether other jobs of the shop are planned on their own. */
  readonly isPart: boolean;
  readonly window: number;
  /** Tokens of a complete answer. */
  readonly answerTokens: number;
  readonly settings: PromptSettings;
  readonly ask: (question: AgentQuestion) => Promise<Answer>;
}

/** Makes a team whose agents are asked one by one; what `ask` throws goes through. */
export function createTeam(options: TeamOptions): Team {
  return teamFor(options, '');
}

function teamFor(options: TeamOptions, suffix: string): Team {
  const { instance, isPart, window, answerTokens, settings, ask } = options;
  const { format, structured } = settings;
  const { plain, shaped, read } = planFormats[format];
  const shop = writeShop(instance, isPart);

  async function say(
    { role, purpose, task, earlier = [] }: Assignment,
    shape?: AnswerShape,
  ): Promise<Contribution> {
    const agent = `${agentNames[role]}${suffix}`;
    const parts = { role: roles[role], shop, earlier, task, shape, answerTokens };
    const { text } = await ask({ window, agent, purpose, ...createQuestion(parts, settings) });
    return { agent, text };
  }

  return {
    instance,
    async plan(assignment, beside) {
      const task = `${assignment.task}\n\n${structured ? shaped : plain}`;
      const shape = structured ? planShape(format, beside) : undefined;
      const { agent, text: answer } = await say({ ...assignment, task }, shape);
      const text = read(answer);
      return { agent, text, answer, entries: decodePlan(text, instance).plan.entries };
    },
    remark: (assignment) => say(assignment),
    part(jobs, suffix) {
      const part = partOf(instance, jobs, { entries: [], tokens: 0 });
      return teamFor({ ...options, instance: part, isPart: true }, suffix);
    },
  };
}

/** Whether an agent has nothing against what it was shown: it says OK, and nothing else. */
export function isConsent({ text }: Contribution): boolean {
  return /^\W*ok(?:ay)?\W*$/i.test(text);
}

/** The last plan of which anything can be read; without one the last. */
export function lastUsable(plans: readonly PlanContribution[]): PlanContribution {
  return plans.findLast(({ entries }) => entries.length > 0) ?? plans[plans.length - 1];
}
