import { capabilityOf, type Tool } from '@alas-jssp/agents';
import type { Body, JsonSchema, Node, TaskNode } from '@alas-jssp/workflow';
import { itemPolicyName, policyName, type TaskEffect } from './node-policies.js';
import { splitMapping } from './sources.js';
import type { Role, TemplateNode, Undo } from './template.js';
import { usableSchema, withoutKeys } from './tool-schemas.js';

/** The part of the log from which the context of an agent with a prompt is selected, by relevance. */
const WHOLE_LOG = { entries: 5000, bytes: 2_000_000 };
/** The part of the log from which other nodes learn how their attempts ended. */
const LAST_ENTRIES = { entries: 1000, bytes: 500_000 };

/** The parts of a draft on which the compilation of a node depends. */
export interface NodeContext {
  readonly role: Role | undefined;
  readonly tool: Tool | undefined;
  readonly undo: Undo | undefined;
}

/** The effect of a node: from the access of its tool, and the strategy of its undo. */
export function effectOf({ tool, undo }: NodeContext): TaskEffect {
  if (tool === undefined || tool.access === 'read') return 'none';
  if (tool.access === 'irreversible' || undo?.strategy === 'irreversible') return 'irreversible';
  // A person must complete an escalated or mitigated undo: a part remains, and the run lists it.
  return undo?.strategy === 'mitigate' || undo?.strategy === 'escalate' ? 'partial' : 'compensable';
}

/** The node of the workflow: a choice, a task, or a loop around a task. */
export function compileNode(node: TemplateNode, context: NodeContext): Node {
  if (node.work === 'choice') return compileChoice(node);
  const { details } = node;
  if (details.forEach === undefined) {
    const input = splitMapping(details.input).references;
    return compileTask(node, context, node.id, input, policyName(node.id));
  }
  const item = Object.entries(splitMapping(details.input).references).map(
    ([key, reference]) => [key, reference.replace(/^item(?=\.|$)/, 'input')] as const,
  );
  const task = compileTask(
    node,
    context,
    itemId(node.id),
    Object.fromEntries(item),
    itemPolicyName(node.id),
  );
  const body: Body = { nodes: [task], edges: [] };
  const changes = effectOf(context) !== 'none';
  return {
    id: node.id,
    type: 'map',
    name: node.does,
    input: { items: details.forEach },
    items: 'input.items',
    io: {},
    policyRef: policyName(node.id),
    body,
    // Effects occur one after another, so that a failure leaves at most one in doubt.
    ...(changes && { maxConcurrency: 1 }),
  };
}

/** The id of the task in the loop of a node with `forEach`. */
export function itemId(id: string): string {
  return `${id}-item`;
}

function compileChoice({ id, does, details }: TemplateNode): Node {
  const { references } = splitMapping(details.input);
  const reads = Object.keys(references).length > 0;
  return { id, type: 'choice', name: does, io: {}, ...(reads && { input: { ...references } }) };
}

function compileTask(
  node: TemplateNode,
  context: NodeContext,
  id: string,
  input: Readonly<Record<string, string>>,
  policyRef: string,
): TaskNode {
  const { details, role: roleId } = node;
  const { role, tool } = context;
  const { constants } = splitMapping(details.input);
  const approval = approvalOf(node);
  return {
    id,
    type: 'task',
    name: node.does,
    handler: node.id,
    ...(role !== undefined && {
      role: role.kind,
      capabilities: { role: role.id, allows: [...role.capabilities] },
    }),
    context: node.work === 'model' ? WHOLE_LOG : LAST_ENTRIES,
    params: {
      constants: { ...constants } as never,
      ...(roleId !== null && { role: roleId }),
      ...(tool !== undefined && { tool: tool.name, capability: capabilityOf(tool) }),
      ...(details.reviews !== undefined && { reviews: details.reviews }),
      ...(details.sees.length > 0 && { sees: [...details.sees] }),
    },
    // Without references the input is empty, not the output of the node before.
    input: { ...input },
    io: ioOf(node, tool, Object.keys(constants)),
    policyRef,
    effect: effectOf(context),
    ...(approval !== undefined && { approval }),
    ...(details.log.length > 0 && { logSchemaRef: node.id }),
    ...(details.repair !== undefined && { repair: { ...details.repair, covers: [] } }),
  };
}

function ioOf(node: TemplateNode, tool: Tool | undefined, constants: readonly string[]) {
  if (node.work === 'tool') {
    if (tool === undefined) return {};
    return {
      input: withoutKeys(usableSchema(tool.input), constants),
      output: usableSchema(tool.output),
    };
  }
  const { output } = node.details;
  return output === undefined ? {} : { output: usableSchema(output) as JsonSchema };
}

/** The approval of a node, if the workflow's form allows its name. */
export function approvalOf({ details }: TemplateNode): string | undefined {
  const { approval } = details;
  return approval !== undefined && isApprovalName(approval) ? approval : undefined;
}

/** Whether a name of an approval has braces only around references to the input. */
export function isApprovalName(name: string): boolean {
  return name !== '' && /^[^{}]*(\{input(\.\w+)+\}[^{}]*)*$/.test(name);
}
