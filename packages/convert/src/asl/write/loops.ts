import type { MapNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { guardCondition } from '../guard-condition.js';
import { expression } from '../jsonata.js';
import { guardCheck } from './choices.js';
import { addTrial, trialBefore } from './guards.js';
import { inputQuery } from './inputs.js';
import { failureState } from './recovery.js';
import {
  commentOf,
  foundationsOf,
  helperState,
  type MachineScope,
  pathQuery,
  type State,
  stateOf,
  titleOf,
  variableOf,
} from './scope.js';
import { handedDown, hasFailed, joined, machineOf, type WriteBody } from './together.js';

/** The state with which a loop begins. */
export function loopEntry(scope: MachineScope, node: MapNode): string {
  return helperState(scope, node, 'begin');
}

/** The variable of a loop: the number of the iteration, its input and its output. */
export function turnVariable(scope: MachineScope, node: MapNode): string {
  const path = titleOf(scope, node.id);
  return `$${scope.writing.variables.of(`${path}|turn`, `${path}_turn`)}`;
}

/**
 * Adds a loop that runs until its guard holds or a loop guard ends it. Each iteration is a machine
 * of its own (a parallel state with one branch), so that its variables are new.
 */
export function addLoopStates(
  scope: MachineScope,
  plan: NodePlan,
  next: string,
  write: WriteBody,
): void {
  const node = plan.node as MapNode;
  const turn = turnVariable(scope, node);
  const state = stateOf(scope, node);
  const again = helperState(scope, node, 'is that enough');
  const more = helperState(scope, node, 'next turn');
  const guards = node.until === undefined ? [] : [node.until];
  const { hasEffects } = scope.writing;
  const input = inputQuery(scope, plan);
  const set = (fields: string): State => {
    return { [turn.slice(1)]: expression(`$merge([${turn}, ${fields}])`) };
  };
  const after = hasEffects ? { after: expression(foundationsOf(scope, plan)) } : {};
  scope.states[loopEntry(scope, node)] = {
    Type: 'Pass',
    Assign: {
      [turn.slice(1)]: {
        index: 0,
        began: expression('$millis()'),
        first: expression(input),
        input: expression(input),
        ...after,
      },
    },
    Next: state,
  };
  const path = `${pathQuery(scope, node.id)} & '[' & $string(${turn}.index) & ']'`;
  scope.states[state] = {
    ...commentOf(node),
    Type: 'Parallel',
    Arguments: {
      ...handedDown(scope, plan),
      input: expression(`${turn}.input`),
      path: expression(path),
      ...(hasEffects ? { after: expression(`${turn}.after`) } : {}),
    },
    Branches: [machineOf(scope, node.body, titleOf(scope, node.id), true, write)],
    Assign: {
      ...set("{'output': $states.result[0].ok ? $states.result[0].output : null}"),
      ...joined(scope, true),
    },
    Next: trialBefore(scope, plan, guards, again),
  };
  const bindings = turnOf(turn);
  addTrial(scope, plan, { guards, bindings, unless: `$exists(${scope.failure}.code)` }, again);
  const finished = {
    Assign: { [variableOf(scope, node.id).slice(1)]: { output: expression(`${turn}.output`) } },
    Next: next,
  };
  const ends = loopEnds(plan, node, turn).map((Condition) => ({ Condition, ...finished }));
  scope.states[again] = {
    Type: 'Choice',
    Choices: [
      hasFailed(scope, failureState(scope, plan)),
      ...(node.until === undefined ? [] : guardCheck(scope, plan, turnOf(turn), node.until)),
      ...ends,
    ],
    Default: more,
  };
  const built = hasEffects ? `, 'after': [${turn}.after, ${path}]` : '';
  scope.states[more] = {
    Type: 'Pass',
    Assign: set(`{'index': ${turn}.index + 1, 'input': ${turn}.output${built}}`),
    Next: state,
  };
}

/** The conditions that end a loop after an iteration. */
function loopEnds({ policy }: NodePlan, { until }: MapNode, turn: string): string[] {
  const { maxIters, deadlineSeconds, timeBudgetSeconds } = policy.loopGuards ?? {};
  const since = (began: string, seconds: number) => {
    return expression(`$millis() - ${began} >= ${seconds * 1000}`);
  };
  const start = '$toMillis($states.context.Execution.StartTime)';
  return [
    ...(until === undefined ? [] : [guardCondition(turnOf(turn), until)]),
    ...(maxIters === undefined ? [] : [expression(`${turn}.index + 1 >= ${maxIters}`)]),
    ...(deadlineSeconds === undefined ? [] : [since(start, deadlineSeconds)]),
    ...(timeBudgetSeconds === undefined ? [] : [since(`${turn}.began`, timeBudgetSeconds)]),
  ];
}

/** The variables of the guard of a loop. */
function turnOf(turn: string): Record<string, string> {
  return { input: `${turn}.first`, output: `${turn}.output` };
}
