import type { Instance } from '../../jssp/instance.js';
import type { Ask } from '../client.js';
import type { Topology } from '../planner-spec.js';
import type { PromptSettings } from '../prompts/prompt.js';
import { PROMPT_VERSION, promptHash } from '../prompts/templates.js';
import { planWindows, type Window } from '../prompts/windows.js';
import { alas } from './alas.js';
import { crew } from './crew.js';
import {
  type Conversation,
  followWindows,
  type ProposalTask,
  teamOptions,
} from './follow-windows.js';
import { stateGraph } from './graph.js';
import { groupChat } from './group-chat.js';
import { single } from './single.js';
import { swarm } from './swarm.js';
import { type AgentPlan, type AgentQuestion, createTeam, lastUsable, type Team } from './team.js';

/** The proposal of agents. */
export interface Proposal extends Conversation {
  readonly windows: readonly Window[];
  readonly promptVersion: string;
  readonly promptHash: string;
}

/** The plans of a team's agents in the order in which they were made: the last usable one counts. */
type Work = (team: Team, settings: PromptSettings) => Promise<readonly AgentPlan[]>;

const topologies: Readonly<Record<Topology, Work>> = {
  single,
  'group-chat': groupChat,
  crew,
  graph: stateGraph,
  swarm,
  alas,
};

/**
 * Lets agents plan an instance: window by window, if it does not fit their model's context, each
 * around the machine times that those before it have taken. An agent that says nothing usable stops
 * nobody; the number of turns is bounded. Equal answers give equal proposals.
 *
 * @throws InputError `context_too_small` before anything is asked; what `ask` throws, once no other
 *   question is under way; the reason of the signal
 */
export async function propose(task: ProposalTask, ask: Ask): Promise<Proposal> {
  const { instance, settings } = task;
  const windows = proposalWindows(instance, settings);
  const plan = topologies[settings.topology];
  const conversation = await followWindows(task, ask, windows, [], async (team) =>
    lastUsable(await plan(createTeam(team), settings)),
  );
  return { ...conversation, windows, ...promptOf(settings.topology, settings) };
}

/** The windows in which a topology plans an instance: all but `single` show agents earlier answers. */
export function proposalWindows(instance: Instance, settings: PromptSettings): Window[] {
  const { contextTokens, maxOutputTokens: outputTokens, format, topology } = settings;
  const answers = topology === 'single' ? 0 : 1;
  return planWindows(instance, { contextTokens, outputTokens, format, answers });
}

/** Version and checksum of the texts that the prompts of a use are made of. */
export function promptOf(
  use: Topology | 'repair',
  settings: PromptSettings,
): Pick<Proposal, 'promptVersion' | 'promptHash'> {
  return { promptVersion: PROMPT_VERSION, promptHash: promptHash(use, settings) };
}

/**
 * The questions that agents begin with, as `propose` asks them: those of the first window that need no
 * answer to another.
 *
 * @throws InputError `context_too_small`
 */
export async function firstQuestions(task: ProposalTask): Promise<AgentQuestion[]> {
  const { instance, settings } = task;
  const questions: AgentQuestion[] = [];
  const unanswered = new Error('no answer is wanted');
  const team = teamOptions(task, proposalWindows(instance, settings), 0, [], (question) => {
    questions.push(question);
    return Promise.reject(unanswered);
  });
  await topologies[settings.topology](createTeam(team), settings).catch((error: unknown) => {
    if (error !== unanswered) throw error;
  });
  return questions;
}
