import { callText, failureScript, type StepDraft } from './calls.js';
import { addFlow, addShape, type Script, type Trigger } from './diagram.js';
import { durationOf, literal, variableText } from './expressions.js';

/** Adds the wait for a message. */
export function addMessage(step: StepDraft, message: string): void {
  const { id, inside, plan, policy } = step;
  addShape(inside, {
    id: `${id}.run`,
    type: 'bpmn:ReceiveTask',
    name: message,
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

/** An answer that is a failure. */
export const failText = (code: string, message: string): string =>
  `{"error": {"code": ${literal(code)}, "message": ${literal(message)}, "nodeId": $path}}`;

/** Adds a timer to the border of an activity, and its flow. */
export function addTimer(
  { id, inside }: StepDraft,
  host: string,
  seconds: number,
  name: string,
  to: string,
  answer: string,
  scripts: readonly Script[] = [],
): void {
  addShape(inside, {
    id: `${id}.${host}.${name}`,
    type: 'bpmn:BoundaryEvent',
    name: `${seconds} s`,
    on: `${id}.${host}`,
    trigger: timerOf(seconds),
  });
  addFlow(inside, `${id}.${host}.${name}`, to, {
    scripts: [{ on: 'take', result: 'answer', text: answer }, ...scripts],
  });
}

/** A timer; a fraction of seconds requires an absolute time. */
function timerOf(seconds: number): Trigger {
  return {
    type: 'timer',
    duration: Number.isInteger(seconds) ? durationOf(seconds) : variableText('due'),
  };
}

/** Sets the time of a timer with fractions of seconds. */
export function dueScripts(seconds: number | undefined): Script[] {
  if (seconds === undefined || Number.isInteger(seconds)) return [];
  return [
    { on: 'start', result: 'due', text: `$fromMillis($millis() + ${Math.round(seconds * 1000)})` },
  ];
}

/** Adds the gate before a task: a user task that must be completed. */
export function addApproval(step: StepDraft, approval: string): string {
  const { id, inside, policy, place } = step;
  const parts = approval.split(/\{input((?:\.\w+)+)\}/);
  const name = parts
    .map((part, k) => (k % 2 === 0 ? literal(part) : `$string($given${part})`))
    .join(' & ');
  addShape(inside, {
    id: `${id}.approval`,
    type: 'bpmn:UserTask',
    name: approval,
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
