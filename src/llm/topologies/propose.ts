import type { Instance } from '../../jssp/instance.js';
import type { Plan, PlanEntry } from '../../jssp/plan.js';
import type { Answer, Ask } from '../client.js';
import type { DecodedPlan } from '../decoding/decode-plan.js';
import { type DecodingReport, reportDecoding } from '../decoding/decoding-report.js';
import type { Topology } from '../planner-spec.js';
import { partOf } from '../prompts/part.js';
import type { PromptSettings } from '../prompts/prompt.js';
import { type PlanFindings, writeRepair } from '../prompts/repair.js';
import { PROMPT_VERSION, promptHash } from '../prompts/templates.js';
import { planWindows, type Window } from '../prompts/windows.js';
import { estimateTokens } from '../token-estimate.js';
import { alas } from './alas.js';
import { crew } from './crew.js';
import { stateGraph } from './graph.js';
import { groupChat } from './group-chat.js';
import { single } from './single.js';
import { swarm } from './swarm.js';
import {
  type AgentPlan,
  type AgentQuestion,
  createTeam,
  lastUsable,
  type Team,
  type TeamOptions,
  type Turn,
} from './team.js';

/** A planning task for agents. */
export interface ProposalTask {
  readonly instance: Instance;
  readonly settings: PromptSettings;
  /** The replicate, from 0. */
  readonly replicate: number;
  readonly signal?: AbortSignal | undefined;
}

/** The proposal of agents: the final plan, and the turns that led to it. */
export interface Proposal {
  /** All readable entries of the final answer; with several windows, of all of them. */
  readonly plan: Plan;
  /** The turns of all agents, in the order of the requests. */
  readonly turns: readonly Turn[];
  /** The report on reading the answers of the plan. */
  readonly decoding: DecodingReport;
  readonly windows: readonly Window[];
  readonly promptVersion: string;
  readonly promptHash: string;
}

/** The plans of a team's agents in the order in which they were made: the last usable one is the result. */
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
 * Agents plan an instance: window by window, if it exceeds the context of their model, each around the machine times of
 * the windows before it. An unusable answer does not stop the others; the number of turns is bounded. Equal answers
 * give equal proposals.
 *
 * @throws InputError `context_too_small` before the first request; errors of `ask`, once no other request is in flight;
 *   the reason of the signal
 */
export async function propose(task: ProposalTask, ask: Ask): Promise<Proposal> {
  const { instance, settings } = task;
  const windows = proposalWindows(instance, settings);
  const plan = topologies[settings.topology];
  const conversation = await followWindows(task, ask, windows, [], async (team) =>
    lastUsable(await plan(createTeam(team), settings)),
  );
  return { ...conversation, windows, ...promptOf(settings.topology, settings, task.instance) };
}

/** The windows in which a topology plans an instance: all but `single` show agents earlier answers. */
export function proposalWindows(instance: Instance, settings: PromptSettings): Window[] {
  const { contextTokens, maxOutputTokens: outputTokens, format, topology } = settings;
  const answers = topology === 'single' ? 0 : 1;
  const frame = templateTokens(settings);
  return planWindows(instance, { contextTokens, outputTokens, format, answers, frame });
}

/** Tokens of a template's own words, without its placeholders. */
function templateTokens({ template }: PromptSettings): number {
  if (template === undefined) return 0;
  const { system, user, users } = template;
  const longest = Math.max(...[user, ...Object.values(users)].map(estimateTokens));
  return estimateTokens(system) + longest;
}

/** Version and checksum of the texts in the prompts of a use, for an instance if it is known. */
export function promptOf(
  use: Topology | 'repair',
  settings: PromptSettings,
  instance?: Instance,
): Pick<Proposal, 'promptVersion' | 'promptHash'> {
  const template = settings.template?.sha256;
  return {
    promptVersion: template === undefined ? PROMPT_VERSION : `template:${template}`,
    promptHash: promptHash(use, settings, template, instance),
  };
}

/**
 * The first requests of agents, as `propose` sends them: those of the first window that need no earlier answer.
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

/** A plan to repair, with its violations. */
export interface PlanRepairTask extends ProposalTask {
  readonly plan: Plan;
  /** The report of the validator. */
  readonly findings: PlanFindings;
}

/** Room for the shown plan, and the same for its violations. */
const SHOWN_ANSWERS = 2;

/**
 * Asks the supervisor once for a better plan, with the format and limits of `propose`. If jobs are planned in windows,
 * those without a usable answer stay unchanged.
 *
 * @throws InputError `context_too_small` if a job with its plan exceeds the context; errors of `ask`; the reason of the
 *   signal
 */
export async function repairProposal(task: PlanRepairTask, ask: Ask): Promise<Proposal> {
  const { instance, settings, plan, findings } = task;
  const { contextTokens, maxOutputTokens: outputTokens, format } = settings;
  const frame = templateTokens(settings);
  const limits = { contextTokens, outputTokens, format, answers: SHOWN_ANSWERS, frame };
  const windows = planWindows(instance, limits);
  const conversation = await followWindows(task, ask, windows, plan.entries, (team, window) => {
    const { jobs, promptTokens, answerTokens } = window;
    const room = contextTokens - promptTokens - answerTokens;
    const text = writeRepair({ instance, plan, findings, jobs, format, room });
    return createTeam(team).plan({ role: 'supervisor', purpose: 'repair', task: text });
  });
  return { ...conversation, windows, ...promptOf('repair', settings, instance) };
}

/**
 * Plans one window after the other, each around the times of those before it.
 *
 * @param before entries that the jobs of a window keep without a usable answer
 * @param work makes the plan of a window with a team
 */
async function followWindows(
  task: ProposalTask,
  ask: Ask,
  windows: readonly Window[],
  before: readonly PlanEntry[],
  work: (team: TeamOptions, window: Window) => Promise<AgentPlan>,
): Promise<Pick<Proposal, 'plan' | 'turns' | 'decoding'>> {
  const { instance, replicate, signal } = task;
  const turns: Turn[] = [];
  const entries: PlanEntry[] = [];
  const passedOver: DecodedPlan['ignored'][number][] = [];
  const proposed = (plan: Plan) => {
    return { plan, turns, decoding: reportDecoding(instance, plan, passedOver) };
  };
  let asked = 0;
  const askAgent = async ({ request, ...question }: AgentQuestion): Promise<Answer> => {
    signal?.throwIfAborted();
    // Answers of concurrent requests arrive in any order.
    const place = asked++;
    const answer = await ask(request, { replicate, signal });
    turns[place] = { ...question, answer };
    return answer;
  };
  for (const [index, window] of windows.entries()) {
    const options = teamOptions(task, windows, index, entries, askAgent);
    const { plan, ignored } = await work(options, window);
    passedOver.push(...ignored);
    if (windows.length === 1) return proposed(plan);
    const jobs = new Set(window.jobs);
    const own = plan.entries.filter(({ job }) => jobs.has(job));
    entries.push(...(own.length > 0 ? own : before.filter(({ job }) => jobs.has(job))));
  }
  return proposed({ entries, makespan: null });
}

/** The options of the team for a window. */
function teamOptions(
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
