import type { AgentFile } from '../factory/agent-file.js';
import type { TemplateNode } from '../template/template.js';

/** The agents that can do the work of a node, best first. */
export function agentsOfNode(
  { id }: TemplateNode,
  agents: readonly AgentFile[],
): readonly AgentFile[] {
  return agents.filter(({ name }) => name === id);
}
