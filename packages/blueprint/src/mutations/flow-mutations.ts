import type { TemplateNode } from '../template/template.js';
import {
  calledTool,
  type DraftMutation,
  editOne,
  harmful,
  type MutableDraft,
  nodesWith,
  onlyNext,
  pick,
  removeOne,
  swapNeighbours,
} from './mutation.js';

/** Harmful changes of edges and of the order of nodes. */
export const flowMutations: readonly DraftMutation[] = [
  harmful('an edge is missing', ({ template }, random) =>
    removeOne(template.edges, random, () => true),
  ),
  harmful('two edges have swapped targets', ({ template }, random) => {
    const [one, other] = [pick(template.edges, random), pick(template.edges, random)];
    if (one === undefined || other === undefined || one.to === other.to) return false;
    [one.to, other.to] = [other.to, one.to];
    return true;
  }),
  harmful('two neighbours are swapped', (draft, random) => {
    const pairs = draft.template.nodes.flatMap((node) => {
      const next = onlyNext(draft, node.id);
      return next === undefined || node.work === 'choice' || next.work === 'choice'
        ? []
        : [[node.id, next.id] as const];
    });
    return editOne(pairs, random, ([first, second]) => swapNeighbours(draft, first, second));
  }),
  harmful('an irreversible step comes earlier', (draft, random) => {
    const fatal = pick(nodesWith(draft, 'irreversible'), random);
    if (fatal === undefined) return false;
    let moved = false;
    for (let steps = random.integer(1, 6); steps > 0; steps--) {
      const before = draft.template.nodes.find(
        (node) => node.work !== 'choice' && onlyNext(draft, node.id)?.id === fatal.id,
      );
      if (before === undefined) return moved;
      swapNeighbours(draft, before.id, fatal.id);
      moved = true;
    }
    return moved;
  }),
  harmful('the edges of a choice have swapped targets', ({ template }, random) => {
    const choices = template.nodes.filter(({ work }) => work === 'choice');
    return editOne(choices, random, ({ id }) => {
      const [one, other] = template.edges.filter(({ from }) => from === id);
      if (other !== undefined) [one.to, other.to] = [other.to, one.to];
    });
  }),
  harmful('a path avoids a choice', ({ template }, random) =>
    editOne(
      template.edges.filter(({ when, otherwise }) => when !== undefined || otherwise === true),
      random,
      (edge) => {
        const before = template.edges.find(({ to }) => to === edge.from);
        edge.from = before?.from ?? edge.from;
        delete edge.when;
        delete edge.otherwise;
      },
    ),
  ),
  harmful('a guard is constant', ({ template }, random) =>
    editOne(
      template.edges.filter(({ when }) => when !== undefined),
      random,
      (edge) => {
        edge.when = pick(['true', '1 = 1', `(${edge.when}) or true`], random);
      },
    ),
  ),
  harmful('errors continue after an effect', (draft, random) => {
    const routes = draft.template.nodes.flatMap((node) => {
      const later = laterOf(draft, node);
      const after = later.findIndex((one) => (calledTool(draft, one)?.access ?? 'read') !== 'read');
      const target = after < 0 ? undefined : later[after + 1];
      return node.work === 'choice' || target === undefined ? [] : [{ node, target }];
    });
    return editOne(routes, random, ({ node, target }) => {
      node.details.catch = [{ errors: ['*'], to: target.id }];
    });
  }),
  harmful('a review is avoided', (draft, random) => {
    const reviews = draft.template.nodes.filter(({ details }) => details.reviews !== undefined);
    return editOne(reviews, random, (review) => {
      const next = draft.template.edges.find(({ from }) => from === review.id);
      const before = draft.template.edges.find(({ to }) => to === review.id);
      if (next !== undefined && before !== undefined) next.from = before.from;
    });
  }),
  harmful('a denied review goes on', (draft, random) => {
    const reviews = draft.template.nodes.flatMap((node) => {
      const next = onlyNext(draft, node.id);
      return node.details.reviews === undefined || next === undefined ? [] : [{ node, next }];
    });
    return editOne(reviews, random, ({ node, next }) => {
      node.details.catch = [{ errors: ['*'], to: next.id }];
    });
  }),
];

/** The nodes of the chain after a node. */
function laterOf(draft: MutableDraft, node: TemplateNode): TemplateNode[] {
  const found: TemplateNode[] = [];
  let next = onlyNext(draft, node.id);
  while (next !== undefined && !found.includes(next)) {
    found.push(next);
    next = onlyNext(draft, next.id);
  }
  return found;
}
