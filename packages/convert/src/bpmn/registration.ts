import type { Policy, TaskNode } from '@alas-jssp/workflow';
import { whereIs } from '../mapping.js';
import { callText, type StepDraft } from './calls.js';
import { addHandler, addShape, type Script } from './diagram.js';
import { EFFECTS, FORGET, registerText, settleText } from './effects.js';
import { literal } from './expressions.js';
import type { Writing } from './place.js';

/** Adds the registration of the undo, before the step is called. */
export function addRegistration(step: StepDraft, task: TaskNode): string {
  const { id, inside, policy, plan } = step;
  const compensator = policy.compensation?.handler;
  const undoCall = callText(step, 'undo', literal(compensator ?? ''), ', "output": null');
  const register = addShape(inside, {
    id: `${id}.register`,
    type: 'bpmn:ScriptTask',
    name: `register ${plan.node.id}`,
    script: { result: EFFECTS, text: registerText(id, undoCall) },
  });
  if (compensator === undefined || task.effect === 'irreversible') return register;
  addHandler(
    inside,
    {
      id: `${register}.undo`,
      type: 'bpmn:BoundaryEvent',
      on: register,
      trigger: { type: 'compensate' },
    },
    {
      id: `${id}.undo`,
      type: 'bpmn:ServiceTask',
      name: `undo ${plan.node.id}`,
      attributes: {
        isForCompensation: true,
        'flowable:class': delegateOf(step.writing, compensator),
      },
      fields: undoFields(policy),
      beside: { id: register, side: 1 },
    },
  );
  return register;
}

/** The delegate of the engine that calls a compensator and waits for it. */
export function delegateOf({ map }: Writing, compensator: string): string {
  return whereIs(map, 'undo', compensator).delegate ?? 'alas.Caller';
}

/** The retries and timeout of a compensator. */
export function undoFields({ compensation }: Policy): Record<string, string> {
  const { timeout, retry, backoff, safeReinvoke } = compensation ?? {};
  const fields: Record<string, string> = {
    result: 'undone',
    seconds: String(timeout?.seconds ?? 60),
  };
  if (safeReinvoke !== true || retry === undefined) return fields;
  fields.attempts = String(retry.maxAttempts);
  fields.retryOn = retry.retryOn.join(',');
  if (backoff === undefined) return fields;
  fields.wait = String(backoff.base);
  fields.mode = backoff.mode;
  if (backoff.cap !== undefined) fields.cap = String(backoff.cap);
  return fields;
}

/** Records the outcome of the effect when its step has ended. */
export function effectScripts(step: StepDraft, task: TaskNode, done: boolean): Script[] {
  if (task.effect === 'none') return [];
  const compensator = step.policy.compensation?.handler ?? '';
  const output = done ? '$exists($answer.output) ? $answer.output : null' : 'null';
  const call: Script = {
    on: 'take',
    result: 'call',
    text: callText(step, 'undo', literal(compensator), `, "output": ${output}`),
  };
  const held = settleText('{"call": $call, "done": true}');
  if (task.effect !== 'irreversible' || done)
    return [call, { on: 'take', result: EFFECTS, text: held }];
  const text = `$boolean($answer.late) ? ${settleText('{"status": "doubt"}')} : ${FORGET}`;
  return [{ on: 'take', result: EFFECTS, text }];
}
