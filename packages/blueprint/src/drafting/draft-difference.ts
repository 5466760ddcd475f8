import { canonicalJson } from '@alas-jssp/core/canonical-json';
import type { Draft } from './draft.js';

/** One difference between two drafts. */
export interface DraftDifference {
  readonly change: 'added' | 'removed' | 'changed';
  readonly what: 'node' | 'edge' | 'undo' | 'constraint' | 'operation' | 'input' | 'disruption';
  readonly id: string;
  /** Of a change: the keys whose values differ. */
  readonly keys: readonly string[];
}

type ComparedDraft = Pick<Draft, 'specification' | 'template'>;

/** The differences between two drafts, item by item. */
export function compareDrafts(before: ComparedDraft, after: ComparedDraft): DraftDifference[] {
  const kinds: [DraftDifference['what'], (draft: ComparedDraft) => Items][] = [
    ['input', ({ specification }) => itemsOf(specification?.inputs, ({ name }) => name)],
    ['operation', ({ specification }) => itemsOf(specification?.operations, ({ id }) => id)],
    ['constraint', ({ specification }) => itemsOf(specification?.constraints, ({ id }) => id)],
    ['disruption', ({ specification }) => itemsOf(specification?.disruptions, ({ id }) => id)],
    ['node', ({ template }) => itemsOf(flatNodes(template), ({ id }) => id)],
    ['edge', ({ template }) => itemsOf(template?.edges, ({ from, to }) => `${from} → ${to}`)],
    ['undo', ({ template }) => itemsOf(template?.undo, ({ node }) => node)],
  ];
  return kinds.flatMap(([what, read]) => compareItems(what, read(before), read(after)));
}

type Items = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

function itemsOf<T extends object>(items: readonly T[] | undefined, idOf: (item: T) => string) {
  return new Map((items ?? []).map((item) => [idOf(item), item as Record<string, unknown>]));
}

/** Nodes with their details beside their outline, so that a change names the detail. */
function flatNodes(template: Draft['template']) {
  return template?.nodes.map(({ details, ...outline }) => ({ ...outline, ...details }));
}

function compareItems(
  what: DraftDifference['what'],
  before: Items,
  after: Items,
): DraftDifference[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id): DraftDifference[] => {
    const old = before.get(id);
    const now = after.get(id);
    if (old === undefined) return [{ change: 'added', what, id, keys: [] }];
    if (now === undefined) return [{ change: 'removed', what, id, keys: [] }];
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
      (key) => canonicalJson(old[key] ?? null) !== canonicalJson(now[key] ?? null),
    );
    return keys.length === 0 ? [] : [{ change: 'changed', what, id, keys }];
  });
}
