import type * as z from 'zod';
import { type Body, WORKFLOW_SCHEMA, type Workflow, type workflowSchema } from './workflow.js';
import { toWorkflow } from './workflow-file.js';

type Draft = z.input<typeof workflowSchema>;
type NodeDraft = Draft['nodes'][number];
type EdgeDraft = Draft['edges'][number];
type Options<Type extends NodeDraft['type']> = Omit<
  Extract<NodeDraft, { type: Type }>,
  'id' | 'type' | 'branches' | 'body'
>;

/**
 * An immutable graph builder; every step returns a new one. `Ids` are the nodes that edges may
 * name.
 */
export interface GraphBuilder<Ids extends string> {
  task<Id extends string>(id: Id, options?: Options<'task'>): GraphBuilder<Ids | Id>;
  choice<Id extends string>(id: Id, options?: Options<'choice'>): GraphBuilder<Ids | Id>;
  /** A node that waits for a message; its output is the payload. */
  wait<Id extends string>(id: Id, options: Options<'wait'>): GraphBuilder<Ids | Id>;
  parallel<Id extends string>(
    id: Id,
    branches: Readonly<Record<string, GraphBuilder<string>>>,
    options?: Options<'parallel'>,
  ): GraphBuilder<Ids | Id>;
  map<Id extends string>(
    id: Id,
    body: GraphBuilder<string>,
    options: Options<'map'>,
  ): GraphBuilder<Ids | Id>;
  /** Sequence edges from each node to the next. */
  sequence(...ids: Ids[]): GraphBuilder<Ids>;
  /** A branch edge of a choice, taken if its guard is the first that holds. */
  branch(from: Ids, to: Ids, guard: string): GraphBuilder<Ids>;
  /** The edge of a choice that is taken if no guard holds. */
  otherwise(from: Ids, to: Ids): GraphBuilder<Ids>;
  /** Names the output of the graph; by default the output of its only last node. */
  output(reference: string | string[]): GraphBuilder<Ids>;
  /**
   * Builds the workflow of this graph.
   *
   * @throws InputError `bad_workflow` if a part of it has the wrong form
   */
  build(name: string, rest?: Partial<Omit<Draft, 'nodes' | 'edges' | 'name'>>): Workflow;
  /** The graph as it is, for the body of a parallel or map node. */
  readonly body: Body;
}

interface Parts {
  readonly nodes: readonly NodeDraft[];
  readonly edges: readonly EdgeDraft[];
  readonly output?: string | string[];
}

/**
 * Begins a graph of nodes for a workflow or for the body of a node:
 * `graph().task('plan').task('validate').sequence('plan', 'validate').build('shop')`.
 */
export function graph(): GraphBuilder<never> {
  return builder({ nodes: [], edges: [] });
}

function builder<Ids extends string>(parts: Parts): GraphBuilder<Ids> {
  const node = <Id extends string>(draft: NodeDraft) =>
    builder<Ids | Id>({ ...parts, nodes: [...parts.nodes, draft] });
  const edges = (...drafts: EdgeDraft[]) =>
    builder<Ids>({ ...parts, edges: [...parts.edges, ...drafts] });
  return {
    task: (id, options) => node({ ...options, type: 'task', id }),
    choice: (id, options) => node({ ...options, type: 'choice', id }),
    wait: (id, options) => node({ ...options, type: 'wait', id }),
    parallel: (id, branches, options) => {
      const bodies = Object.entries(branches).map(([name, { body }]) => [name, body]);
      return node({ ...options, type: 'parallel', id, branches: Object.fromEntries(bodies) });
    },
    map: (id, { body }, options) => node({ ...options, type: 'map', id, body }),
    sequence: (...ids) => edges(...ids.slice(1).map((to, i) => ({ from: ids[i], to }))),
    branch: (from, to, guard) => edges({ from, to, kind: 'branch', guard }),
    otherwise: (from, to) => edges({ from, to, kind: 'default' }),
    output: (output) => builder({ ...parts, output }),
    build: (name, rest) => toWorkflow({ schema: WORKFLOW_SCHEMA, ...rest, name, ...parts }),
    // The defaults are filled in when the workflow is built.
    body: parts as unknown as Body,
  };
}
