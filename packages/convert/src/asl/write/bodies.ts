import type { MapNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { expression, follow, quoted } from '../jsonata.js';
import { addChoice, choiceEntry } from './choices.js';
import { type BodyStep, type Fork, forkState, forkTitle, stepsOf } from './forks.js';
import { outputQuery, takenQuery } from './inputs.js';
import { checkedAfter } from './invariants.js';
import { addLoopStates, loopEntry, turnVariable } from './loops.js';
import {
  bodyState,
  helperState,
  type MachineScope,
  openScope,
  type State,
  type States,
  stateOf,
  titleOf,
  variableOf,
} from './scope.js';
import { addTask, addWait, entryOfTask } from './tasks.js';
import {
  addMap,
  addParallelStates,
  hasFailed,
  itemsCheck,
  joined,
  type WriteBody,
} from './together.js';

/**
 * The routes of a body, or of a strand of it: by the links of its graph, or one step after the
 * other.
 */
export function routedScope(
  opened: Omit<MachineScope, 'routeTo'>,
  end: string,
  steps: readonly BodyStep[] = opened.single ? [] : stepsOf(opened.plan, opened.writing.goesBack),
): RoutedScope {
  const scope: RoutedScope = { ...opened, routeTo, steps, after };
  return scope;

  function after(step: BodyStep): string {
    const next = steps[steps.indexOf(step) + 1];
    return next === undefined ? end : beginOf(scope, next);
  }

  function routeTo(from: NodePlan, to?: NodePlan): string {
    if (!opened.single) return after(from);
    const way = from.out.find(({ kind }) => kind === 'sequence');
    const target = to ?? (way && opened.plan.nodes[way.to]);
    return target === undefined ? end : entryOf(scope, target);
  }
}

/** A body with its sequential steps, if its nodes are not a chain. */
interface RoutedScope extends MachineScope {
  readonly steps: readonly BodyStep[];
  after(step: BodyStep): string;
}

/** The state with which a step begins. */
function beginOf(scope: MachineScope, step: BodyStep): string {
  return 'strands' in step ? forkState(scope, step) : gateOf(scope, step);
}

/** The state with which a node begins. */
function entryOf(scope: MachineScope, plan: NodePlan): string {
  const { node } = plan;
  if (node.type === 'choice') return choiceEntry(scope, plan);
  if (node.type === 'task') return entryOfTask(scope, node);
  if (node.type !== 'map') return stateOf(scope, node);
  return node.items === undefined ? loopEntry(scope, node) : itemsCheck(scope, node);
}

/** Where nodes run in sequence: the state that checks whether a link leads to a node. */
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
  scope.states[gate] = {
    Type: 'Choice',
    Choices: [{ Condition: expression(conditions.join(' and ')), Next: entry }],
    Default: scope.routeTo(plan),
  };
}

/** Adds the states of all nodes of a body; returns the first one's. */
export function addNodes(scope: RoutedScope): string {
  if (scope.single) {
    for (const plan of scope.plan.nodes) addNode(scope, plan);
    return entryOf(scope, scope.plan.nodes.find(({ into }) => into.length === 0) as NodePlan);
  }
  for (const step of scope.steps) {
    if ('strands' in step) addFork(scope, step);
    else {
      addGate(scope, step);
      addNode(scope, step);
    }
  }
  return beginOf(scope, scope.steps[0]);
}

/** Adds the state in which strands of a body run in parallel; like bodies they never fail. */
function addFork(scope: RoutedScope, fork: Fork): void {
  const { plan, writing } = scope;
  const name = forkState(scope, fork);
  const check = bodyState(scope, `${forkTitle(fork)}: are all done`);
  const machines = fork.strands.map((strand) => strandMachine(scope, strand));
  const outputs = fork.strands.flatMap((nodes, k) => {
    const result = `$states.result[${k}]`;
    return nodes.map(({ node }) => {
      const value = `${result}.ok ? ${follow(`${result}.nodes`, [node.id])} : {}`;
      return [variableOf(scope, node.id).slice(1), expression(value)] as const;
    });
  });
  scope.states[name] = {
    Type: 'Parallel',
    Branches: machines,
    Assign: { ...Object.fromEntries(outputs), ...joined(scope, false) },
    Next: check,
  };
  scope.states[check] = {
    Type: 'Choice',
    Choices: [hasFailed(scope, scope.failed)],
    Default: scope.after(fork),
  };

  function strandMachine(outer: MachineScope, nodes: readonly NodePlan[]) {
    const ids = new Set(nodes.map(({ node }) => node.id));
    const [{ node: head }] = nodes;
    const states: States = {};
    // Strands inside a strand may begin with its first node: the depth distinguishes them.
    const depth = outer.strand?.depth ?? 0;
    const variable = (part: string) => {
      const wanted = `${titleOf(scope, head.id)}_strand_${part}`;
      return `$${writing.variables.of(`${wanted}|${depth}`, wanted)}`;
    };
    const state = (part: string) => bodyState(outer, `from ${head.id}: ${part}`, depth);
    const opened = {
      ...outer,
      states,
      undo: variable('undo'),
      failure: variable('failure'),
      failed: state('failed'),
      strand: { outer, ids, depth: depth + 1 },
    };
    const end = state('end');
    const inner = routedScope(opened, end, stepsOf(plan, writing.goesBack, nodes));
    const begin = state('begin');
    const first = addNodes(inner);
    const own = Object.fromEntries(
      nodes.map(({ node }) => [node.id, expression(variableOf(inner, node.id))]),
    );
    states[begin] = {
      Type: 'Pass',
      Assign: strandVariables(inner, nodes),
      Next: first,
    };
    addEnvelopes(inner, end, { nodes: own });
    return { StartAt: begin, States: states };
  }
}

function addNode(scope: MachineScope, plan: NodePlan): void {
  const { node } = plan;
  const next = () => checkedAfter(scope, plan, scope.routeTo(plan));
  if (node.type === 'task') addTask(scope, plan, next());
  else if (node.type === 'wait') addWait(scope, plan, next());
  else if (node.type === 'choice') addChoice(scope, plan);
  else if (node.type === 'parallel') addParallelStates(scope, plan, next(), writeBody);
  else if (node.items === undefined) addLoopStates(scope, plan, next(), writeBody);
  else addMap(scope, plan, next(), writeBody);
}

/** The initial variables of a body: nothing has run, and nothing is registered. */
export function newVariables(scope: MachineScope, self: State): State {
  const back = scope.writing.goesBack ? { returns: {}, resets: {} } : {};
  return {
    [scope.self.slice(1)]: { ...self, ...back },
    ...strandVariables(scope, scope.plan.nodes),
  };
}

/** The variables of nodes, of their registrations and of their failures. */
function strandVariables(scope: MachineScope, nodes: readonly NodePlan[]): State {
  const all = nodes.flatMap(({ node }) => {
    const loop = node.type === 'map' && node.items === undefined && isOwn(scope, node.id);
    const turn = loop ? [[turnVariable(scope, node as MapNode).slice(1), {}] as const] : [];
    return [[variableOf(scope, node.id).slice(1), {}] as const, ...turn];
  });
  return {
    ...(scope.writing.hasEffects ? { [scope.undo.slice(1)]: [] } : {}),
    [scope.failure.slice(1)]: {},
    ...Object.fromEntries(all),
  };
}

/** Whether a node runs in this machine itself, and not in a strand of it. */
function isOwn(scope: MachineScope, id: string): boolean {
  const steps = (scope as Partial<RoutedScope>).steps ?? [];
  return scope.single || steps.some((step) => !('strands' in step) && step.node.id === id);
}

/**
 * Adds the ends of a body that never fails: they report whether it is done, and the registered
 * effects.
 */
function addEnvelopes(scope: MachineScope, end: string, done: State): void {
  const { title, states, writing, failed, failure, self } = scope;
  const undo = writing.hasEffects ? { undo: expression(scope.undo) } : {};
  states[end] = {
    Type: 'Pass',
    Output: { ok: true, ...done, ...undo },
    End: true,
  };
  states[failed] = {
    Type: 'Pass',
    Output: {
      ok: false,
      failure: expression(failure),
      ...(title === '' ? {} : { path: expression(`${self}.path`) }),
      at: expression('$millis()'),
      ...undo,
    },
    End: true,
  };
}

/**
 * Writes a body within another as a machine of its own. It never fails: it ends with `ok`, its
 * output or failure, and the registered effects, since a failed machine loses its variables.
 */
const writeBody: WriteBody = (outer, body, title, isTurn) => {
  const end = bodyState({ writing: outer.writing, title }, 'end');
  const scope = routedScope(openScope(outer, body, title), end);
  const begin = bodyState(scope, 'begin');
  const { hasEffects, goesBack, hasDeadlines } = scope.writing;
  const given = (key: string) => expression(`$states.input.${key}`);
  const first = addNodes(scope);
  scope.states[begin] = {
    Type: 'Pass',
    Assign: newVariables(scope, {
      input: given('input'),
      path: bodyPath(scope, isTurn),
      ...(hasEffects ? { after: given('after') } : {}),
      ...(goesBack ? { outerResets: given('outerResets') } : {}),
      ...(hasDeadlines ? { due: given('due') } : {}),
    }),
    Next: first,
  };
  addEnvelopes(scope, end, { output: expression(outputQuery(scope)) });
  return begin;
};

/** The template of the path of a body: of a branch it begins with that of the node. */
function bodyPath({ title, repeated }: MachineScope, isTurn: boolean): string {
  if (isTurn) return expression('$states.input.path');
  const branch = title.slice(title.lastIndexOf('/'));
  return repeated ? expression(`$states.input.path & ${quoted(branch)}`) : title;
}
