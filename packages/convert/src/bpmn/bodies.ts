import type { BodyPlan, NodePlan } from '@alas-jssp/workflow/ir';
import { addParallel } from './composites.js';
import { addFlow, addShape, type DiagramScope, type Script } from './diagram.js';
import { guardText, idPart, inputText, isAnySet, literal, nodeVariable } from './expressions.js';
import { addItems, addLoop } from './loops.js';
import { type FlowPlace, idOf, type Writing } from './place.js';
import { addStep } from './steps.js';
import { addUndo, withinText } from './undoing.js';

/** Adds the nodes of a body and its flows, from a first shape to a last one. */
export function addBody(
  writing: Writing,
  scope: DiagramScope,
  body: BodyPlan,
  place: FlowPlace,
  ends: { readonly first: string; readonly last: string },
): void {
  const starts = body.nodes.filter(({ into }) => into.length === 0);
  const forks = starts.length > 1 || body.nodes.some(({ out }) => sequencesOf(out).length > 1);
  const joinType = forks ? 'bpmn:InclusiveGateway' : 'bpmn:ExclusiveGateway';
  const graph: Graph = {
    writing,
    scope,
    body,
    place,
    joinType,
    ...entries(body, place, ends.last),
  };
  for (const { id, ways } of graph.joins) {
    if (ways > 1) addShape(scope, { id, type: joinType });
  }
  for (const plan of body.nodes) addNode(graph, plan);
  leaveAlong(
    graph,
    ends.first,
    starts.map(({ index }) => graph.entryOf(index)),
  );
  for (const plan of body.nodes) addWays(graph, plan);
  for (const { id, ways, to } of graph.joins) if (ways > 1) addFlow(scope, id, to);
}

interface Join {
  readonly id: string;
  readonly to: string;
  readonly ways: number;
}

interface Graph {
  readonly writing: Writing;
  readonly scope: DiagramScope;
  readonly body: BodyPlan;
  readonly place: FlowPlace;
  readonly joinType: string;
  readonly joins: readonly Join[];
  /** The target of flows into a node: itself, or the gateway before it. */
  entryOf(index: number): string;
  /** The target of flows out of the body. */
  readonly end: string;
}

function sequencesOf(out: NodePlan['out']) {
  return out.filter(({ kind }) => kind === 'sequence');
}

/** Whether a choice may find no branch: then it fails. */
function mayFindNone({ node, out }: NodePlan): boolean {
  if (node.type !== 'choice' || out.some(({ kind }) => kind === 'default')) return false;
  return out.some(({ kind }) => kind === 'branch');
}

/** Whether a link leads from a node to the end of its body. */
function endsBody(plan: NodePlan): boolean {
  return mayFindNone(plan) || plan.out.every(({ kind }) => kind === 'catch');
}

function entries(body: BodyPlan, place: FlowPlace, last: string) {
  const joins: Join[] = body.nodes.map(({ node, into }) => {
    const id = idOf(place, node.id);
    const ways = into.filter(
      ({ kind, from }) => kind !== 'catch' || body.nodes[from].node.type !== 'choice',
    );
    return { id: `${id}.join`, to: id, ways: ways.length };
  });
  const entryOf = (index: number) => (joins[index].ways > 1 ? joins[index].id : joins[index].to);
  const ways = body.nodes.filter(endsBody).length;
  const end: Join = { id: `${last}.join`, to: last, ways };
  return { joins: [...joins, end], entryOf, end: ways > 1 ? end.id : last };
}

/** Connects a shape to one target, or to several at the same time. */
function leaveAlong({ scope }: Graph, from: string, to: readonly string[]): void {
  if (to.length === 1) {
    addFlow(scope, from, to[0]);
    return;
  }
  if (to.length === 0) return;
  const fork = addShape(scope, { id: `${from}.fork`, type: 'bpmn:ParallelGateway' });
  addFlow(scope, from, fork);
  for (const one of to) addFlow(scope, fork, one);
}

function addNode({ writing, scope, body, place }: Graph, plan: NodePlan): void {
  const given = inputText(body, plan);
  switch (plan.node.type) {
    case 'task':
    case 'wait':
      addStep(writing, scope, plan, place, given);
      return;
    case 'choice':
      addShape(scope, {
        id: idOf(place, plan.node.id),
        type: 'bpmn:ExclusiveGateway',
        name: plan.node.name ?? plan.node.id,
        scripts: [choiceScript(plan, place, given)],
      });
      return;
    case 'parallel':
      addParallel(writing, scope, plan, place, given);
      return;
    case 'map':
      if (plan.node.items === undefined) {
        addLoop(writing, scope, plan, place, given);
        return;
      }
      addItems(writing, scope, plan, place, given);
      return;
  }
}

function choiceScript({ node }: NodePlan, { stops }: FlowPlace, given: string): Script {
  const done = `{"status": "done", "output": ${given}}`;
  const text = `${isAnySet(stops)} ? {"status": "stopped"} : ${done}`;
  return { on: 'start', result: nodeVariable(node.id), text };
}

function addWays(graph: Graph, plan: NodePlan): void {
  const { place, scope } = graph;
  if (plan.node.type === 'choice') {
    addBranches(graph, plan);
    return;
  }
  let from = idOf(place, plan.node.id);
  const handlers = plan.out.filter(({ kind }) => kind === 'catch');
  if (handlers.length > 0) {
    const caught = addShape(scope, {
      id: `${from}.caught`,
      type: 'bpmn:ExclusiveGateway',
      name: 'caught?',
    });
    addFlow(scope, from, caught);
    for (const { to } of handlers) addCatch(graph, plan, caught, to);
    from = caught;
  }
  const next = sequencesOf(plan.out).map(({ to }) => graph.entryOf(to));
  const to = next.length === 0 ? [graph.end] : next;
  if (handlers.length === 0) {
    leaveAlong(graph, from, to);
    return;
  }
  if (to.length === 1) {
    addFlow(scope, from, to[0], { otherwise: true });
    return;
  }
  const fork = addShape(scope, { id: `${from}.fork`, type: 'bpmn:ParallelGateway' });
  addFlow(scope, from, fork, { otherwise: true });
  for (const one of to) addFlow(scope, fork, one);
}

/** The flow to the handler of a failure, on which the failed effects are undone. */
function addCatch(graph: Graph, plan: NodePlan, caught: string, to: number): void {
  const { writing, scope, body, place } = graph;
  const handler = body.nodes[to].node.id;
  const variable = nodeVariable(plan.node.id);
  const when = `$${variable}.status = "failed" and $boolean($${variable}.caughtBy) and $${variable}.caughtBy = ${literal(handler)}`;
  const codes = (plan.policy.catch ?? []).flatMap((one) =>
    one.handler === handler ? one.errors : [],
  );
  const name = codes.includes('*') ? 'any failure' : codes.join(', ');
  const inner = writing.effects.filter(({ id, stations }) => {
    return stations.some(({ node }) => node === plan) && id.startsWith(place.prefix);
  });
  if (inner.length === 0) {
    addFlow(scope, caught, graph.entryOf(to), { name, when });
    return;
  }
  const id = `${idOf(place, plan.node.id)}.undo.${idPart(handler)}`;
  const undo = addUndo(writing, scope, id, inner, withinText(plan, variable));
  addFlow(scope, caught, undo, { name, when });
  const { failure } = place;
  const error = `{"code": "CompensationFailed", "message": "an effect could not be undone", "nodeId": $${variable}.error.nodeId, "compensates": true}`;
  addFlow(scope, undo, graph.entryOf(to), {
    scripts: [
      { on: 'take', result: failure, text: `$boolean($undoFailed) ? ${error} : $${failure}` },
    ],
  });
}

function addBranches(graph: Graph, plan: NodePlan): void {
  const { scope, place, body } = graph;
  const id = idOf(place, plan.node.id);
  const variable = nodeVariable(plan.node.id);
  const choose = (edge: number): Script[] => [
    { on: 'take', result: variable, text: `$merge([$${variable}, {"chosen": ${edge}}])` },
  ];
  const branches = plan.out.filter(({ kind }) => kind === 'branch');
  for (const { to, edge, guard } of branches) {
    const holds = guardText(guard ?? 'false', { input: `$${variable}.output` });
    const when = `$${variable}.status = "done" and $boolean(${holds})`;
    addFlow(scope, id, graph.entryOf(to), { name: guard, when, scripts: choose(edge) });
  }
  const otherwise = plan.out.filter(({ kind }) => kind === 'default');
  for (const { to, edge } of otherwise.slice(0, 1)) {
    addFlow(scope, id, graph.entryOf(to), {
      name: 'else',
      otherwise: branches.length > 0,
      scripts: choose(edge),
    });
  }
  if (endsBody(plan)) {
    const scripts = mayFindNone(plan)
      ? [noBranch(place, variable, body.nodes[plan.index].node.id)]
      : [];
    addFlow(scope, id, graph.end, {
      name: scripts.length > 0 ? 'none' : undefined,
      otherwise: branches.length > 0,
      scripts,
    });
  }
}

/** Fails a choice that found no branch, unless it was stopped. */
function noBranch({ failure }: FlowPlace, variable: string, id: string): Script {
  const error = `{"code": "NoBranch", "message": "no guard holds and there is no default", "nodeId": $at & ${literal(id)}, "compensates": true}`;
  const text = `$${variable}.status = "done" and $not($boolean($${failure})) ? ${error} : $${failure}`;
  return { on: 'take', result: failure, text };
}
