import { cacheCanonicalJson } from '@alas-jssp/core/canonical-json';
import { AlasError } from '@alas-jssp/core/errors';
import { compileGuard, type Guard } from '../ir/guard/guard.js';
import { policyOf } from '../ir/policy.js';
import { limitRepair } from '../ir/repair-spec.js';
import type { Body, Edge, Node, Policy, RepairSpec, Workflow } from '../ir/workflow.js';

/** An edge, or the route from a node to the handler that catches its failure. */
export interface Link {
  readonly from: number;
  readonly to: number;
  readonly kind: Edge['kind'] | 'catch';
  /** Index among the edges of the body; −1 for catches. */
  readonly edge: number;
  readonly guard?: string | undefined;
}

/** A node with its policy and links. */
export interface NodePlan {
  readonly node: Node;
  readonly index: number;
  readonly policy: Policy;
  readonly into: readonly Link[];
  readonly out: readonly Link[];
}

/** A body, prepared for execution. */
export interface BodyPlan {
  readonly body: Body;
  readonly nodes: readonly NodePlan[];
  readonly byId: ReadonlyMap<string, NodePlan>;
}

/** A workflow, prepared for execution: the plans of its bodies by body. */
export interface WorkflowPlan {
  readonly workflow: Workflow;
  readonly root: BodyPlan;
  readonly invariants: readonly InvariantPlan[];
  planOf(body: Body): BodyPlan;
  /** Names of the invariants that read the output of a node of the workflow itself. */
  readersOf(id: string): readonly string[];
}

/** An invariant, and the values that it reads. */
interface InvariantPlan {
  readonly name: string;
  readonly guard: Guard;
}

/** The plans of executed workflows, which many runs share. */
const known = new WeakMap<Workflow, WorkflowPlan>();

/**
 * Prepares a workflow for execution, once, and freezes it: the plan would not follow a change.
 *
 * @throws AlasError `bad_workflow` for edges and policies that lead nowhere and for duplicate ids:
 *   the checker reports more
 */
export function planWorkflow(workflow: Workflow): WorkflowPlan {
  let plan = known.get(workflow);
  if (plan === undefined) {
    plan = newPlan(freeze(workflow));
    // The first entry of each of its runs contains it.
    cacheCanonicalJson(workflow);
    known.set(workflow, plan);
  }
  return plan;
}

/** Freezes a workflow recursively; it is JSON. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

function newPlan(workflow: Workflow): WorkflowPlan {
  const plans = new Map<Body, BodyPlan>();
  const planOf = (body: Body): BodyPlan => {
    let plan = plans.get(body);
    if (plan === undefined) {
      plan = planBody(body, workflow);
      plans.set(body, plan);
    }
    return plan;
  };
  const invariants = workflow.invariants.map(({ name, holds }) => {
    return { name, guard: guardOf(holds) };
  });
  const readersOf = (id: string) => readers.get(id) ?? NONE;
  const readers = new Map<string, string[]>();
  for (const { id } of workflow.nodes) {
    const reading = invariants.filter(({ guard: { reads } }) => {
      return reads.outputs === 'all' || reads.outputs.includes(id);
    });
    if (reading.length > 0) {
      readers.set(
        id,
        reading.map(({ name }) => name),
      );
    }
  }
  return { workflow, root: planOf(workflow), invariants, planOf, readersOf };
}

const NONE: readonly string[] = [];

const guards = new Map<string, Guard>();

/**
 * A guard, compiled once. The checker has the schemas; here the values decide.
 *
 * @throws InputError `bad_guard`
 */
export function guardOf(expression: string): Guard {
  let guard = guards.get(expression);
  if (guard === undefined) {
    guard = compileGuard(expression, { variables: { input: true, output: true, outputs: true } });
    guards.set(expression, guard);
  }
  return guard;
}

function planBody(body: Body, workflow: Workflow): BodyPlan {
  const indexById = new Map(body.nodes.map(({ id }, index) => [id, index]));
  if (indexById.size < body.nodes.length) throw bad('two nodes have the same id', body.nodes);
  const indexOf = (id: string): number => {
    const index = indexById.get(id);
    if (index === undefined) throw bad(`there is no node ${id}`, id);
    return index;
  };
  const out: Link[][] = body.nodes.map(() => []);
  body.edges.forEach(({ from, to, kind, guard }, edge) => {
    const link = { from: indexOf(from), to: indexOf(to), kind, edge, guard };
    out[link.from].push(link);
  });
  const policies = body.nodes.map((node) => requirePolicy(workflow, node));
  policies.forEach((policy, from) => {
    for (const { handler, backTo } of policy.catch ?? []) {
      if (handler !== undefined) addCatch(out, from, indexOf(handler));
      if (backTo !== undefined) indexOf(backTo);
    }
  });
  const into: Link[][] = body.nodes.map(() => []);
  for (const link of out.flat()) into[link.to].push(link);
  const nodes = body.nodes.map((node, index) => ({
    node,
    index,
    policy: policies[index],
    into: into[index],
    out: out[index],
  }));
  return { body, nodes, byId: new Map(nodes.map((plan) => [plan.node.id, plan])) };
}

/**
 * Adds the route to a handler, unless the node comes after that handler: a default policy with a
 * catch applies to all nodes, but a handler cannot wait for its own successors.
 */
function addCatch(out: Link[][], from: number, to: number): void {
  const known = out[from].some((link) => link.kind === 'catch' && link.to === to);
  if (known || from === to || reaches(out, to, from)) return;
  out[from].push({ from, to, kind: 'catch', edge: -1 });
}

/** Whether a path leads from one node to another. */
function reaches(out: readonly (readonly Link[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    if (at === to) return true;
    for (const link of out[at]) seen.add(link.to);
  }
  return false;
}

/** Whether `later` builds on `earlier`: a path leads from `earlier` to `later`. */
export function buildsOn({ nodes }: BodyPlan, later: NodePlan, earlier: NodePlan): boolean {
  if (later === earlier) return false;
  let found = foundations.get(later);
  if (found === undefined) {
    found = new Set(later.into.map(({ from }) => from));
    // The loop also visits nodes that are added meanwhile.
    for (const at of found) for (const { from } of nodes[at].into) found.add(from);
    foundations.set(later, found);
  }
  return found.has(earlier.index);
}

/** The indexes of the nodes on which a node builds. */
const foundations = new WeakMap<NodePlan, Set<number>>();

function requirePolicy(workflow: Workflow, node: Node): Policy {
  const name = node.policyRef ?? workflow.defaultPolicy;
  if (name === undefined) return {};
  const policy = policyOf(workflow, node);
  if (policy === undefined) throw bad(`there is no policy ${name}`, name);
  return policy;
}

function bad(message: string, value: unknown): AlasError {
  return new AlasError('bad_workflow', `${message}; see alas-jssp workflow check`, value);
}

/**
 * Whether the step at one path builds on the step at another: decided where their paths diverge.
 */
export function dependsOn(plan: WorkflowPlan, later: string, earlier: string): boolean {
  const a = stationsOf(plan, later);
  const b = stationsOf(plan, earlier);
  for (let k = 0; k < a.length && k < b.length; k++) {
    if (a[k].node !== b[k].node) return buildsOn(a[k].body, a[k].node, b[k].node);
    if (a[k].part === b[k].part) continue;
    const { node } = a[k].node;
    return node.type === 'map' && node.items === undefined && Number(a[k].part) > Number(b[k].part);
  }
  return false;
}

/** A node on the path to another, and the branch or iteration through which the path leads. */
interface Station {
  readonly body: BodyPlan;
  readonly node: NodePlan;
  readonly part: string;
}

function stationsOf({ root, planOf }: WorkflowPlan, path: string): Station[] {
  const stations: Station[] = [];
  const words = path.split('/');
  for (let body = root, k = 0; k < words.length; ) {
    const [id, turn] = words[k++].split(/[[\]]/);
    const node = body.byId.get(id);
    if (node === undefined) break;
    const { type } = node.node;
    const part = type === 'parallel' ? decodeURIComponent(words[k++] ?? '') : (turn ?? '');
    stations.push({ body, node, part });
    if (node.node.type === 'map') body = planOf(node.node.body);
    else if (node.node.type === 'parallel' && part !== '') body = planOf(node.node.branches[part]);
  }
  return stations;
}

/**
 * The repair specification of the node at a path, limited to the primitives that the edges on the
 * path allow: edges into the node itself, and into the loops and branches that contain it.
 */
export function repairAt(plan: WorkflowPlan, path: string): RepairSpec | undefined {
  const stations = stationsOf(plan, path);
  const spec = stations.at(-1)?.node.node.repair;
  return (
    spec &&
    stations.reduce((left, { body: { body }, node }) => limitRepair(left, body, node.node.id), spec)
  );
}

/** The node at a path. */
export function nodeAt(plan: WorkflowPlan, path: string): NodePlan | undefined {
  return stationsOf(plan, path).at(-1)?.node;
}
