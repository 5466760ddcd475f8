import type { Json } from '@alas-jssp/workflow';
import { SPECIFICATION_PARTS, type Specification } from '../specification/specification.js';
import type { Template } from '../template/template.js';
import type { Parts } from './part.js';

/** The parts that assemble to a specification and a template: the inverse of `assembleDraft`. */
export function partsOfDraft(specification: Specification, template: Template): Parts {
  const { roles, nodes, edges, output, constraintCoverage, disruptionCoverage, undo } = template;
  const parts: Record<string, unknown> = {};
  for (const [part, { shape }] of Object.entries(SPECIFICATION_PARTS)) {
    const keys = Object.keys(shape) as (keyof Specification)[];
    parts[part] = Object.fromEntries(keys.map((key) => [key, specification[key]]));
  }
  parts.roles = { roles };
  parts.nodes = { nodes: nodes.map(({ details: _, ...outline }) => outline) };
  parts.edges = { edges, ...(output !== undefined && { output }) };
  for (const { id, details } of nodes) parts[`node/${id}`] = details;
  parts['constraint-coverage'] = { constraintCoverage };
  parts['disruption-coverage'] = { disruptionCoverage };
  for (const one of undo) parts[`undo/${one.node}`] = one;
  return structuredClone(parts) as Record<string, Json>;
}
