import { InputError } from '../../core/errors.js';
import type { Instance } from '../../jssp/instance.js';
import type { Plan } from '../../jssp/plan.js';
import type { Planner } from '../../jssp/planner.js';
import { recordedPlanners } from '../../llm/answer-store.js';
import type { Ask } from '../../llm/client.js';
import { decodePlan } from '../../llm/decoding/decode-plan.js';
import { type ModelSettings, type ModelSpec, parsePlannerSpec } from '../../llm/planner-spec.js';
import type { PromptSettings } from '../../llm/prompts/question.js';
import { type Proposal, propose } from '../../llm/topologies/propose.js';
import { repairProposal } from '../../llm/topologies/repair-proposal.js';
import type { ValidationReport } from '../../validator/index.js';

/** What a model is asked with. */
interface ModelContext {
  /** Which repetition this is, from 0. */
  readonly replicate: number;
  readonly signal?: AbortSignal | undefined;
  readonly ask: Ask;
}

/** How a model was asked for a plan. */
export interface PromptReport {
  readonly topology: string;
  readonly format: string;
  readonly promptVersion: string;
  /** SHA-256 of the texts that prompts are made of. */
  readonly promptHash: string;
  /** Lots of jobs that were planned one after the other; 1 if the shop fits the context. */
  readonly windows: number;
  /** The models that answered, as their providers name them. */
  readonly models: readonly string[];
  readonly agents: readonly AgentPrompts[];
}

/** What became of the context of an agent. */
interface AgentPrompts {
  readonly agent: string;
  readonly turns: number;
  /** Of its longest prompt, estimated. */
  readonly promptTokens: number;
  readonly contextLimit: number;
  /** What its prompts had no room for. */
  readonly droppedTokens: number;
}

/** A planner that asks a model, or repeats what one answered. */
export interface ModelPlanner extends Planner {
  readonly settings: ModelSettings;
  /** Asks for a plan; what cannot be read of the answers is not in it. */
  propose(instance: Instance, context: ModelContext): Promise<{ plan: Plan; told: PromptReport }>;
  /** Tells what is wrong with a plan, and asks for a better one. */
  mend(
    instance: Instance,
    broken: { readonly plan: Plan; readonly report: ValidationReport },
    context: ModelContext,
  ): Promise<{ plan: Plan; promptHash: string }>;
}

/** Tells whether a planner asks a model. */
export function isModelPlanner(planner: Planner): planner is ModelPlanner {
  return 'propose' in planner && 'mend' in planner;
}

/**
 * A planner that asks a model: `openai:MODEL`, `anthropic:MODEL`, `openai-compatible:MODEL@URL`, or
 * `replay:DIR` for answers that were recorded. It asks through its context, and knows neither keys nor
 * limits.
 *
 * @throws InputError `bad_planner`, `no_answers`, `many_answers`; `plan` rejects with `no_model`, as only a
 *   pipeline with a way to ask can use it
 */
export function createModelPlanner(name: string): ModelPlanner {
  const { model, settings } = modelOf(name);
  const prompting: PromptSettings = { ...settings, model };
  return {
    name,
    settings,
    plan: () => {
      throw new InputError('no_model', `${name} cannot be asked here`, 'give a way to ask it');
    },
    async propose(instance, { ask, ...context }) {
      const own = { ...context, settings: withOwnSeed(prompting, context) };
      const proposal = await propose({ instance, ...own }, ask);
      const { plan } = decodePlan(proposal.text, instance);
      return { plan, told: tell(proposal, settings) };
    },
    async mend(instance, { plan: broken, report: findings }, { ask, ...context }) {
      const own = { ...context, settings: withOwnSeed(prompting, context) };
      const task = { instance, plan: broken, findings, ...own };
      const { text, promptHash } = await repairProposal(task, ask);
      return { plan: decodePlan(text, instance).plan, promptHash };
    },
  };
}

/** Replicates of a model that answers equal questions with equal seeds alike must differ in their seeds. */
function withOwnSeed(
  settings: PromptSettings,
  { replicate }: Pick<ModelContext, 'replicate'>,
): PromptSettings {
  const { seed } = settings;
  return seed === undefined ? settings : { ...settings, seed: seed + replicate };
}

/**
 * The model that a planner is about; of a replay the one that was recorded.
 *
 * @throws InputError as {@link createModelPlanner}
 */
export function modelOf(name: string): ModelSpec {
  const spec = parsePlannerSpec(name);
  if (spec.provider !== 'replay') return spec;
  if (spec.spec !== null) return spec.spec;
  const recorded = recordedPlanners(spec.directory);
  if (recorded.length === 1) return modelOf(recorded[0]);
  throw new InputError(
    'many_answers',
    `the answers of ${recorded.length} planners are recorded here: ${recorded.join(', ')}`,
    `name one of them: replay:${spec.directory}#${recorded[0]}`,
    { file: spec.directory },
    name,
  );
}

function tell(proposal: Proposal, { topology, format }: ModelSettings): PromptReport {
  const { turns, windows, promptVersion, promptHash } = proposal;
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
    models: [...new Set(turns.map(({ completion }) => completion.model))],
    agents: [...agents.values()],
  };
}
