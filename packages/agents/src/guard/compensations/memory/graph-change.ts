import type * as z from 'zod';
import type { GuardedCall } from '../../compensation.js';
import { cannotUndo } from '../settings.js';
import {
  type GraphEntity,
  type GraphRelation,
  graphInputs,
  type KnowledgeGraph,
  relationKey,
  touches,
} from './knowledge-graph.js';

/** An observation of an entity. */
export interface GraphObservation {
  readonly entityName: string;
  readonly content: string;
}

/** The difference that a call makes to the graph. Observations are those of entities that exist before and after it. */
export interface GraphChange {
  readonly entities: Difference<GraphEntity>;
  readonly observations: Difference<GraphObservation>;
  readonly relations: Difference<GraphRelation>;
  /** Relations of added entities that existed before them: deleting the entities would delete them, too. */
  readonly kept: readonly GraphRelation[];
}

/** Things that a call adds, or that it removes. */
interface Difference<T> {
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

const NONE = { added: [], removed: [] };
const NOTHING: GraphChange = { entities: NONE, observations: NONE, relations: NONE, kept: [] };

/**
 * The difference that a call will make to a graph.
 *
 * @throws InputError `cannot_undo` for unknown tools, wrong inputs and things that are named twice
 */
export function changeOf({ tool, input }: GuardedCall, graph: KnowledgeGraph): GraphChange {
  switch (tool) {
    case 'create_entities':
      return addEntities(parse(graphInputs[tool], input).entities, graph);
    case 'create_relations': {
      const { relations } = parse(graphInputs[tool], input);
      requireDistinct(relations.map(relationKey));
      const known = new Set(graph.relations.map(relationKey));
      const added = relations.filter((each) => !known.has(relationKey(each)));
      return { ...NOTHING, relations: { added, removed: [] } };
    }
    case 'add_observations': {
      const { observations } = parse(graphInputs[tool], input);
      const wanted = observations.flatMap(({ entityName, contents }) =>
        contents.map((content) => ({ entityName, content })),
      );
      const added = wanted.filter((each) => !isObserved(graph, each));
      requireDistinct(added.map((each) => JSON.stringify(each)));
      return { ...NOTHING, observations: { added, removed: [] } };
    }
    case 'delete_entities':
      return removeEntities(parse(graphInputs[tool], input).entityNames, graph);
    case 'delete_observations': {
      const { deletions } = parse(graphInputs[tool], input);
      return { ...NOTHING, observations: { added: [], removed: observed(deletions, graph) } };
    }
    case 'delete_relations': {
      const wanted = new Set(parse(graphInputs[tool], input).relations.map(relationKey));
      const removed = graph.relations.filter((each) => wanted.has(relationKey(each)));
      return { ...NOTHING, relations: { added: [], removed } };
    }
  }
  throw cannotUndo(
    `the compensation memory does not know the tool ${tool}`,
    'use a known one',
    tool,
  );
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw cannotUndo('its input does not match the schema of the tool', 'correct the input', input);
}

/** Servers would write what is named twice in one call twice, and delete both. */
function requireDistinct(keys: readonly string[]): void {
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) throw cannotUndo(`${twice} is named twice`, 'name it once', twice);
}

function addEntities(entities: readonly GraphEntity[], graph: KnowledgeGraph): GraphChange {
  const known = new Set(graph.entities.map(({ name }) => name));
  const added = entities.filter(({ name }) => !known.has(name));
  requireDistinct(added.map(({ name }) => name));
  for (const { observations } of added) requireDistinct(observations);
  const names = new Set(added.map(({ name }) => name));
  const kept = graph.relations.filter((each) => touches(names, each));
  return { ...NOTHING, entities: { added, removed: [] }, kept };
}

function removeEntities(entityNames: readonly string[], graph: KnowledgeGraph): GraphChange {
  const names = new Set(entityNames);
  const removed = graph.entities.filter(({ name }) => names.has(name));
  requireDistinct(removed.map(({ name }) => name));
  for (const { observations } of removed) requireDistinct(observations);
  const relations = graph.relations.filter((each) => touches(names, each));
  return {
    ...NOTHING,
    entities: { added: [], removed },
    relations: { added: [], removed: relations },
  };
}

function observed(
  deletions: readonly { entityName: string; observations: readonly string[] }[],
  graph: KnowledgeGraph,
): readonly GraphObservation[] {
  const removed = graph.entities.flatMap(({ name, observations }) => {
    const wanted = deletions.filter(({ entityName }) => entityName === name);
    const contents = new Set(wanted.flatMap((each) => each.observations));
    return observations
      .filter((content) => contents.has(content))
      .map((content) => ({ entityName: name, content }));
  });
  requireDistinct(removed.map((each) => JSON.stringify(each)));
  return removed;
}

/** Whether an entity has an observation. */
export function isObserved(graph: KnowledgeGraph, { entityName, content }: GraphObservation) {
  return graph.entities.some(
    ({ name, observations }) => name === entityName && observations.includes(content),
  );
}
