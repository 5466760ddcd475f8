import type { Tool } from '@alas-jssp/agents';
import { canonicalJson } from '@alas-jssp/core/canonical-json';
import { sha256 } from '@alas-jssp/core/sha256';
import type { Json } from '@alas-jssp/workflow';
import { toolOfNode } from '../template/compile.js';
import type { Role, TemplateNode } from '../template/template.js';
import type { AgentFile } from './agent-file.js';
import {
  keysReadOf,
  nodeInputSchema,
  nodeOutputSchema,
  type ObjectSchema,
  type SchemaSources,
} from './node-schemas.js';

/** The specification α of the agent of a node (ALAS, section 3.1): capabilities, context, protocol, efficiency, log. */
export interface AgentSpec {
  readonly work: 'tool' | 'model' | 'compute';
  readonly does: string;
  readonly access: AgentFile['access'];
  /** The permissions of its role. */
  readonly capabilities: readonly string[];
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  /** The tool that the template names, whether it exists or not. */
  readonly tool: string | null;
  readonly role: Pick<Role, 'kind' | 'purpose' | 'context' | 'efficiency'> | null;
  /** Whether it reviews the output of another node. */
  readonly reviews: boolean;
  readonly log: readonly string[];
}

/** The specification of the agent of a node; choices have none. */
export function agentSpecOf(node: TemplateNode, sources: SchemaSources): AgentSpec | undefined {
  if (node.work === 'choice') return undefined;
  const { specification, template, catalogue } = sources;
  const { details } = node;
  const tool = toolOfNode(node, catalogue);
  const operation = specification.operations.find(({ id }) => id === node.operation);
  const role = template.roles.find(({ id }) => id === node.role);
  const output = nodeOutputSchema(node, sources);
  return {
    work: node.work,
    does: node.does,
    access: operation?.access ?? accessOf(node.work, tool),
    capabilities: [...(role?.capabilities ?? [])].sort(),
    input: nodeInputSchema(node, sources),
    output:
      node.work === 'tool' && tool === undefined
        ? wantedOutput(keysReadOf(node.id, template))
        : output,
    tool: details.tool ?? null,
    role: role === undefined ? null : roleOf(role),
    reviews: details.reviews !== undefined,
    log: details.log,
  };
}

function accessOf(work: AgentSpec['work'], tool: Tool | undefined): AgentFile['access'] {
  if (work === 'compute') return 'compute';
  if (work === 'model') return 'decide';
  return tool?.access ?? 'read';
}

function roleOf({ kind, purpose, context, efficiency }: Role): AgentSpec['role'] {
  return { kind, purpose, context, efficiency };
}

/** The output of a tool that is not known yet: the keys that others read. */
function wantedOutput(keys: readonly string[]): ObjectSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, {}])),
    required: [...keys],
  };
}

/** SHA-256 of the canonical JSON of a specification: agents of equal specifications are interchangeable. */
export function specHash(spec: AgentSpec): string {
  return sha256(canonicalJson(spec as unknown as Json));
}
