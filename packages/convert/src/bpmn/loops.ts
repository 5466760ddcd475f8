import type { MapNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { addPart, closeComposite, endText, openComposite, start } from './composites.js';
import { addFlow, addShape, type DiagramScope, type Script } from './diagram.js';
import { below, guardText, isAnySet, literal, variableText } from './expressions.js';
import { type FlowPlace, placeInside, type Writing } from './place.js';

/** Adds a map over items: a sub-process that runs once for each. */
export function addItems(
  writing: Writing,
  scope: DiagramScope,
  plan: NodePlan,
  place: FlowPlace,
  given: string,
): void {
  const node = plan.node as MapNode;
  const composite = openComposite(writing, scope, plan, place, given, [
    'items',
    'total',
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
      start('total', `${fits} and $not(${isAnySet(place.stops)}) ? $count($items) : 0`),
    ],
  };
  const sequential = node.maxConcurrency !== undefined;
  addPart(composite, body, part, node.name ?? node.id, {
    at: '$path & "[" & $loopCounter & "]/"',
    input: '$exists($items[$loopCounter]) ? $items[$loopCounter] : null',
    result: start(
      'results',
      `$merge([$results, {$string($loopCounter): ${endText(body, inner)}}])`,
    ),
    times: { count: variableText('total'), sequential },
  });
  addFlow(inside, `${id}.start`, part);
  addFlow(inside, part, `${id}.end`);
  const noItems = `{"error": {"code": "NoItems", "message": ${literal(`${node.items} is not a list`)}, "nodeId": $path}}`;
  const tooMany =
    '{"error": {"code": "LoopGuard", "message": "maxIters ends the loop before its last item", "nodeId": $path}}';
  const numbers = '$total = 0 ? [] : [0..$total - 1]';
  closeComposite(
    composite,
    `$numbers := ${numbers};
    $not(${isList}) ? ${noItems} : ${most === undefined ? '' : `$count($items) > ${most} ? ${tooMany} : `}(
      $errors := [$numbers.(($one := $lookup($results, $string($))).error)];
      $boolean($${halt}) ? {"error": $${halt}} : $count($errors) > 0 ? {"error": $errors[0]} : {"output": $reduce($numbers, function($all, $k) {
        $append($all, ($one := $lookup($results, $string($k)).output; $type($one) = "array" ? [[$one]] : [$exists($one) ? $one : null]))
      }, [])}
    )`,
    '$append([], [($total = 0 ? [] : [0..$total - 1])[$exists($lookup($results, $string($)).error)].($path & "[" & $ & "]/")])',
  );
}

/** Adds a loop: sequential iterations, each on the output of the last. */
export function addLoop(
  writing: Writing,
  scope: DiagramScope,
  plan: NodePlan,
  place: FlowPlace,
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
    result: start('last', endText(body, inner)),
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
