import type { ContextFacts } from '@alas-jssp/agents';
import type { RunnableDraft } from './draft-registry.js';

/** The facts about a draft from which the contexts of its agents are selected. */
export function draftFacts({
  specification,
  template,
}: Pick<RunnableDraft, 'specification' | 'template'>): ContextFacts {
  const { objectives, constraints, entities } = specification;
  const { nodes, edges, constraintCoverage } = template;
  return {
    goals: objectives.map(({ id, text }) => ({ id, text })),
    constraints: constraints.map(({ id, text, operations }) => {
      const enforced = constraintCoverage.flatMap((one) =>
        one.constraint === id ? one.enforced : [],
      );
      const named = enforced.flatMap((one) => ('node' in one ? [one.node] : []));
      const performing = nodes.filter(
        ({ operation }) => operation !== null && operations.includes(operation),
      );
      // A constraint of no operation limits all nodes.
      const limited =
        operations.length === 0 ? [] : [...performing.map((node) => node.id), ...named];
      return { id, text, nodes: [...new Set(limited)] };
    }),
    entities: entities.map(({ id, name, fields }) => ({ id, name, fields })),
    nodes: nodes.map(({ id, does }) => ({
      id,
      does,
      after: edges.flatMap(({ from, to }) => (to === id ? [from] : [])),
    })),
  };
}
