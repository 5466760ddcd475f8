import type { Policy, TaskNode } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import { whereIs } from '../../mapping.js';
import { expression, follow, jsonExpression, plainText, quoted } from '../jsonata.js';
import { type MachineScope, pathQuery, type State } from './scope.js';

/** How a function is called: it answers itself, or another client answers with the task token. */
const RESOURCE = 'arn:aws:states:::lambda:invoke';

/** The call of a step or of its compensator; `input`, `key` and `output` are templates. */
export interface StepCall {
  readonly kind: 'run' | 'undo' | 'wait' | 'approve';
  /** The name of the handler, compensator, message or approval. */
  readonly name: string;
  /** The name in the map and in the payload, if it differs. */
  readonly sent?: string;
  readonly path: string;
  readonly input: unknown;
  /** The parameters of the node, as in the workflow. */
  readonly params?: object | undefined;
  readonly key?: string | undefined;
  readonly output?: unknown;
}

/** The fields of a state that makes a call. */
export function callFields({ writing: { map } }: MachineScope, call: StepCall): State {
  const { kind, name, sent = plainText(name), path, input, params, key, output } = call;
  const waits = kind === 'wait' || kind === 'approve';
  const payload = {
    kind,
    handler: sent,
    path,
    runId: RUN_ID,
    ...(key === undefined ? {} : { key }),
    input,
    ...(params === undefined ? {} : { params: jsonExpression(params) }),
    ...(output === undefined ? {} : { output }),
    ...(waits ? { token: expression('$states.context.Task.Token') } : {}),
  };
  return {
    Type: 'Task',
    Resource: waits ? `${RESOURCE}.waitForTaskToken` : RESOURCE,
    Arguments: { FunctionName: plainText(whereIs(map, kind, name).arn ?? name), Payload: payload },
  };
}

const RUN_ID = expression('$states.context.Execution.Name');

/** Whether calls of a task have a key. */
export function isKeyed({ effect }: TaskNode, { idempotencyKey }: Policy): boolean {
  return effect !== 'none' || idempotencyKey !== undefined;
}

/**
 * The key of a task, as an expression. Run and path distinguish effects as well as with the hash of
 * the input, which expressions cannot compute; if a template omits one of these, the input itself
 * replaces its hash. A reset node has another key.
 */
export function keyQuery(scope: MachineScope, plan: NodePlan, input: string): string {
  const { template = DEFAULT_TEMPLATE, scope: reach = 'node' } = plan.policy.idempotencyKey ?? {};
  const isSure = template.includes('{runId}') && template.includes('{nodeId}');
  const parts = template.split(/(\{\w+\})/).flatMap((part) => {
    if (part === '') return [];
    if (part === '{runId}') return ['$states.context.Execution.Name'];
    if (part === '{nodeId}') return [pathQuery(scope, plan.node.id)];
    if (part === '{inputHash}') return [isSure ? quoted('-') : `$string(${input})`];
    return [quoted(part)];
  });
  const key = parts.join(' & ');
  if (reach === 'resource') return `'resource|' & ${key}`;
  if (!scope.writing.goesBack) return key;
  return `${key} & (${resetsQuery(scope, plan)} ~> function($n) { $n = 0 ? '' : '~' & ($n + 1) })`;
}

const DEFAULT_TEMPLATE = '{runId}|{nodeId}|{inputHash}';

/** How often a node was reset, as an expression. */
export function resetsQuery({ self }: MachineScope, { node }: NodePlan): string {
  const own = follow(`${self}.resets`, [node.id]);
  return `(${self}.outerResets + ($exists(${own}) ? ${own} : 0))`;
}
