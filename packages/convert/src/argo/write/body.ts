import type { Body } from '@alas-jssp/workflow';
import type { BodyPlan, Link, NodePlan } from '@alas-jssp/workflow/ir';
import type { ArgoCall, Template } from '../document.js';
import { exprText, tag } from '../expressions.js';
import { type ArgoNames, createArgoNames } from '../names.js';
import {
  argoInput,
  argoOutput,
  argoTaken,
  caughtBy,
  failed,
  type PlacedBody,
  type TaskPlace,
} from './data.js';

/** The template of a node and its arguments. */
export interface NodeCall {
  readonly template: string;
  /**
   * The arguments of the task, as expressions or texts, from the expression of the node's input.
   */
  arguments(input: string): readonly { name: string; value: string }[];
  readonly undo?: string | undefined;
  readonly errors: readonly string[];
}

/** The name of the task that ends a body: nodes that it does not wait for have failed. */
const END = 'alas-end';

/** The DAG of a body: a task for each node, and one that ends it. */
export function bodyTemplate(
  template: string,
  plan: BodyPlan,
  calls: readonly NodeCall[],
  inner: boolean,
): Template {
  const names = createArgoNames([END]);
  const places = calls.map((call, index) => placeOf(names, plan.nodes[index], call));
  const body: PlacedBody = { plan, places };
  const tasks = plan.nodes.flatMap((node, index) => {
    const { task, undo } = places[index];
    const { arguments: argue, template: called, undo: undoing } = calls[index];
    const input = argoInput(body, node);
    const own: ArgoCall = {
      name: task,
      template: called,
      arguments: { parameters: argue(input) },
      ...gate(body, node),
    };
    if (undo === undefined || undoing === undefined) return [own];
    return [own, { name: undo, template: undoing, ...undoGate(body, node, input) }];
  });
  tasks.push({ name: END, template: IDLE, ...endGate(body) });
  return {
    name: template,
    inputs: {
      parameters: [{ name: 'input' }, inner ? { name: 'prefix' } : { name: 'prefix', value: '' }],
    },
    dag: { tasks },
    outputs: {
      parameters: [{ name: 'output', valueFrom: { expression: `toJson(${argoOutput(body)})` } }],
    },
  };
}

function placeOf(names: ArgoNames, { node, out }: NodePlan, { undo, errors }: NodeCall): TaskPlace {
  const task = names.reserve(node.id);
  const handled = out.some(({ kind }) => kind === 'catch');
  return {
    task,
    errors,
    ...(undo !== undefined && handled ? { undo: names.reserve(`${node.id}-undone`) } : {}),
  };
}

/** The template that does nothing. */
export const IDLE = 'alas-nothing';

/** When a task may run: once all its incoming links are settled and one of them was taken. */
function gate(body: PlacedBody, { into }: NodePlan): Pick<ArgoCall, 'depends' | 'when'> {
  if (into.length === 0) return {};
  const origins = [...new Set(into.map(({ from }) => from))];
  if (origins.length === 1) return onlyGate(body, origins[0], into);
  const taken = into.map((link) => argoTaken(body, link)).join(' || ');
  const fine = origins.flatMap((from) => uncaught(body, from));
  return {
    depends: origins.map((from) => settled(body, from)).join(' && '),
    when: tag(fine.length === 0 ? taken : `(${taken}) && !(${fine.join(' || ')})`),
  };
}

/** When a task may run whose incoming links all come from one other. */
function onlyGate(
  body: PlacedBody,
  from: number,
  into: readonly Link[],
): Pick<ArgoCall, 'depends' | 'when'> {
  const { task, undo } = body.places[from];
  const { node } = body.plan.nodes[from];
  if (
    into.some(({ kind }) => kind === 'sequence' || (kind !== 'catch' && node.type !== 'choice'))
  ) {
    if (into.every(({ kind }) => kind !== 'catch')) return { depends: `${task}.Succeeded` };
  } else if (into.every(({ kind }) => kind !== 'catch')) {
    const branch = `'{{tasks.${task}.outputs.parameters.branch}}'`;
    const when = into.map(({ edge }) => `${branch} == '${edge}'`).join(' || ');
    return { depends: `${task}.Succeeded`, when };
  }
  if (into.every(({ kind }) => kind === 'catch')) {
    const depends = undo === undefined ? `${task}.Failed || ${task}.Errored` : `${undo}.Succeeded`;
    const when = caughtBy(body, from, body.plan.nodes[into[0].to].node.id);
    return when === 'true' ? { depends } : { depends, when: tag(when) };
  }
  return {
    depends: settled(body, from),
    when: tag(into.map((link) => argoTaken(body, link)).join(' || ')),
  };
}

/** The condition that a node has ended without ending the body. */
function settled(body: PlacedBody, index: number): string {
  const { task, undo } = body.places[index];
  const ends = [`${task}.Succeeded`, `${task}.Skipped`, `${task}.Omitted`];
  if (isHandled(body, index)) {
    ends.push(
      ...(undo === undefined ? [`${task}.Failed`, `${task}.Errored`] : [`${undo}.Succeeded`]),
    );
  }
  return `(${ends.join(' || ')})`;
}

function isHandled({ plan }: PlacedBody, index: number): boolean {
  return plan.nodes[index].out.some(({ kind }) => kind === 'catch');
}

/** The condition that a node failed uncaught, if only some of its failures are caught. */
function uncaught(body: PlacedBody, index: number): string[] {
  const { out } = body.plan.nodes[index];
  const handlers = [...new Set(out.filter(({ kind }) => kind === 'catch').map(({ to }) => to))];
  if (handlers.length === 0) return [];
  const caught = handlers.map((to) => caughtBy(body, index, body.plan.nodes[to].node.id));
  if (caught.includes('true')) return [];
  return [`(${failed(body, index)} && !(${caught.join(' || ')}))`];
}

/** The task that ends a body runs if there is no uncaught failure. */
function endGate(body: PlacedBody): Pick<ArgoCall, 'depends' | 'when'> {
  const { nodes } = body.plan;
  if (nodes.length === 0) return {};
  const fine = nodes.flatMap(({ index }) => uncaught(body, index));
  return {
    depends: nodes.map(({ index }) => settled(body, index)).join(' && '),
    ...(fine.length > 0 && { when: tag(`!(${fine.join(' || ')})`) }),
  };
}

/** When and with which arguments the task runs that undoes a node before its failure is handled. */
function undoGate(
  body: PlacedBody,
  { index, node }: NodePlan,
  input: string,
): Pick<ArgoCall, 'depends' | 'when' | 'arguments'> {
  const { task } = body.places[index];
  const missed = uncaught(body, index);
  return {
    depends: `${task}.Failed || ${task}.Errored`,
    ...(missed.length > 0 && { when: tag(`!(${missed.join(' || ')})`) }),
    arguments: {
      parameters: [
        { name: 'path', value: tag(`inputs.parameters.prefix + ${exprText(node.id)}`) },
        { name: 'input', value: tag(`toJson(${input})`) },
      ],
    },
  };
}

/** The bodies of a node by the names of their branches; the body of a loop has an empty name. */
export function bodiesOf(node: NodePlan['node']): readonly (readonly [string, Body])[] {
  if (node.type === 'map') return [['', node.body]];
  return node.type === 'parallel' ? Object.entries(node.branches) : [];
}
