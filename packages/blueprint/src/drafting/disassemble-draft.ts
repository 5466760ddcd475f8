import type { Json } from '@alas-jssp/workflow';
import { SPECIFICATION_PARTS, type Specification } from '../specification/specification.js';
import type { Template } from '../template/template.js';
import type { Parts } from './part.js';

/** The parts of which a draft is assembled, as a planner would have answered them. */
export function disassembleDraft(specification: Specification, template: Template): Parts {
  const parts: [string, unknown][] = Object.entries(SPECIFICATION_PARTS).map(([part, schema]) => [
    part,
    pick(specification, Object.keys(schema.shape)),
  ]);
  const { roles, nodes, edges, output, constraintCoverage, disruptionCoverage, undo } = template;
  parts.push(
    ['roles', { roles }],
    ['nodes', { nodes: nodes.map(({ details: _, ...outline }) => outline) }],
    ['edges', { edges, ...(output !== undefined && { output }) }],
    ...nodes.map(({ id, details }): [string, unknown] => [`node/${id}`, details]),
    ['constraint-coverage', { constraintCoverage }],
    ['disruption-coverage', { disruptionCoverage }],
    ...undo.map((one): [string, unknown] => [`undo/${one.node}`, one]),
  );
  return Object.fromEntries(parts) as Record<string, Json>;
}

function pick(value: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}
