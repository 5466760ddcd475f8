import type { NodePlan } from '@alas-jssp/workflow/ir';
import { addFlow, addShape, type DiagramScope, newDiagram, type Script } from './diagram.js';
import { EFFECTS, type EffectStep, nextText, stuckText } from './effects.js';
import { literal } from './expressions.js';
import type { Writing } from './place.js';
import { delegateOf, undoFields } from './registration.js';

/** Whether an effect belongs to the failed part of a node: JSONata over `$one`, an effect. */
export function withinText({ node }: NodePlan, variable: string): string {
  const path = `$at & ${literal(node.id)}`;
  const isUnder = (prefix: string) => `$substring($one.path, 0, $length(${prefix})) = ${prefix}`;
  if (node.type === 'task') return `$one.path = ${path}`;
  if (node.type === 'map' && node.items === undefined) return isUnder(`(${path} & "[")`);
  return `$count([$${variable}.parts[$substring($one.path, 0, $length($)) = $]]) > 0`;
}

/**
 * Adds the undoing of effects: a sub-process that handles them one after the other, the latest
 * first. It throws the compensation of a step; a step that may have run several times, all of whose
 * runs the engine would undo at once, is undone by a call for each of its effects.
 */
export function addUndo(
  writing: Writing,
  scope: DiagramScope,
  id: string,
  steps: readonly EffectStep[],
  within: string,
): string {
  const inside = newDiagram('undoing', 'call', 'answer');
  addShape(scope, { id, type: 'bpmn:SubProcess', name: 'undo', inside, closed: true });
  addShape(inside, { id: `${id}.start`, type: 'bpmn:StartEvent' });
  const next = `${id}.next`;
  const look: Script[] = [
    { on: 'start', result: 'undoing', text: nextText(steps, within) },
    { on: 'start', result: 'call', text: '$exists($undoing.call) ? $undoing.call : null' },
    { on: 'start', result: 'undone', text: 'null' },
    { on: 'start', result: 'answer', text: 'null' },
  ];
  addShape(inside, {
    id: next,
    type: 'bpmn:ExclusiveGateway',
    name: 'the last one',
    scripts: look,
  });
  addFlow(inside, `${id}.start`, next);
  const undoable = steps.filter(canBeUndone);
  const settle = `${id}.settled`;
  if (undoable.length > 0) addShape(inside, { id: settle, type: 'bpmn:ExclusiveGateway' });
  for (const step of undoable) {
    const { policy, node } = step.plan;
    const compensator = policy.compensation?.handler ?? '';
    const name = `undo ${node.id}`;
    const by = `${id}.${step.id}`;
    const is = `$boolean($undoing) and $undoing.step = ${literal(step.id)}`;
    addShape(inside, {
      id: `${by}.call`,
      type: 'bpmn:ServiceTask',
      name: step.repeats ? name : `${name}, broken off`,
      attributes: { 'flowable:class': delegateOf(writing, compensator) },
      fields: undoFields(policy),
    });
    addFlow(inside, `${by}.call`, settle);
    if (step.repeats) {
      addFlow(inside, next, `${by}.call`, { when: is });
      continue;
    }
    addShape(inside, {
      id: by,
      type: 'bpmn:IntermediateThrowEvent',
      name,
      trigger: { type: 'compensate', activity: step.id },
    });
    addFlow(inside, next, by, { when: `${is} and $undoing.done = true` });
    addFlow(inside, next, `${by}.call`, {
      when: `${is} and $not($undoing.done = true)`,
    });
    addFlow(inside, by, settle);
  }
  const settled = `$map($${EFFECTS}, function($one) {
    $one.path = $undoing.path and $one.status = "held" ? $merge([$one, $exists($undone.error) ? {"status": "failed", "error": $undone.error} : {"status": "undone", "left": $undone.output.remaining}]) : $one
  })`;
  if (undoable.length > 0) {
    const scripts: Script[] = [{ on: 'take', result: EFFECTS, text: `[${settled}]` }];
    addFlow(inside, settle, next, { back: true, scripts });
  }
  addFlow(inside, next, `${id}.end`, { name: 'none is left', otherwise: true });
  addShape(inside, {
    id: `${id}.end`,
    type: 'bpmn:EndEvent',
    scripts: [{ on: 'start', result: 'undoFailed', text: stuckText(within) }],
  });
  return id;
}

/** Whether the effect of a step can be undone. */
function canBeUndone({ plan: { node, policy } }: EffectStep): boolean {
  const irreversible = node.type === 'task' && node.effect === 'irreversible';
  return policy.compensation !== undefined && !irreversible;
}
