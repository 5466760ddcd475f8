import type { AgentFile } from '../factory/agent-file.js';
import type { TemplateNode } from '../template/template.js';

/** The agents that can do the work of a node, best first: `NODE`, `NODE.2` and so on. */
export function agentsOfNode(
  { id }: TemplateNode,
  agents: readonly AgentFile[],
): readonly AgentFile[] {
  const number = (name: string) => (name === id ? 1 : Number(name.slice(id.length + 1)));
  return agents
    .filter(({ name }) => name === id || name.startsWith(`${id}.`))
    .sort((a, b) => number(a.name) - number(b.name));
}
