import type { MapNode, ParallelNode } from '../ir/workflow.js';
import type { Json } from '../log/entry.js';
import { withDefaults } from './defaults.js';
import {
  decodeLogged,
  type EncodedValue,
  listOfValues,
  NULL_VALUE,
  objectOfValues,
} from './encoded-value.js';
import type { Failure } from './entries.js';
import type { Host } from './host.js';
import type { NodePlan, WorkflowPlan } from './plan.js';
import { newScope, nodePath, type Scope } from './run.js';
import { isTaken } from './schedule.js';
import type { NodeState } from './state.js';

type Reference = string | readonly string[];

/** The values that references resolve to: those of the run, or of its replay. */
export interface Sources {
  readonly plan: WorkflowPlan;
  readonly host: Pick<Host, 'decode'>;
  readonly state: { readonly nodes: ReadonlyMap<string, NodeState> };
  readonly outputs: Map<string, EncodedValue>;
}

/**
 * The input of a node: by its mapping if it has one, without the keys whose references find
 * nothing; for a failure handler `{ error, input }`; else the output of the only predecessor that
 * ran, an object of outputs by id if several ran, or the input of the body if there is no
 * predecessor. Absent keys are filled with their defaults.
 */
export function inputOf(sources: Sources, scope: Scope, node: NodePlan): EncodedValue {
  const { workflow } = sources.plan;
  return withDefaults(workflow, node.node.io.input, arrivingInput(sources, scope, node));
}

function arrivingInput(sources: Sources, scope: Scope, node: NodePlan): EncodedValue | undefined {
  const { input: mapping } = node.node;
  if (typeof mapping === 'string' || Array.isArray(mapping)) {
    return resolveReference(sources, scope, mapping);
  }
  if (mapping !== undefined) {
    const parts = new Map<string, EncodedValue>();
    for (const [key, reference] of Object.entries(mapping)) {
      const part = resolveReference(sources, scope, reference);
      if (part !== undefined) parts.set(key, part);
    }
    return objectOfValues(parts);
  }
  const before = new Map<string, EncodedValue>();
  for (const link of node.into) {
    const { node: from } = scope.plan.nodes[link.from];
    const state = stateOf(sources, scope, from.id);
    if (state === undefined || !isTaken(link, state, scope.plan)) continue;
    if (link.kind === 'catch') return failureValue(sources, scope, link.from, state.error);
    before.set(from.id, outputOf(sources, scope, from.id) ?? NULL_VALUE);
  }
  return before.size === 0 ? scope.input : onlyOrAll(before);
}

/** The output of a body: by its reference, else that of its only last node that ran, or of all. */
export function bodyOutput(sources: Sources, scope: Scope): EncodedValue {
  const { output } = scope.plan.body;
  if (output !== undefined) return resolveReference(sources, scope, output) ?? NULL_VALUE;
  const last = new Map<string, EncodedValue>();
  for (const { node, out } of scope.plan.nodes) {
    if (out.some(({ kind }) => kind !== 'catch')) continue;
    const datum = outputOf(sources, scope, node.id);
    if (datum !== undefined) last.set(node.id, datum);
  }
  return last.size === 0 ? NULL_VALUE : onlyOrAll(last);
}

/** Resolves `input.a.b` or `outputs.ID.a.b`; of a list, the first that exists. */
function resolveReference(
  sources: Sources,
  scope: Scope,
  reference: Reference,
): EncodedValue | undefined {
  for (const one of typeof reference === 'string' ? [reference] : reference) {
    const [root, ...keys] = one.split('.');
    let datum: EncodedValue | undefined;
    if (root === 'input') datum = scope.input;
    else if (root === 'outputs') datum = outputOf(sources, scope, keys.shift() ?? '');
    for (const key of keys) datum = datum?.get(key);
    if (datum !== undefined) return datum;
  }
  return undefined;
}

/**
 * The output of a node of a scope, with absent keys filled with their defaults; undefined if the
 * node did not end.
 */
export function outputOf(sources: Sources, scope: Scope, id: string): EncodedValue | undefined {
  const path = nodePath(scope, id);
  const state = sources.state.nodes.get(path);
  const node = scope.plan.byId.get(id);
  const known = sources.outputs.get(path);
  if (node === undefined || (known === undefined && state?.status !== 'done')) return known;
  const made = known ?? pastOutput(sources, scope, node, state as NodeState);
  const datum = withDefaults(sources.plan.workflow, node.node.io.output, made);
  sources.outputs.set(path, datum);
  return datum;
}

/** The output of a node that is done, from the log. */
function pastOutput(
  sources: Sources,
  scope: Scope,
  plan: NodePlan,
  state: NodeState,
): EncodedValue {
  const { node } = plan;
  if (node.type === 'task') {
    return sources.host.decode(node, 'output', state.output ?? null);
  }
  if (node.type === 'wait') return decodeLogged(state.output ?? null);
  const input = inputOf(sources, scope, plan);
  if (node.type === 'choice') return input;
  if (node.type === 'parallel') {
    const parts = Object.keys(node.branches).map((name) => {
      const branch = branchScope(sources, scope, node, name, input);
      return [name, bodyOutput(sources, branch)] as const;
    });
    return objectOfValues(new Map(parts));
  }
  const turns: EncodedValue[] = [];
  for (let k = state.forgotten ?? 0; k < state.iterations; k++) {
    const turn = turnInput(sources, node, input, k, turns.at(-1));
    turns.push(bodyOutput(sources, turnScope(sources, scope, node, k, turn)));
  }
  return node.items === undefined ? (turns.at(-1) ?? NULL_VALUE) : listOfValues(turns);
}

/** The scope of a branch of a parallel node. */
export function branchScope(
  { plan }: Sources,
  scope: Scope,
  node: ParallelNode,
  name: string,
  input: EncodedValue,
): Scope {
  const path = `${nodePath(scope, node.id)}/${encodeURIComponent(name)}`;
  return newScope(path, plan.planOf(node.branches[name]), input);
}

/** The scope of an iteration of a loop. */
export function turnScope(
  { plan }: Sources,
  scope: Scope,
  node: MapNode,
  index: number,
  input: EncodedValue,
): Scope {
  return newScope(`${nodePath(scope, node.id)}[${index}]`, plan.planOf(node.body), input);
}

/** The input of an iteration: its item, or the output of the previous iteration. */
export function turnInput(
  { plan }: Sources,
  node: MapNode,
  input: EncodedValue,
  index: number,
  before: EncodedValue | undefined,
): EncodedValue {
  if (node.items === undefined) {
    return before === undefined ? input : withDefaults(plan.workflow, node.io.input, before);
  }
  return itemsOf(node.items, input)?.get(String(index)) ?? NULL_VALUE;
}

/** The items of a loop, found in its input. */
export function itemsOf(reference: string, input: EncodedValue): EncodedValue | undefined {
  const keys = reference.split('.').slice(1);
  return keys.reduce<EncodedValue | undefined>((datum, key) => datum?.get(key), input);
}

function failureValue(
  sources: Sources,
  scope: Scope,
  from: number,
  failure: Failure | undefined,
): EncodedValue {
  const { code, message, nodeId } = failure ?? { code: '', message: '', nodeId: '' };
  const input = inputOf(sources, scope, scope.plan.nodes[from]);
  const error = decodeLogged({ code, message, nodeId });
  return objectOfValues(
    new Map([
      ['error', error],
      ['input', input],
    ]),
  );
}

function onlyOrAll(data: ReadonlyMap<string, EncodedValue>): EncodedValue {
  const [first] = data.values();
  return data.size === 1 ? first : objectOfValues(data);
}

function stateOf(sources: Sources, scope: Scope, id: string): NodeState | undefined {
  return sources.state.nodes.get(nodePath(scope, id));
}

/** The outputs of the ended nodes of the workflow itself, by id, as the log holds them. */
export function rootOutputs(sources: Sources & { readonly root: Scope }): Record<string, Json> {
  const outputs: Record<string, Json> = {};
  for (const { id } of sources.root.plan.body.nodes) {
    const datum = outputOf(sources, sources.root, id);
    if (datum !== undefined) outputs[id] = datum.json();
  }
  return outputs;
}
