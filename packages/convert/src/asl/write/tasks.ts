import type { TaskNode, WaitNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { expression, objectQuery, quoted } from '../jsonata.js';
import { callFields, isKeyed, keyQuery } from './calls.js';
import { limitFields, NEVER } from './deadlines.js';
import { inputQuery, inputValue } from './inputs.js';
import { retryFields } from './policies.js';
import { catchers } from './recovery.js';
import {
  commentOf,
  foundationsOf,
  helperState,
  type MachineScope,
  pathQuery,
  pathValue,
  type State,
  stateOf,
  titleOf,
  variableOf,
} from './scope.js';
import { changed } from './undo.js';

/** Adds the states of a task: its approval, the registration of its undo, and the call. */
export function addTask(scope: MachineScope, plan: NodePlan, next: string): void {
  const task = plan.node as TaskNode;
  const { policy } = plan;
  const state = stateOf(scope, task);
  const variable = variableOf(scope, task.id);
  const prepared = task.effect !== 'none';
  if (prepared) addRegistration(scope, plan, task);
  if (task.approval !== undefined) addApproval(scope, plan, task);
  const input = inputQuery(scope, plan);
  const call = callFields(scope, {
    kind: 'run',
    name: task.handler ?? task.id,
    path: pathValue(scope, task.id),
    key: keyTemplate(scope, plan, task, input),
    input: prepared ? expression(`${variable}.input`) : inputValue(scope, plan),
    params: task.params,
  });
  const output = { [variable.slice(1)]: { output: expression('$states.result.Payload') } };
  const settled = "{'output': $states.result.Payload, 'confirmed': true, 'settled': $millis()}";
  scope.states[state] = {
    ...commentOf(task),
    ...call,
    ...limitFields(scope, policy.timeout?.seconds),
    ...retryFields(policy),
    Assign: prepared ? { ...output, ...changeOwn(scope, task, settled) } : output,
    Next: next,
    Catch: catchers(scope, plan, undefined, prepared ? doubts(scope, task) : {}),
  };
}

function keyTemplate(scope: MachineScope, plan: NodePlan, task: TaskNode, input: string) {
  if (task.effect !== 'none') return expression(`${variableOf(scope, task.id)}.key`);
  return isKeyed(task, plan.policy) ? expression(keyQuery(scope, plan, input)) : undefined;
}

/** The state with which a task begins. */
export function entryOfTask(scope: MachineScope, task: TaskNode): string {
  if (task.approval !== undefined) return helperState(scope, task, 'approval');
  return task.effect === 'none' ? stateOf(scope, task) : helperState(scope, task, 'register');
}

/** Registers the undo of a task, before the task is called. */
function addRegistration(scope: MachineScope, plan: NodePlan, task: TaskNode): void {
  const variable = variableOf(scope, task.id);
  const input = inputQuery(scope, plan);
  const own = `{'input': ${input}, 'key': ${keyQuery(scope, plan, input)}}`;
  const begin = helperState(scope, task, 'register');
  const added = `[${scope.undo}, $merge([${registration(scope, plan, task)}, $own])]`;
  scope.states[begin] = {
    Type: 'Pass',
    Assign: {
      [variable.slice(1)]: expression(own),
      [scope.undo.slice(1)]: expression(`($own := ${own}; ${added})`),
    },
    Next: stateOf(scope, task),
  };
}

/** An effect as it is registered: it may exist from now on. */
function registration(scope: MachineScope, plan: NodePlan, task: TaskNode): string {
  const { triggers = [], deadlineSeconds } = plan.policy.compensation ?? {};
  const { compensation } = plan.policy;
  const isTimed = triggers.includes('deadline') && deadlineSeconds !== undefined;
  const due = isTimed ? `$millis() + ${deadlineSeconds * 1000}` : NEVER;
  return objectQuery([
    ['node', quoted(titleOf(scope, task.id))],
    ['path', pathQuery(scope, task.id)],
    ['effect', quoted(task.effect)],
    ['undoable', String(task.effect !== 'irreversible' && compensation !== undefined)],
    ['declared', String(triggers.includes('onFailure'))],
    ['status', quoted('held')],
    ['output', 'null'],
    ['confirmed', 'false'],
    ['doubt', 'false'],
    ['settled', NEVER],
    ['after', foundationsOf(scope, plan)],
    ...(scope.writing.hasDeadlines
      ? [['timed', String(triggers.includes('deadline'))] as const, ['due', due] as const]
      : []),
  ]);
}

/** The state of an effect whose step failed: one that timed out may exist or not. */
function doubts(scope: MachineScope, task: TaskNode): State {
  const late = "$states.errorOutput.Error = 'States.Timeout'";
  const absent = task.effect === 'irreversible' ? "'status': 'absent'" : "'doubt': false";
  return changeOwn(scope, task, `${late} ? {'doubt': true} : {${absent}}`);
}

function changeOwn(scope: MachineScope, task: TaskNode, change: string): State {
  const path = pathQuery(scope, task.id);
  return { [scope.undo.slice(1)]: expression(changed(scope, path, change)) };
}

/** Waits until a task is approved or denied. */
function addApproval(scope: MachineScope, plan: NodePlan, task: TaskNode): void {
  const input = inputQuery(scope, plan);
  const name = task.approval ?? '';
  const parts = name.split(/(\{input(?:\.\w+)+\})/).filter((part) => part !== '');
  const sent = parts.map((part) => {
    if (!part.startsWith('{input.')) return quoted(part);
    const value = `$input.${part.slice('{input.'.length, -1)}`;
    return `($exists(${value}) ? $string(${value}) : '')`;
  });
  const call = callFields(scope, {
    kind: 'approve',
    name,
    sent:
      parts.length > 1 || name.includes('{')
        ? expression(`($input := ${input}; ${sent.join(' & ')})`)
        : name,
    path: pathValue(scope, task.id),
    input: inputValue(scope, plan),
  });
  const next = task.effect === 'none' ? stateOf(scope, task) : helperState(scope, task, 'register');
  scope.states[entryOfTask(scope, task)] = {
    ...call,
    ...limitFields(scope, plan.policy.wait?.seconds),
    Next: next,
    Catch: catchers(scope, plan, 'WaitTimeout'),
  };
}

/** Adds the state of a node that waits for a message. */
export function addWait(scope: MachineScope, plan: NodePlan, next: string): void {
  const node = plan.node as WaitNode;
  const call = callFields(scope, {
    kind: 'wait',
    name: node.message,
    path: pathValue(scope, node.id),
    input: inputValue(scope, plan),
  });
  scope.states[stateOf(scope, node)] = {
    ...commentOf(node),
    ...call,
    ...limitFields(scope, plan.policy.wait?.seconds),
    Assign: { [variableOf(scope, node.id).slice(1)]: { output: expression('$states.result') } },
    Next: next,
    Catch: catchers(scope, plan, 'WaitTimeout'),
  };
}
