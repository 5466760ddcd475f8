import type { Body, MapNode, ParallelNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { expression, follow, quoted } from '../jsonata.js';
import { resetsQuery } from './calls.js';
import { dueQuery } from './deadlines.js';
import { ownFailure, rulesOf } from './failures.js';
import { inputQuery, inputValue } from './inputs.js';
import { failureState } from './recovery.js';
import {
  branchTitle,
  commentOf,
  foundationsOf,
  helperState,
  type MachineScope,
  pathQuery,
  pathValue,
  type State,
  type States,
  stateOf,
  titleOf,
  variableOf,
} from './scope.js';

/** Adds the states of a body to a machine, and returns the first. */
export type WriteBody = (
  outer: Pick<MachineScope, 'writing' | 'repeated' | 'states'>,
  body: Body,
  title: string,
  isTurn: boolean,
) => string;

/** Adds a parallel node: its branches never fail, but report how they ended. */
export function addParallelStates(
  scope: MachineScope,
  plan: NodePlan,
  next: string,
  write: WriteBody,
): void {
  const node = plan.node as ParallelNode;
  const names = Object.keys(node.branches);
  const most = node.maxConcurrency ?? names.length;
  const path = titleOf(scope, node.id);
  const given = {
    input: inputValue(scope, plan),
    ...(scope.repeated ? { path: pathValue(scope, node.id) } : {}),
    ...handedDown(scope, plan),
  };
  const outputs = names.map((name, k) => `${quoted(name)}: $states.result[${k}].output`);
  const machines = names.map((name) => {
    return machineOf(scope, node.branches[name], branchTitle(path, name), false, write);
  });
  const body =
    most >= names.length
      ? {
          Type: 'Parallel',
          Arguments: given,
          Branches: machines,
        }
      : oneByOne(scope, node, { names, most, given, machines });
  const done = `{'output': {${outputs.join(', ')}}}`;
  addTogether(scope, plan, { body, done, next });
}

/** A map over the names of branches, if not all of them run at the same time. */
function oneByOne(
  scope: MachineScope,
  node: ParallelNode,
  parts: {
    readonly names: readonly string[];
    readonly most: number;
    readonly given: State;
    readonly machines: readonly { StartAt: string; States: States }[];
  },
): State {
  const { names, most, given, machines } = parts;
  const which = helperState(scope, node, 'which branch');
  const choices = names.map((name, k) => ({
    Condition: expression(`$states.input.branch = ${quoted(name)}`),
    Next: machines[k].StartAt,
  }));
  const entry = { Type: 'Choice', Choices: choices.slice(1), Default: machines[0].StartAt };
  return {
    Type: 'Map',
    Items: names,
    ItemSelector: {
      ...given,
      branch: expression('$states.context.Map.Item.Value'),
    },
    MaxConcurrency: most,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'INLINE' },
      StartAt: which,
      States: Object.assign({ [which]: entry }, ...machines.map(({ States }) => States)),
    },
  };
}

/** Adds a map over items. */
export function addMap(scope: MachineScope, plan: NodePlan, next: string, write: WriteBody): void {
  const node = plan.node as MapNode;
  const keys = (node.items ?? 'input').split('.').slice(1);
  const items = `($input := ${inputQuery(scope, plan)}; ${follow('$input', keys)})`;
  addItemsCheck(scope, plan, node, items);
  const index = '$string($states.context.Map.Item.Index)';
  const path = `${pathQuery(scope, node.id)} & '[' & ${index} & ']'`;
  const body = {
    Type: 'Map',
    Items: expression(items),
    ItemSelector: {
      input: expression('$states.context.Map.Item.Value'),
      path: expression(path),
      ...handedDown(scope, plan),
    },
    ...(node.maxConcurrency === undefined ? {} : { MaxConcurrency: node.maxConcurrency }),
    ItemProcessor: {
      ProcessorConfig: { Mode: 'INLINE' },
      ...machineOf(scope, node.body, titleOf(scope, node.id), true, write),
    },
  };
  const one = "$type($one.output) = 'array' ? [[$one.output]] : [$one.output]";
  const list = `$reduce($states.result, function($all, $one) { $append($all, ${one}) }, [])`;
  addTogether(scope, plan, { body, done: `{'output': ${list}}`, next });
}

/** The first state of a map over items: it checks that there is a list, and not too long a one. */
export function itemsCheck(scope: MachineScope, node: MapNode): string {
  return helperState(scope, node, 'are there items');
}

function addItemsCheck(scope: MachineScope, plan: NodePlan, node: MapNode, items: string): void {
  const most = plan.policy.loopGuards?.maxIters;
  const fails = (code: string, message: string) => ({
    Assign: { [scope.failure.slice(1)]: ownFailure(scope, plan, code, message) },
    Next: failureState(scope, plan),
  });
  const tooMany = {
    Condition: expression(`$count(${items}) > ${most}`),
    ...fails('LoopGuard', 'maxIters ends the loop before its last item'),
  };
  scope.states[itemsCheck(scope, node)] = {
    Type: 'Choice',
    Choices: [
      {
        Condition: expression(`$not($type(${items}) = 'array')`),
        ...fails('NoItems', `${node.items} is not a list`),
      },
      ...(most === undefined ? [] : [tooMany]),
    ],
    Default: stateOf(scope, node),
  };
}

/** A machine of its own for a body. */
export function machineOf(
  { writing, repeated }: MachineScope,
  body: Body,
  title: string,
  isTurn: boolean,
  write: WriteBody,
): { StartAt: string; States: States } {
  const States: States = {};
  const StartAt = write(
    { writing, repeated: repeated || isTurn, states: States },
    body,
    title,
    isTurn,
  );
  return { StartAt, States };
}

/**
 * Values that a body receives in addition to its input: the nodes on which it depends, and how often it was
 * reset.
 */
export function handedDown(scope: MachineScope, plan: NodePlan): State {
  const { hasEffects, goesBack, hasDeadlines } = scope.writing;
  return {
    ...(hasDeadlines ? { due: expression(dueQuery(scope)) } : {}),
    ...(hasEffects ? { after: expression(foundationsOf(scope, plan)) } : {}),
    ...(goesBack ? { outerResets: expression(resetsQuery(scope, plan)) } : {}),
  };
}

/** The variables that ended bodies change, for `Assign`. */
export function joined(scope: MachineScope, first: boolean): State {
  const bad = '$states.result[ok = false]';
  const earliest = `$reduce([${bad}], function($a, $b) { $b.at < $a.at ? $b : $a })`;
  const failure = `${first ? `${bad}[0]` : earliest}.failure`;
  const { hasEffects } = scope.writing;
  const effects = `[${scope.undo}, $states.result.undo]`;
  return {
    [scope.failure.slice(1)]: expression(`$exists(${bad}) ? ${failure} : {}`),
    ...(hasEffects ? { [scope.undo.slice(1)]: expression(effects) } : {}),
  };
}

/** Adds the state in which bodies run together, and the one that checks how they ended. */
function addTogether(
  scope: MachineScope,
  plan: NodePlan,
  { body, done, next }: { readonly body: State; readonly done: string; readonly next: string },
): void {
  const { node } = plan;
  const check = helperState(scope, node, 'are all done');
  const bad = '$states.result[ok = false]';
  const outcome = `$exists(${bad}) ? {'failed': [${bad}.path]} : ${done}`;
  const isCaught = rulesOf(plan).some(({ errors }) => errors.includes('*'));
  scope.states[stateOf(scope, node)] = {
    ...commentOf(node),
    ...body,
    Assign: {
      [variableOf(scope, node.id).slice(1)]: expression(outcome),
      ...joined(scope, isCaught),
    },
    Next: check,
  };
  scope.states[check] = {
    Type: 'Choice',
    Choices: [hasFailed(scope, failureState(scope, plan))],
    Default: next,
  };
}

/** The rule that checks whether anything failed. */
export function hasFailed({ failure }: MachineScope, next: string): State {
  return { Condition: expression(`$exists(${failure}.code)`), Next: next };
}
