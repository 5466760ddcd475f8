import type { NodePlan } from '../../workflow/interpreter/plan.js';
import type { Policy, TaskNode } from '../../workflow/ir/workflow.js';
import { whereIs } from '../mapping.js';
import { idOf, notesOf, type Place, type Writing } from './bodies.js';
import {
  addFlow,
  addHandler,
  addShape,
  newScope,
  type Scope,
  type Script,
  type Trigger,
} from './diagram.js';
import { EFFECTS, FORGET, registerText, settleText } from './effects.js';
import { durationOf, isAnySet, literal, matchText, nodeVariable, waitText } from './expressions.js';

/** A step under way. */
interface Step {
  readonly writing: Writing;
  readonly plan: NodePlan;
  readonly policy: Policy;
  readonly place: Place;
  readonly id: string;
  readonly inside: Scope;
}

/**
 * Adds a task or a wait: a sub-process that always completes. It holds the attempts, and tells by a
 * variable of the body around it how it ended, so that what it did can be undone even if it failed.
 */
export function addStep(
  writing: Writing,
  scope: Scope,
  plan: NodePlan,
  place: Place,
  given: string,
): void {
  const { node, policy } = plan;
  const id = idOf(place, node.id);
  const inside = newScope('path', 'given', 'call', 'answer', 'attempt', 'due');
  const step: Step = { writing, plan, policy, place, id, inside };
  const effect = node.type === 'task' && node.effect !== 'none';
  addShape(scope, {
    ...{ id, type: 'bpmn:SubProcess', name: node.name ?? node.id, inside, closed: !effect },
    notes: { node: notesOf(plan) },
  });
  addShape(inside, {
    ...{ id: `${id}.start`, type: 'bpmn:StartEvent' },
    scripts: [
      { on: 'start', result: 'path', text: `$at & ${literal(node.id)}` },
      { on: 'start', result: 'given', text: `${isAnySet(place.stops)} ? null : (${given})` },
      { on: 'start', result: 'attempt', text: '1' },
    ],
  });
  addShape(inside, { id: `${id}.go`, type: 'bpmn:ExclusiveGateway', name: 'stopped?' });
  addFlow(inside, `${id}.start`, `${id}.go`);
  addFlow(inside, `${id}.go`, `${id}.end`, { name: 'yes', when: isAnySet(place.stops) });
  if (node.type === 'wait') addMessage(step, node.message);
  else addAttempts(step, node as TaskNode);
  addShape(inside, { id: `${id}.end`, type: 'bpmn:EndEvent', scripts: [endScript(step)] });
}

/** The variable of the node: how it ended. */
function endScript({ plan, policy }: Step): Script {
  const caught = (policy.catch ?? []).flatMap(({ errors, handler }) => {
    if (handler === undefined || !plan.out.some(({ kind }) => kind === 'catch')) return [];
    return [`${matchText(errors, '$answer.error.code')} ? {"caughtBy": ${literal(handler)}} : `];
  });
  const error =
    '{"code": $answer.error.code, "message": $string($answer.error.message), "nodeId": $path}';
  const failed = `$merge([{"status": "failed", "error": ${error}, "input": $given}, ${caught.join('')}{}])`;
  const output = '$exists($answer.output) ? $answer.output : null';
  const text = `$not($boolean($answer)) ? {"status": "stopped"} : $exists($answer.error) ? ${failed} : {"status": "done", "output": ${output}}`;
  return { on: 'start', result: nodeVariable(plan.node.id), text };
}

/** The failure that ends the body, unless something catches it. */
export function failureScript(
  { plan, policy }: { plan: NodePlan; policy: Policy },
  { failure }: Place,
  on: 'take' | 'start',
): Script {
  const codes = (policy.catch ?? []).flatMap(({ handler, errors }) => {
    return handler === undefined || handler === plan.node.id ? [] : errors;
  });
  const isCaught = plan.out.some(({ kind }) => kind === 'catch')
    ? matchText(codes, '$answer.error.code')
    : 'false';
  const compensates = matchText(policy.compensation?.compensateOn ?? ['*'], '$answer.error.code');
  const nodeId = '$exists($answer.error.nodeId) ? $answer.error.nodeId : $path';
  const error = `{"code": $answer.error.code, "message": $string($answer.error.message), "nodeId": ${nodeId}, "compensates": ${compensates}}`;
  const text = `$exists($answer.error) and $not(${isCaught}) and $not($boolean($${failure})) ? ${error} : $${failure}`;
  return { on, result: failure, text };
}

/** The call that a handler is given. */
function callText({ policy, plan }: Step, kind: string, handler: string, more = ''): string {
  const { node } = plan;
  const keyed =
    policy.idempotencyKey !== undefined || (node.type === 'task' && node.effect !== 'none');
  const key = keyed && (kind === 'run' || kind === 'undo') ? `, "key": ${keyText(policy)}` : '';
  return `{"kind": ${literal(kind)}, "handler": ${handler}, "path": $path${key}, "input": $given${more}}`;
}

function keyText({ idempotencyKey }: Policy): string {
  const template = idempotencyKey?.template ?? '{runId}|{nodeId}|{inputHash}';
  const parts = template
    .split(/(\{runId\}|\{nodeId\}|\{inputHash\})/)
    .filter((part) => part !== '');
  const texts: Record<string, string> = {
    '{runId}': '$runId',
    '{nodeId}': '$path',
    '{inputHash}': '$string($given)',
  };
  return parts.map((part) => texts[part] ?? literal(part)).join(' & ');
}

function addMessage(step: Step, message: string): void {
  const { id, inside, plan, policy } = step;
  addShape(inside, {
    ...{ id: `${id}.run`, type: 'bpmn:ReceiveTask', name: message },
    scripts: [
      { on: 'start', result: 'call', text: callText(step, 'wait', literal(message)) },
      ...dueScripts(policy.wait?.seconds),
    ],
  });
  addFlow(inside, `${id}.go`, `${id}.run`, { name: 'no', otherwise: true });
  addFlow(inside, `${id}.run`, `${id}.end`, { scripts: [failureScript(step, step.place, 'take')] });
  if (policy.wait === undefined) return;
  addTimer(
    step,
    'run',
    policy.wait.seconds,
    'late',
    `${id}.end`,
    failText('WaitTimeout', `no ${message} came in time`),
    [failureScript({ plan, policy }, step.place, 'take')],
  );
}

const failText = (code: string, message: string): string =>
  `{"error": {"code": ${literal(code)}, "message": ${literal(message)}}}`;

/** Adds a timer to the border of an activity, and the way that it takes. */
function addTimer(
  { id, inside }: Step,
  host: string,
  seconds: number,
  name: string,
  to: string,
  answer: string,
  scripts: readonly Script[] = [],
): void {
  addShape(inside, {
    ...{ id: `${id}.${host}.${name}`, type: 'bpmn:BoundaryEvent', name: `${seconds} s` },
    ...{ on: `${id}.${host}`, trigger: timerOf(seconds) },
  });
  addFlow(inside, `${id}.${host}.${name}`, to, {
    scripts: [{ on: 'take', result: 'answer', text: answer }, ...scripts],
  });
}

/** A timer; of fractions of seconds only its moment can be said. */
function timerOf(seconds: number): Trigger {
  return { type: 'timer', duration: Number.isInteger(seconds) ? durationOf(seconds) : '${due}' };
}

function dueScripts(seconds: number | undefined): Script[] {
  if (seconds === undefined || Number.isInteger(seconds)) return [];
  return [
    { on: 'start', result: 'due', text: `$fromMillis($millis() + ${Math.round(seconds * 1000)})` },
  ];
}

function addAttempts(step: Step, task: TaskNode): void {
  const { id, inside, policy, writing } = step;
  let from = `${id}.go`;
  const go = (to: string, next = to) => {
    const isGate = from === `${id}.go` || from === `${id}.approved`;
    const name = from === `${id}.go` ? 'no' : 'yes';
    addFlow(inside, from, to, isGate ? { name, otherwise: true } : {});
    from = next;
  };
  const failed = `${id}.failed`;
  const retries = policy.retry !== undefined && policy.retry.maxAttempts > 1;
  if (task.approval !== undefined) go(addApproval(step, task.approval), `${id}.approved`);
  if (task.effect !== 'none') go(addRegistration(step, task));
  const handler = task.handler ?? task.id;
  const run = addShape(inside, {
    ...{ id: `${id}.run`, type: 'bpmn:ServiceTask', name: handler },
    attributes: {
      'flowable:type': 'external-worker',
      'flowable:topic': whereIs(writing.map, 'run', handler).topic ?? handler,
      'flowable:exclusive': 'false',
    },
    scripts: [
      { on: 'start', result: 'call', text: callText(step, 'run', literal(handler)) },
      ...dueScripts(policy.timeout?.seconds),
    ],
  });
  if (retries) {
    addShape(inside, { id: `${id}.try`, type: 'bpmn:ExclusiveGateway' });
    go(`${id}.try`);
  }
  go(run);
  addShape(inside, {
    id: `${id}.run.error`,
    type: 'bpmn:BoundaryEvent',
    on: run,
    trigger: { type: 'error' },
  });
  addFlow(inside, run, `${id}.end`, { scripts: effectScripts(step, task, true) });
  const end = failureScripts(step, task);
  const onward = retries ? failed : `${id}.end`;
  addFlow(inside, `${id}.run.error`, onward, { scripts: retries ? [] : end });
  if (policy.timeout !== undefined) {
    const { seconds } = policy.timeout;
    const answer = failText('Timeout', `${handler} took longer than ${seconds} s`);
    addTimer(
      step,
      'run',
      seconds,
      'late',
      onward,
      answer.replace('}}', '}, "late": true}'),
      retries ? [] : end,
    );
  }
  if (retries) addRetry(step, failed, end);
}

function addRetry({ id, inside, policy }: Step, failed: string, end: readonly Script[]): void {
  const { retry, backoff } = policy;
  const codes = retry?.retryOn ?? [];
  const most = retry?.maxAttempts ?? 1;
  addShape(inside, { id: failed, type: 'bpmn:ExclusiveGateway', name: 'again?' });
  addFlow(inside, failed, `${id}.end`, { name: 'no', otherwise: true, scripts: end });
  const when = `$attempt < ${most} and (${matchText(codes, '$answer.error.code')})`;
  const name = `${codes.includes('*') ? 'any failure' : codes.join(', ')}, at most ${most} times`;
  const next: Script = { on: 'take', result: 'attempt', text: '$attempt + 1' };
  if (backoff === undefined || backoff.base === 0) {
    addFlow(inside, failed, `${id}.try`, { name, when, back: true, scripts: [next] });
    return;
  }
  addShape(inside, {
    ...{ id: `${id}.pause`, type: 'bpmn:IntermediateCatchEvent', beside: { id: failed, side: -1 } },
    name: backoff.mode === 'fixed' ? `${backoff.base} s` : `${backoff.base} s, doubled`,
    trigger: { type: 'timer', duration: '${due}' },
  });
  const wait = `$fromMillis($millis() + $round(1000 * (${waitText(backoff, '$attempt')})))`;
  addFlow(inside, failed, `${id}.pause`, {
    name,
    when,
    scripts: [{ on: 'take', result: 'due', text: wait }, next],
  });
  addFlow(inside, `${id}.pause`, `${id}.try`, { back: true });
}

/** Adds the gate before a task: somebody has to complete it. */
function addApproval(step: Step, approval: string): string {
  const { id, inside, policy, place } = step;
  const parts = approval.split(/\{input((?:\.\w+)+)\}/);
  const name = parts
    .map((part, k) => (k % 2 === 0 ? literal(part) : `$string($given${part})`))
    .join(' & ');
  addShape(inside, {
    ...{ id: `${id}.approval`, type: 'bpmn:UserTask', name: approval },
    scripts: [
      { on: 'start', result: 'call', text: callText(step, 'approve', name) },
      ...dueScripts(policy.wait?.seconds),
    ],
  });
  addShape(inside, { id: `${id}.approved`, type: 'bpmn:ExclusiveGateway', name: 'approved?' });
  addFlow(inside, `${id}.approval`, `${id}.approved`);
  const scripts = [failureScript(step, place, 'take')];
  addFlow(inside, `${id}.approved`, `${id}.end`, {
    name: 'no',
    when: '$exists($answer.error)',
    scripts,
  });
  if (policy.wait !== undefined) {
    addTimer(
      step,
      'approval',
      policy.wait.seconds,
      'late',
      `${id}.end`,
      failText('WaitTimeout', `no ${approval} came in time`),
      scripts,
    );
  }
  return `${id}.approval`;
}

/** Adds the registration of what undoes an effect, before the step is called. */
function addRegistration(step: Step, task: TaskNode): string {
  const { id, inside, policy, plan } = step;
  const compensator = policy.compensation?.handler;
  const undoCall = callText(step, 'undo', literal(compensator ?? ''), ', "output": null');
  const register = addShape(inside, {
    ...{ id: `${id}.register`, type: 'bpmn:ScriptTask', name: `register ${plan.node.id}` },
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
      ...{ id: `${id}.undo`, type: 'bpmn:ServiceTask', name: `undo ${plan.node.id}` },
      attributes: {
        isForCompensation: true,
        'flowable:class': delegateOf(step.writing, compensator),
      },
      fields: undoFields(policy),
      scripts: [{ on: 'end', result: 'undone', text: '$answer' }],
      beside: { id: register, side: 1 },
    },
  );
  return register;
}

/** The delegate of the engine that calls a compensator and waits for it. */
export function delegateOf({ map }: Writing, compensator: string): string {
  return whereIs(map, 'undo', compensator).delegate ?? 'alas.Caller';
}

/** How often and how long a compensator is called. */
export function undoFields({ compensation }: Policy): Record<string, string> {
  const { timeout, retry, backoff, safeReinvoke } = compensation ?? {};
  const fields: Record<string, string> = { seconds: String(timeout?.seconds ?? 60) };
  if (safeReinvoke !== true || retry === undefined) return fields;
  fields.attempts = String(retry.maxAttempts);
  fields.retryOn = retry.retryOn.join(',');
  if (backoff === undefined) return fields;
  fields.wait = String(backoff.base);
  fields.mode = backoff.mode;
  if (backoff.cap !== undefined) fields.cap = String(backoff.cap);
  return fields;
}

/** What becomes of the effect when its step has ended. */
function effectScripts(step: Step, task: TaskNode, done: boolean): Script[] {
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

function failureScripts(step: Step, task: TaskNode): Script[] {
  return [...effectScripts(step, task, false), failureScript(step, step.place, 'take')];
}
