import type { Policy, TaskNode, WaitNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import type { HandlerPlace } from '../../mapping.js';
import type { ArgoCall, Parameter, RetryStrategy, Template } from '../document.js';
import { createFresh, exprText, lookUp, tag, withLets } from '../expressions.js';
import { toObjectName } from '../names.js';

/** The file path of a container's answer. */
const ANSWERS = '/tmp/alas';

/** The sign of a message or an approval that did not arrive in time. */
const LATE = '{"$late":true}';

/** The template that fails with the given error. */
export const FAIL = 'alas-fail';

/** The call of a handler, as JSON: an expression. `input` may use no variable `i`. */
export function callExpression(
  kind: 'run' | 'undo' | 'wait' | 'approve',
  handler: string,
  path: string,
  input: string,
  policy: Policy | undefined,
  params?: object,
): string {
  const fixed = params ? `, "params": fromJSON(${exprText(JSON.stringify(params))})` : '';
  const key = policy === undefined ? '' : `, "key": ${keyExpression(policy, path, 'i')}`;
  const output = kind === 'undo' ? ', "output": nil' : '';
  const call = `{"kind": ${exprText(kind)}, "handler": ${exprText(handler)}, "path": ${path}, "runId": workflow.name${key}, "input": i${fixed}${output}}`;
  return `(let i = ${input}; toJson(${call}))`;
}

/** The key of an effect, made of run, path and input: an expression. */
function keyExpression(policy: Policy, path: string, input: string): string {
  const { template = '{runId}|{nodeId}|{inputHash}', scope } = policy.idempotencyKey ?? {};
  const fields: Readonly<Record<string, string>> = {
    '{runId}': 'workflow.name',
    '{nodeId}': path,
    '{inputHash}': `sprig.sha256sum(toJson(${input}))`,
  };
  const parts = template.split(/(\{(?:runId|nodeId|inputHash)\})/).filter((part) => part !== '');
  const texts = parts.map((part) => fields[part] ?? exprText(part));
  return [...(scope === 'resource' ? ['"resource|"'] : []), ...texts].join(' + ');
}

/** Whether a task has a key: its policy says so, or its effect needs one. */
export function hasKey({ effect }: TaskNode, { idempotencyKey }: Policy): boolean {
  return idempotencyKey !== undefined || effect !== 'none';
}

/** A container that receives a call as its argument and answers with files. */
export function callTemplate(
  name: string,
  place: HandlerPlace,
  handler: string,
  more: Partial<Template>,
): Template {
  const { image = toObjectName(handler), command } = place;
  return {
    name,
    ...more,
    inputs: { parameters: [{ name: 'call' }] },
    container: {
      image,
      ...(command !== undefined && { command }),
      args: ['{{inputs.parameters.call}}'],
    },
    outputs: {
      parameters: [
        { name: 'output', valueFrom: { path: `${ANSWERS}/output`, default: 'null' } },
        {
          name: 'error',
          valueFrom: { path: `${ANSWERS}/error`, default: 'null' },
          globalName: errorName(name),
        },
      ],
      artifacts: [{ name: 'value', path: `${ANSWERS}/value`, optional: true }],
    },
  };
}

/** The global name under which a step reports its error. */
export function errorName(template: string): string {
  return `error-${template}`;
}

/** The largest number that Argo accepts for seconds and attempts. */
const MOST = 2 ** 31 - 1;

/** The attempts of a step: the retried errors, the waits, and the limit of each attempt. */
export function triesOf(policy: Policy): Pick<Template, 'retryStrategy' | 'activeDeadlineSeconds'> {
  const { timeout } = policy;
  const retryStrategy = retryOf(policy);
  return {
    ...(retryStrategy !== undefined && { retryStrategy }),
    ...(timeout !== undefined && {
      activeDeadlineSeconds: Math.min(MOST, Math.max(1, Math.ceil(timeout.seconds))),
    }),
  };
}

function retryOf({ retry, backoff }: Policy): RetryStrategy | undefined {
  if (retry === undefined) return undefined;
  const { maxAttempts, retryOn } = retry;
  return {
    limit: Math.min(MOST, maxAttempts - 1),
    retryPolicy: 'Always',
    ...(!retryOn.includes('*') && { expression: retryOn.map(hasCode).join(' || ') || 'false' }),
    ...(backoff !== undefined && {
      backoff: {
        duration: durationOf(backoff.base),
        ...(backoff.mode === 'exponential' && { factor: 2 }),
      },
    }),
  };
}

/** How long a suspended step waits. */
function waitOf(wait: Policy['wait']): string | undefined {
  return wait && durationOf(wait.seconds);
}

/** A length of time as Argo reads it. */
function durationOf(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
}

/** Whether the last attempt ended with an error: its message holds the container's message. */
function hasCode(code: string): string {
  if (code === 'Timeout') return 'lastRetry.message contains "specified deadline"';
  if (code === 'Interrupted') return 'lastRetry.status == "Error"';
  return `lastRetry.message contains ${exprText(`"code":${JSON.stringify(code)}`)}`;
}

/** Runs of other workflows wait while one of them has the same key. */
export function lockOf({ idempotencyKey }: Policy): Pick<Template, 'synchronization'> {
  if (idempotencyKey?.scope !== 'resource') return {};
  const name = tag('"key-" + sprig.sha256sum(fromJSON(inputs.parameters.call).key)');
  return { synchronization: { mutexes: [{ name }] } };
}

/** The steps of a task that needs an approval, or that registers its undo. */
export function wrappedTask(
  name: string,
  node: TaskNode,
  parts: { readonly run: string; readonly approve?: string; readonly register?: string },
): Template {
  const call: Parameter = { name: 'call', value: '{{inputs.parameters.call}}' };
  const steps: ArgoCall[][] = [];
  if (parts.approve !== undefined) {
    steps.push([
      {
        name: 'approve',
        template: parts.approve,
        arguments: { parameters: [{ name: 'approval', value: tag(approvalName(node)) }] },
      },
    ]);
    steps.push([refusal(node.id)]);
  }
  if (parts.register !== undefined) {
    steps.push([{ name: 'register', template: parts.register, arguments: { parameters: [call] } }]);
  }
  steps.push([{ name: 'run', template: parts.run, arguments: { parameters: [call] } }]);
  return {
    name,
    inputs: { parameters: [{ name: 'call' }] },
    steps,
    outputs: { parameters: [handOn('output', '{{steps.run.outputs.parameters.output}}')] },
  };
}

function approvalName({ approval = '' }: TaskNode): string {
  const fresh = createFresh();
  const lets: string[] = [];
  const parts = approval.split(/(\{input(?:\.\w+)+\})/).map((part) => {
    if (!part.startsWith('{input.')) return exprText(part);
    const keys = part.slice('{input.'.length, -1).split('.');
    const found = lookUp('fromJSON(inputs.parameters.call).input', keys, fresh, 'number');
    lets.push(...found.lets);
    return `string(${found.value})`;
  });
  return withLets(lets, parts.filter((part) => part !== '""').join(' + '));
}

function refusal(nodeId: string): ArgoCall {
  const payload = 'steps["approve"]?.outputs?.parameters?.payload';
  const late = `${payload} == ${exprText(LATE)}`;
  const error = (code: string) => exprText(JSON.stringify({ code, message: '', nodeId }));
  return {
    name: 'refused',
    template: FAIL,
    when: tag(`${late} || fromJSON(${payload} ?? "{}")?.approved == false`),
    arguments: {
      parameters: [
        { name: 'error', value: tag(`${late} ? ${error('WaitTimeout')} : ${error('Denied')}`) },
      ],
    },
  };
}

/** Registers the effect of a step before it starts: the exit handler may have to undo it. */
export function registerTemplate(name: string, effect: string, nothing: string): Template {
  return {
    name,
    inputs: { parameters: [{ name: 'call' }] },
    steps: [[{ name: 'go', template: nothing }]],
    outputs: {
      parameters: [{ ...handOn('effect', '{{inputs.parameters.call}}'), globalName: effect }],
    },
  };
}

/** Waits for a message, at most as long as the policy allows. */
export function suspendTemplate(name: string, { wait }: Policy, input?: string): Template {
  return {
    name,
    ...(input !== undefined && { inputs: { parameters: [{ name: input }] } }),
    suspend: wait === undefined ? {} : { duration: waitOf(wait) },
    outputs: {
      parameters: [
        {
          name: 'payload',
          valueFrom: { supplied: {}, ...(wait !== undefined && { default: LATE }) },
        },
      ],
    },
  };
}

/** A node that waits for a message: first notifies its subscriber, if there is one. */
export function waitTemplate(
  name: string,
  { node }: NodePlan & { node: WaitNode },
  parts: { readonly ask: string; readonly notify?: string },
): Template {
  const payload = 'steps["ask"]?.outputs?.parameters?.payload';
  const error = JSON.stringify({ code: 'WaitTimeout', message: '', nodeId: node.id });
  const steps: ArgoCall[][] = [[{ name: 'ask', template: parts.ask }]];
  if (parts.notify !== undefined) {
    const call = { name: 'call', value: '{{inputs.parameters.call}}' };
    steps.unshift([{ name: 'notify', template: parts.notify, arguments: { parameters: [call] } }]);
  }
  steps.push([
    {
      name: 'late',
      template: FAIL,
      when: tag(`${payload} == ${exprText(LATE)}`),
      arguments: { parameters: [{ name: 'error', value: error }] },
    },
  ]);
  return {
    name,
    inputs: { parameters: [{ name: 'call' }] },
    steps,
    outputs: { parameters: [handOn('output', '{{steps.ask.outputs.parameters.payload}}')] },
  };
}

/** A parameter with the value of another one. */
export function handOn(name: string, parameter: string): Parameter {
  return { name, valueFrom: { parameter } };
}
