import type { Policy } from '@alas-jssp/workflow';
import type { NodePlan } from '@alas-jssp/workflow/ir';
import type { DiagramScope, Script } from './diagram.js';
import { literal, matchText } from './expressions.js';
import type { FlowPlace, Writing } from './place.js';

/** A step in construction. */
export interface StepDraft {
  readonly writing: Writing;
  readonly plan: NodePlan;
  readonly policy: Policy;
  readonly place: FlowPlace;
  readonly id: string;
  readonly inside: DiagramScope;
}

/** The payload of a handler's call. */
export function callText(
  { policy, plan }: StepDraft,
  kind: string,
  handler: string,
  more = '',
): string {
  const { node } = plan;
  const keyed =
    policy.idempotencyKey !== undefined || (node.type === 'task' && node.effect !== 'none');
  const key = keyed && (kind === 'run' || kind === 'undo') ? `, "key": ${keyText(policy)}` : '';
  const params = kind === 'run' && node.params ? `, "params": ${literal(node.params)}` : '';
  return `{"kind": ${literal(kind)}, "handler": ${handler}, "path": $path${key}, "input": $given${params}${more}}`;
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

/** The failure that ends the body, unless it is caught. */
export function failureScript(
  { plan, policy }: { plan: NodePlan; policy: Policy },
  { failure }: FlowPlace,
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
