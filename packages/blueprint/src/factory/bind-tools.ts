import type { ToolCatalogue } from '@alas-jssp/agents';
import type { AssembledDraft } from '../drafting/assemble-draft.js';
import type { DraftFinding } from '../drafting/part.js';
import { toolOfNode } from '../template/compile.js';
import type { Template, TemplateNode } from '../template/template.js';
import { agentSpecOf } from './agent-spec.js';
import { type AgentCandidate, findCandidates } from './find-candidates.js';
import { catalogueRegistry } from './offers.js';

/** A draft whose nodes name tools that exist, where one fits. */
export interface BoundDraft extends AssembledDraft {
  /** A warning for each tool that was found by its likeness: people see what was bound, and with which score. */
  readonly findings: readonly DraftFinding[];
}

/** The least distance of the best score from the next one. */
const MARGIN = 0.05;

/**
 * Binds the nodes that name no tool of the catalogue to the one that fits them, if it fits clearly better than all others:
 * equal access, a capability of the role, an input whose keys can be supplied by renaming, and a similar wording. The keys
 * of the node's input are renamed. Nodes for which none fits stay as they are, and the checks name them.
 */
export function bindTools(draft: AssembledDraft, catalogue: ToolCatalogue): BoundDraft {
  const { specification, template } = draft;
  const sources = { specification, template, catalogue };
  const findings: DraftFinding[] = [];
  const nodes = template.nodes.map((node) => {
    if (node.work !== 'tool' || toolOfNode(node, catalogue) !== undefined) return node;
    const spec = agentSpecOf(node, sources);
    const found = spec && findCandidates(spec, [catalogueRegistry(catalogue)]);
    const [best, next] = found ?? [];
    if (best === undefined || (next !== undefined && best.score - next.score < MARGIN)) return node;
    findings.push(boundTool(node, best));
    return bindNode(node, best);
  });
  if (findings.length === 0) return { ...draft, findings };
  const bound: Template = { ...template, nodes };
  return { specification, template: bound, findings };
}

function bindNode(node: TemplateNode, { offer, mapping = {} }: AgentCandidate): TemplateNode {
  const { details } = node;
  const names = new Map(
    Object.entries(mapping).flatMap(([key, source]) =>
      typeof source === 'string' ? [[source.slice('input.'.length), key] as const] : [],
    ),
  );
  const input = Object.entries(details.input).map(([key, source]) => [
    names.get(key) ?? key,
    source,
  ]);
  return { ...node, details: { ...details, tool: offer.name, input: Object.fromEntries(input) } };
}

function boundTool({ id, details }: TemplateNode, candidate: AgentCandidate): DraftFinding {
  const { offer, score, terms } = candidate;
  const named = details.tool === undefined ? 'names no tool' : `names the tool ${details.tool}`;
  const sum = terms.map(({ name, weight, value }) => `${name} ${weight} × ${value}`).join(', ');
  return {
    code: 'tool_bound',
    severity: 'warning',
    part: `node/${id}`,
    path: '$.tool',
    message: `${id} ${named}, which does not exist; ${offer.name} fits best: ${score} (${sum})`,
    hint: `name ${offer.name} if it is meant, or another tool`,
  };
}
