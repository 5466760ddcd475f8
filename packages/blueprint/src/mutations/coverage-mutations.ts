import type { Enforcement } from '../template/template.js';
import {
  type DraftMutation,
  editOne,
  harmful,
  type MutableDraft,
  pick,
  removeOne,
} from './mutation.js';

const entries = ({ template }: MutableDraft) =>
  template.constraintCoverage.flatMap(({ constraint, enforced }) =>
    enforced.map((_, index) => ({ constraint, enforced, index })),
  );

/** Replaces an enforcement of the kinds; false if there is none. */
function replace(
  draft: MutableDraft,
  random: Parameters<DraftMutation['apply']>[1],
  kinds: readonly Enforcement['by'][],
  by: (old: Enforcement) => Enforcement,
): boolean {
  const fitting = entries(draft).filter(({ enforced, index }) =>
    kinds.includes(enforced[index].by),
  );
  return editOne(fitting, random, ({ enforced, index }) => {
    enforced[index] = by(enforced[index]);
  });
}

/** Harmful changes of the coverage of constraints and disruptions. */
export const coverageMutations: readonly DraftMutation[] = [
  harmful('the coverage of a constraint is missing', ({ template }, random) =>
    removeOne(template.constraintCoverage, random, () => true),
  ),
  harmful('a constraint on changes is not enforced any more', (draft, random) => {
    const { constraints, operations } = draft.specification;
    const changes = operations.filter(
      ({ access }) => access === 'change' || access === 'irreversible',
    );
    const limits = (limited: readonly string[]) =>
      changes.some(({ id }) => limited.length === 0 || limited.includes(id));
    const hard = draft.template.constraintCoverage.filter(({ constraint }) =>
      constraints.some(
        (one) => one.id === constraint && one.scope !== 'preference' && limits(one.operations),
      ),
    );
    return editOne(hard, random, (one) => {
      one.enforced = [{ by: 'nothing', reason: 'It is too much work.' }];
    });
  }),
  harmful('the coverage of a constraint names another node', (draft, random) => {
    const ids = draft.template.nodes.map(({ id }) => id);
    const kinds = ['output', 'input', 'review', 'approval', 'policy'] as const;
    return replace(draft, random, kinds, (old) => {
      const others = ids.filter((id) => 'node' in old && id !== old.node);
      return { ...old, node: pick(others, random) ?? 'nowhere' } as Enforcement;
    });
  }),
  harmful('the coverage of a constraint names a node that does not exist', (draft, random) => {
    const kinds = ['output', 'input', 'review', 'approval', 'policy', 'choice'] as const;
    return replace(draft, random, kinds, (old) => ({ ...old, node: 'nowhere' }) as Enforcement);
  }),
  harmful('a condition is constant', (draft, random) =>
    replace(draft, random, ['invariant', 'input', 'output'], (old) => {
      const holds = pick(['true', '1 = 1', '"a" != "b"', 'true or false'], random);
      return { ...old, holds } as Enforcement;
    }),
  ),
  harmful('a condition holds for all values', (draft, random) =>
    replace(draft, random, ['invariant', 'input', 'output'], (old) => {
      const { holds } = old as { holds: string };
      return { ...old, holds: `(${holds}) or $not(${holds})` } as Enforcement;
    }),
  ),
  harmful('a condition reads a key that does not exist', (draft, random) =>
    replace(draft, random, ['invariant', 'input', 'output'], (old) => {
      const variable = old.by === 'invariant' ? 'outputs' : 'input';
      return { ...old, holds: `$${variable}.nothingOfThisName = 1` } as Enforcement;
    }),
  ),
  harmful('an order is the other way round', (draft, random) =>
    replace(draft, random, ['order'], (old) =>
      old.by === 'order' ? { by: 'order', before: old.after, after: old.before } : old,
    ),
  ),
  harmful('the handler of a disruption is missing', ({ template }, random) =>
    removeOne(template.disruptionCoverage, random, () => true),
  ),
  harmful('the handler of a disruption is at another node', ({ template }, random) => {
    const handled = template.disruptionCoverage.filter(({ handler }) =>
      ['retry', 'catch', 'repair', 'escalate'].includes(handler.by),
    );
    return editOne(handled, random, ({ handler }) => {
      const others = template.nodes.filter(
        ({ id, details }) =>
          'node' in handler &&
          id !== handler.node &&
          details.retry === undefined &&
          details.approval === undefined,
      );
      if ('node' in handler) handler.node = pick(others, random)?.id ?? 'nowhere';
    });
  }),
  harmful('a neighbourhood is the whole workflow', ({ template }, random) =>
    editOne(
      template.disruptionCoverage.filter(({ handler }) => handler.by !== 'compensate'),
      random,
      (one) => {
        one.neighbourhood = template.nodes.map(({ id }) => id);
      },
    ),
  ),
  harmful('a neighbourhood is elsewhere', (draft, random) => {
    const { disruptions } = draft.specification;
    const placed = draft.template.disruptionCoverage.filter(({ disruption }) =>
      disruptions.some(({ id, operation }) => id === disruption && operation !== null),
    );
    return editOne(placed, random, (one) => {
      const hit = disruptions.find(({ id }) => id === one.disruption)?.operation;
      const others = draft.template.nodes.filter(({ operation }) => operation !== hit);
      one.neighbourhood = [pick(others, random)?.id ?? 'nowhere'];
    });
  }),
];
