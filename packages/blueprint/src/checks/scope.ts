import { capabilityOf, type Tool } from '@alas-jssp/agents';
import type { JsonSchema, Node, TaskNode } from '@alas-jssp/workflow';
import {
  type BodyScope,
  isBefore,
  isSureBefore,
  outputsOf,
  propertyOf,
  scopesOf,
} from '@alas-jssp/workflow/ir';
import type { CheckedDraft } from '../drafting/draft.js';
import { type CompiledTemplate, compileTemplate, toolOfNode } from '../template/compile.js';
import { effectOf } from '../template/compile-node.js';
import type { TaskEffect } from '../template/node-policies.js';
import { nodeOfReference } from '../template/sources.js';
import type { Role, TemplateNode, Undo } from '../template/template.js';

/** A draft with everything that more than one check derives from it. */
export interface DraftScope extends CheckedDraft {
  readonly compiled: CompiledTemplate;
  /** The first node of each id. */
  readonly nodes: ReadonlyMap<string, TemplateNode>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly tools: ReadonlyMap<string, Tool>;
  /** The compiled body of the workflow. */
  readonly body: BodyScope;
  toolOf(node: TemplateNode): Tool | undefined;
  undoOf(id: string): Undo | undefined;
  effectOf(node: TemplateNode): TaskEffect;
  /** Nodes with an effect, in the order of the outline. */
  readonly effects: readonly TemplateNode[];
  /** Nodes that perform an operation. */
  performersOf(operation: string): readonly TemplateNode[];
  /** Whether a path leads from one node to another. */
  leadsTo(earlier: string, later: string): boolean;
  /** Whether a node has surely ended without an error whenever another one starts. */
  isDoneBefore(earlier: string, later: string): boolean;
}

/** Derives from a draft, once, everything that its checks share; the draft may have any faults. */
export function scopeOfDraft(draft: CheckedDraft): DraftScope {
  const { template, specification, catalogue } = draft;
  const compiled = compileTemplate(template, specification, catalogue);
  const nodes = firstById(template.nodes);
  const undos = new Map<string, Undo>();
  for (const undo of template.undo) if (!undos.has(undo.node)) undos.set(undo.node, undo);
  const roles = firstById(template.roles);
  const toolOf = (node: TemplateNode) => toolOfNode(node, catalogue);
  const effectOfNode = (node: TemplateNode) =>
    effectOf({ role: undefined, tool: toolOf(node), undo: undos.get(node.id) });
  const [body] = scopesOf(compiled.workflow);
  const { graph } = body;
  return {
    ...draft,
    compiled,
    nodes,
    roles,
    tools: new Map(catalogue.tools.map((tool) => [tool.name, tool])),
    body,
    toolOf,
    undoOf: (id) => undos.get(id),
    effectOf: effectOfNode,
    effects: template.nodes.filter((node) => effectOfNode(node) !== 'none'),
    performersOf: (operation) => template.nodes.filter((node) => node.operation === operation),
    leadsTo: (earlier, later) => isBefore(graph, earlier, later),
    isDoneBefore: (earlier, later) => isDoneBefore(body, earlier, later),
  };
}

function firstById<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
  return found;
}

/**
 * Whether a node has surely run and not failed: after its error a route of `catch` may lead to the other node, too, and
 * then its output is missing.
 */
function isDoneBefore({ graph }: BodyScope, earlier: string, later: string): boolean {
  if (earlier === later || !graph.nodes.has(earlier) || !graph.nodes.has(later)) return false;
  if (!isBefore(graph, earlier, later) || !isSureBefore(graph, [earlier], later)) return false;
  return graph
    .from(earlier)
    .every(({ kind, to }) => kind !== 'catch' || (to !== later && !isBefore(graph, to, later)));
}

/** The task of a node in the compiled workflow: with `forEach` the one in the loop. */
export function taskOf({ body }: DraftScope, id: string): TaskNode | undefined {
  const node: Node | undefined = body.graph.nodes.get(id);
  if (node?.type === 'task') return node;
  const [inner] = node?.type === 'map' ? node.body.nodes : [];
  return inner?.type === 'task' ? inner : undefined;
}

/** The schema of the output of a node, as other nodes read it. */
export function outputSchemaOf({ body }: DraftScope, id: string): JsonSchema {
  const outputs = outputsOf(body);
  const property = typeof outputs === 'boolean' ? 'unknown' : propertyOf(outputs, id);
  return typeof property === 'string' ? true : property.schema;
}

/** The nodes whose outputs a node reads as its input. */
export function readsOf({ details }: TemplateNode): readonly string[] {
  const sources = [...Object.values(details.input), ...(details.forEach ? [details.forEach] : [])];
  return sources.flatMap((source) => {
    const id = typeof source === 'string' ? nodeOfReference(source) : undefined;
    return id === undefined ? [] : [id];
  });
}

/** The capabilities that a node needs: those of its tool, and of the tools that undo it. */
export function neededCapabilities(scope: DraftScope, node: TemplateNode): readonly string[] {
  const tool = scope.toolOf(node);
  const undo = scope.undoOf(node.id)?.sequence ?? [];
  const tools = [tool, ...undo.map((call) => scope.tools.get(call.tool))];
  return [...new Set(tools.flatMap((one) => (one === undefined ? [] : [capabilityOf(one)])))];
}
