import type { NodePlan } from '../../workflow/interpreter/plan.js';
import type { MapNode } from '../../workflow/ir/workflow.js';
import { partComment } from './annotations.js';
import { addChoice } from './choices.js';
import { outputQuery, takenQuery } from './inputs.js';
import { checkedAfter } from './invariants.js';
import { expression, quoted } from './jsonata.js';
import { addLoop, loopEntry, turnVariable } from './loops.js';
import {
  addHelper,
  bodyState,
  helperState,
  type MachineScope,
  openScope,
  type State,
  stateOf,
  variableOf,
} from './scope.js';
import { addTask, addWait, entryOfTask } from './tasks.js';
import { addMap, addParallel, itemsCheck, type WriteBody } from './together.js';

/** The routes of a body: by the ways of its graph, or one node after the other. */
export function routedScope(opened: Omit<MachineScope, 'routeTo'>, end: string): MachineScope {
  const scope: MachineScope = { ...opened, routeTo };
  const order = opened.single ? [] : inOrder(opened.plan.nodes);
  return scope;

  function routeTo(from: NodePlan, to?: NodePlan): string {
    if (!opened.single) {
      const next = order[order.indexOf(from) + 1];
      return next === undefined ? end : gateOf(scope, next);
    }
    const way = from.out.find(({ kind }) => kind === 'sequence');
    const target = to ?? (way && opened.plan.nodes[way.to]);
    return target === undefined ? end : entryOf(scope, target);
  }
}

/** Nodes in an order in which each comes after all that lead to it. */
function inOrder(nodes: readonly NodePlan[]): NodePlan[] {
  const placed = new Set<number>();
  const order: NodePlan[] = [];
  while (order.length < nodes.length) {
    const next = nodes.find(({ index, into }) => {
      return !placed.has(index) && into.every(({ from }) => placed.has(from));
    });
    if (next === undefined) break;
    placed.add(next.index);
    order.push(next);
  }
  return order;
}

/** The state with which a node begins. */
function entryOf(scope: MachineScope, { node }: NodePlan): string {
  if (node.type === 'task') return entryOfTask(scope, node);
  if (node.type !== 'map') return stateOf(scope, node);
  return node.items === undefined ? loopEntry(scope, node) : itemsCheck(scope, node);
}

/** Where nodes run one after the other: the state that looks whether a way leads to a node. */
function gateOf(scope: MachineScope, plan: NodePlan): string {
  if (plan.into.length === 0 && !scope.writing.goesBack) return entryOf(scope, plan);
  return helperState(scope, plan.node, 'is it reached');
}

function addGate(scope: MachineScope, plan: NodePlan): void {
  const gate = gateOf(scope, plan);
  const entry = entryOf(scope, plan);
  if (gate === entry) return;
  const taken = plan.into.map((link) => takenQuery(scope, link));
  const variable = variableOf(scope, plan.node.id);
  const isNew = `$not($exists(${variable}.output) or $exists(${variable}.caughtBy))`;
  const reached = taken.length === 0 ? [] : [`(${taken.join(' or ')})`];
  const conditions = [...reached, ...(scope.writing.goesBack ? [isNew] : [])];
  addHelper(scope, plan.node, 'ready', gate, {
    Type: 'Choice',
    Choices: [{ Condition: expression(conditions.join(' and ')), Next: entry }],
    Default: scope.routeTo(plan),
  });
}

/** Adds the states of all nodes of a body; gives the one with which the first begins. */
export function addNodes(scope: MachineScope): string {
  for (const plan of scope.plan.nodes) {
    if (!scope.single) addGate(scope, plan);
    addNode(scope, plan);
  }
  const { nodes } = scope.plan;
  const [first] = scope.single ? nodes.filter(({ into }) => into.length === 0) : inOrder(nodes);
  return scope.single ? entryOf(scope, first) : gateOf(scope, first);
}

function addNode(scope: MachineScope, plan: NodePlan): void {
  const { node } = plan;
  const next = () => checkedAfter(scope, plan, scope.routeTo(plan));
  if (node.type === 'task') addTask(scope, plan, next());
  else if (node.type === 'wait') addWait(scope, plan, next());
  else if (node.type === 'choice') addChoice(scope, plan);
  else if (node.type === 'parallel') addParallel(scope, plan, next(), writeBody);
  else if (node.items === undefined) addLoop(scope, plan, next(), writeBody);
  else addMap(scope, plan, next(), writeBody);
}

/** The variables of a body as it begins: nothing has run, and nothing is registered. */
export function newVariables(scope: MachineScope, self: State): State {
  const { hasEffects, goesBack } = scope.writing;
  const back = goesBack ? { returns: {}, rounds: {} } : {};
  const nodes = scope.plan.nodes.flatMap(({ node }) => {
    const loop = node.type === 'map' && node.items === undefined;
    const turn = loop ? [[turnVariable(scope, node as MapNode).slice(1), {}] as const] : [];
    return [[variableOf(scope, node.id).slice(1), {}] as const, ...turn];
  });
  return {
    [scope.self.slice(1)]: { ...self, ...back },
    ...(hasEffects ? { [scope.undo.slice(1)]: [] } : {}),
    [scope.failure.slice(1)]: {},
    ...Object.fromEntries(nodes),
  };
}

/**
 * Writes a body within another as a machine of its own. It never fails: it ends with `ok`, its output or
 * failure, and the effects that are registered, since what a machine knows is lost when it fails.
 */
const writeBody: WriteBody = (outer, body, title, isTurn) => {
  const end = bodyState({ writing: outer.writing, title }, 'end');
  const scope = routedScope(openScope(outer, body, title), end);
  const begin = bodyState(scope, 'begin');
  const { hasEffects, goesBack, hasDeadlines } = scope.writing;
  const given = (key: string) => expression(`$states.input.${key}`);
  const first = addNodes(scope);
  const undo = hasEffects ? { undo: expression(scope.undo) } : {};
  scope.states[begin] = {
    Comment: partComment(title, 'begin', body),
    Type: 'Pass',
    Assign: newVariables(scope, {
      input: given('input'),
      path: bodyPath(scope, isTurn),
      ...(hasEffects ? { after: given('after') } : {}),
      ...(goesBack ? { round: given('round') } : {}),
      ...(hasDeadlines ? { due: given('due') } : {}),
    }),
    Next: first,
  };
  scope.states[end] = {
    Comment: partComment(title, 'end'),
    Type: 'Pass',
    Output: { ok: true, output: expression(outputQuery(scope)), ...undo },
    End: true,
  };
  scope.states[scope.failed] = {
    Comment: partComment(title, 'failed'),
    Type: 'Pass',
    Output: {
      ok: false,
      failure: expression(scope.failure),
      path: expression(`${scope.self}.path`),
      at: expression('$millis()'),
      ...undo,
    },
    End: true,
  };
  return begin;
};

/** The template of the path of a body: of a branch it begins with that of the node. */
function bodyPath({ title, repeated }: MachineScope, isTurn: boolean): string {
  if (isTurn) return expression('$states.input.path');
  const branch = title.slice(title.lastIndexOf('/'));
  return repeated ? expression(`$states.input.path & ${quoted(branch)}`) : title;
}
