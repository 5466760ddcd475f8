import { type GraphChange, isObserved } from './graph-change.js';
import {
  type GraphEntity,
  type GraphRelation,
  type KnowledgeGraph,
  relationKey,
  touches,
} from './knowledge-graph.js';

/** Whether a part of a change is in the graph as after it, as before it, or neither. */
export type PartState = 'empty' | 'applied' | 'reverted' | 'mixed';

/** The state of the parts of a change. */
export interface ChangeState {
  readonly entities: PartState;
  readonly observations: PartState;
  readonly relations: PartState;
}

/** Compares a change with a graph. */
export function stateOf(change: GraphChange, graph: KnowledgeGraph): ChangeState {
  const relations = new Set(graph.relations.map(relationKey));
  const hasRelation = (each: GraphRelation) => relations.has(relationKey(each));
  const hasObservation = (each: Parameters<typeof isObserved>[1]) => isObserved(graph, each);
  const { added, removed } = change.entities;
  const entities = [
    ...added.map((each) => stateOfAdded(each, change, graph)),
    ...removed.map((each) => stateOfRemoved(each, graph)),
  ];
  return {
    entities: summary(entities),
    observations: partState(change.observations, hasObservation),
    relations: partState(change.relations, hasRelation),
  };
}

/** The state of a change as a whole: `empty` is applied and reverted at once. */
export function summary(parts: readonly PartState[]): PartState {
  const states = new Set(parts.filter((state) => state !== 'empty'));
  const [only = 'empty'] = states;
  return states.size > 1 ? 'mixed' : only;
}

function partState<T>(
  { added, removed }: { readonly added: readonly T[]; readonly removed: readonly T[] },
  exists: (item: T) => boolean,
): PartState {
  return summary([
    ...added.map((item) => (exists(item) ? 'applied' : 'reverted')),
    ...removed.map((item) => (exists(item) ? 'reverted' : 'applied')),
  ]);
}

/** An added entity counts as applied while nothing has been attached to it since, nor taken from it. */
function stateOfAdded(
  { name, entityType, observations }: GraphEntity,
  { kept }: GraphChange,
  graph: KnowledgeGraph,
): PartState {
  const now = graph.entities.find((each) => each.name === name);
  if (now === undefined) return 'reverted';
  const names = new Set([name]);
  const attached = graph.relations.filter((each) => touches(names, each)).map(relationKey);
  const expected = kept.filter((each) => touches(names, each)).map(relationKey);
  const isSame =
    now.entityType === entityType &&
    isSameSet(now.observations, observations) &&
    isSameSet(attached, expected);
  return isSame ? 'applied' : 'mixed';
}

/** A removed entity counts as reverted if it has at least what it had. */
function stateOfRemoved(
  { name, entityType, observations }: GraphEntity,
  graph: KnowledgeGraph,
): PartState {
  const now = graph.entities.find((each) => each.name === name);
  if (now === undefined) return 'applied';
  const hasAll = observations.every((each) => now.observations.includes(each));
  return now.entityType === entityType && hasAll ? 'reverted' : 'mixed';
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each) => b.includes(each));
}
