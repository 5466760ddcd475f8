import { readBytes } from '@alas-jssp/core/bytes';
import { InputError } from '@alas-jssp/core/errors';
import { type Instance, replaceInstance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import type { RecordedAnswer } from '../../jssp/planner.js';
import type { Ask } from '../../llm/client.js';
import type { DecodingReport } from '../../llm/decoding/decoding-report.js';
import { modelOf } from '../../llm/model-of.js';
import type { ModelSettings, ModelSpec } from '../../llm/planner-spec.js';
import type { PromptSettings } from '../../llm/prompts/prompt.js';
import { parsePromptFile } from '../../llm/prompts/prompt-file.js';
import type { PlanFindings } from '../../llm/prompts/repair.js';
import { judgeProposal, type SelfJudgement } from '../../llm/topologies/judge.js';
import { type Proposal, promptOf, propose, repairProposal } from '../../llm/topologies/propose.js';
import { validate } from '../../validator/index.js';

/** Access to a model. */
interface ModelContext {
  /** The replicate, from 0. */
  readonly replicate: number;
  readonly signal?: AbortSignal | undefined;
  readonly ask: Ask;
}

/** A report of the prompts for a plan. */
export interface PromptReport {
  readonly topology: string;
  readonly format: string;
  readonly promptVersion: string;
  /** SHA-256 of the texts that prompts are made of. */
  readonly promptHash: string;
  /** Groups of jobs that were planned one after the other; 1 if the shop fits the context. */
  readonly windows: number;
  /** The models that answered, as their providers name them. */
  readonly models: readonly string[];
  readonly agents: readonly AgentPrompts[];
  /** The report of reading the answers; absent if there was none. */
  readonly decoding?: DecodingReport | undefined;
  /** Place of an answer that was recorded elsewhere, with an unknown prompt. */
  readonly recorded?: string | undefined;
}

/** The context of an agent, and the tokens that exceeded it. */
interface AgentPrompts {
  readonly agent: string;
  readonly turns: number;
  /** Estimated tokens of its longest prompt. */
  readonly promptTokens: number;
  readonly contextLimit: number;
  /** Tokens omitted from its prompts. */
  readonly droppedTokens: number;
}

/**
 * A planner that uses a model, or replays its answers. Unlike a `Planner` it needs access to the model, and it also
 * repairs plans.
 */
export interface ModelPlanner {
  readonly name: string;
  readonly settings: ModelSettings;
  /** The report of its prompts if there is no answer. */
  readonly unanswered: PromptReport;
  /** Requests a plan; unreadable parts of the answers are omitted. */
  propose(instance: Instance, context: ModelContext): Promise<Proposal>;
  /** Sends the violations of a plan and asks for a better one. */
  repair(
    instance: Instance,
    broken: { readonly plan: Plan; readonly report: PlanFindings },
    context: ModelContext,
  ): Promise<Proposal>;
  /** Requests a judgement whether the planner's own plan keeps all rules. */
  judge(instance: Instance, plan: Plan, context: ModelContext): Promise<SelfJudgement>;
}

/** Whether a planner uses a model. */
export function isModelPlanner(planner: { readonly name: string }): planner is ModelPlanner {
  return 'propose' in planner && 'repair' in planner;
}

/** The error of a planner without access to its model. */
export function cannotBeAsked({ name }: ModelPlanner): InputError {
  const hint = 'give a way to ask it';
  return new InputError('no_model', `${name} cannot be asked here`, hint, {}, name);
}

/**
 * The settings of the prompts for a model, with its template if it has one.
 *
 * @param read reads files, for example remote ones. Default: from the file system
 * @throws InputError `bad_template`, and errors of reading the file
 */
export function promptSettingsOf(
  { model, settings }: ModelSpec,
  read: (path: string) => Uint8Array = readBytes,
): PromptSettings {
  const { prompt, ...rest } = settings;
  const template = prompt === undefined ? undefined : parsePromptFile(read(prompt), prompt);
  return { ...rest, model, template };
}

/**
 * A planner that uses a model: `openai:MODEL`, `anthropic:MODEL`, `openai-compatible:MODEL@URL`, or `replay:DIR` for
 * recorded answers. It sends requests through its context, without access to keys and limits.
 *
 * @param spec the model of a planner that replays remote answers
 * @param read reads a remote template
 * @throws InputError `bad_planner`, `no_answers`, `many_answers`
 */
export function createModelPlanner(
  name: string,
  spec: ModelSpec = modelOf(name),
  read?: (path: string) => Uint8Array,
): ModelPlanner {
  const { settings } = spec;
  const prompting = promptSettingsOf(spec, read);
  return {
    name,
    settings,
    unanswered: reportUnanswered(prompting),
    propose: (instance, { ask, ...context }) =>
      propose(
        { instance: numbered(instance), ...context, settings: withOwnSeed(prompting, context) },
        ask,
      ),
    repair(instance, { plan, report: findings }, { ask, ...context }) {
      const own = withOwnSeed(prompting, context);
      const shop = numbered(instance);
      const current = shop === instance ? findings : validate(shop, plan);
      return repairProposal(
        { instance: shop, plan, findings: current, ...context, settings: own },
        ask,
      );
    },
    judge: (instance, plan, { ask, ...context }) =>
      judgeProposal(
        {
          instance: numbered(instance),
          plan,
          ...context,
          settings: withOwnSeed(prompting, context),
        },
        ask,
      ),
  };
}

/** Models may answer equal requests with equal seeds alike, so replicates get different seeds. */
function withOwnSeed(
  settings: PromptSettings,
  { replicate }: Pick<ModelContext, 'replicate'>,
): PromptSettings {
  const { seed } = settings;
  return seed === undefined ? settings : { ...settings, seed: seed + replicate };
}

/** The report on a planner without an answer. */
export function reportUnanswered(settings: PromptSettings): PromptReport {
  const { topology, format } = settings;
  const prompts = promptOf(topology, settings);
  return { topology, format, ...prompts, windows: 0, models: [], agents: [] };
}

/** The report of an answer that was recorded elsewhere. */
export function reportRecorded(answer: RecordedAnswer): PromptReport {
  const { place: recorded, model, topology, format, decoding } = answer;
  const unknown = { promptVersion: '', promptHash: '', windows: 1, agents: [] };
  return { topology, format, ...unknown, models: [model], decoding, recorded };
}

/** The report of the prompts of a proposal. */
export function reportPrompts(proposal: Proposal, settings: ModelSettings): PromptReport {
  const { topology, format } = settings;
  const { turns, windows, promptVersion, promptHash, decoding } = proposal;
  const agents = new Map<string, AgentPrompts>();
  for (const { agent, promptTokens, contextLimit, dropped } of turns) {
    const known = agents.get(agent);
    agents.set(agent, {
      agent,
      turns: (known?.turns ?? 0) + 1,
      promptTokens: Math.max(known?.promptTokens ?? 0, promptTokens),
      contextLimit,
      droppedTokens: (known?.droppedTokens ?? 0) + dropped.tokens,
    });
  }
  return {
    topology,
    format,
    promptVersion,
    promptHash,
    windows: windows.length,
    models: [...new Set(turns.map(({ answer }) => answer.model))],
    agents: [...agents.values()],
    decoding,
  };
}

/** An instance for prompts with numbers instead of names, because names come from files and may contain anything. */
function numbered(instance: Instance): Instance {
  const { names, timeScale } = instance;
  return names === null && timeScale === null
    ? instance
    : replaceInstance(instance, { names: null, timeScale: null });
}
