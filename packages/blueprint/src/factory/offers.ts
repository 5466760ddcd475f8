import { capabilityOf, type Tool, type ToolCatalogue } from '@alas-jssp/agents';
import type { AgentFile } from './agent-file.js';
import type { ObjectSchema } from './node-schemas.js';

/** An implementation I that a registry offers. */
export interface AgentOffer {
  readonly name: string;
  /** Its purpose in words. */
  readonly description: string;
  readonly access: AgentFile['access'];
  /** The permission that its caller needs; null if it calls nothing. */
  readonly capability: string | null;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  /** Whether calls with equal keys have one effect. */
  readonly idempotent: boolean;
  /** Of agents of a library: the hash of the specification that they were made for. */
  readonly specification: string | null;
  readonly implementation: AgentFile['implementation'];
  readonly tests: AgentFile['tests'];
  /** Of agents of a library: how they were made. */
  readonly made: AgentFile['made'] | null;
  /** Of implementations of the kind `code`: the module. */
  readonly code?: string | undefined;
}

/** A registry of implementations, such as the tools of a catalogue or a library of agents. */
export interface AgentRegistry {
  readonly name: string;
  readonly offers: readonly AgentOffer[];
}

/** The tools of a catalogue as a registry. */
export function catalogueRegistry(catalogue: ToolCatalogue, name = 'tools'): AgentRegistry {
  return { name, offers: catalogue.tools.map(offerOfTool) };
}

function offerOfTool(tool: Tool): AgentOffer {
  const { name, description, system, access, input, output, idempotent } = tool;
  return {
    name,
    description: system === undefined ? description : `${description} (${system})`,
    access,
    capability: capabilityOf(tool),
    input: input as ObjectSchema,
    output: output as ObjectSchema,
    idempotent,
    specification: null,
    implementation: { kind: 'tool', tool: name },
    tests: [],
    made: null,
  };
}

/** Agents that were made before as a registry. */
export function libraryRegistry(
  agents: readonly { readonly agent: AgentFile; readonly code?: string | undefined }[],
  name = 'library',
): AgentRegistry {
  return {
    name,
    offers: agents.map(({ agent, code }) => ({
      name: agent.name,
      description: agent.does,
      access: agent.access,
      capability: null,
      input: agent.input as ObjectSchema,
      output: agent.output as ObjectSchema,
      idempotent: true,
      specification: agent.specification,
      implementation: agent.implementation,
      tests: agent.tests,
      made: agent.made,
      code,
    })),
  };
}
