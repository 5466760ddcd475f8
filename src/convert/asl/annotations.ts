import type { Body, Edge, Node, Workflow } from '../../workflow/ir/workflow.js';

/** The word with which the comments begin that hold what Amazon States Language cannot say. */
const MARK = 'alas-jssp ';

/** The languages in which guards are written. */
export const GUARD_LANGUAGES = ['jsonata', 'jsonpath'] as const;

export type GuardLanguage = (typeof GUARD_LANGUAGES)[number];

/** The part that a generated state plays for a node, a body or the machine. */
const PARTS = [
  'begin',
  'end',
  'failed',
  'ready',
  'approve',
  'register',
  'route',
  'again',
  'caught',
  'undo',
  'check',
  'together',
] as const;

export type Part = (typeof PARTS)[number];

/** All of a node but what its state says itself: which id, type and bodies it has, and where it leads. */
type NodeRest = Partial<Record<string, unknown>>;

/** A body beside its nodes: in which order they stand, and the edges as they were given. */
export interface BodyRest {
  readonly nodes: readonly string[];
  readonly edges: readonly Edge[];
  readonly output?: Body['output'];
}

/** All of a workflow but its nodes and edges. */
type WorkflowRest = Omit<Workflow, 'nodes' | 'edges' | 'output' | 'name'>;

/** A comment, read. */
export type Annotation =
  /** Of the principal state of a node. */
  | ({ readonly node: string; readonly type: Node['type'] } & NodeRest)
  /** Of a generated state: of which node, or of which body by path (empty for that of the machine). */
  | ({ readonly of: string; readonly part: Part } & { readonly body?: BodyRest })
  /** Of the machine. */
  | ({ readonly workflow: string } & Partial<WorkflowRest>);

/** The comment of the principal state of a node. */
export function nodeComment(node: Node): string {
  const { id, type, ...rest } = node;
  const said: Record<string, unknown> = { ...rest };
  for (const key of ['branches', 'body']) delete said[key];
  if (Object.keys(node.io).length === 0) delete said.io;
  if (said.effect === 'none') delete said.effect;
  return comment({ node: id, type, ...said });
}

/** The comment of a state that is generated for a node, or for a body. */
export function partComment(of: string, part: Part, body?: Body): string {
  if (body === undefined) return comment({ of, part });
  const { nodes, edges, output } = body;
  const rest = { nodes: nodes.map(({ id }) => id), edges, ...(output && { output }) };
  return comment({ of, part, body: rest });
}

/** The comment of the machine. */
export function machineComment(workflow: Workflow): string {
  const { nodes, edges, output, name, ...rest } = workflow;
  return comment({ workflow: name, ...rest });
}

function comment(annotation: Annotation): string {
  return MARK + JSON.stringify(annotation);
}

/** The content of a comment; undefined for comments of other people. */
export function readAnnotation(text: unknown): Annotation | undefined {
  if (typeof text !== 'string' || !text.startsWith(MARK)) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(MARK.length));
    return typeof value === 'object' && value !== null ? (value as Annotation) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A guard as a condition: `$input` (and `$output` of a loop) are bound around it. A guard that is
 * missing as a whole does not hold.
 *
 * @param bindings expressions by name of the variable
 */
export function guardCondition(bindings: Readonly<Record<string, string>>, guard: string): string {
  const bound = Object.entries(bindings).map(([name, value]) => `$${name} := ${value}; `);
  return `{% (${bound.join('')}$holds := (${guard}); $exists($holds) ? $holds : false) %}`;
}

/** The guard of a condition made by {@link guardCondition}; undefined for one of other people. */
export function conditionGuard(condition: string): string | undefined {
  return /\$holds := \(([\s\S]*)\); \$exists\(\$holds\) \? \$holds : false\) %\}$/.exec(
    condition,
  )?.[1];
}
