import type { ParallelNode } from '@alas-jssp/workflow';
import type { BodyPlan, NodePlan } from '@alas-jssp/workflow/ir';
import { failureScript } from './calls.js';
import { addFlow, addShape, type DiagramScope, newDiagram, type Script } from './diagram.js';
import { idPart, isAnySet, literal, matchText, nodeVariable, outputText } from './expressions.js';
import { bodyData, type FlowPlace, idOf, placeInside, type Writing } from './place.js';

/** A node with bodies, in construction. */
export interface Composite {
  readonly writing: Writing;
  readonly plan: NodePlan;
  readonly place: FlowPlace;
  readonly id: string;
  readonly inside: DiagramScope;
  /** The variable that stops its bodies. */
  readonly halt: string;
}

export const start = (result: string, text: string): Script => ({ on: 'start', result, text });

/** Adds the sub-process of a node with bodies, from its start to its end. */
export function openComposite(
  writing: Writing,
  scope: DiagramScope,
  plan: NodePlan,
  place: FlowPlace,
  given: string,
  data: readonly string[],
): Composite {
  const { node } = plan;
  const id = idOf(place, node.id);
  const halt = `halt${place.depth + 1}`;
  const inside = newDiagram('path', 'given', 'answer', halt, ...data);
  addShape(scope, { id, type: 'bpmn:SubProcess', name: node.name ?? node.id, inside });
  addShape(inside, {
    id: `${id}.start`,
    type: 'bpmn:StartEvent',
    scripts: [
      start('path', `$at & ${literal(node.id)}`),
      start('given', `${isAnySet(place.stops)} ? null : (${given})`),
    ],
  });
  return { writing, plan, place, id, inside, halt };
}

/** Ends a composite: `answer` is its output or its failure. */
export function closeComposite(
  { plan, place, id, inside }: Composite,
  answer: string,
  parts?: string,
): void {
  const { policy } = plan;
  const rules = (policy.catch ?? []).flatMap(({ errors, handler }) => {
    if (handler === undefined || !plan.out.some(({ kind }) => kind === 'catch')) return [];
    return [`${matchText(errors, '$answer.error.code')} ? {"caughtBy": ${literal(handler)}} : `];
  });
  const more = parts === undefined ? '' : `, "parts": ${parts}`;
  const failed = `$merge([{"status": "failed", "error": $sift($answer.error, function($v, $k) { $k != "compensates" }), "input": $given${more}}, ${rules.join('')}{}])`;
  const text = `$not($boolean($answer)) ? {"status": "stopped"} : $exists($answer.error) ? ${failed} : {"status": "done", "output": $exists($answer.output) ? $answer.output : null}`;
  addShape(inside, {
    id: `${id}.end`,
    type: 'bpmn:EndEvent',
    scripts: [
      start('answer', `${isAnySet(place.stops)} ? null : (${answer})`),
      start(nodeVariable(plan.node.id), text),
      failureScript({ plan, policy }, place, 'start'),
    ],
  });
}

/** The end of a body, as its surroundings see it: its output or its failure. */
export function endText(body: BodyPlan, { failure }: FlowPlace): string {
  return `($boolean($${failure}) ? {"error": $${failure}} : {"output": ${outputText(body)}})`;
}

/** Stops the other bodies of a node when one of them has an uncaught failure. */
function haltScript({ plan, halt }: Composite, { failure }: FlowPlace): Script {
  const codes = (plan.policy.catch ?? []).flatMap(({ errors, handler }) => {
    return handler === undefined || handler === plan.node.id ? [] : errors;
  });
  const caught = matchText(codes, `$${failure}.code`);
  return start(
    halt,
    `$boolean($${failure}) and $not(${caught}) and $not($boolean($${halt})) ? $${failure} : $${halt}`,
  );
}

/** Adds the sub-process of one body. */
export function addPart(
  composite: Composite,
  body: BodyPlan,
  id: string,
  name: string,
  more: {
    readonly at: string;
    readonly input: string;
    readonly result: Script;
    readonly times?: { count: string; sequential: boolean };
  },
): void {
  const { writing, place, inside, halt } = composite;
  const { at, input, result, times } = more;
  const inner = placeInside(place, `${id}.`, halt);
  const scope = newDiagram(...bodyData(body, inner));
  addShape(inside, { id, type: 'bpmn:SubProcess', name, inside: scope, ...(times && { times }) });
  const first = addShape(scope, {
    id: `${id}..start`,
    type: 'bpmn:StartEvent',
    scripts: [start('at', at), start('input', input)],
  });
  const last = `${id}..end`;
  writing.addBody(scope, body, inner, { first, last });
  addShape(scope, {
    id: last,
    type: 'bpmn:EndEvent',
    scripts: [result, haltScript(composite, inner)],
  });
}

/** Adds a parallel node: its branches in parallel, or in lanes if the concurrency is limited. */
export function addParallel(
  writing: Writing,
  scope: DiagramScope,
  plan: NodePlan,
  place: FlowPlace,
  given: string,
): void {
  const node = plan.node as ParallelNode;
  const names = Object.keys(node.branches);
  const variableOf = (name: string) => `b_${names.indexOf(name)}`;
  const composite = openComposite(writing, scope, plan, place, given, names.map(variableOf));
  const { id, inside, halt } = composite;
  const lanes = Math.min(node.maxConcurrency ?? names.length, names.length);
  const ends: string[] = [];
  const [fork, join] = lanes > 1 ? [`${id}..fork`, `${id}..join`] : [`${id}.start`, `${id}.end`];
  if (lanes > 1) {
    addShape(inside, { id: fork, type: 'bpmn:ParallelGateway' });
    addFlow(inside, `${id}.start`, fork);
    addShape(inside, { id: join, type: 'bpmn:ParallelGateway' });
  }
  names.forEach((name, k) => {
    const part = `${id}._${idPart(name)}`;
    const body = writing.plan.planOf(node.branches[name]);
    const inner = placeInside(place, `${part}.`, halt);
    addPart(composite, body, part, name, {
      at: `$path & ${literal(`/${encodeURIComponent(name)}/`)}`,
      input: '$given',
      result: start(variableOf(name), endText(body, inner)),
    });
    addFlow(inside, k < lanes ? fork : ends[k - lanes], part);
    ends.push(part);
  });
  for (const part of ends.slice(ends.length - lanes)) addFlow(inside, part, join);
  if (lanes > 1) addFlow(inside, join, `${id}.end`);
  const all = names.map((name) => `$${variableOf(name)}`);
  const first = all.map((one) => `$exists(${one}.error) ? ${one}.error`).join(' : ');
  const outputs = names.map(
    (name, k) => `${literal(name)}: $exists(${all[k]}.output) ? ${all[k]}.output : null`,
  );
  const failed = names.map((name, k) => {
    const path = literal(`/${encodeURIComponent(name)}/`);
    return `$exists(${all[k]}.error) ? [$path & ${path}] : []`;
  });
  closeComposite(
    composite,
    `$error := $boolean($${halt}) ? $${halt} : ${first} : null; $boolean($error) ? {"error": $error} : {"output": {${outputs.join(', ')}}}`,
    failed.reduce((before, one) => `$append(${before}, ${one})`, '[]'),
  );
}
