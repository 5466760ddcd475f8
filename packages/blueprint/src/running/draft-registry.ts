import { limitTools, type Tool, type ToolCatalogue, type Toolset } from '@alas-jssp/agents';
import { InputError } from '@alas-jssp/core/errors';
import type { Compensator, Handler, Registry } from '@alas-jssp/workflow';
import type { Draft } from '../drafting/draft.js';
import type { AgentFile } from '../factory/agent-file.js';
import type { Specification } from '../specification/specification.js';
import { effectOf } from '../template/compile-node.js';
import { compensatorName } from '../template/node-policies.js';
import { splitMapping } from '../template/sources.js';
import type { Role, Template, TemplateNode } from '../template/template.js';
import { agentsOfNode } from './agents-of-node.js';
import { bindAgents, type Candidate } from './bound-handler.js';
import { draftValidators } from './conditions.js';
import type { NodeTool } from './node-tool.js';
import { createToolHandler } from './tool-handler.js';
import { createUndoCompensator } from './undo-compensator.js';

/** The parts of a draft that its runs need. */
export interface RunnableDraft extends Pick<Draft, 'catalogue' | 'agents' | 'files'> {
  readonly specification: Specification;
  readonly template: Template;
}

/** The implementations behind the agents of a draft: real ones, or those of a rehearsal. */
export interface DraftWork {
  readonly toolset: Toolset;
  /** Makes the handler of a model or of a pure function. @throws InputError `no_agent` */
  agentHandler(node: TemplateNode, agent: AgentFile | undefined): Handler;
}

/**
 * Makes the handlers, compensators and validators of a draft. Every call of a tool is limited to the capabilities of the
 * role of its node.
 */
export function createDraftRegistry(draft: RunnableDraft, work: DraftWork): Registry {
  const { template, specification } = draft;
  const handlers: [string, Handler][] = [];
  const compensators: [string, Compensator][] = [];
  for (const node of template.nodes) {
    if (node.work === 'choice') continue;
    const role = template.roles.find(({ id }) => id === node.role);
    if (node.work !== 'tool') {
      handlers.push([node.id, agentHandler(draft, node, role, work)]);
      continue;
    }
    const tools = toolsOfNode(draft, node, limitTools(work.toolset, role?.capabilities ?? []));
    handlers.push([node.id, toolHandler(node, role, tools)]);
    const undo = template.undo.find((one) => one.node === node.id);
    if (undo === undefined) continue;
    const { catalogue } = draft;
    const [first] = tools;
    const compensator = createUndoCompensator({ ...first, undo, catalogue });
    compensators.push([compensatorName(node.id), compensator]);
  }
  return {
    handlers: Object.fromEntries(handlers),
    compensators: Object.fromEntries(compensators),
    ...draftValidators(template, specification),
  };
}

/** The tools that can do the work of a node, best first; the first one is the one that its undo undoes. */
function toolsOfNode(draft: RunnableDraft, node: TemplateNode, toolset: Toolset): NodeTool[] {
  const { constants } = splitMapping(node.details.input);
  const undo = draft.template.undo.find((one) => one.node === node.id);
  const isFinalFor = (tool: Tool) => effectOf({ tool, undo, role: undefined }) === 'irreversible';
  const found = agentsOfNode(node, draft.agents).flatMap(({ implementation }): NodeTool[] => {
    if (implementation.kind !== 'tool') return [];
    const { tool: name, mapping } = implementation;
    const tool = toolNamed(draft.catalogue, name);
    return tool === undefined
      ? []
      : [{ tool, mapping, constants, toolset, isFinal: isFinalFor(tool) }];
  });
  const named = toolNamed(draft.catalogue, node.details.tool);
  const isFound = found.some(({ tool }) => tool === named);
  if (named !== undefined && !isFound) {
    found.unshift({ tool: named, constants, toolset, isFinal: isFinalFor(named) });
  }
  if (found.length > 0) return found;
  throw new InputError(
    'no_agent',
    `${node.id} has no tool`,
    'draft it again, or name a tool of the catalogue in its details',
  );
}

function toolNamed({ tools }: ToolCatalogue, wanted: string | undefined): Tool | undefined {
  return tools.find(({ name }) => name === wanted);
}

function toolHandler(
  node: TemplateNode,
  role: Role | undefined,
  tools: readonly NodeTool[],
): Handler {
  const candidates = tools.map(
    (one): Candidate => ({ agent: one.tool.name, handler: createToolHandler(one) }),
  );
  const reads = tools.every(({ tool }) => tool.access === 'read');
  // The undo belongs to one tool: an effect of another one could not be undone.
  return bindOrKeep(node, role, reads ? candidates : candidates.slice(0, 1));
}

function agentHandler(
  { agents }: RunnableDraft,
  node: TemplateNode,
  role: Role | undefined,
  work: DraftWork,
): Handler {
  const found = agentsOfNode(node, agents);
  if (found.length === 0) return work.agentHandler(node, undefined);
  const candidates = found.map(
    (agent): Candidate => ({ agent: agent.name, handler: work.agentHandler(node, agent) }),
  );
  return bindOrKeep(node, role, candidates);
}

/** The only handler itself, unless its role is bound when a run starts. */
function bindOrKeep(
  node: TemplateNode,
  role: Role | undefined,
  candidates: readonly Candidate[],
): Handler {
  const isFixed = candidates.length === 1 && role?.late !== true;
  return isFixed || role === undefined ? candidates[0].handler : bindAgents(node, role, candidates);
}
