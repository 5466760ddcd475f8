/** A statement with its id. */
export interface Statement {
  readonly id: string;
  readonly text: string;
}

/** The facts about a workflow that do not change during a run. */
export interface ContextFacts {
  readonly goals: readonly Statement[];
  readonly constraints: readonly NodeConstraint[];
  readonly entities: readonly EntityFacts[];
  readonly nodes: readonly NodeFacts[];
}

/** A constraint, and the nodes that it limits. */
export interface NodeConstraint extends Statement {
  /** Ids of nodes; empty: all nodes. */
  readonly nodes: readonly string[];
}

/** A kind of thing in the world of the workflow, such as an order. */
export interface EntityFacts {
  readonly id: string;
  readonly name: string;
  /** Keys of outputs that hold its state. */
  readonly fields: readonly string[];
}

/** A node of the graph. */
export interface NodeFacts {
  readonly id: string;
  /** Its operation, in words. */
  readonly does: string;
  /** Ids of the nodes directly before it. */
  readonly after: readonly string[];
  /** Ids of the entities that it reads or changes, besides those that its outputs show. */
  readonly entities?: readonly string[] | undefined;
}

/** The nodes that a path of nodes leads to, by their distances from 1; the node itself has 0. */
export function distances(
  node: string,
  next: (id: string) => readonly string[],
): ReadonlyMap<string, number> {
  const found = new Map([[node, 0]]);
  for (const [id, distance] of found) {
    for (const other of next(id)) if (!found.has(other)) found.set(other, distance + 1);
  }
  return found;
}
