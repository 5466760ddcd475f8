import type { Json } from '@alas-jssp/workflow';
import * as z from 'zod';
import { cannotUndo } from '../settings.js';

const entity = z.object({
  name: z.string(),
  entityType: z.string(),
  observations: z.array(z.string()),
});
const relation = z.object({ from: z.string(), to: z.string(), relationType: z.string() });

export type GraphEntity = z.infer<typeof entity>;
export type GraphRelation = z.infer<typeof relation>;

const graphSchema = z.object({ entities: z.array(entity), relations: z.array(relation) });

/** The graph of a memory server. */
export type KnowledgeGraph = z.infer<typeof graphSchema>;

/**
 * The graph in the answer of `read_graph`.
 *
 * @throws InputError `cannot_undo` if it is none
 */
export function toGraph(output: Json): KnowledgeGraph {
  const parsed = graphSchema.safeParse(output);
  if (parsed.success) return parsed.data;
  throw cannotUndo(
    'read_graph answers with no graph',
    'check that this is a memory server',
    output,
  );
}

const texts = z.array(z.string());

/** The inputs of the tools that change the graph. */
export const graphInputs = {
  create_entities: z.object({ entities: z.array(entity) }),
  create_relations: z.object({ relations: z.array(relation) }),
  add_observations: z.object({
    observations: z.array(z.object({ entityName: z.string(), contents: texts })),
  }),
  delete_entities: z.object({ entityNames: texts }),
  delete_observations: z.object({
    deletions: z.array(z.object({ entityName: z.string(), observations: texts })),
  }),
  delete_relations: z.object({ relations: z.array(relation) }),
};

/** Whether a relation begins or ends at one of the entities. */
export function touches(names: ReadonlySet<string>, { from, to }: GraphRelation): boolean {
  return names.has(from) || names.has(to);
}

/** A text that is equal for equal relations. */
export function relationKey({ from, to, relationType }: GraphRelation): string {
  return JSON.stringify([from, to, relationType]);
}
