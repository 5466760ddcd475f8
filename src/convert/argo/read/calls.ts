import { InputError } from '../../../core/errors.js';
import type { Body, Edge, Node } from '../../../workflow/ir/workflow.js';
import type { ArgoCall, Template } from '../document.js';
import { createArgoNames } from '../names.js';
import {
  type ForeignDocument,
  type ForeignScope,
  foreignTemplate,
  joint,
  type KnownTask,
  policyOfTemplate,
  resolverOf,
  take,
} from './foreign-document.js';
import { secondsOf } from './policies.js';
import { jsonList, type Resolve, resolveValue } from './values.js';

/** Items of a list that become branches, at most. */
const MOST_ITEMS = 100;

/** Turns of a loop over a list that a step gives, at most: Argo has no such limit. */
const MOST_TURNS = 1000;

/** The nodes of a call: the one that does the work, and what belongs to it. */
interface Core {
  readonly node: Node;
  readonly after: readonly Node[];
  readonly edges: readonly Edge[];
  readonly exit: string;
  readonly known: KnownTask;
}

/** Reads a call: a step, a wait, a graph within a graph, or one of these for each of several items. */
export function readCore(
  foreign: ForeignDocument,
  call: ArgoCall,
  id: string,
  scope: ForeignScope,
  known: ReadonlyMap<string, KnownTask>,
): Core {
  const { withItems, withParam, withSequence } = call;
  if (withItems !== undefined || withSequence !== undefined) {
    const items = withItems ?? numbersOf(withSequence, foreign.file);
    return only(itemsNode(foreign, call, id, scope, known, items), 'branches');
  }
  if (withParam !== undefined) {
    return only(loopNode(foreign, call, id, scope, known, withParam), 'single');
  }
  const template = templateOfCall(foreign, call, scope);
  if (template.suspend !== undefined) return suspended(foreign, template, id, scope);
  const node = callNode(foreign, call, template, id, scope, known);
  if (node.type !== 'parallel') return only(node, 'named');
  return only(node, 'single', `outputs.${id}.main`);
}

function only(node: Node, outputs: KnownTask['outputs'], output = `outputs.${node.id}`): Core {
  return { node, after: [], edges: [], exit: node.id, known: { output, outputs } };
}

/** The template that a call names; one of another document is a step of that name. */
function templateOfCall(foreign: ForeignDocument, call: ArgoCall, scope: ForeignScope): Template {
  if (call.templateRef !== undefined) {
    const { name, template } = call.templateRef as { name?: string; template?: string };
    const how = 'a template of another document: a handler of its name';
    take(foreign, 'task', scope.place, 'emulated', how);
    return { name: `${name}/${template}` };
  }
  if (call.inline !== undefined) return { name: call.name, ...(call.inline as object) };
  return foreignTemplate(foreign, call.template);
}

/** A step, or a graph within a graph: a branch of its own. */
function callNode(
  foreign: ForeignDocument,
  call: ArgoCall,
  template: Template,
  id: string,
  scope: ForeignScope,
  known: ReadonlyMap<string, KnownTask>,
): Node {
  const resolve = resolverOf(scope, known);
  const texts: Record<string, string> = {};
  const input: Record<string, string> = {};
  const given = new Set(call.arguments?.parameters?.map(({ name }) => name));
  const defaults = (template.inputs?.parameters ?? []).filter(({ name }) => !given.has(name));
  for (const { name, value } of [...(call.arguments?.parameters ?? []), ...defaults]) {
    if (value === undefined) continue;
    const resolved = resolveValue(value, resolve);
    if (resolved.value.kind === 'reference') input[name] = resolved.value.reference;
    else if (resolved.value.kind === 'text') texts[name] = resolved.value.text;
    else {
      texts[name] = String(value);
      Object.assign(input, resolved.value.references);
      take(foreign, 'params', scope.place, 'emulated', `the handler puts ${name} together itself`);
    }
    for (const unknown of resolved.unknown) {
      take(foreign, 'references', scope.place, 'unsupported', `${unknown} is not known here`);
    }
  }
  for (const { name, from } of artifactsOf(call)) {
    const { value } = resolveValue(from, resolve);
    if (value.kind === 'reference') input[name] = value.reference;
    take(foreign, 'large-values', scope.place, 'emulated', `the artifact ${name} is a value`);
  }
  if (template.dag !== undefined || template.steps !== undefined) {
    return graphNode(foreign, template, id, scope, resolve, { texts, input });
  }
  const { name, inputs: _inputs, outputs: _outputs, metadata: _metadata, ...kept } = template;
  if (Object.keys(kept).length > 0) foreign.kept[name] = kept;
  const policy = policyOfTemplate(foreign, template, scope.place);
  const limited = Object.keys(policy).length > 0;
  if (limited) foreign.policies[name] = policy;
  return {
    id,
    type: 'task',
    handler: name,
    ...(Object.keys(input).length > 0 && { input }),
    ...(Object.keys(texts).length > 0 && { params: { arguments: texts } }),
    ...(limited && { policyRef: name }),
  } as unknown as Node;
}

function graphNode(
  foreign: ForeignDocument,
  template: Template,
  id: string,
  scope: ForeignScope,
  resolve: Resolve,
  { texts, input }: { texts: Record<string, string>; input: Record<string, string> },
): Node {
  const needs = new Set<string>();
  const body = foreign.bodyOf(template.name, {
    ...scope,
    constants: texts,
    known: scope.known,
    item: false,
    needs,
  });
  for (const name of needs) {
    const found = resolve(`workflow.parameters.${name}`);
    if (found.kind === 'reference') input[`workflow-${name}`] = found.reference;
  }
  const node = { id, type: 'parallel', branches: { main: body } };
  return (Object.keys(input).length > 0 ? { ...node, input } : node) as unknown as Node;
}

function artifactsOf({ arguments: given }: ArgoCall): { name: string; from: string }[] {
  const list = Array.isArray(given?.artifacts) ? given.artifacts : [];
  return list.flatMap((one: { name?: unknown; from?: unknown }) => {
    return typeof one.name === 'string' && typeof one.from === 'string'
      ? [{ name: one.name, from: one.from }]
      : [];
  });
}

/** A step that somebody resumes; with a duration it goes on by itself. */
function suspended(
  foreign: ForeignDocument,
  { name, suspend }: Template,
  id: string,
  { place }: ForeignScope,
): Core {
  const wait = { id, type: 'wait', message: id };
  const known: KnownTask = { output: `outputs.${id}`, outputs: 'named' };
  const { duration } = suspend ?? {};
  if (duration === undefined) {
    take(foreign, 'wait', place, 'native', `a message of the name ${id} resumes it`);
    return { node: wait as unknown as Node, after: [], edges: [], exit: id, known };
  }
  const exit = createArgoNames([id]).take(`${id}-over`);
  const policyRef = createArgoNames(Object.keys(foreign.policies)).take(`${name}-${id}`);
  foreign.policies[policyRef] = {
    wait: { seconds: secondsOf(duration, foreign.file) },
    catch: [{ errors: ['WaitTimeout'], handler: exit }],
  };
  take(foreign, 'wait', place, 'emulated', `a message ${id}, or the end of the wait, resumes it`);
  return {
    node: { ...wait, policyRef } as unknown as Node,
    after: [joint(exit)],
    edges: [{ from: id, to: exit, kind: 'sequence' } as Edge],
    exit,
    known,
  };
}

/** A call for each of several items that are known: branches side by side. */
function itemsNode(
  foreign: ForeignDocument,
  call: ArgoCall,
  id: string,
  scope: ForeignScope,
  known: ReadonlyMap<string, KnownTask>,
  items: readonly unknown[],
): Node {
  if (items.length > MOST_ITEMS) {
    throw new InputError(
      'unsupported_items',
      `${scope.place} has ${items.length} items`,
      `give at most ${MOST_ITEMS}, or a list that comes with the input`,
      { file: foreign.file },
    );
  }
  const one = withoutLoop(call);
  const input: Record<string, string> = {};
  const branches = items.map((item, k): [string, Body] => {
    const texts: Record<string, string> = { item: asText(item) };
    if (typeof item === 'object' && item !== null) {
      for (const [key, value] of Object.entries(item)) texts[`item.${key}`] = asText(value);
    }
    const inner: ForeignScope = { ...scope, known: { ...scope.known, ...texts } };
    if (asksItem(call)) return [`${k}`, foreign.graphOf(alone(one), inner)];
    const { node, after, edges } = readCore(foreign, one, id, inner, known);
    // References of the body around it reach a branch as keys of its input.
    const outer = Object.entries((node.input ?? {}) as Record<string, string>);
    for (const [key, reference] of outer) input[key] = reference;
    const own = Object.fromEntries(outer.map(([key]) => [key, `input.${key}`]));
    const given = outer.length > 0 ? { ...node, input: own } : node;
    return [`${k}`, { nodes: [given as Node, ...after], edges: [...edges] }];
  });
  const node = { id, type: 'parallel', branches: Object.fromEntries(branches) };
  return (Object.keys(input).length > 0 ? { ...node, input } : node) as unknown as Node;
}

/** Whether each item of a loop is asked whether its step is to run. */
export function asksItem({ when, withItems, withParam, withSequence }: ArgoCall): boolean {
  const loops = (withItems ?? withParam ?? withSequence) !== undefined;
  return loops && when !== undefined && /\{\{\s*item/.test(when);
}

/** A call for one item; whether it is to run at all is asked before the loop. */
function withoutLoop(call: ArgoCall): ArgoCall {
  const { withItems: _items, withParam: _param, withSequence: _sequence, when, ...one } = call;
  return asksItem(call) && when !== undefined ? { ...one, when } : one;
}

/** A template with a call as its only task. */
function alone(call: ArgoCall): Template {
  const { depends: _depends, dependencies: _dependencies, ...task } = call;
  return { name: call.name, dag: { tasks: [task] } };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The numbers of a sequence. */
function numbersOf(sequence: unknown, file: string | undefined): string[] {
  const { count, start = 0, end, format } = sequence as Record<string, unknown>;
  const first = Number(start);
  const last = count === undefined ? Number(end) : first + Number(count) - 1;
  if (!Number.isInteger(first) || !Number.isInteger(last) || format !== undefined) {
    throw new InputError(
      'unsupported_items',
      'a sequence that is not counted by plain numbers is not read',
      'give count, or start and end, as numbers, and no format',
      { file },
    );
  }
  const step = last < first && count === undefined ? -1 : 1;
  const length = Math.max(0, Math.abs(last - first) + 1);
  // What is too much is refused by its number.
  return Array.from({ length: Math.min(length, MOST_ITEMS + 1) }, (_, k) => `${first + k * step}`);
}

/** A call for each item of a list that another step gives, or the input. */
function loopNode(
  foreign: ForeignDocument,
  call: ArgoCall,
  id: string,
  scope: ForeignScope,
  known: ReadonlyMap<string, KnownTask>,
  withParam: string,
): Node {
  const { value } = resolveValue(withParam, resolverOf(scope, known));
  if (value.kind === 'text') {
    const items = jsonList(value.text);
    if (items !== undefined) return itemsNode(foreign, call, id, scope, known, items);
  }
  if (value.kind !== 'reference') {
    throw new InputError(
      'unsupported_items',
      `${scope.place} goes over ${JSON.stringify(withParam)}, which is no list that a workflow knows`,
      'go over an output or a parameter',
      { file: foreign.file },
    );
  }
  const inner: ForeignScope = { ...scope, item: true };
  const body = foreign.graphOf(alone(withoutLoop(call)), inner);
  const policyRef = createArgoNames(Object.keys(foreign.policies)).take(`${id}-loop`);
  foreign.policies[policyRef] = { loopGuards: { maxIters: MOST_TURNS } };
  const how = `at most ${MOST_TURNS} items; the output is the list of the outputs`;
  take(foreign, 'map', scope.place, 'emulated', how);
  const input = { items: value.reference };
  return { id, type: 'map', input, items: 'input.items', body, policyRef } as unknown as Node;
}
