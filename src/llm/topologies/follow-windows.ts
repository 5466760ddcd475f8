import type { Instance } from '../../jssp/instance.js';
import type { Plan, PlanEntry } from '../../jssp/plan.js';
import type { Answer, Ask } from '../client.js';
import { partOf } from '../prompts/part.js';
import type { PromptSettings } from '../prompts/prompt.js';
import type { Window } from '../prompts/windows.js';
import type { AgentPlan, AgentQuestion, TeamOptions, Turn } from './team.js';

/** An instance that agents are asked to plan. */
export interface ProposalTask {
  readonly instance: Instance;
  readonly settings: PromptSettings;
  /** Which repetition this is, from 0. */
  readonly replicate: number;
  readonly signal?: AbortSignal | undefined;
}

/** The final plan, and how it came about. */
export interface Conversation {
  /** All that can be read of the final answer; of several windows, all their entries. */
  readonly plan: Plan;
  /** The turns of all agents, in the order in which they were asked. */
  readonly turns: readonly Turn[];
}

/**
 * Has one window after the other planned, each around what those before it have taken.
 *
 * @param before entries that the jobs of a window keep if nothing usable is said about them
 * @param work makes the plan of a window with a team
 */
export async function followWindows(
  task: ProposalTask,
  ask: Ask,
  windows: readonly Window[],
  before: readonly PlanEntry[],
  work: (team: TeamOptions, window: Window) => Promise<AgentPlan>,
): Promise<Conversation> {
  const { replicate, signal } = task;
  const turns: Turn[] = [];
  const entries: PlanEntry[] = [];
  let asked = 0;
  const askAgent = async ({ request, ...question }: AgentQuestion): Promise<Answer> => {
    signal?.throwIfAborted();
    // Answers of agents that are asked at the same time come in any order.
    const place = asked++;
    const completion = await ask(request, { replicate, signal });
    turns[place] = { ...question, completion };
    return completion;
  };
  for (const [index, window] of windows.entries()) {
    const { plan } = await work(teamOptions(task, windows, index, entries, askAgent), window);
    if (windows.length === 1) return { plan, turns };
    const jobs = new Set(window.jobs);
    const own = plan.entries.filter(({ job }) => jobs.has(job));
    entries.push(...(own.length > 0 ? own : before.filter(({ job }) => jobs.has(job))));
  }
  return { plan: { entries, makespan: null }, turns };
}

/** Those who plan a window. */
export function teamOptions(
  { instance, settings }: ProposalTask,
  windows: readonly Window[],
  index: number,
  entries: readonly PlanEntry[],
  ask: TeamOptions['ask'],
): TeamOptions {
  const { jobs, takenTokens: tokens, answerTokens } = windows[index];
  const isPart = windows.length > 1;
  const part = isPart ? partOf(instance, jobs, { entries, tokens }) : instance;
  return { instance: part, isPart, window: index, answerTokens, settings, ask };
}
