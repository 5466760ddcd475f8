import type { DraftFinding } from '../drafting/part.js';
import type { AgentFile } from '../factory/agent-file.js';
import { agentsOfNode } from '../running/agents-of-node.js';
import { draftError } from './finding.js';
import type { DraftScope } from './scope.js';

/**
 * The agent of a node that changes something calls the tool of the node, with the input of the node: the conditions, the
 * approval and the undo are about that call. Agents of other nodes call tools that only read.
 */
export function checkAgentTools(scope: DraftScope): DraftFinding[] {
  const { template, agents = [], tools, toolOf } = scope;
  return template.nodes.flatMap((node) => {
    const tool = toolOf(node);
    if (node.work !== 'tool' || tool === undefined) return [];
    return agentsOfNode(node, agents).flatMap(({ name, implementation }) => {
      if (implementation.kind !== 'tool') return [];
      const used = tools.get(implementation.tool);
      const isSafe =
        tool.access === 'read'
          ? used?.access === 'read'
          : used === tool && keepsInput(implementation);
      if (isSafe) return [];
      const what = used === tool ? `${tool.name} with another input` : implementation.tool;
      const message = `the agent ${name} calls ${what}, and ${node.id} is checked as a call of ${tool.name}`;
      const hint = `name the tool that is meant, with its input; or remove the agent from the library`;
      return [draftError('agent_of_other_tool', `node/${node.id}`, ['tool'], message, hint)];
    });
  });
}

/** Whether the tool gets the input of the node as it is. */
function keepsInput({ mapping = {} }: AgentFile['implementation'] & { readonly kind: 'tool' }) {
  return Object.entries(mapping).every(([key, source]) => source === `input.${key}`);
}
