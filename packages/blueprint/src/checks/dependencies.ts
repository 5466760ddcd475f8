import type { TemplateNode } from '../template/template.js';
import { type DraftScope, readsOf } from './scope.js';

/**
 * The nodes that a node needs: those whose outputs it reads, reviews or sees, those that decide whether it runs, those
 * that a constraint puts before it, and the nodes that these need.
 */
export function neededBy(scope: DraftScope, id: string): ReadonlySet<string> {
  const needed = new Set([id]);
  for (const one of needed) {
    const node = scope.nodes.get(one);
    if (node === undefined) continue;
    for (const other of directlyNeeded(scope, node)) needed.add(other);
  }
  needed.delete(id);
  return needed;
}

function directlyNeeded(scope: DraftScope, node: TemplateNode): readonly string[] {
  const { sees, reviews } = node.details;
  return [
    ...readsOf(node),
    ...sees,
    ...(reviews === undefined ? [] : [reviews]),
    ...decidersOf(scope, node.id),
    ...orderedBefore(scope, node.id),
  ];
}

/** The choices on whose edges it depends whether a node runs. */
function decidersOf({ template, nodes, leadsTo }: DraftScope, id: string): readonly string[] {
  return template.nodes.flatMap((node) => {
    if (node.work !== 'choice' || node.id === id || !leadsTo(node.id, id)) return [];
    const targets = template.edges.filter(({ from }) => from === node.id).map(({ to }) => to);
    const reaching = targets.filter((to) => nodes.has(to) && (to === id || leadsTo(to, id)));
    return reaching.length < targets.length ? [node.id] : [];
  });
}

/** Nodes that a constraint puts before a node. */
function orderedBefore({ template }: DraftScope, id: string): readonly string[] {
  return template.constraintCoverage.flatMap(({ enforced }) =>
    enforced.flatMap((one) => (one.by === 'order' && one.after === id ? [one.before] : [])),
  );
}
