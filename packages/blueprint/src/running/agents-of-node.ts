import type { AgentFile } from '../factory/agent-file.js';
import type { TemplateNode } from '../template/template.js';

/** The agents that can do the work of a node, best first: `NODE`, and `NODE.2`, `NODE.3` of late-bound roles. */
export function agentsOfNode(
  { id }: TemplateNode,
  agents: readonly AgentFile[],
): readonly AgentFile[] {
  return agents.filter(({ name }) => name === id || name.startsWith(`${id}.`));
}
