import { openTrialSystem } from '@alas-jssp/agents';
import type { Json } from '@alas-jssp/workflow';
import { proveUndos } from '../compensation/prove-undos.js';
import type { ProvenUndo } from '../compensation/undo-proof.js';
import type { EquipDraft } from '../drafting/draft.js';
import { createSandbox } from '../sandbox/sandbox.js';
import type { TemplateNode } from '../template/template.js';
import { openAgentLibrary } from './library.js';
import { type AgentOrigin, makeAgents } from './make-agents.js';
import type { AgentRegistry } from './offers.js';

/** Settings of a factory. */
export interface FactoryOptions {
  /** The folder that paths of the catalogue are relative to. Default: the working directory. */
  readonly directory?: string | undefined;
  /** The folder of a library of agents, which grows. */
  readonly library?: string | undefined;
  /** Registries to search besides the tools of the catalogue. */
  readonly registries?: readonly AgentRegistry[] | undefined;
  /** The seeds of the trials of undos. Default: 0 and 1. */
  readonly seeds?: readonly number[] | undefined;
  /** Receives the origin of each agent. */
  readonly onOrigins?: ((origins: readonly AgentOrigin[]) => void) | undefined;
}

/** A factory for all rounds of a draft: what was proven or judged in one is known in the next. */
export interface AgentFactory {
  readonly equip: EquipDraft;
  close(): Promise<void>;
}

/** Opens a factory: it makes the agents of a draft, and tries its undos. */
export function openFactory(options: FactoryOptions = {}): AgentFactory {
  const { directory = '.', registries, seeds, onOrigins } = options;
  const sandbox = createSandbox();
  const memory = new Map<string, ProvenUndo>();
  const library = options.library === undefined ? undefined : openAgentLibrary(options.library);
  const equip: EquipDraft = async (task) => {
    const { specification, template, catalogue, models, ask, isLast = false, signal } = task;
    const draft = { specification, template, catalogue };
    const made = await makeAgents({ ...draft, models, ask, sandbox, library, registries });
    onOrigins?.(made.origins);
    const openTrial = (seed: number) => openTrialSystem(catalogue, { directory, seed });
    const { agents, files } = made;
    const outputOfCode = (node: TemplateNode, input: Json) => {
      const code = files[`${node.id}.js`];
      return code === undefined ? undefined : sandbox.evaluate(code, input);
    };
    const { proofs, findings } = await proveUndos({
      ...draft,
      openTrial,
      seeds,
      memory,
      outputOfCode,
      signal,
    });
    const left = findings.map((one) => (isLast ? ({ ...one, severity: 'warning' } as const) : one));
    return { agents, files, undo: proofs, findings: [...made.findings, ...left] };
  };
  return { equip, close: () => sandbox.close() };
}
