import type { TaskNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { whereIs } from '../mapping.js';
import { callText, failureScript, type StepDraft } from './calls.js';
import { addFlow, addShape, type DiagramScope, newDiagram, type Script } from './diagram.js';
import {
  isAnySet,
  literal,
  MOST_SECONDS,
  matchText,
  nodeVariable,
  variableText,
  waitText,
} from './expressions.js';
import { type FlowPlace, idOf, type Writing } from './place.js';
import { addRegistration, effectScripts } from './registration.js';
import { addApproval, addMessage, addTimer, dueScripts, failText } from './waits.js';

/**
 * Adds a task or a wait: a sub-process that always completes. It holds the attempts, and records
 * its end in a variable of the enclosing body, so that its effect can be undone even if it failed.
 */
export function addStep(
  writing: Writing,
  scope: DiagramScope,
  plan: NodePlan,
  place: FlowPlace,
  given: string,
): void {
  const { node, policy } = plan;
  const id = idOf(place, node.id);
  const inside = newDiagram('path', 'given', 'call', 'answer', 'attempt', 'due');
  const step: StepDraft = { writing, plan, policy, place, id, inside };
  const effect = node.type === 'task' && node.effect !== 'none';
  addShape(scope, {
    id,
    type: 'bpmn:SubProcess',
    name: node.name ?? node.id,
    inside,
    closed: !effect,
  });
  addShape(inside, {
    id: `${id}.start`,
    type: 'bpmn:StartEvent',
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

/** The variable of the node: its end. */
function endScript({ plan, policy }: StepDraft): Script {
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

function addAttempts(step: StepDraft, task: TaskNode): void {
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
    id: `${id}.run`,
    type: 'bpmn:ServiceTask',
    name: handler,
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
      answer.replace(/\}\}$/, '}, "late": true}'),
      retries ? [] : end,
    );
  }
  if (retries) addRetry(step, failed, end);
}

function addRetry({ id, inside, policy }: StepDraft, failed: string, end: readonly Script[]): void {
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
    id: `${id}.pause`,
    type: 'bpmn:IntermediateCatchEvent',
    beside: { id: failed, side: -1 },
    name: backoff.mode === 'fixed' ? `${backoff.base} s` : `${backoff.base} s, doubled`,
    trigger: { type: 'timer', duration: variableText('due') },
  });
  const wait = `$fromMillis($millis() + $round(1000 * $min([${MOST_SECONDS}, ${waitText(backoff, '$attempt')}])))`;
  addFlow(inside, failed, `${id}.pause`, {
    name,
    when,
    scripts: [{ on: 'take', result: 'due', text: wait }, next],
  });
  addFlow(inside, `${id}.pause`, `${id}.try`, { back: true });
}

function failureScripts(step: StepDraft, task: TaskNode): Script[] {
  return [...effectScripts(step, task, false), failureScript(step, step.place, 'take')];
}
