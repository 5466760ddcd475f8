import type { Policy } from '@alas-jssp/workflow';
import type { TemplateNode, Undo } from './template.js';

/** Limit of the attempts of nodes that give none, in seconds. */
const TIMEOUT_SECONDS = 60;

/** Limit of the items of one run of a node with `forEach`. */
const MOST_ITEMS = 1000;

const BACKOFF = { mode: 'exponential', base: 1, cap: 60, jitter: 0 } as const;

/** The effect of a task, as the workflow declares it. */
export type TaskEffect = 'none' | 'compensable' | 'partial' | 'irreversible';

/** The name of the policy of a node; with `forEach` that of the loop around it. */
export function policyName(id: string): string {
  return `node/${id}`;
}

/** The name of the policy of the task in the loop of a node with `forEach`. */
export function itemPolicyName(id: string): string {
  return `item/${id}`;
}

/** The name of the compensator of a node. */
export function compensatorName(id: string): string {
  return `undo/${id}`;
}

/** The policies of a node by name. */
export function policiesOf(
  node: TemplateNode,
  effect: TaskEffect,
  undo: Undo | undefined,
): [name: string, policy: Policy][] {
  if (node.work === 'choice') return [];
  const caught = catchOf(node);
  const task = taskPolicy(node, effect, undo);
  if (node.details.forEach === undefined) {
    return [[policyName(node.id), { ...task, ...caught }]];
  }
  return [
    [policyName(node.id), { loopGuards: { maxIters: MOST_ITEMS }, ...caught }],
    [itemPolicyName(node.id), task],
  ];
}

function taskPolicy({ id, details }: TemplateNode, effect: TaskEffect, undo?: Undo): Policy {
  const { retry, timeout = TIMEOUT_SECONDS, approvers } = details;
  const policy: Policy = { timeout: { seconds: timeout } };
  if (retry !== undefined) {
    policy.retry = { maxAttempts: retry.attempts, retryOn: retry.on.filter((code) => code !== '') };
    policy.backoff = BACKOFF;
  }
  if (approvers !== undefined && approvers.length > 0) policy.approvers = [...approvers];
  if (effect === 'none') return policy;
  policy.idempotencyKey = { template: '{runId}|{nodeId}|{inputHash}', scope: 'node' };
  if (effect !== 'irreversible' && undo !== undefined) {
    policy.compensation = {
      handler: compensatorName(id),
      triggers: ['onFailure', 'onCancel'],
      compensateOn: ['*'],
      safeReinvoke: true,
      timeout: { seconds: timeout },
      retry: { maxAttempts: 3, retryOn: ['*'] },
      backoff: BACKOFF,
    };
  }
  return policy;
}

/** The routes of errors; those without exactly one target are findings of the compiler. */
function catchOf({ details }: TemplateNode): Pick<Policy, 'catch'> {
  const routes = (details.catch ?? []).flatMap(
    ({ errors, to, backTo, times }): NonNullable<Policy['catch']> => {
      if ((to === undefined) === (backTo === undefined)) return [];
      if (to !== undefined) return [{ errors, handler: to }];
      return [{ errors, backTo, ...(times !== undefined && { times }) }];
    },
  );
  return routes.length === 0 ? {} : { catch: routes };
}
