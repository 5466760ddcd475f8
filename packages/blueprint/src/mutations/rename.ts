import type { Mapping } from '@alas-jssp/agents';
import type { MutableDraft } from './mutation.js';

/** Renames all nodes of a draft, wherever it names them. */
export function renameNodes({ template }: MutableDraft, rename: (id: string) => string): void {
  const expression = (text: string) => renameInExpression(text, template.nodes, rename);
  for (const node of template.nodes) {
    const { details } = node;
    details.input = renameMapping(details.input, rename);
    if (details.forEach !== undefined) details.forEach = renameReference(details.forEach, rename);
    if (details.reviews !== undefined) details.reviews = rename(details.reviews);
    details.sees = details.sees.map(rename);
    for (const route of details.catch ?? []) {
      if (route.to !== undefined) route.to = rename(route.to);
      if (route.backTo !== undefined) route.backTo = rename(route.backTo);
    }
  }
  for (const edge of template.edges) {
    edge.from = rename(edge.from);
    edge.to = rename(edge.to);
  }
  if (template.output !== undefined) template.output = renameReference(template.output, rename);
  for (const { enforced } of template.constraintCoverage) {
    for (const one of enforced) {
      if ('holds' in one) one.holds = expression(one.holds);
      if ('node' in one) one.node = rename(one.node);
      if (one.by === 'choice') one.choice = rename(one.choice);
      if (one.by === 'order') {
        one.before = rename(one.before);
        one.after = rename(one.after);
      }
    }
  }
  for (const one of template.disruptionCoverage) {
    if ('node' in one.handler) one.handler.node = rename(one.handler.node);
    one.neighbourhood = one.neighbourhood.map(rename);
  }
  for (const undo of template.undo) undo.node = rename(undo.node);
  for (const node of template.nodes) {
    node.id = rename(node.id);
    node.details.id = node.id;
  }
}

function renameMapping(mapping: Mapping, rename: (id: string) => string): Mapping {
  return Object.fromEntries(
    Object.entries(mapping).map(([key, source]) => [
      key,
      typeof source === 'string' ? renameReference(source, rename) : source,
    ]),
  );
}

function renameReference(reference: string, rename: (id: string) => string): string {
  const [base, id, ...keys] = reference.split('.');
  return base === 'outputs' && id !== undefined ? [base, rename(id), ...keys].join('.') : reference;
}

/** Renames the nodes in `$outputs.NODE` and in `` $outputs.`NODE` ``. */
function renameInExpression(
  expression: string,
  nodes: readonly { readonly id: string }[],
  rename: (id: string) => string,
): string {
  return expression.replace(
    /\$outputs\.(?:`([^`]+)`|(\w+))/g,
    (whole, quoted: string | undefined, bare: string | undefined) => {
      const id = quoted ?? bare ?? '';
      if (!nodes.some((node) => node.id === id)) return whole;
      const renamed = rename(id);
      return /^\w+$/.test(renamed) ? `$outputs.${renamed}` : `$outputs.\`${renamed}\``;
    },
  );
}
