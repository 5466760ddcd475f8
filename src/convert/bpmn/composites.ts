import type { BodyPlan, NodePlan } from '../../workflow/interpreter/plan.js';
import type { MapNode, ParallelNode } from '../../workflow/ir/workflow.js';
import {
  addBody,
  bodyData,
  idOf,
  notesOf,
  type Place,
  placeInside,
  type Writing,
} from './bodies.js';
import { addFlow, addShape, newScope, type Scope, type Script } from './diagram.js';
import {
  below,
  guardText,
  idPart,
  isAnySet,
  literal,
  matchText,
  nodeVariable,
  outputText,
} from './expressions.js';
import { failureScript } from './steps.js';

/** A node that holds bodies, under way. */
interface Composite {
  readonly writing: Writing;
  readonly plan: NodePlan;
  readonly place: Place;
  readonly id: string;
  readonly inside: Scope;
  /** The variable that stops its bodies. */
  readonly halt: string;
}

const start = (result: string, text: string): Script => ({ on: 'start', result, text });

/** Adds the sub-process of a node that holds bodies, from its start to its end. */
function openComposite(
  writing: Writing,
  scope: Scope,
  plan: NodePlan,
  place: Place,
  given: string,
  data: readonly string[],
): Composite {
  const { node } = plan;
  const id = idOf(place, node.id);
  const halt = `halt${place.depth + 1}`;
  const inside = newScope('path', 'given', 'answer', halt, ...data);
  const notes = { node: notesOf(plan) };
  addShape(scope, { id, type: 'bpmn:SubProcess', name: node.name ?? node.id, inside, notes });
  addShape(inside, {
    ...{ id: `${id}.start`, type: 'bpmn:StartEvent' },
    scripts: [
      start('path', `$at & ${literal(node.id)}`),
      start('given', `${isAnySet(place.stops)} ? null : (${given})`),
    ],
  });
  return { writing, plan, place, id, inside, halt };
}

/** Ends a composite: `answer` is its output or its failure. */
function closeComposite(
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
    ...{ id: `${id}.end`, type: 'bpmn:EndEvent' },
    scripts: [
      start('answer', `${isAnySet(place.stops)} ? null : (${answer})`),
      start(nodeVariable(plan.node.id), text),
      failureScript({ plan, policy }, place, 'start'),
    ],
  });
}

/** The end of a body, as its surroundings are told: its output or its failure. */
function endOf(body: BodyPlan, { failure }: Place): string {
  return `($boolean($${failure}) ? {"error": $${failure}} : {"output": ${outputText(body)}})`;
}

/** Stops the other bodies of a node when one of them has failed and nothing catches that. */
function haltScript({ plan, halt }: Composite, { failure }: Place): Script {
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
function addPart(
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
  const scope = newScope(...bodyData(body, inner));
  addShape(inside, { id, type: 'bpmn:SubProcess', name, inside: scope, ...(times && { times }) });
  const first = addShape(scope, {
    ...{ id: `${id}..start`, type: 'bpmn:StartEvent' },
    scripts: [start('at', at), start('input', input)],
  });
  const last = `${id}..end`;
  addBody(writing, scope, body, inner, { first, last });
  addShape(scope, {
    id: last,
    type: 'bpmn:EndEvent',
    scripts: [result, haltScript(composite, inner)],
  });
}

/** Adds a parallel node: its branches side by side, or one lane after the other if few may run at once. */
export function addParallel(
  writing: Writing,
  scope: Scope,
  plan: NodePlan,
  place: Place,
  given: string,
): void {
  const node = plan.node as ParallelNode;
  const names = Object.keys(node.branches);
  const variableOf = (name: string) => `b_${names.indexOf(name)}`;
  const composite = openComposite(writing, scope, plan, place, given, names.map(variableOf));
  const { id, inside, halt } = composite;
  const lanes = Math.min(node.maxConcurrency ?? names.length, names.length);
  const ends: string[] = [];
  const [fork, join] = lanes > 1 ? [`${id}.fork`, `${id}.join`] : [`${id}.start`, `${id}.end`];
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
      result: start(variableOf(name), endOf(body, inner)),
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

/** Adds a map over items: a sub-process that runs once for each. */
export function addItems(
  writing: Writing,
  scope: Scope,
  plan: NodePlan,
  place: Place,
  given: string,
): void {
  const node = plan.node as MapNode;
  const composite = openComposite(writing, scope, plan, place, given, [
    'items',
    'count',
    'results',
  ]);
  const { id, inside, halt } = composite;
  const body = writing.plan.planOf(node.body);
  const part = `${id}.item`;
  const inner = placeInside(place, `${part}.`, halt);
  const { loopGuards } = plan.policy;
  const most = loopGuards?.maxIters;
  const isList = '$type($items) = "array"';
  const fits = most === undefined ? isList : `${isList} and $count($items) <= ${most}`;
  const first = inside.shapes[0];
  inside.shapes[0] = {
    ...first,
    scripts: [
      ...(first.scripts ?? []),
      start('items', below('given', node.items ?? 'input')),
      start('results', '{}'),
      start('count', `${fits} and $not(${isAnySet(place.stops)}) ? $count($items) : 0`),
    ],
  };
  const sequential = node.maxConcurrency !== undefined;
  addPart(composite, body, part, node.name ?? node.id, {
    at: '$path & "[" & $loopCounter & "]/"',
    input: '$exists($items[$loopCounter]) ? $items[$loopCounter] : null',
    result: start('results', `$merge([$results, {$string($loopCounter): ${endOf(body, inner)}}])`),
    times: { count: '${count}', sequential },
  });
  addFlow(inside, `${id}.start`, part);
  addFlow(inside, part, `${id}.end`);
  const noItems = `{"error": {"code": "NoItems", "message": ${literal(`${node.items} is not a list`)}}}`;
  const tooMany =
    '{"error": {"code": "LoopGuard", "message": "maxIters ends the loop before its last item"}}';
  const numbers = '$count = 0 ? [] : [0..$count - 1]';
  closeComposite(
    composite,
    `$numbers := ${numbers};
    $not(${isList}) ? ${noItems} : ${most === undefined ? '' : `$count($items) > ${most} ? ${tooMany} : `}(
      $errors := [$numbers.(($one := $lookup($results, $string($))).error)];
      $boolean($${halt}) ? {"error": $${halt}} : $count($errors) > 0 ? {"error": $errors[0]} : {"output": $reduce($numbers, function($all, $k) {
        $append($all, [($one := $lookup($results, $string($k)).output; $exists($one) ? [$one] : null)])
      }, [])}
    )`,
    '$append([], [($count = 0 ? [] : [0..$count - 1])[$exists($lookup($results, $string($)).error)].($path & "[" & $ & "]/")])',
  );
}

/** Adds a loop: turns one after the other, each on the output of the last. */
export function addLoop(
  writing: Writing,
  scope: Scope,
  plan: NodePlan,
  place: Place,
  given: string,
): void {
  const node = plan.node as MapNode;
  const composite = openComposite(writing, scope, plan, place, given, [
    'turn',
    'last',
    'began',
    'ends',
  ]);
  const { id, inside, halt } = composite;
  const body = writing.plan.planOf(node.body);
  const part = `${id}.turn`;
  const inner = placeInside(place, `${part}.`, halt);
  const first = inside.shapes[0];
  inside.shapes[0] = {
    ...first,
    scripts: [...(first.scripts ?? []), start('turn', '0'), start('began', '$millis()')],
  };
  addShape(inside, { id: `${id}.again`, type: 'bpmn:ExclusiveGateway' });
  addFlow(inside, `${id}.start`, `${id}.again`);
  addPart(composite, body, part, node.name ?? node.id, {
    at: '$path & "[" & $turn & "]/"',
    input: '$turn = 0 ? $given : ($exists($last.output) ? $last.output : null)',
    result: start('last', endOf(body, inner)),
  });
  addFlow(inside, `${id}.again`, part);
  addShape(inside, { id: `${id}.over`, type: 'bpmn:ExclusiveGateway', name: 'over?' });
  addFlow(inside, part, `${id}.over`);
  const { maxIters, deadlineSeconds, timeBudgetSeconds } = plan.policy.loopGuards ?? {};
  const until = node.until ?? 'false';
  const bindings = { output: '$last.output', input: '$given' };
  const ends = [
    isAnySet([...place.stops, halt]),
    '$exists($last.error)',
    guardText(until, bindings),
    ...(maxIters === undefined ? [] : [`$turn + 1 >= ${maxIters}`]),
    ...(deadlineSeconds === undefined
      ? []
      : [`$millis() - $startedAt >= ${deadlineSeconds * 1000}`]),
    ...(timeBudgetSeconds === undefined
      ? []
      : [`$millis() - $began >= ${timeBudgetSeconds * 1000}`]),
  ];
  const name = maxIters === undefined ? until : `${until}, or ${maxIters} turns`;
  addFlow(inside, `${id}.over`, `${id}.end`, {
    name,
    when: ends.map((one) => `$boolean(${one})`).join(' or '),
  });
  const next: Script = { on: 'take', result: 'turn', text: '$turn + 1' };
  addFlow(inside, `${id}.over`, `${id}.again`, {
    name: 'no',
    otherwise: true,
    back: true,
    scripts: [next],
  });
  closeComposite(composite, '$last');
}
