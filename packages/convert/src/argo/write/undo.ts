import type { Policy } from '@alas-jssp/workflow';
import { dependsOn, type WorkflowPlan } from '@alas-jssp/workflow/ir';
import type { ArgoCall, Template } from '../document.js';
import { exprText, tag } from '../expressions.js';
import { createArgoNames } from '../names.js';
import { callExpression } from './steps.js';

/** An effect of a workflow that can be undone. */
export interface ArgoEffect {
  /** Path of its step; iterations and items are `[*]`. */
  readonly path: string;
  /** The global name under which the step reports that it begins. */
  readonly registration: string;
  readonly compensator: string;
  /** The template that calls the compensator. */
  readonly template: string;
  readonly policy: Policy;
}

/**
 * The exit handler: undoes begun steps, the last first. Steps on which a step builds that could not
 * be undone are left alone.
 *
 * @param effects in the order in which they may occur
 */
export function exitTemplate(
  name: string,
  effects: readonly ArgoEffect[],
  plan: WorkflowPlan,
): Template {
  const order = [...effects].reverse();
  const names = createArgoNames();
  const tasks = order.map(({ path }) => names.reserve(`undo-${path}`));
  const calls = order.map((effect, index): ArgoCall => {
    const { template } = effect;
    const when = tag(`(${failureOf(effect)}) && ${beginsOf(effect)}`);
    const argument = { name: 'call', value: tag(undoCall(effect, exprText(effect.path))) };
    return {
      name: tasks[index],
      template,
      ...(index > 0 && { depends: gateOf(order, tasks, index, plan) }),
      when,
      arguments: { parameters: [argument] },
    };
  });
  return { name, dag: { tasks: calls } };
}

/**
 * Undoes the effects of a node whose failure is handled. The template receives the path of the
 * node, and the input if the node is a step.
 */
export function undoTemplate(
  name: string,
  within: string,
  effects: readonly ArgoEffect[],
  plan: WorkflowPlan,
): Template {
  const order = [...effects].reverse();
  const names = createArgoNames();
  const tasks = order.map(({ path }) => names.reserve(`undo-${path}`));
  const calls = order.map((effect, index): ArgoCall => {
    const path = `inputs.parameters.path + ${exprText(effect.path.slice(within.length))}`;
    const own = effect.path === within;
    const call = own
      ? callOf(effect, 'inputs.parameters.path', 'fromJSON(inputs.parameters.input)')
      : undoCallWithin(effect, path);
    return {
      name: tasks[index],
      template: effect.template,
      ...(index > 0 && { depends: gateOf(order, tasks, index, plan) }),
      arguments: { parameters: [{ name: 'call', value: tag(call) }] },
    };
  });
  return {
    name,
    inputs: { parameters: [{ name: 'path' }, { name: 'input' }] },
    dag: { tasks: calls },
  };
}

/** In sequence; but not if an effect that builds on it could not be undone. */
function gateOf(
  order: readonly ArgoEffect[],
  tasks: readonly string[],
  index: number,
  plan: WorkflowPlan,
): string {
  const before = order.slice(0, index).map((later, k) => {
    const builds = dependsOn(plan, anyTurn(later.path), anyTurn(order[index].path));
    const ends = builds
      ? ['Succeeded', 'Skipped']
      : ['Succeeded', 'Skipped', 'Omitted', 'Failed', 'Errored'];
    return `(${ends.map((end) => `${tasks[k]}.${end}`).join(' || ')})`;
  });
  return before.join(' && ');
}

function anyTurn(path: string): string {
  return path.replaceAll('[*]', '[0]');
}

/** Whether the workflow ended in a way that undoes an effect. */
function failureOf({ policy }: ArgoEffect): string {
  const { triggers = ['onFailure', 'onCancel'] } = policy.compensation ?? {};
  const ends = triggers.includes('onFailure') || triggers.includes('onCancel');
  return ends ? 'workflow.status != "Succeeded"' : 'false';
}

/** Whether the step has begun. For steps in loops this is unknown for a single iteration. */
function beginsOf({ registration }: ArgoEffect): string {
  return `${registered(registration)} != nil`;
}

function registered(registration: string): string {
  return `workflow?.outputs?.parameters?.[${exprText(registration)}]`;
}

/** The call of a compensator: with the key and input that the step registered. */
function undoCall(effect: ArgoEffect, path: string): string {
  if (effect.path.includes('[*]')) return undoCallWithin(effect, path);
  const { compensator, registration } = effect;
  const call = `{"kind": "undo", "handler": ${exprText(compensator)}, "path": ${path}, "runId": workflow.name, "key": begun.key, "input": begun.input, "output": nil}`;
  return `(let begun = fromJSON(${registered(registration)} ?? "null"); toJson(${call}))`;
}

/** The call of a compensator that looks its effects up by run and path. */
function undoCallWithin({ compensator }: ArgoEffect, path: string): string {
  return `toJson({"kind": "undo", "handler": ${exprText(compensator)}, "path": ${path}, "runId": workflow.name, "key": nil, "input": nil, "output": nil})`;
}

function callOf({ compensator, policy }: ArgoEffect, path: string, input: string): string {
  return callExpression('undo', compensator, path, input, policy);
}
