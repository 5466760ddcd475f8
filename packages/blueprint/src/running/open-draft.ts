import {
  type Model,
  openModel,
  openToolset,
  type Supervisor,
  type Toolset,
} from '@alas-jssp/agents';
import { InputError } from '@alas-jssp/core/errors';
import type { Handler, Json, Registry, Workflow } from '@alas-jssp/workflow';
import type { Environment } from 'alas-jssp/llm';
import { escalateUndos } from '../compensation/escalate-undos.js';
import type { Draft } from '../drafting/draft.js';
import type { AgentFile } from '../factory/agent-file.js';
import { readDraft } from '../folder/read-draft.js';
import { createSandbox, type Sandbox } from '../sandbox/sandbox.js';
import type { TemplateNode } from '../template/template.js';
import { createCodeHandler } from './code-handler.js';
import { compileSound } from './compile-sound.js';
import { createDraftRegistry, type DraftWork, type RunnableDraft } from './draft-registry.js';
import { exampleInput } from './example-input.js';
import { createPromptHandler } from './prompt-handler.js';

/** Circumstances in which a draft runs. */
export interface OpenDraftOptions {
  /** The folder that paths of its tools are relative to. Default: that of the draft, or the working directory. */
  readonly directory?: string | undefined;
  /** The tools. Default: those that its catalogue names. */
  readonly tools?: Toolset | undefined;
  /** Opens a draft that did not pass, or whose files were changed since. Default false. */
  readonly unchecked?: boolean | undefined;
  /** The models of agents with prompts, and of those that review. Default: those of the draft. */
  readonly models?: { readonly agents?: Model; readonly reviewer?: Model } | undefined;
  /** Supervises the agents of one run: their budget, and conditions on all outputs. */
  readonly supervisor?: Supervisor | undefined;
  /** Variables with the keys of providers. */
  readonly environment?: Environment | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A draft as the hosts of the runtime execute it. */
export interface OpenedDraft {
  readonly workflow: Workflow;
  readonly registry: Registry;
  /** The input of the examples that the specification gives. */
  readonly exampleInput: Readonly<Record<string, Json>>;
  close(): Promise<void>;
}

/** The parts of a draft that opening it needs. */
export type OpenableDraft = Pick<
  Draft,
  | 'name'
  | 'passed'
  | 'findings'
  | 'catalogue'
  | 'agents'
  | 'files'
  | 'models'
  | 'specification'
  | 'template'
>;

/**
 * Opens a draft: compiles its template, and makes the handlers of its agents, the compensators of its undos and the
 * validators of its constraints.
 *
 * @param source the folder of the draft, or the draft itself
 * @throws InputError `not_passed` if its checks or gates found an error, `edited_draft` if files of its folder were
 *   changed since, `no_draft` if it has no template, `bad_template` if that does not compile, `no_agent` if a node has
 *   none, `no_reviewer` if a validator has no model of its own, `no_implementation` if its tools exist in trials only
 */
export async function openDraft(
  source: string | OpenableDraft,
  options: OpenDraftOptions = {},
): Promise<OpenedDraft> {
  const { unchecked = false } = options;
  const draft =
    typeof source === 'string'
      ? readDraft(source, { edited: unchecked ? 'allow' : 'refuse' })
      : source;
  if (!unchecked) requirePassed(draft);
  const runnable = requireRunnable(draft);
  const { specification, catalogue } = runnable;
  const workflow = compileSound(runnable);
  const { directory = typeof source === 'string' ? source : '.', environment, signal } = options;
  const toolset =
    options.tools ?? (await openToolset(catalogue, { directory, environment, signal }));
  const sandbox = createSandbox();
  const close = async () => {
    await sandbox.close();
    if (options.tools === undefined) await toolset.close();
  };
  try {
    const { supervisor } = options;
    const models = watched(await openModels(draft, options), supervisor);
    const agentHandler: DraftWork['agentHandler'] = (node, agent) =>
      handlerOfAgent(node, agent, { draft: runnable, models, sandbox, toolset });
    const made = createDraftRegistry(runnable, { toolset, agentHandler });
    const registry = supervisor?.guard(made) ?? made;
    return { workflow, registry, exampleInput: exampleInput(specification), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws InputError `not_passed` with the first finding */
function requirePassed({ name, passed, findings }: OpenableDraft): void {
  if (passed) return;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const why = first === undefined ? '' : `: ${first.part}: ${first.message}${more}`;
  throw new InputError(
    'not_passed',
    `the draft ${name} did not pass its checks${why}`,
    first?.hint ?? 'continue it with alas-jssp workflow draft',
  );
}

/**
 * A draft that has a workflow, in which undos that are not proven are left to people.
 *
 * @throws InputError `no_draft`
 */
export function requireRunnable<
  D extends Pick<Draft, 'name' | 'specification' | 'template'> & Partial<Pick<Draft, 'undo'>>,
>(draft: D): D & Pick<RunnableDraft, 'specification' | 'template'> {
  const { name, specification, template, undo = [] } = draft;
  if (specification !== null && template !== null) {
    return { ...draft, specification, template: escalateUndos(template, undo) };
  }
  throw new InputError(
    'no_draft',
    `the draft ${name} is no workflow yet`,
    'alas-jssp workflow draft --from DIR continues it',
  );
}

interface AgentWorld {
  readonly draft: RunnableDraft;
  readonly models: OpenDraftOptions['models'];
  readonly sandbox: Sandbox;
  readonly toolset: Toolset;
}

function handlerOfAgent(
  node: TemplateNode,
  agent: AgentFile | undefined,
  { draft, models, sandbox, toolset }: AgentWorld,
): Handler {
  const lacking = (what: string) =>
    new InputError('no_agent', `${node.id} has no ${what}`, 'draft it again');
  if (agent === undefined) throw lacking('agent');
  const { implementation } = agent;
  if (implementation.kind === 'prompt') {
    const role = draft.template.roles.find(({ id }) => id === node.role);
    const reviews = role?.kind === 'validator';
    const model = reviews ? models?.reviewer : models?.agents;
    if (model === undefined) throw reviews ? noReviewer(node) : lacking('model');
    return createPromptHandler({ draft, node, agent, prompt: implementation, model, toolset });
  }
  if (implementation.kind !== 'code') throw lacking('agent that computes');
  const source = draft.files[implementation.file];
  if (source === undefined) throw lacking(`code: there is no ${implementation.file}`);
  return createCodeHandler(source, sandbox);
}

/** A reviewer that runs on the model of the agents would judge the work of that model. */
function noReviewer({ id }: TemplateNode): InputError {
  return new InputError(
    'no_reviewer',
    `${id} reviews with a model, and the draft names none for its reviewers`,
    'draft it again with --reviewer MODEL, which is another model than that of the agents',
  );
}

/** The models of a draft, opened only if an agent needs them. */
async function openModels(
  { agents, models }: Pick<Draft, 'agents' | 'models'>,
  options: OpenDraftOptions,
): Promise<OpenDraftOptions['models']> {
  if (!agents.some(({ implementation }) => implementation.kind === 'prompt')) return {};
  const { environment = {}, signal } = options;
  const open = (spec: string) => openModel(spec, { environment, signal });
  const workers = options.models?.agents ?? (await open(models.agents));
  if (options.models?.reviewer !== undefined) {
    return { agents: workers, reviewer: options.models.reviewer };
  }
  return models.reviewer === null
    ? { agents: workers }
    : { agents: workers, reviewer: await open(models.reviewer) };
}

/** The models within the budget of a supervisor. */
function watched(
  models: OpenDraftOptions['models'],
  supervisor: Supervisor | undefined,
): OpenDraftOptions['models'] {
  if (supervisor === undefined || models === undefined) return models;
  return Object.fromEntries(
    Object.entries(models).map(([use, model]) => [use, supervisor.watch(model)]),
  );
}
